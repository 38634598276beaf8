/* The results of a comparison, computed once for all output formats. */
#ifndef CUTUNE_ANALYSE_FINDINGS_H
#define CUTUNE_ANALYSE_FINDINGS_H

#include "analyse/comparison.h"
#include "analyse/importance.h"
#include "analyse/verdict.h"

enum change_what {
    CHANGE_BEST,     /* the best of each run */
    CHANGE_DEPLOYED, /* the best configuration of the baseline, in both */
    CHANGE_DEFAULT,  /* the space's default, in both */
    CHANGE_COUNT
};

/* Returns why the times of two runs of one comparison cannot be compared: other data, or another state of the L2 cache.
 * NULL: no known reason. */
const char *measured_apart(const struct measured_run *a, const struct measured_run *b);

/* A run against its baseline: the first run of its device that was measured under the same conditions, else the first
 * run of its device. */
struct change {
    size_t before, now; /* runs: the baseline and the later one */
    const char *apart;  /* why they cannot be compared: measured_apart, different amounts of work, or the same results
                           twice; then all verdicts are unknown. NULL: comparable */
    struct change_row {
        size_t before, now; /* configurations; COMPARISON_NONE: none */
        struct verdict_ratio ratio;
        char states[2 * POWER_TEXT_BYTES + 16]; /* of both times, if they differ; else "" */
    } rows[CHANGE_COUNT];
    size_t counts[VERDICT_COUNT]; /* of all configurations */
};

struct findings {
    const struct comparison *comparison;
    struct importance *importance; /* by run */
    struct portable *ranking;      /* the best over all runs, at most `top` */
    size_t ranked;
    size_t known; /* number of configurations that every run has */
    struct change *changes;
    size_t change_count;
};

/* Computes the findings. `top`: number of configurations to rank; `margin`: as in verdict_of; `work`: takes
 * FINDINGS_STEPS steps for each run, NULL: nobody listens. Arena memory. */
enum { FINDINGS_STEPS = IMPORTANCE_TREES };
int findings_make(struct findings *findings, struct arena *arena, const struct comparison *comparison, size_t top,
                  double margin, struct work *work, struct error *error);

const char *change_name(enum change_what what);

/* True for a regression: slower, broken or missing; with `strict`, also ambiguous. A baseline without a time counts,
 * too: it allows no comparison. */
bool change_regressed(const struct change *change, enum change_what what, bool strict);

#endif
