/* Fits over sizes: from times of many configurations at many sizes to the few configurations that serve all of them,
 * and the tree that chooses among these (db/sizes/size_fit.h). A pure function of recorded data: the same table gives
 * the same fit.
 *
 * The cover is exact for tables of ordinary size. The tree minimises the sum of log(time / best time), not the number
 * of wrong choices; its size is chosen by cross-validation, and so is the quality on held-out sizes, for which the
 * cover is made anew, too.
 *
 * A table may have probed sizes, at which only the candidates of an earlier fit have times. The fastest of these stands
 * for the best there, which is not known: probed sizes have a part in the cover and in the tree, and none in the
 * quality. */
#ifndef CUTUNE_FIT_FIT_H
#define CUTUNE_FIT_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "sizes/size_fit.h"

/* A time in the table: the median in nanoseconds (or another objective, lower is better), or one of these. */
#define FIT_UNMEASURED ((double)NAN)
#define FIT_FAILED     ((double)INFINITY)  /* crashed, wrong, over a limit: an infinite loss if it is chosen */
#define FIT_INVALID    ((double)-INFINITY) /* its condition does not hold there: the choice passes over it */

struct fit_table {
    size_t name_count, size_count, configuration_count;
    const char *const *names;          /* of the problem sizes */
    const int64_t *sizes;              /* name_count per size */
    const char *const *configurations; /* "TILE=32 PAD=1", parameters in one order */
    const char *const *conditions; /* by configuration, for db/sizes/size_condition.h; "": none. NULL: none has one */
    const double *times;           /* configuration_count per size */
    const bool *probed;            /* by size; NULL: none is */
    int sm_count;                  /* of the device; 0: unknown */
    int64_t l2_bytes;
    const char *const *blocks; /* by configuration, of its main launch, in the language of the conditions; "": not
                                  known; NULL: none is */
};

struct fit_options {
    size_t configurations_max; /* 0: 8 */
    double regret_percent;     /* 0: 5 */
};

/* Best time / time of what is chosen, over sizes that are not probed; 1 is perfect. A failure counts as 0.0001 in the
 * mean. */
struct fit_quality {
    double mean;         /* geometric */
    double fifth, worst; /* the 5th percentile, the least */
};

/* Of losses, log(time / best time), one per size; NaN: not known. `ratios`: room for as many. */
struct fit_quality fit_quality_of(const double *losses, size_t count, double *ratios);

struct fit {
    struct arena arena;
    struct size_fit *sizes;   /* the fit */
    const size_t *chosen;     /* by configuration of the fit: its number in the table */
    const size_t *candidates; /* numbers in the table: what to measure at further sizes, from the searched ones */
    size_t candidate_count;
    bool holds;                /* no size loses more than asked for with the best of the chosen ones */
    double worst_percent;      /* what the worst size loses with them */
    double taken_percent;      /* what the worst one loses with what the tree takes; infinite: that fails somewhere */
    double limit_percent;      /* what was asked for */
    size_t size_count;         /* sizes that it was made from, without the probed ones */
    size_t probed_count;       /* probed sizes that its tree was made from */
    size_t table_sizes;        /* of the table, with those that have no time */
    const bool *probed;        /* by size of the table */
    struct fit_quality sample; /* on the sizes that it was made from */
    struct fit_quality held;   /* on sizes held out of the fit, by cross-validation; NaN: fewer than 5 sizes */
    const size_t *taken;   /* by size: the configuration (of the fit) that the tree takes; SIZE_MAX: none is valid */
    const double *held_of; /* by size: best / chosen when it was held out; NaN: not known, or probed. The least certain
                              first: the sizes beside which more are worth measuring */
    const size_t *rules;   /* by configuration of the fit: at how many sizes it is taken */
};

/* Sizes at which no configuration has a time are left out, and from the tree probed ones at which one of the chosen has
 * none. ERROR_DATA: none is left but probed ones. ERROR_VALUE: more names or configurations than a fit can have, or
 * times that are not above 0. */
int fit_make(struct fit *fit, const struct fit_table *table, const struct fit_options *options, struct error *error);
void fit_free(struct fit *fit); /* zeroed or made */

/* Appends what a row of the database says of the fit's quality: "sizes=40 probed=80 mean=0.985 fifth=0.92 worst=0.81
 * held_mean=... held_fifth=... held_worst=... loss_percent=4.8 taken_percent=23 limit_percent=5
 * held=0.98/1/0.91", the last one by size
 * in the order of the table, without the probed ones. What is not known is left out, and is "-" in that list; so is
 * `probed` if none is. */
void fit_quality_text(const struct fit *fit, struct text *text);
/* Appends the region as a row has it for its problem: "ROWS=64..16384 COLS=64..16384". */
void fit_region_text(const struct fit *fit, struct text *text);

#endif
