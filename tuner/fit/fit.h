/* Fits over sizes: from times of many configurations at many sizes to the few configurations that serve all of them,
 * and the tree that chooses among these (db/sizes/size_fit.h). A pure function of recorded data: the same table gives
 * the same fit.
 *
 * The cover is exact for tables of ordinary size. The tree minimises the sum of log(time / best time), not the number
 * of wrong choices. Cross-validation chooses its size, and estimates the quality on held-out sizes, with a new cover
 * each time.
 *
 * A table may have probed sizes, at which only the candidates of an earlier fit have times. The fastest of these stands
 * for the best there, which is unknown: probed sizes influence the cover and the tree, but not the quality. */
#ifndef CUTUNE_FIT_FIT_H
#define CUTUNE_FIT_FIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "base/work.h"
#include "sizes/size_fit.h"

/* A time in the table: the median in nanoseconds (or another objective, lower is better), or one of these. */
#define FIT_UNMEASURED ((double)NAN)
#define FIT_FAILED     ((double)INFINITY)  /* crashed, wrong or over a limit: an infinite loss if chosen */
#define FIT_INVALID    ((double)-INFINITY) /* its condition is false there: the choice skips it */

struct fit_table {
    size_t name_count, size_count, configuration_count;
    const char *const *names;          /* of the problem sizes */
    const int64_t *sizes;              /* name_count per size */
    const char *const *configurations; /* "TILE=32 PAD=1", parameters in one order */
    const char *const *conditions; /* by configuration, for db/sizes/size_condition.h; "": none. NULL: all have none */
    const double *times;           /* configuration_count per size */
    const bool *probed;            /* by size; NULL: none */
    int sm_count;                  /* of the device; 0: unknown */
    int64_t l2_bytes;
    const char *const *blocks; /* by configuration: of its main launch, in the language of the conditions; "": unknown;
                                  NULL: all unknown */
};

struct fit_options {
    size_t configurations_max; /* 0: 8 */
    double regret_percent;     /* 0: 5 */
    struct work *work;         /* hears of the trees that choose a tree; NULL: nobody listens */
};

/* Best time / time of the chosen configuration, over sizes that are not probed; 1 is perfect. A failure counts as
 * 0.0001 in the mean. */
struct fit_quality {
    double mean;         /* geometric */
    double fifth, worst; /* the 5th percentile, the least */
};

/* Computes the quality from losses, log(time / best time), one per size; NaN: unknown. `ratios`: scratch of the same
 * length. */
struct fit_quality fit_quality_of(const double *losses, size_t count, double *ratios);

struct fit {
    struct arena arena;
    struct size_fit *sizes;   /* the fit */
    const size_t *chosen;     /* by configuration of the fit: its number in the table */
    const size_t *candidates; /* from the searched sizes, for measuring at further sizes: numbers in the table */
    size_t candidate_count;
    bool holds;                /* no size loses more than the limit with the best of the chosen ones */
    double worst_percent;      /* loss of the worst size with the best of the chosen ones */
    double taken_percent;      /* loss of the worst size with the tree's choice; infinite: it fails somewhere */
    double limit_percent;      /* requested limit */
    size_t size_count;         /* sizes that it was made from, except probed ones */
    size_t probed_count;       /* probed sizes that its tree was made from */
    size_t table_sizes;        /* of the table, including those without a time */
    const bool *probed;        /* by size of the table */
    struct fit_quality sample; /* on the sizes that it was made from */
    struct fit_quality held;   /* on sizes held out of the fit, by cross-validation; NaN: fewer than 5 sizes */
    const size_t *taken;       /* by size: the fit's configuration that the tree takes; SIZE_MAX: none is valid */
    const double *held_of;     /* by size: best / chosen when held out; NaN: unknown, or probed. The least certain sizes
                                  have the least values: measuring near them is worth most */
    const size_t *rules;       /* by configuration of the fit: number of sizes that take it */
};

/* Makes the fit. Leaves out sizes without a time and, from the tree, probed sizes at which a chosen configuration has
 * none. ERROR_DATA if only probed sizes remain. ERROR_VALUE: more names or configurations than a fit can have, or times
 * that are not above 0. */
int fit_make(struct fit *fit, const struct fit_table *table, const struct fit_options *options, struct error *error);
void fit_free(struct fit *fit); /* zeroed or made */

/* Appends the fit's quality as in a row of the database: "sizes=40 probed=80 mean=0.985 fifth=0.92 worst=0.81
 * held_mean=... held_fifth=... held_worst=... loss_percent=4.8 taken_percent=23 limit_percent=5 held=0.98/1/0.91". The
 * last list is by size in the order of the table, without probed ones. Unknown values are left out, or "-" in the list;
 * so is `probed` without probed sizes. */
void fit_quality_text(const struct fit *fit, struct text *text);
/* Appends the region as the problem of a row: "ROWS=64..16384 COLS=64..16384". */
void fit_region_text(const struct fit *fit, struct text *text);

#endif
