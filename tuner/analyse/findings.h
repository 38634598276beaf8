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

/* Why the times of two runs of one comparison do not tell which is faster: they were measured with the L2 cache in
 * another state or with other data. NULL: as far as is known, they do. */
const char *measured_apart(const struct measured_run *a, const struct measured_run *b);

/* A run against its baseline: the first run of its device that was measured in the same way, or if there is none, the
 * first run of its device. */
struct change {
    size_t before, now; /* runs: the baseline and the other one */
    const char *apart;  /* why nothing follows from the two: measured_apart, their amounts of work differ, or the
                           results are the same ones. All verdicts are unknown then. NULL: something does */
    struct change_row {
        size_t before, now; /* configurations; COMPARISON_NONE: none */
        struct verdict_ratio ratio;
    } rows[CHANGE_COUNT];
    size_t counts[VERDICT_COUNT]; /* of all configurations */
};

struct findings {
    const struct comparison *comparison;
    struct importance *importance; /* by run */
    struct portable *ranking;      /* the best over all runs, at most `top` */
    size_t ranked;
    size_t known; /* configurations that every run knows */
    struct change *changes;
    size_t change_count;
};

/* `top`: how many configurations to rank; `margin`: that of verdict_of. Arena memory. */
int findings_make(struct findings *findings, struct arena *arena, const struct comparison *comparison, size_t top,
                  double margin, struct error *error);

const char *change_name(enum change_what what);

/* Whether a change is a regression: slower, broken or missing; with `strict`, also ambiguous. A baseline without a time
 * counts too, since nothing can be compared with it. */
bool change_regressed(const struct change *change, enum change_what what, bool strict);

#endif
