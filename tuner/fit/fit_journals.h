/* The journals of a fit over sizes, one for each size, and the table of times that the fit is made from. */
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

/* Journals of a fit agree in these parts of their provenance, in the kernel and in the device, since it compares times
 * of one with times of another. */
enum { FIT_IDENTITY = PROVENANCE_QUESTION | PROVENANCE_TOOLS | PROVENANCE_PROGRAM };

struct fit_journal {
    const char *path;
    const int64_t *sizes; /* by name */
    struct journal *journal;
    struct journal_outcomes outcomes, search; /* all rows, and those of the search alone */
    bool probed;                              /* journal_is_probed */
};

/* Mark of an outcome: its configuration is one of those that the fit may choose. */
enum { FIT_INSIDE = 1 };

/* Zeroed: empty. */
struct fit_journals {
    struct arena arena;
    const struct space *space; /* narrowed: what it does not have takes no part; borrowed. NULL: all takes part */
    size_t name_count, count, room, configuration_count, configuration_room;
    const char *const *names;    /* of the problem sizes; borrowed */
    struct fit_journal **items;  /* by their sizes: a fit does not depend on the order in which they were measured */
    const char **configurations; /* those that any size proposes, "TILE=32 PAD=1" */
    const char **texts;          /* by configuration: what the space requires of the sizes; NULL: not known */
    const struct size_condition **conditions;
    const char **requirements; /* by configuration: what it also requires of another device; "1": nothing */
    const char **blocks;       /* by configuration: of the main launch, as struct fit_table has them; NULL: not known */
    size_t partial;            /* configurations whose conditions leave out what they cannot say (space/condition.h) */
};

/* Reads a journal, or reads it anew if one with this path was added before. ERROR_DATA if it is of another kernel,
 * device, FIT_IDENTITY or parameters than the first, or if its problem lacks one of the names; *same tells a
 * journal of sizes that another one has, which is not added. */
int fit_journals_add(struct fit_journals *journals, const char *path, bool *same, struct error *error);

/* Finds what the space, parsed and not bound, requires of the sizes for each configuration, and how many
 * blocks it launches. ERROR_DATA for one that the space does not have. */
int fit_journals_require(struct fit_journals *journals, const struct space *space, struct error *error);

/* What it requires of one configuration, as text and to evaluate; memory of the arena. *complete: nothing is left out
 * (space/condition.h). */
int fit_journals_condition(const struct fit_journals *journals, const struct space *space, const char *configuration,
                           struct arena *arena, const char **condition_text, const struct size_condition **condition,
                           bool *complete, struct error *error);

/* The configuration was measured by a fit, or is known to be as one that was. NULL: it was not. */
bool fit_journals_fitted(const struct outcome *outcome);

/* Writes the configurations that a fit has not measured at this size, of those that may be valid there; room for
 * configuration_count. Returns their number. */
size_t fit_journals_missing(const struct fit_journals *journals, const struct fit_journal *journal,
                            const char **missing);

/* Keeps of `count` configurations those that no fit has measured at a size, in their order. Returns their number. */
size_t fit_journals_unmeasured(const struct fit_journal *journal, const char **configurations, size_t count);

/* Writes those of `count` configurations (numbers) that may be valid at a point, the first `width` of the sizes; the
 * others are as everywhere. Where they differ between the journals, all may be. Returns their number. */
size_t fit_journals_valid(const struct fit_journals *journals, const int64_t *point, size_t width,
                          const size_t *configurations, size_t count, const char **valid);

/* Fills the table. A configuration is invalid where its condition does not hold. Times are those that the fit measured,
 * of one session and one discipline; where it measured nothing (other journals), those of the search and its play-off.
 * What did not work has failed there; what was stopped early has no time. Memory of the journals' arena. */
int fit_journals_table(struct fit_journals *journals, struct fit_table *table, struct error *error);

void fit_journals_free(struct fit_journals *journals);

#endif
