/* Synthetic landscapes with a known optimum in a set of 10^9 valid configurations, for searches in sets too large to
 * examine. The logarithm of a time is a sum of effects of one, two and three parameters. No effect is negative, and all
 * are zero at the optimum: levels out of order, valleys across two parameters, regions of three, and cliffs beyond a
 * sum of positions. One configuration in 20 fails: half of them in a region, the others at random. The effects are
 * scaled so that random search is expected to reach half of the optimum after 400 evaluations. */
#ifndef CUTUNE_TOOLS_BENCH_SYNTHETIC_H
#define CUTUNE_TOOLS_BENCH_SYNTHETIC_H

#include "base/error.h"
#include "set/valid_set.h"

enum { SYNTHETIC_TERMS_MAX = 64 };

enum synthetic_size { SYNTHETIC_10K, SYNTHETIC_100K, SYNTHETIC_BILLION };

struct synthetic {
    struct space *space;
    struct valid_set *set;
    uint64_t seed, optimum;
    uint32_t best[SPACE_PARAMETERS_MAX];
    size_t term_count;
    struct synthetic_term {
        int kind;
        size_t count, parameters[3];
        double weight, slope[3], limit;
        uint64_t seed;
    } terms[SYNTHETIC_TERMS_MAX];
    double scale, doomed; /* doomed: bound of the failing region */
};

/* `seed` determines the optimum and all effects. The caller closes the landscape. */
int synthetic_open(struct synthetic *synthetic, enum synthetic_size size, uint64_t seed, struct error *error);
void synthetic_close(struct synthetic *synthetic);
/* Time of a configuration, 1 at the optimum; NaN: it fails. */
double synthetic_time(const struct synthetic *synthetic, uint64_t index);

#endif
