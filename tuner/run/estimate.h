/* How long evaluations are expected to take, from what earlier ones took of compilers and devices. */
#ifndef CUTUNE_RUN_ESTIMATE_H
#define CUTUNE_RUN_ESTIMATE_H

#include <stdint.h>

#include "base/measurement.h"
#include "evaluate/evaluator.h"

struct estimate {
    uint64_t count;              /* evaluations noted */
    double compile_s, measure_s; /* their sums; 0: neither compiled nor measured, or unknown */
};

void estimate_note(struct estimate *estimate, const struct measurement *measurement);

/* Expected seconds of `more` evaluations like those noted, which keep the evaluator busy. NaN: nothing is known. */
double estimate_s(const struct estimate *estimate, const struct evaluator *evaluator, uint64_t more);

/* The seconds an evaluation took to compile, where compiling is the bottleneck so far. NaN: unknown, or measuring is
 * the bottleneck, and what compiles meanwhile costs no time. */
double estimate_effort_s(const struct estimate *estimate, const struct evaluator *evaluator,
                         const struct measurement *measurement);

#endif
