#include "base/stop_rules.h"

const struct stop_rule *stop_rules_end(const struct stop_progress *p)
{
#define WHOLE(name, value, reason)
#define REAL(name, value, reason)
#define RULE(name, status, condition, meaning)                                                                         \
    if (condition) {                                                                                                   \
        static const struct stop_rule rule = {#name, STATUS_##status};                                                 \
        return &rule;                                                                                                  \
    }
#include "base/stop_rules.def"
#undef WHOLE
#undef REAL
#undef RULE
    return NULL;
}

bool stop_rules_precise(double target_interval, struct interval interval, double median_ns)
{
    return (interval.high - interval.low) / 2 <= target_interval * median_ns;
}
