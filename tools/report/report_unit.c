#include "report/report_unit.h"

#include <math.h>

#include "base/text.h"

struct report_unit report_unit(const struct objective *objective, double value)
{
    const struct objective_unit *of = objective->units;
    while (of[1].name && value >= of[1].size)
        of++;
    double scaled = value / of->size;
    return (struct report_unit){objective, of->name, of->size,
                                scaled >= 1000  ? 0
                                : scaled >= 100 ? 1
                                : scaled >= 10  ? 2
                                                : 3};
}

const char *report_number(double number, int digits, char buffer[REPORT_NUMBER_BYTES])
{
    text_format(buffer, REPORT_NUMBER_BYTES, "%.*f", digits, number);
    return isfinite(number) ? buffer : "–";
}

const char *report_value(const struct report_unit *unit, double value, char buffer[REPORT_NUMBER_BYTES])
{
    return report_number(value / unit->size, unit->digits, buffer);
}

const char *report_with_unit(const struct objective *objective, double value, char buffer[REPORT_NUMBER_BYTES])
{
    struct report_unit unit = report_unit(objective, value);
    text_format(buffer, REPORT_NUMBER_BYTES, "%.*f %s", unit.digits, value / unit.size, unit.name);
    return isnan(value) ? "–" : buffer;
}

double report_rate(const struct objective *objective, double bytes, double value)
{
    return objective_rate(objective, bytes, value) / 1e9;
}

const char *report_device(const struct measured_run *measured_run)
{
    return *measured_run->provenance.device.name ? measured_run->provenance.device.name : "unknown device";
}
