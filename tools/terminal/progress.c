#include "terminal/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/roofline_time.h"
#include "terminal/output.h"
#include "terminal/width.h"

enum { REWRITE_NS = 100000000 };
enum { LINES_WIDTH = 120 };
enum { RATE_NS = 50000000 };               /* too short to determine a rate */
static const int64_t long_ns = 2000000000; /* without an outcome: --verbose says why */

/* ---- The line ---- */

/* Parts of the line, in its order. Those of one group are separated by commas. */
enum part {
    PART_BAR,
    PART_COUNT,
    PART_BEST,
    PART_GAIN,
    PART_LIMIT,
    PART_STATUSES,
    PART_RATE,
    PART_LEFT,
    PART_RECORDED,
    PARTS
};
static const int groups[PARTS] = {[PART_COUNT] = 1,    [PART_BEST] = 2, [PART_GAIN] = 2, [PART_LIMIT] = 2,
                                  [PART_STATUSES] = 3, [PART_RATE] = 4, [PART_LEFT] = 4, [PART_RECORDED] = 4};
/* Most important first. */
static const enum part importance[PARTS] = {PART_COUNT, PART_BEST,     PART_LEFT,  PART_BAR,     PART_GAIN,
                                            PART_RATE,  PART_RECORDED, PART_LIMIT, PART_STATUSES};
enum { PART_BYTES = 200, BAR_LEAST = 10, BAR_MOST = 30, BAR_SHARE = 8, GAP = 2 };

static void put_best(const struct progress_state *state, char parts[PARTS][PART_BYTES])
{
    const struct run_progress *run = state->run;
    char best[32];
    if (state->doing) {
        snprintf(parts[PART_BEST], PART_BYTES, "%s", state->doing);
        return;
    }
    if (!run->has_best) {
        snprintf(parts[PART_BEST], PART_BYTES, "no result yet");
        return;
    }
    const struct objective *objective = measurement_objective(&run->best);
    double percent =
        objective_percent(objective, amounts_of(state->subject->provenance, &run->best).roofline_ns, run->best.value);
    snprintf(parts[PART_BEST], PART_BYTES, "best %s", objective->print(best, sizeof best, run->best.value));
    if (run->has_default)
        text_format(parts[PART_GAIN], PART_BYTES, "%.2fx the default",
                    objective_gain(objective, run->default_.value, run->best.value));
    if (!isnan(percent))
        text_format(parts[PART_LIMIT], PART_BYTES, "%.1f%% of the limit", percent);
}

static void put_times(const struct progress_state *state, char parts[PARTS][PART_BYTES])
{
    const struct run_progress *run = state->run;
    double spent_s = (double)state->spent_ns * 1e-9, per_s = (double)run->fresh / spent_s;
    if (run->fresh && state->spent_ns >= RATE_NS)
        text_format(parts[PART_RATE], PART_BYTES, per_s < 100 ? "%.2g/s" : "%.0f/s", per_s);
    if (run->plan.left_s > 0) {
        double left_s = round(run->plan.left_s);
        text_format(parts[PART_LEFT], PART_BYTES, "%.0f:%02.0f left", floor(left_s / 60), fmod(left_s, 60));
    }
    if (state->replay)
        text_format(parts[PART_RECORDED], PART_BYTES, "%.1f recorded s", (double)run->elapsed_ns * 1e-9);
}

static void put_counts(const struct run_progress *run, char parts[PARTS][PART_BYTES])
{
    size_t used = 0;
    snprintf(parts[PART_COUNT], PART_BYTES, "%llu / %llu", (unsigned long long)run->evaluated,
             (unsigned long long)run->total);
    for (int status = 0; status < STATUS_COUNT && used < PART_BYTES; status++)
        if (run->counts[status])
            used += (size_t)snprintf(parts[PART_STATUSES] + used, PART_BYTES - used, "%s%s %llu", used ? ", " : "",
                                     status_name((enum status)status), (unsigned long long)run->counts[status]);
}

static void put_bar(const struct run_progress *run, size_t cells, char *bar)
{
    double share = run->total ? fmin((double)run->evaluated / (double)run->total, 1) : 0;
    size_t full = (size_t)(share * (double)cells);
    snprintf(bar, PART_BYTES, "[%.*s%.*s]", (int)full, "##############################", (int)(cells - full),
             "------------------------------");
}

/* Chooses the parts that fit. The bar has the same length in every line of a terminal. */
static void fit(const struct run_progress *run, size_t width, char parts[PARTS][PART_BYTES])
{
    size_t used = 0, cells = width / BAR_SHARE;
    put_bar(run, cells < BAR_LEAST ? BAR_LEAST : cells > BAR_MOST ? BAR_MOST : cells, parts[PART_BAR]);
    for (size_t i = 0; i < PARTS; i++) {
        char *part = parts[importance[i]];
        size_t columns = *part ? text_width(part) + (used ? GAP : 0) : 0;
        if (importance[i] != PART_COUNT && used + columns > width)
            *part = '\0';
        else
            used += columns;
    }
}

void progress_line(const struct progress_state *state, size_t width, struct text *line)
{
    char parts[PARTS][PART_BYTES] = {{0}};
    int group = -1;
    put_counts(state->run, parts);
    put_best(state, parts);
    put_times(state, parts);
    fit(state->run, width, parts);
    for (int part = 0; part < PARTS; part++) {
        if (!*parts[part])
            continue;
        text_printf(line, "%s%s", group < 0 ? "" : group == groups[part] ? ", " : "  ", parts[part]);
        group = groups[part];
    }
}

static size_t line_width(void)
{
    int columns = terminal_columns(STDERR_FILENO);
    return (size_t)(columns ? columns : WIDTH_DEFAULT) - 1; /* a full line would wrap */
}

static void make_line(struct progress *progress, const struct session_event *event, size_t width, struct text *line)
{
    const struct run_progress *run = event->run->progress;
    const struct progress_state state = {.subject = event->subject,
                                         .run = run,
                                         .spent_ns =
                                             progress->replay ? clock_now_ns() - progress->begun_ns : run->elapsed_ns,
                                         .replay = progress->replay};
    progress_line(&state, width, line);
    progress->last_ns = clock_now_ns();
}

static void write_line(struct progress *progress, const struct session_event *event)
{
    struct text line = {0};
    make_line(progress, event, line_width(), &line);
    output_status(text_string(&line));
    text_free(&line);
}

static void keep_line(struct progress *progress, const struct session_event *event)
{
    struct text line = {0};
    make_line(progress, event, LINES_WIDTH, &line);
    output_note("%s", text_string(&line));
    text_free(&line);
}

/* A replayed journal may hold any text. */
static void write_evaluation(const struct session_event *event)
{
    const struct measurement *measurement = event->run->measurement;
    struct text line = {0};
    char value[32];
    uint32_t choices[SPACE_PARAMETERS_MAX];
    valid_set_get(event->subject->set, event->run->index, choices);
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

/* Says once what the next outcome waits for. */
static void explain_wait(struct progress *progress, const struct session_event *event)
{
    unsigned long long in_flight = event->run->progress->in_flight;
    int64_t now_ns = clock_now_ns();
    if (event->run->kind != RUN_TICK || !progress->heard_ns) {
        progress->heard_ns = now_ns;
        progress->waits = false;
    }
    if (progress->waits || !in_flight || now_ns - progress->heard_ns < long_ns)
        return;
    progress->waits = true;
    output_note("waiting for %llu configuration%s to be compiled and measured", in_flight, in_flight == 1 ? "" : "s");
}

void progress_wait(struct progress *progress, const char *waits)
{
    struct text line = {0};
    text_printf(&line, "waiting for %s", waits);
    if (progress->verbose)
        output_note("%s", text_string(&line));
    else if (progress->line && text_width(text_string(&line)) <= line_width())
        output_status(text_string(&line));
    text_free(&line);
}

void progress_show(struct progress *progress, const struct session_event *event)
{
    if (progress->verbose)
        explain_wait(progress, event);
    if (event->run->fresh && progress->verbose) {
        output_status("");
        write_evaluation(event);
    }
    if (!event->run->progress->fresh || !progress->begun_ns)
        progress->begun_ns = clock_now_ns();
    if (progress->lines_ns && !progress->last_ns)
        progress->last_ns = clock_now_ns();
    if (progress->lines_ns && clock_now_ns() - progress->last_ns >= progress->lines_ns)
        keep_line(progress, event);
    if (progress->line && clock_now_ns() - progress->last_ns > REWRITE_NS)
        write_line(progress, event);
}

/* The first step of a kind starts the clock. */
static void show_work(void *context, const struct work *work)
{
    struct progress *progress = context;
    int64_t now_ns = clock_now_ns();
    if (!work->done)
        progress->begun_ns = now_ns;
    if (!progress->line || (work->done && now_ns - progress->last_ns <= REWRITE_NS))
        return;
    double spent_s = (double)(now_ns - progress->begun_ns) * 1e-9;
    struct run_progress run = {.evaluated = work->done, .total = work->total, .fresh = work->done};
    if (work->done && now_ns - progress->begun_ns >= RATE_NS)
        run.plan.left_s = spent_s / (double)work->done * (double)(work->total - work->done);
    if (work->counts)
        memcpy(run.counts, work->counts, sizeof run.counts);
    const struct progress_state state = {.run = &run, .doing = work->doing, .spent_ns = now_ns - progress->begun_ns};
    struct text line = {0};
    progress_line(&state, line_width(), &line);
    output_status(text_string(&line));
    progress->last_ns = now_ns;
    text_free(&line);
}

struct progress progress_of_terminal(bool quiet)
{
    return (struct progress){.line = !quiet && output_terminal(STDERR_FILENO)};
}

struct work *progress_work(struct progress *progress)
{
    progress->work.show = show_work;
    progress->work.context = progress;
    return &progress->work;
}
