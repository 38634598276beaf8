/* The clocks at which a candidate and what it is compared with were measured. */
#ifndef CUTUNE_COMMANDS_JUDGE_CLOCK_H
#define CUTUNE_COMMANDS_JUDGE_CLOCK_H

#include <stdbool.h>

#include "base/measurement.h"
#include "base/text.h"

/* The median clock of the multiprocessors behind a time, MHz; NaN: unknown. */
double judge_clock_mhz(const struct measurement *measurement);

/* Appends that the two were measured at different clocks, so that part of the difference of their times may be that of
 * the clocks. `base`: the name of the other. False: they were not, or a clock is unknown. */
bool judge_clock_explain(const struct measurement *measurement, const struct measurement *other, const char *base,
                         struct text *why);

#endif
