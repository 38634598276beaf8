#include "base/objective.h"

#include <math.h>
#include <string.h>

const struct objective *const objective_rows[OBJECTIVE_COUNT] = {
#define OBJECTIVE(name, value, low, high, default_value) &objective_row_##name,
#include "lists/objectives.def"
#undef OBJECTIVE
};

const struct objective *objective_find(const char *name)
{
    for (size_t i = 0; i < OBJECTIVE_COUNT; i++)
        if (strcmp(objective_rows[i]->name, name) == 0)
            return objective_rows[i];
    return NULL;
}

const char *objective_aim(const char *name)
{
    const struct objective *objective = objective_find(name);
    return objective && objective->aim ? objective->aim : name;
}

uint32_t objective_number(const struct objective *objective)
{
    uint32_t number = 0;
    while (objective_rows[number] != objective)
        number++;
    return number;
}

const struct objective_columns *objective_columns(const struct objective *objective)
{
    static const struct objective_columns columns[OBJECTIVE_COUNT] = {
#define OBJECTIVE(name, value, low, high, default_value) {#value, #low, #high, #default_value},
#include "lists/objectives.def"
#undef OBJECTIVE
    };
    return &columns[objective_number(objective)];
}

const struct objective *objective_default(void)
{
    return objective_rows[0];
}

bool objective_is_value(const struct objective *objective, double value)
{
    return value >= objective->least && value <= objective->most;
}

bool objective_better(const struct objective *objective, double a, double b)
{
    return objective->higher_is_better ? a > b : a < b;
}

double objective_best(const struct objective *objective, double a, double b)
{
    return objective->higher_is_better ? fmax(a, b) : fmin(a, b);
}

double objective_worst(const struct objective *objective)
{
    return objective->higher_is_better ? -INFINITY : INFINITY;
}

double objective_better_end(const struct objective *objective, double low, double high)
{
    return objective->higher_is_better ? high : low;
}

double objective_worse_end(const struct objective *objective, double low, double high)
{
    return objective->higher_is_better ? low : high;
}

double objective_cost(const struct objective *objective, double value)
{
    return objective->higher_is_better ? 1 / value : value;
}

double objective_gain(const struct objective *objective, double from, double to)
{
    return objective_cost(objective, from) / objective_cost(objective, to);
}

double objective_rate(const struct objective *objective, double amount, double value)
{
    return objective->seconds != 0 ? amount / value / objective->seconds : NAN;
}

double objective_percent(const struct objective *objective, double duration_ns, double value)
{
    return objective->seconds != 0 ? 100 * duration_ns / value * (1e-9 / objective->seconds) : NAN;
}
