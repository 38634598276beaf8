/* The explanation of one run: the configurations that show why the winner is the fastest, with their evidence in the
 * journal. */
#ifndef CUTUNE_ANALYSE_EXPLAIN_INPUT_H
#define CUTUNE_ANALYSE_EXPLAIN_INPUT_H

#include "analyse/comparison.h"
#include "analyse/explanation.h"
#include "base/evidence.h"

/* The configurations in order: the focus; the default, if it differs and has a time; the requested ones; the way from
 * the default to the focus. The rest differ from the focus in one parameter: first the one of each parameter with the
 * largest effect. */
struct explain_input {
    struct arena arena;
    const struct comparison *comparison; /* borrowed */
    size_t run;
    size_t *numbers;  /* of the configurations in the comparison */
    size_t named;     /* number of the first part: focus, default and requested ones */
    size_t wanted;    /* number of these and the way */
    size_t *way;      /* from the default to the focus */
    size_t way_count; /* 0: the default is unknown, the focus, or next to it */
    struct explanation_configuration *configurations;
    struct evidence ceilings;
    struct explanation_input input;
    /* ---- Set by explain_input_make ---- */
    struct explanation explanation;
    struct explain_input_change
        *asked; /* from each requested one to the focus, if several parameters differ and both have evidence */
    size_t asked_count;
    struct explain_input_change *steps; /* along the way, between configurations with evidence */
    size_t step_count;
};

/* Returns the next configuration on the way: the fastest with a time that differs from `from` in one parameter, in
 * which it agrees with `to`. COMPARISON_NONE: none. */
size_t explain_input_next(const struct comparison *comparison, size_t run, size_t from, size_t to);

/* Chooses the configurations, and takes their evidence from the journal. `focus`: a configuration of the comparison
 * with a time; COMPARISON_NONE: the best of the run. `others`: the requested ones. ERROR_NOT_FOUND if the run has no
 * time of the focus or of a requested one. */
int explain_input_open(struct explain_input *explained, const struct comparison *comparison, size_t run, size_t focus,
                       const size_t *others, size_t other_count, struct error *error);

/* Replaces the evidence of a configuration by a copy of `launches`. */
int explain_input_put(struct explain_input *explained, size_t configuration, const struct evidence *launches,
                      size_t count, struct error *error);

/* True if it has no evidence or, with `counters`, no evidence from the profiler. */
bool explain_input_lacks(const struct explain_input *explained, size_t configuration, bool counters);

/* Removes all evidence from the profiler. */
int explain_input_forget_counters(struct explain_input *explained, struct error *error);

/* Makes the explanation of the evidence so far. The only errors are ERROR_MEMORY and ERROR_DATA. */
int explain_input_make(struct explain_input *explained, struct error *error);

void explain_input_close(struct explain_input *explained);

#endif
