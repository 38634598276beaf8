#include "commands/judge_clock.h"

#include <math.h>

#include "base/power.h"

/* Readings of a steady clock differ by less: its steps are below a hundredth. */
static const double steady = 0.02;

double judge_clock_mhz(const struct measurement *measurement)
{
    return power_of(measurement->states).mhz;
}

bool judge_clock_explain(const struct measurement *measurement, const struct measurement *other, const char *base,
                         struct text *why)
{
    const double own_mhz = judge_clock_mhz(measurement), other_mhz = judge_clock_mhz(other);
    char own_text[POWER_TEXT_BYTES], other_text[POWER_TEXT_BYTES];
    if (!(fabs(own_mhz / other_mhz - 1) > steady))
        return false;
    text_printf(why, "%smeasured at other clocks: it %s, the %s %s", why->length ? "; " : "",
                power_text(own_text, power_of(measurement->states)), base,
                power_text(other_text, power_of(other->states)));
    return true;
}
