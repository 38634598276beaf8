#include "evaluate/process_medians.h"

#include <math.h>

#include "base/stop_rules.h"

/* An allowance for ending a process, for starting the next and its driver, and for its set-up. */
static const double process_s = 0.5;
/* Standard change of a time within a quarter of an hour, mostly with the device's temperature, as a fraction. */
static const double drift = 0.0025;

/* Keeps the known ones, sorted, and returns their number. */
static size_t sort_known(double *values, size_t count)
{
    size_t known = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(values[i]))
            values[known++] = values[i];
    statistics_sort(values, known);
    return known;
}

static struct process_verdict judge_alone(const struct process_medians *finalist, size_t processes, double confidence)
{
    double times_ns[PLAYOFF_PROCESSES_MAX];
    struct process_verdict verdict = {0, NAN, {NAN, NAN}, PLAYOFF_NONE};
    for (size_t p = 0; p < processes; p++)
        times_ns[p] = finalist->times_ns[p];
    verdict.processes = sort_known(times_ns, processes);
    if (verdict.processes < 2)
        return verdict;
    verdict.median_ns = statistics_median(times_ns, verdict.processes);
    verdict.interval = statistics_median_interval(times_ns, verdict.processes, confidence);
    return verdict;
}

/* Returns the interval of the median ratio of a finalist's times per work to the leader's; NaN: no ratio. */
static struct interval ratio_interval(const struct process_medians *finalist, const struct process_medians *leader,
                                      size_t processes, double confidence, double tick_ns)
{
    double ratios[PLAYOFF_PROCESSES_MAX];
    for (size_t p = 0; p < processes; p++)
        ratios[p] = ((finalist->times_ns[p] - tick_ns) / finalist->work) / (leader->times_ns[p] / leader->work);
    return statistics_median_interval(ratios, sort_known(ratios, processes), confidence);
}

void process_medians_judge(const struct process_medians *finalists, size_t count, size_t processes, double confidence,
                           double tick_ns, struct process_verdict *verdicts)
{
    size_t leader = count;
    for (size_t k = 0; k < count; k++) {
        verdicts[k] = judge_alone(&finalists[k], processes, confidence);
        if (!isnan(verdicts[k].median_ns) &&
            (leader == count ||
             verdicts[k].median_ns / finalists[k].work < verdicts[leader].median_ns / finalists[leader].work))
            leader = k;
    }
    for (size_t k = 0; k < count; k++)
        if (!isnan(verdicts[k].median_ns))
            verdicts[k].playoff =
                k == leader ? PLAYOFF_LEADER
                : ratio_interval(&finalists[k], &finalists[leader], processes, confidence, tick_ns).low > 1
                    ? PLAYOFF_LOST
                    : PLAYOFF_TIED;
}

bool process_medians_wide(const struct process_verdict *verdicts, size_t count, double target_interval)
{
    bool wide = false;
    for (size_t k = 0; k < count; k++)
        wide |= (verdicts[k].playoff == PLAYOFF_LEADER || verdicts[k].playoff == PLAYOFF_TIED) &&
                !stop_rules_precise(target_interval, verdicts[k].interval, verdicts[k].median_ns);
    return wide;
}

struct interval process_medians_reported(const struct process_verdict *verdict)
{
    const double median_ns = verdict->median_ns, drift_ns = drift * median_ns;
    return (struct interval){median_ns - hypot(median_ns - verdict->interval.low, drift_ns),
                             median_ns + hypot(verdict->interval.high - median_ns, drift_ns)};
}

/* The time of a process besides its start. */
static double playing_seconds(size_t finalists, bool sustained, int64_t each_ns)
{
    return ((sustained ? LOAD_NS : 0) + (double)finalists * (double)each_ns) * 1e-9;
}

static double further_seconds(size_t finalists, bool sustained)
{
    return process_s + playing_seconds(finalists, sustained, FURTHER_NS);
}

enum power_state process_medians_state(const enum power_state *states, size_t processes)
{
    size_t counts[POWER_STATE_COUNT] = {0};
    for (size_t p = 0; p < processes; p++)
        counts[states[p]]++;
    return counts[POWER_CAP] > counts[POWER_BURST] ? POWER_CAP : POWER_BURST;
}

double process_medians_seconds(size_t finalists, size_t processes, bool sustained)
{
    double further = processes > 1 ? (double)(processes - 1) : 0;
    return playing_seconds(finalists, sustained, KERNEL_NS) + further * further_seconds(finalists, sustained);
}

bool process_medians_fit(double left_s, double longest_s, size_t finalists, bool sustained)
{
    return left_s >= (longest_s > 0 ? longest_s : further_seconds(finalists, sustained));
}
