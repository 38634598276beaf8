#include "base/range.h"

#include <math.h>

static const struct {
    double least, most;
    bool whole;
    const char *expected;
} rows[] = {
#define RANGE(name, least, most, whole, expected) {least, most, whole, expected},
#include "base/ranges.def"
#undef RANGE
};

bool range_has(enum range range, double value)
{
    return value >= rows[range].least && value <= rows[range].most && (!rows[range].whole || value == floor(value));
}

int range_check_interval(double low, double high, struct error *error)
{
    if (!(low > high))
        return 0;
    error_set(error, ERROR_DATA, "the interval begins at %.9g and ends at %.9g", low, high);
    error_hint(error, "the row is damaged: delete it, and measure again");
    return ERROR_DATA;
}

const char *range_expected(enum range range)
{
    return rows[range].expected;
}
