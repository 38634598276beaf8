/* How long evaluations are expected to take, from what earlier ones took of compilers and devices. */
#ifndef CUTUNE_TUNER_ESTIMATE_H
#define CUTUNE_TUNER_ESTIMATE_H

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

#endif
