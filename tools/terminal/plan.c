#include "terminal/plan.h"

#include <math.h>
#include <stdio.h>

/* Appends two digits, in the largest unit that leaves them. */
static void put_duration(struct text *line, double seconds)
{
    static const struct {
        double seconds;
        const char *name;
    } units[] = {{86400, "days"}, {3600, "h"}, {60, "min"}, {1, "s"}};
    enum { LAST = sizeof units / sizeof *units - 1 };
    size_t unit = 0;
    while (unit < LAST && seconds < 10 * units[unit].seconds)
        unit++;
    double amount = seconds / units[unit].seconds;
    double digits = amount < 100 ? 1 : pow(10, floor(log10(amount)) - 1);
    text_printf(line, "%.0f %s", digits * round(amount / digits), units[unit].name);
}

static void put_expected(struct text *line, double seconds, bool replay)
{
    if (seconds < 0.5)
        text_printf(line, "less than 1 s");
    else
        text_printf(line, "about "), put_duration(line, seconds);
    text_printf(line, "%s", replay ? " of recorded time" : "");
}

/* Appends "evaluating all 1062 valid configurations" or "100 evaluations". */
static void put_whole(struct text *line, const struct session_event *event)
{
    unsigned long long valid = valid_set_count(event->subject->set), total = event->run->progress->total;
    if (total >= valid)
        text_printf(line, "evaluating all %llu valid configurations", valid);
    else
        text_printf(line, "%llu evaluations", total);
}

static void put_search(struct text *line, const struct session_event *event)
{
    unsigned long long valid = valid_set_count(event->subject->set), total = event->run->progress->total;
    text_printf(line, "searching %llu valid configurations with %s", valid, event->run->progress->plan.strategy->name);
    if (total < valid)
        text_printf(line, ", %llu evaluations", total);
}

/* Appends a plan that is decided. */
static void put_decided(struct text *line, const struct session_event *event, bool replay)
{
    const struct run_plan *plan = &event->run->progress->plan;
    bool timed = !isnan(plan->whole_s), too_long = plan->limit_ns && plan->whole_s > (double)plan->limit_ns * 1e-9;
    bool all =
        plan->strategy == &strategy_exhaustive && event->run->progress->total >= valid_set_count(event->subject->set);
    if (all || timed)
        put_whole(line, event);
    else
        put_search(line, event);
    if (plan->known)
        text_printf(line, " (%llu of them in the journal)", (unsigned long long)plan->known);
    if (timed) {
        text_printf(line, too_long ? " would take " : ": ");
        put_expected(line, plan->whole_s, replay);
    }
    if (too_long)
        text_printf(line, ": searching with %s", plan->strategy->name);
    if (plan->limit_ns && (!timed || too_long))
        text_printf(line, " for at most %.6g s (--max-time)", (double)plan->limit_ns * 1e-9);
}

/* Announces the time that follows the limit of the search. */
static void put_playoff(struct text *line, const struct run_progress *run, bool replay)
{
    if (run->announced_ns > 0 && !replay)
        text_printf(line, ", then a play-off of about %.2g s", (double)run->announced_ns * 1e-9);
}

void plan_line(const struct session_event *event, bool replay, struct text *line)
{
    const struct run_plan *plan = &event->run->progress->plan;
    if (plan->known >= event->run->progress->total) {
        text_printf(line, "nothing is left to evaluate: the journal has %llu evaluations",
                    (unsigned long long)plan->known);
    } else if (plan->open) {
        put_whole(line, event);
        text_printf(line, " if that takes at most %.6g s (--max-time), otherwise searching with %s",
                    (double)plan->limit_ns * 1e-9, plan->strategy->name);
        put_playoff(line, event->run->progress, replay);
    } else {
        put_decided(line, event, replay);
        put_playoff(line, event->run->progress, replay);
    }
}
