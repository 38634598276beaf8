#include "device/stop_rules.h"

const struct gpu_stop *gpu_stop(const struct gpu_progress *p)
{
#define WHOLE(name, value, reason)
#define REAL(name, value, reason)
#define RULE(name, status, condition, meaning)                                                                         \
    if (condition) {                                                                                                   \
        static const struct gpu_stop rule = {#name, STATUS_##status};                                                  \
        return &rule;                                                                                                  \
    }
#include "device/stop_rules.def"
#undef WHOLE
#undef REAL
#undef RULE
    return NULL;
}

bool gpu_precise(const struct sampling *sampling, struct interval interval, double median_ns)
{
    return (interval.high - interval.low) / 2 <= sampling->target_interval * median_ns;
}
