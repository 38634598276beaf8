/* The end of a series of samples, rounds or times: stop_rules.def. */
#ifndef CUTUNE_BASE_STOP_RULES_H
#define CUTUNE_BASE_STOP_RULES_H

#include "base/measurement.h"
#include "base/statistics.h"

#define RULE(name, status, condition, meaning)
enum {
#define WHOLE(name, value, reason) name = value,
#define REAL(name, value, reason)
#include "base/stop_rules.def"
#undef WHOLE
#undef REAL
};

#define WHOLE(name, value, reason)
#define REAL(name, value, reason) static const double name = value;
#include "base/stop_rules.def"
#undef WHOLE
#undef REAL
#undef RULE

/* The state of a series after its last sample, round or time. Points in time are those of clock_now_ns(). */
struct stop_progress {
    size_t count, most;
    size_t least;                     /* count that the interval needs */
    size_t settled;                   /* count from which a precise or stable result ends the series */
    int64_t settled_ns;               /* point in time from which a precise result ends the series */
    int64_t now_ns, until_ns, end_ns; /* until_ns: end of optional samples; end_ns: end of all samples */
    int64_t longest_ns;               /* duration of the longest round; 0: the series may use all its time */
    double incumbent_ns, fastest_ns;  /* incumbent_ns: time to beat; fastest_ns: shortest sample */
    double median_ns;
    struct interval interval; /* of the median */
    bool precise;             /* as precise as requested */
    size_t batches;
    double noise_mean, noise_stddev; /* of the noises after the last NOISES batches */
};

struct stop_rule {
    const char *name;
    enum status status; /* of the series' result */
};

/* Returns the first rule that ends the series; NULL: the series continues. */
const struct stop_rule *stop_rules_end(const struct stop_progress *progress);

/* True if half the interval is within the requested fraction of the median. */
bool stop_rules_precise(double target_interval, struct interval interval, double median_ns);

#endif
