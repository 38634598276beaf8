/* Reasons why the best is the fastest: the bottlenecks of the best and the default, the effect of each parameter, and
 * the rooflines. */
#include <math.h>
#include <stdio.h>

#include "analyse/binding.h"
#include "analyse/explain_input.h"
#include "report/html.h"
#include "report/report.h"

/* Shown configurations: the best and the default. */
enum { SHOWN = 2 };
static const char *const shown_names[SHOWN] = {"best", "default"};

static const struct explain_input_configuration *shown(const struct explain_input *explained, size_t place)
{
    size_t number = place == 0 ? 0 : explained->input.default_;
    if (number == EXPLANATION_NONE || (place == 1 && number == 0) || explain_input_lacks(explained, number, false))
        return NULL;
    return &explained->explanation.configurations[number];
}

static void put_sentences(struct report *report, const struct explain_input *explained)
{
    const struct explanation *explanation = &explained->explanation;
    html(report->page, "<h4>Why it is the fastest</h4>\n<p>%s</p>\n<ul class=\"detail\">", explanation->why);
    for (size_t i = 0; i < SHOWN; i++)
        if (shown(explained, i))
            html(report->page, "<li>%r: %s.\n", i ? "Default" : "Best", shown(explained, i)->sentence);
    if (explanation->overall && explanation->overall->parameter_count > 1)
        html(report->page, "<li>From the default: %s.\n", explanation->overall->sentence);
    for (size_t i = 0; i < explained->step_count; i++)
        html(report->page, "<li>Step %z of the way from the default: %s.\n", i + 1, explained->steps[i].sentence);
    for (size_t i = 0; i < explanation->change_count; i++)
        html(report->page, "<li>%s.\n", explanation->changes[i].sentence);
    html(report->page, "</ul>\n");
}

/* ---- Use of the resources ---- */

static bool is_used(const struct explain_input *explained, int resource)
{
    if (explained->explanation.configurations[0].pipeline && !binding_is_stage((enum resource)resource))
        return false; /* the stages have shares of the run, the link one of its ceiling */
    for (size_t i = 0; i < SHOWN; i++)
        if (shown(explained, i) && shown(explained, i)->resources[resource].share >= 0.005) /* it does not read 0% */
            return true;
    return false;
}

static void put_resources(struct report *report, const struct explain_input *explained)
{
    size_t columns[SHOWN] = {0};
    bool any = false;
    for (int resource = 0; resource < RESOURCE_COUNT; resource++)
        any |= is_used(explained, resource);
    if (!any)
        return;
    const bool pipeline = explained->explanation.configurations[0].pipeline;
    struct chart *chart =
        pipeline ? figure_begin(report, "stages", "Stages of the pipeline", "share of the run (%)", "")
                 : figure_begin(report, "resources", "Use of the resources", "share of the ceiling (%)", "");
    chart_name_rows(chart, "resource");
    chart->horizontal = true;
    for (size_t i = 0; i < SHOWN; i++)
        if (shown(explained, i)) {
            char name[32];
            snprintf(name, sizeof name, "%s (%%)", shown_names[i]);
            columns[i] = chart_column(chart, name, CHART_BARS, (int)i,
                                      pipeline ? "Share of {x} in the run: {y}%."
                                      : i == 0 ? "The best uses {y}% of the ceiling of {x}."
                                               : "The default uses {y}% of the ceiling of {x}.");
        }
    for (int resource = 0; resource < RESOURCE_COUNT; resource++) {
        if (!is_used(explained, resource))
            continue;
        chart_row(chart, resource_name((enum resource)resource));
        for (size_t i = 0; i < SHOWN; i++)
            if (columns[i])
                chart_number(chart, columns[i], 100 * shown(explained, i)->resources[resource].share);
    }
    figure_draw(report);
    figure_end(report);
}

/* ---- The rooflines ---- */

/* Visible range, in instructions per byte. */
struct frame {
    double low, high;
};

static bool has_point(const struct explain_input_configuration *of, size_t level)
{
    return of && isfinite(of->points[level].intensity) && of->points[level].intensity > 0 &&
           isfinite(of->points[level].instructions) && of->points[level].instructions > 0;
}

/* Ceiling of instructions per second; NaN: unknown. */
static double issue_ceiling(const struct explain_input *explained)
{
    for (size_t i = 0; i < SHOWN; i++)
        if (shown(explained, i) && !isnan(shown(explained, i)->resources[RESOURCE_ISSUE].ceiling))
            return shown(explained, i)->resources[RESOURCE_ISSUE].ceiling;
    return NAN;
}

static void include(struct frame *frame, double intensity)
{
    if (!isfinite(intensity) || intensity <= 0)
        return;
    frame->low = fmin(frame->low, intensity / 4);
    frame->high = fmax(frame->high, intensity * 4);
}

static struct frame frame_of(const struct explain_input *explained)
{
    struct frame frame = {INFINITY, 0};
    double issue = issue_ceiling(explained);
    for (size_t i = 0; i < SHOWN; i++)
        for (size_t level = 0; level < ROOFLINE_LEVELS; level++)
            if (has_point(shown(explained, i), level)) {
                include(&frame, shown(explained, i)->points[level].intensity);
                include(&frame, issue / shown(explained, i)->points[level].slope);
            }
    return frame;
}

static double roof(double slope, double issue, double intensity)
{
    return fmin(slope * intensity, isnan(issue) ? INFINITY : issue);
}

static void put_place(struct chart *chart, size_t column, double intensity, double instructions)
{
    chart_row_at(chart, intensity);
    chart_number(chart, column, instructions / 1e9);
}

/* Appends the roof of a level, if one of the configurations has a point of that level. */
static void put_roof(struct chart *chart, const struct explain_input *explained, size_t level,
                     const struct frame *frame)
{
    double issue = issue_ceiling(explained);
    for (size_t i = 0; i < SHOWN; i++) {
        const struct explain_input_configuration *of = shown(explained, i);
        char name[64];
        if (!has_point(of, level) || isnan(of->points[level].slope))
            continue;
        double slope = of->points[level].slope, ridge = issue / slope;
        snprintf(name, sizeof name, "roof of %s", resource_name(of->points[level].level));
        const size_t column = chart_column(chart, name, level ? CHART_DASHES : CHART_LINE, 2,
                                           "At {x} instructions a byte, the roof is {y} G instructions/s.");
        put_place(chart, column, frame->low, roof(slope, issue, frame->low));
        if (ridge > frame->low && ridge < frame->high)
            put_place(chart, column, ridge, issue);
        put_place(chart, column, frame->high, roof(slope, issue, frame->high));
        return;
    }
}

static void put_points(struct chart *chart, const struct explain_input *explained)
{
    for (size_t i = 0; i < SHOWN; i++)
        for (size_t level = 0; level < ROOFLINE_LEVELS; level++) {
            char name[64];
            if (!has_point(shown(explained, i), level))
                continue;
            const struct roofline_point *point = &shown(explained, i)->points[level];
            snprintf(name, sizeof name, "%s, %s", shown_names[i], resource_name(point->level));
            const size_t column = chart_column(chart, name, CHART_MARKS, (int)i,
                                               "It executes {x} instructions a byte, and {y} G instructions/s.");
            put_place(chart, column, point->intensity, point->instructions);
        }
}

static void put_rooflines(struct report *report, const struct explain_input *explained)
{
    struct frame frame = frame_of(explained);
    if (!(frame.low < frame.high))
        return;
    struct chart *chart = figure_begin(report, "rooflines", "Rooflines", "instructions a byte", "G instructions/s");
    chart_name_rows(chart, "instructions a byte");
    chart->log = chart->log_x = true;
    for (size_t level = 0; level < ROOFLINE_LEVELS; level++)
        put_roof(chart, explained, level, &frame);
    put_points(chart, explained);
    figure_draw(report);
    html(report->page, "<p><small>Instructions of a warp, over the bytes that each memory level moves. A level is the "
                       "limit of a configuration that is at its roof.</small></p>\n");
    figure_end(report);
}

void report_why(struct report *report, const struct findings *findings, size_t run)
{
    struct explain_input explained = {0};
    struct error error = {0};
    const struct journal *journal = findings->comparison->runs[run].measured_run->journal;
    if (!journal || !journal_evidence_count(journal))
        return;
    int code = explain_input_open(&explained, findings->comparison, run, COMPARISON_NONE, NULL, 0, &error);
    if (!code && !explain_input_lacks(&explained, 0, false)) {
        code = explain_input_make(&explained, &error);
        if (!code) {
            put_sentences(report, &explained);
            html(report->page, "<div class=\"figures detail\">\n");
            put_resources(report, &explained);
            put_rooflines(report, &explained);
            html(report->page, "</div>\n");
        }
    }
    report->failed |= code == ERROR_MEMORY;
    explain_input_close(&explained);
}
