/* The explanation of one run: which of its configurations tell why the winner is the fastest, and the evidence that the
 * journal has of them. */
#ifndef CUTUNE_ANALYSE_EXPLAINED_H
#define CUTUNE_ANALYSE_EXPLAINED_H

#include "analyse/comparison.h"
#include "analyse/explanation.h"
#include "base/evidence.h"

/* The focus is the first configuration, then come the default, if it is another one and has a time, those that were
 * asked for, and the way from the default to the focus. The rest are those that differ from the focus in one parameter:
 * of each parameter first the one with the largest effect. */
struct explained {
    struct arena arena;
    const struct comparison *comparison; /* borrowed */
    size_t run;
    size_t *numbers;  /* of the configurations in the comparison */
    size_t named;     /* the first ones: focus, default and others */
    size_t wanted;    /* these and the way */
    size_t *way;      /* from the default to the focus */
    size_t way_count; /* 0: there is none, or the default is the focus or next to it */
    struct explanation_configuration *configurations;
    struct evidence ceilings;
    struct explanation_input input;
    /* After explained_make: */
    struct explanation explanation;
    struct explained_change *asked; /* from each of the others to the focus, if several parameters differ and both have
                                       evidence */
    size_t asked_count;
    struct explained_change *steps; /* along the way, between those with evidence */
    size_t step_count;
};

/* The next configuration on the way: of those with a time that differ from `from` in one parameter, in which they agree
 * with `to`, the fastest. COMPARISON_NONE: there is none. */
size_t explained_next(const struct comparison *comparison, size_t run, size_t from, size_t to);

/* Chooses the configurations, and takes their evidence from the journal. `focus`: a configuration of the comparison
 * with a time; COMPARISON_NONE: the best of the run. `others`: further configurations, to follow the default.
 * ERROR_NOT_FOUND if the run has no time of the focus or of another one. */
int explained_open(struct explained *explained, const struct comparison *comparison, size_t run, size_t focus,
                   const size_t *others, size_t other_count, struct error *error);

/* Gives a configuration other evidence, which is copied. */
int explained_put(struct explained *explained, size_t configuration, const struct evidence *launches, size_t count,
                  struct error *error);

/* Whether nothing is known of it, or with `counters`, whether nothing that the profiler measures is. */
bool explained_lacks(const struct explained *explained, size_t configuration, bool counters);

/* Forgets all that the profiler measures. */
int explained_forget_counters(struct explained *explained, struct error *error);

/* Makes the explanation of what is known. The only errors are
 * ERROR_MEMORY and ERROR_DATA. */
int explained_make(struct explained *explained, struct error *error);

void explained_close(struct explained *explained);

#endif
