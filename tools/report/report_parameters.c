/* Section on the effect of each parameter. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyse/run_summary.h"
#include "report/html.h"
#include "report/report.h"

enum { PAIRED = 3, CHARTS_MAX = 16 };
static const double PALEST = 1.1; /* least ratio of the palest colour, so that small differences stay pale */

/* Orders the parameters with more than one value by importance; without importance, keeps their order. */
static size_t order(const struct findings *findings, size_t run, size_t *parameters)
{
    const struct comparison *comparison = findings->comparison;
    const double *shares = findings->importance[run].shares;
    size_t count = 0;
    for (size_t p = 0; p < comparison->parameter_count && count < CHARTS_MAX; p++) {
        if (comparison->parameters[p].value_count < 2)
            continue;
        size_t at = count++;
        for (; at > 0 && shares[p] > shares[parameters[at - 1]]; at--)
            parameters[at] = parameters[at - 1];
        parameters[at] = p;
    }
    return count;
}

static void group_label(const struct comparison_parameter *parameter, const struct run_summary_group *group,
                        struct text *label)
{
    text_clear(label);
    text_printf(label, "%s", parameter->values[group->first]);
    if (group->last != group->first)
        text_printf(label, "%s%s", "\xe2\x80\xa6", parameter->values[group->last]); /* an ellipsis */
}

/* ---- Importance ---- */

static void put_importance(struct report *report, const struct findings *findings, size_t run, const size_t *parameters,
                           size_t count)
{
    const struct importance *importance = &findings->importance[run];
    char number[REPORT_NUMBER_BYTES];
    if (isnan(importance->fit))
        return;
    struct chart *chart = figure_begin(report, "importance", "Importance of the parameters",
                                       "% of the variance of log(time), alone or with others", "");
    chart_name_rows(chart, "parameter");
    const size_t share =
        chart_column(chart, "importance (%)", CHART_BARS, 0, "{y}% of the variance of log(time) goes through {x}.");
    chart->horizontal = true;
    for (size_t i = 0; i < count; i++) {
        chart_row(chart, findings->comparison->parameters[parameters[i]].name);
        chart_number(chart, share, 100 * importance->shares[parameters[i]]);
    }
    figure_draw(report);
    html(report->page,
         "<p class=\"detail\"><small>Method: %s. The forest explains %s %% of the variance on rows that it has not "
         "seen; ",
         IMPORTANCE_METHOD, report_number(100 * importance->fit, 1, number));
    html(report->page, "it learned from %z of %z timed configurations; %z without a time are left out.</small></p>",
         importance->rows, importance->timed, importance->failed);
    figure_end(report);
}

/* ---- One parameter ---- */

/* True for a parameter of words or two values, which is shown as bars: a line between its values would be
 * meaningless. */
static bool is_switch(const struct comparison_parameter *parameter)
{
    return !parameter->numbers || parameter->value_count == 2;
}

static void put_parameter(struct report *report, const struct findings *findings, size_t run, size_t parameter,
                          const struct report_unit *unit)
{
    const struct comparison_parameter *of = &findings->comparison->parameters[parameter];
    struct run_summary_group groups[RUN_SUMMARY_GROUPS];
    char title[REPORT_QUANTITY_BYTES], best_says[96], median_says[96];
    struct text text = {0};
    double low = NAN, high = NAN;
    int count = run_summary_parameter(findings->comparison, run, parameter, groups);
    report->failed |= count < 0;
    snprintf(best_says, sizeof best_says, "With {title}={x}, the best %s {y} %s.", report_takes(unit->objective),
             unit->name);
    snprintf(median_says, sizeof median_says, "With {title}={x}, the median %s {y} %s.", report_takes(unit->objective),
             unit->name);
    report_quantity(unit->objective->name, unit, title);
    const bool bars = is_switch(of);
    text_printf(&text, "parameter-%s", of->name);
    struct chart *chart = figure_begin(report, text_string(&text), of->name, bars ? title : "", bars ? "" : title);
    chart_name_rows(chart, of->name);
    const enum chart_form form = bars ? CHART_BARS : CHART_POINTS;
    const size_t best = chart_column(chart, report_quantity("best", unit, title), form, 0, best_says);
    const size_t median = chart_column(chart, report_quantity("median", unit, title), form, 1, median_says);
    const size_t timed = chart_column(chart, "timed", CHART_LISTED, 0, "");
    const size_t failed = chart_column(chart, "failed", CHART_LISTED, 0, "");
    chart->horizontal = bars;
    for (int g = 0; g < count; g++) {
        group_label(of, &groups[g], &text);
        chart_row(chart, text_string(&text));
        chart_number(chart, best, groups[g].best_value / unit->size);
        chart_number(chart, median, groups[g].median_value / unit->size);
        chart_number(chart, timed, (double)groups[g].timed);
        chart_number(chart, failed, (double)groups[g].failed);
        low = fmin(low, fmin(groups[g].best_value, groups[g].median_value));
        high = fmax(high, fmax(groups[g].best_value, groups[g].median_value));
    }
    chart->log = high > REPORT_LOG_MIN * low;
    figure_draw(report);
    figure_end(report);
    report->failed |= text.failed;
    text_free(&text);
}

/* ---- Pairs ---- */

static void put_pair(struct report *report, const struct findings *findings, size_t run, size_t down, size_t across)
{
    double best_value[RUN_SUMMARY_GROUPS][RUN_SUMMARY_GROUPS];
    const struct comparison *comparison = findings->comparison;
    const struct comparison_parameter *rows = &comparison->parameters[down], *columns = &comparison->parameters[across];
    struct run_summary_group down_groups[RUN_SUMMARY_GROUPS], across_groups[RUN_SUMMARY_GROUPS];
    struct text name = {0}, title = {0}, says = {0}, label = {0};
    double fastest;
    int row_count = run_summary_groups(comparison, down, down_groups);
    int column_count = run_summary_groups(comparison, across, across_groups);
    run_summary_pair(comparison, run, down, across, best_value);
    comparison_cell(comparison, comparison->runs[run].best, run, &fastest);
    text_printf(&name, "pair-%s-%s", rows->name, columns->name);
    text_printf(&title, "%s (down) and %s (across)", rows->name, columns->name);
    text_printf(&says, "With %s={x} and %s={name}, the best is {y} times the best of all.", rows->name, columns->name);
    struct chart *chart = figure_begin(report, text_string(&name), text_string(&title), columns->name, rows->name);
    chart_name_rows(chart, rows->name);
    chart->worst = PALEST;
    for (int c = 0; c < column_count; c++) {
        group_label(columns, &across_groups[c], &label);
        chart_column(chart, text_string(&label), CHART_CELLS, 2, c ? "" : text_string(&says));
    }
    for (int r = 0; r < row_count; r++) {
        group_label(rows, &down_groups[r], &label);
        chart_row(chart, text_string(&label));
        for (int c = 0; c < column_count; c++) {
            const double over = objective_gain(comparison->objective, best_value[r][c], fastest);
            chart->worst = fmax(chart->worst, over);
            chart_number(chart, (size_t)c + 1, over);
        }
    }
    figure_draw(report);
    figure_end(report);
    report->failed |= name.failed || title.failed || says.failed || label.failed;
    text_free(&name);
    text_free(&title);
    text_free(&says);
    text_free(&label);
}

void report_parameters(struct report *report, const struct findings *findings, size_t run,
                       const struct report_unit *unit)
{
    size_t parameters[CHARTS_MAX], count = order(findings, run, parameters);
    const struct comparison *comparison = findings->comparison;
    if (!comparison->runs[run].measured_run->journal || !count)
        return;
    html(report->page, "<h4 class=\"parameters\">What the parameters do</h4>\n<div class=\"figures parameters\">\n");
    put_importance(report, findings, run, parameters, count);
    for (size_t i = 0; i < count; i++)
        put_parameter(report, findings, run, parameters[i], unit);
    html(report->page, "</div>\n");
    if (count < 2)
        return;
    html(
        report->page,
        "<div class=\"detail\"><h4>Pairs of parameters</h4>\n<p>Best time of each pair of values, as a multiple of the "
        "best of all. Hatched: no configuration with these values has a time.%s</p>\n<div class=\"figures\">\n",
        count > PAIRED ? " Shows the three most important parameters." : "");
    for (size_t i = 0; i < count && i < PAIRED; i++)
        for (size_t j = i + 1; j < count && j < PAIRED; j++) {
            bool wider =
                comparison->parameters[parameters[i]].value_count > comparison->parameters[parameters[j]].value_count;
            put_pair(report, findings, run, parameters[wider ? i : j], parameters[wider ? j : i]);
        }
    html(report->page, "</div></div>\n");
}
