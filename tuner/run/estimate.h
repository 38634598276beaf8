/* The expected time of evaluations, from the compiling and measuring times of earlier ones. */
#ifndef CUTUNE_RUN_ESTIMATE_H
#define CUTUNE_RUN_ESTIMATE_H

#include <stdint.h>

#include "base/measurement.h"
#include "evaluate/evaluator.h"

/* ESTIMATE_LATEST: number of compile times in the median */
enum { ESTIMATE_LATEST = 64 };

struct estimate {
    uint64_t count;              /* evaluations noted */
    double compile_s, measure_s; /* sums of their times; 0: neither compiled nor measured, or unknown */
    uint64_t compiled;           /* compilations noted; compile_ns has the times of the latest */
    double compile_ns[ESTIMATE_LATEST];
};

void estimate_note(struct estimate *estimate, const struct measurement *measurement);

/* Notes the compile time of an evaluation, if it is known. */
void estimate_note_compiled(struct estimate *estimate, const struct measurement *measurement);
/* Returns the median of the latest compile times; 0: none was noted. One from the cache counts as 0. */
int64_t estimate_compile_ns(const struct estimate *estimate);

/* Returns the expected seconds of `more` evaluations like those noted, with a busy evaluator. NaN: unknown. */
double estimate_s(const struct estimate *estimate, const struct evaluator *evaluator, uint64_t more);

/* Returns the compile time of an evaluation in seconds while compiling is the bottleneck. NaN: unknown, or measuring is
 * the bottleneck and hides compiling. */
double estimate_effort_s(const struct estimate *estimate, const struct evaluator *evaluator,
                         const struct measurement *measurement);

#endif
