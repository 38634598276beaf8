/* What is searched when it is not the whole space: what a journal knows, or what the command line lists. */
#ifndef CUTUNE_TUNER_SUBSET_H
#define CUTUNE_TUNER_SUBSET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "db/journal.h"
#include "space/valid_set.h"

/* ERROR_USAGE when the journal has no durations: a budget in seconds needs seconds to count. */
int replayed_check_seconds(const struct journal *recorded, struct error *error);

/* ERROR_DATA when the journal is of another kernel or problem. *same_version: the space and the kernel's source are
 * those that it was recorded from. */
int replayed_check_space(const struct journal *recorded, const struct space *space, const char *problem,
                         bool *same_version, struct error *error);

/* Replaces *set by the configurations of it that the journal knows; NULL: by all that it knows. *missing gets how many
 * of the set it does not. */
int replayed_set(struct valid_set **set, const struct space *space, const struct journal *recorded, uint64_t *missing,
                 struct error *error);

/* Replaces *set by the `count` configurations of it that are written in `configs`. ERROR_USAGE for what is none. */
int listed_set(struct valid_set **set, const struct space *space, const char *const *configs, size_t count,
               struct error *error);

#endif
