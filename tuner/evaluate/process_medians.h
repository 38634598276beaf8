/* The result of a play-off that is repeated in several device processes. The overhead of events and of launches changes
 * from process to process and not within one. So the rounds of one process do not show it; the medians of the processes
 * do. */
#ifndef CUTUNE_EVALUATE_PROCESS_MEDIANS_H
#define CUTUNE_EVALUATE_PROCESS_MEDIANS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/measurement.h"
#include "base/statistics.h"

enum { PLAYOFF_PROCESSES = 6, PLAYOFF_PROCESSES_MAX = 64 }; /* by default, at most */

/* Medians of a finalist. */
struct process_medians {
    double work;                            /* of a run; 1 without `work` */
    double times_ns[PLAYOFF_PROCESSES_MAX]; /* median of a run in each process; NaN: the process has none */
};

struct process_verdict {
    size_t processes;         /* with a median */
    double median_ns;         /* of these medians; NaN: fewer than two */
    struct interval interval; /* of that median; the range if there are too few for the confidence */
    enum playoff playoff;     /* PLAYOFF_NONE: fewer than two */
};

/* Judges the finalists, by time per unit of work. The leader has the least median. Another finalist is tied with it if
 * the interval of the median of their ratios in the processes that both have contains 1, or without such a process;
 * else it has lost. Its times count `tick_ns`, the resolution of the timer, less in these ratios. */
void process_medians_judge(const struct process_medians *finalists, size_t count, size_t processes, double confidence,
                           double tick_ns, struct process_verdict *verdicts);

/* True if the interval of the leader, or of a finalist that is tied with it, is wider than the target interval
 * (stop_rules_precise). */
bool process_medians_wide(const struct process_verdict *verdicts, size_t count, double target_interval);

/* The interval that a result has: that of the processes and what the device drifts, which is independent of them, so
 * that their squares add up (JCGM 100:2008, 5.1.2). The processes of a play-off run within seconds, and do not show it.
 */
struct interval process_medians_reported(const struct process_verdict *verdict);

/* The power state of the processes whose times count: that of most. If as many ran at the cap as without it, those
 * without it count. */
enum power_state process_medians_state(const enum power_state *states, size_t processes);

/* The time that a play-off may take, in seconds: its optional rounds, the start and set-up of each further process, and
 * the load of each process if it is sustained. Kernels too slow for the fewest rounds in it take longer, at most the
 * time limit of each in each process. */
double process_medians_seconds(size_t finalists, size_t processes, bool sustained);

/* True if another process of so many finalists should end within `left_s`. `longest_s`: duration of the longest so far;
 * 0: none, so that the expected one counts. */
bool process_medians_fit(double left_s, double longest_s, size_t finalists, bool sustained);

#endif
