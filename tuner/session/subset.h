/* Sets smaller than the whole space: the configurations of a journal or of the command line. */
#ifndef CUTUNE_SESSION_SUBSET_H
#define CUTUNE_SESSION_SUBSET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "journal/journal.h"
#include "set/valid_set.h"

/* ERROR_USAGE when the journal has no durations, which a budget in seconds needs. */
int replayed_check_seconds(const struct journal *recorded, struct error *error);

/* True if it was recorded with this space and kernel source. */
bool replayed_same_version(const struct journal *recorded, const struct space *space);

/* ERROR_DATA if the journal belongs to another kernel or problem. *same_version: it was recorded with this space and
 * kernel source. */
int replayed_check_space(const struct journal *recorded, const struct space *space, const char *problem,
                         bool *same_version, struct error *error);

/* Restricts *set to the configurations in the journal; if it is NULL, makes the set of all recorded ones. *missing:
 * number of configurations dropped. */
int replayed_set(struct valid_set **set, const struct space *space, const struct journal *recorded, uint64_t *missing,
                 struct error *error);

/* Restricts *set to the `count` configurations in `configs`. ERROR_USAGE for an invalid one. */
int listed_set(struct valid_set **set, const struct space *space, const char *const *configs, size_t count,
               struct error *error);

/* Part `number` of `of`, counted from 1: every of-th configuration of a set, beginning with the number-th, so that all
 * parts have similar configurations. The parts together are the set. */
struct part {
    uint64_t number, of;
};

/* Reads "K/N". ERROR_USAGE for any other text. */
int part_read(const char *text, struct part *part, struct error *error);

/* Restricts *set to a part, which may be empty. A part is a list: ERROR_USAGE if it takes more than `max_bytes`. */
int part_set(struct valid_set **set, const struct space *space, const struct part *part, size_t max_bytes,
             struct error *error);

#endif
