#include "terminal/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"

enum { REWRITE_NS = 100000000 };

static void best_text(const struct session_subject *subject, const struct run_progress *run, char *buffer, size_t room)
{
    const struct objective *objective = measurement_objective(&run->best);
    char best[32], rate[32];
    double per_s = objective_rate(objective, subject->space->bytes, run->best.value);
    double percent = objective_percent(objective, subject->floor_ns, run->best.value);
    if (!run->has_best)
        snprintf(buffer, room, "no result yet");
    else if (isnan(per_s))
        snprintf(buffer, room, "best %s", objective->print(best, sizeof best, run->best.value));
    else if (isnan(percent))
        snprintf(buffer, room, "best %s, %s", objective->print(best, sizeof best, run->best.value),
                 format_rate(rate, sizeof rate, per_s));
    else
        text_format(buffer, room, "best %s, %s, %.1f%% of the limit",
                    objective->print(best, sizeof best, run->best.value), format_rate(rate, sizeof rate, per_s),
                    percent);
}

static void write_line(struct progress *progress, const struct session_subject *subject, const struct run_progress *run)
{
    char best[160], left[32] = "";
    struct text counts = {0};
    for (int status = 0; status < STATUS_COUNT; status++)
        if (run->counts[status])
            text_printf(&counts, "%s%s %llu", counts.length ? ", " : "", status_name((enum status)status),
                        (unsigned long long)run->counts[status]);
    if (run->fresh && run->total > run->evaluated) {
        double each_ns = (double)(run->elapsed_ns - run->known_ns) / (double)run->fresh;
        long seconds = lround(each_ns * (double)(run->total - run->evaluated) * 1e-9);
        snprintf(left, sizeof left, "  %ld:%02ld left", seconds / 60, seconds % 60);
    }
    if (run->known && !run->fresh)
        snprintf(best, sizeof best, "%llu compiled to learn from", (unsigned long long)run->known);
    else
        best_text(subject, run, best, sizeof best);
    fprintf(stderr, "\r\033[K%llu / %llu  %s  %s%s", (unsigned long long)run->evaluated, (unsigned long long)run->total,
            best, text_string(&counts), left);
    text_free(&counts);
    fflush(stderr);
    progress->shown = true;
    progress->last_ns = clock_now_ns();
}

/* A replayed journal may hold any text. */
static void write_evaluation(const struct session_event *event)
{
    const struct measurement *measurement = event->measurement;
    struct text line = {0};
    char value[32];
    uint32_t choices[SPACE_PARAMETERS_MAX];
    valid_set_get(event->subject->set, event->index, choices);
    text_printf(
        &line, "%-17s %10s  ",
        measurement->playoff == PLAYOFF_NONE ? status_name(measurement->status) : playoff_name(measurement->playoff),
        isnan(measurement->value) ? ""
                                  : measurement_objective(measurement)->print(value, sizeof value, measurement->value));
    space_config_text(event->subject->space, choices, &line);
    text_printf(&line, "%s%s", *measurement->message ? "  # " : "", measurement->message);
    if (line.length)
        text_clean(line.bytes, "", ' ');
    fprintf(stderr, "%s\n", text_string(&line));
    text_free(&line);
}

void progress_show(struct progress *progress, const struct session_event *event)
{
    if (event->measurement && event->fresh && progress->verbose) {
        progress_end(progress);
        write_evaluation(event);
    }
    if (progress->line && clock_now_ns() - progress->last_ns > REWRITE_NS)
        write_line(progress, event->subject, event->run);
}

void progress_end(struct progress *progress)
{
    if (progress->shown) {
        fprintf(stderr, "\r\033[K");
        fflush(stderr);
    }
    progress->shown = false;
}
