#include "base/objective.h"
#include "base/text.h"

static const struct objective_unit units[] = {{"/s", 1}, {NULL, 0}};

static const char *print(char *buffer, size_t room, double value)
{
    text_format(buffer, room, "%.0f/s", value);
    return buffer;
}

const struct objective objective_row_throughput = {
    .name = "throughput",
    .unit = "/s",
    .higher_is_better = true,
    .least = 1e-9,
    .most = 1e18,
    .reach = 1,
    .expected = "a positive number of operations a second",
    .units = units,
    .print = print,
};
