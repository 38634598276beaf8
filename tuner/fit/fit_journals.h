/* The journals of a fit over sizes, one for each size, and the table of times for the fit. */
#ifndef CUTUNE_FIT_FIT_JOURNALS_H
#define CUTUNE_FIT_FIT_JOURNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/provenance.h"
#include "fit/fit.h"
#include "journal/journal.h"
#include "journal/journal_outcomes.h"
#include "space/space.h"

/* Parts of the provenance, besides kernel and device, that journals of a fit must share: their times are compared. */
enum { FIT_IDENTITY = PROVENANCE_QUESTION | PROVENANCE_TOOLS | PROVENANCE_PROGRAM };

struct fit_journal {
    const char *path;
    const int64_t *sizes; /* by name */
    struct journal *journal;
    struct journal_outcomes outcomes, search; /* search: without the rows of a fit */
    bool probed;                              /* journal_is_probed */
};

/* Mark of an outcome: the fit may choose its configuration. */
enum { FIT_INSIDE = 1 };

/* Zeroed: empty. */
struct fit_journals {
    struct arena arena;
    const struct space *space; /* narrowed: configurations outside take no part; borrowed. NULL: all take part */
    size_t name_count, count, room, configuration_count, configuration_room;
    const char *const *names;    /* of the problem sizes; borrowed */
    struct fit_journal **items;  /* in the order of their sizes: a fit does not depend on the order of measuring */
    const char **configurations; /* proposed by any size, "TILE=32 PAD=1" */
    const char **texts;          /* by configuration: its condition on the sizes; NULL: not found yet */
    const struct size_condition **conditions;
    const char **requirements; /* by configuration: its further condition on another device; "1": none */
    const char **blocks; /* by configuration: blocks of the main launch, as in struct fit_table; NULL: not found yet */
    size_t partial;      /* configurations with an incomplete condition (space/language/condition.h) */
};

/* Reads a journal; reads it again if its path was added before. ERROR_DATA if its kernel, device, FIT_IDENTITY or
 * parameters differ from the first journal's, or if its problem lacks one of the names. *same: another journal has
 * these sizes, and this one is not added. */
int fit_journals_add(struct fit_journals *journals, const char *path, bool *same, struct error *error);

/* Finds each configuration's condition on the sizes and its number of blocks, from the parsed, unbound space.
 * ERROR_DATA for a configuration outside the space. */
int fit_journals_require(struct fit_journals *journals, const struct space *space, struct error *error);

/* Finds the condition of one configuration, as text and to evaluate; memory of the arena. *complete: the text has the
 * whole condition (space/language/condition.h). */
int fit_journals_condition(const struct fit_journals *journals, const struct space *space, const char *configuration,
                           struct arena *arena, const char **condition_text, const struct size_condition **condition,
                           bool *complete, struct error *error);

/* True if a fit measured the configuration or one that it duplicates. False for NULL. */
bool fit_journals_fitted(const struct outcome *outcome);

/* Writes the configurations that may be valid at this size and that no fit has measured there; room for
 * configuration_count. Returns their number. */
size_t fit_journals_missing(const struct fit_journals *journals, const struct fit_journal *journal,
                            const char **missing);

/* Keeps, in their order, those of `count` configurations that no fit has measured at a size. Returns their number. */
size_t fit_journals_unmeasured(const struct fit_journal *journal, const char **configurations, size_t count);

/* Writes those of `count` configurations (numbers) that may be valid at a point, which gives the first `width` sizes;
 * the journals give the others. If the journals differ in the others, writes all. Returns their number. */
size_t fit_journals_valid(const struct fit_journals *journals, const int64_t *point, size_t width,
                          const size_t *configurations, size_t count, const char **valid);

/* Fills the table. A configuration is invalid where its condition is false, and failed where it did not work. Times are
 * those of a fit: one session and one discipline; without them (other journals), those of the search and its play-off.
 * Early stopping leaves no time. Memory of the journals' arena. */
int fit_journals_table(struct fit_journals *journals, struct fit_table *table, struct error *error);

void fit_journals_free(struct fit_journals *journals);

#endif
