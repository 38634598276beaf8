#include "analyse/verdict.h"

#include <math.h>
#include <stddef.h>

static enum verdict verdict_between(double low, double high, double margin)
{
    if (low >= 1 / (1 + margin) && high <= 1 + margin)
        return VERDICT_SAME;
    if (high < 1)
        return VERDICT_FASTER;
    return low > 1 ? VERDICT_SLOWER : VERDICT_AMBIGUOUS;
}

struct verdict_ratio verdict_of(const struct measurement *before, const struct measurement *now, double margin)
{
    struct verdict_ratio result = {VERDICT_UNKNOWN, false, NAN, NAN, NAN};
    if (!before || !measurement_has_value(before))
        return result;
    if (!now || !measurement_has_value(now)) {
        result.verdict = now ? VERDICT_BROKEN : VERDICT_MISSING;
        return result;
    }
    const struct objective *objective = measurement_objective(now);
    result.ratio = measurement_cost(now) / measurement_cost(before);
    result.low = objective_cost(objective, measurement_better_end(now)) /
                 objective_cost(objective, measurement_worse_end(before));
    result.high = objective_cost(objective, measurement_worse_end(now)) /
                  objective_cost(objective, measurement_better_end(before));
    result.by_medians = isnan(result.low) || isnan(result.high);
    result.verdict = result.by_medians ? verdict_between(result.ratio, result.ratio, margin)
                                       : verdict_between(result.low, result.high, margin);
    if (power_differs(power_of(before->states).state, power_of(now->states).state))
        result.verdict = VERDICT_OTHER_STATE;
    return result;
}

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[VERDICT_COUNT] = {"same",   "faster",  "slower",  "ambiguous",
                                                     "broken", "missing", "unknown", "other state"};
    return names[verdict];
}
