/* Section on the effect of each parameter. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyse/run_summary.h"
#include "report/html.h"
#include "report/report.h"

enum { PAIRED = 4, CHARTS_MAX = 16, COLUMNS_OF_PAPER = 14 };
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
    cJSON *chart = chart_begin(report, "bar", "Importance of the parameters",
                               "% of the variance of log(time), alone or with others", "");
    chart_flag(chart, "horizontal");
    cJSON *series = chart_series(chart, "importance", 0, "", "{y}% of the variance of log(time) goes through {x}.");
    chart_numbers_begin(report);
    html(report->page, "<table><thead><tr><th scope=\"col\">parameter<th scope=\"col\" class=\"n\">importance, "
                       "%%</tr></thead><tbody>");
    for (size_t i = 0; i < count; i++) {
        const char *name = findings->comparison->parameters[parameters[i]].name;
        chart_labels(chart, name);
        chart_value(series, 100 * importance->shares[parameters[i]]);
        html(report->page, "<tr><th scope=\"row\">%s<td class=\"n\">%s</tr>", name,
             report_number(100 * importance->shares[parameters[i]], 1, number));
    }
    html(report->page,
         "</tbody></table><p><small>%s. The forest explains %s %% of the variance on rows that it has not seen; ",
         IMPORTANCE_METHOD, report_number(100 * importance->fit, 1, number));
    html(report->page, "it learned from %z of %z timed configurations; %z without a time are left out.</small></p>",
         importance->rows, importance->timed, importance->failed);
    chart_end(report);
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
    char title[64], best_says[96], median_says[96], number[REPORT_NUMBER_BYTES];
    struct text label = {0};
    double low = NAN, high = NAN;
    int count = run_summary_parameter(findings->comparison, run, parameter, groups);
    report->failed |= count < 0;
    snprintf(title, sizeof title, "%s, %s", unit->objective->name, unit->name);
    snprintf(best_says, sizeof best_says, "With {title}={x}, the best %s {y} %s.", report_takes(unit->objective),
             unit->name);
    snprintf(median_says, sizeof median_says, "With {title}={x}, the median %s {y} %s.", report_takes(unit->objective),
             unit->name);
    cJSON *chart = chart_begin(report, is_switch(of) ? "bar" : "line", of->name, "", title);
    cJSON *best = chart_series(chart, "best", 0, "points", best_says);
    cJSON *median = chart_series(chart, "median", 1, "points", median_says);
    chart_numbers_begin(report);
    html(report->page,
         "<table><thead><tr><th scope=\"col\" class=\"n\">%s<th scope=\"col\" class=\"n\">best, %s<th scope=\"col\" "
         "class=\"n\">median, %s<th scope=\"col\" class=\"n\">timed<th scope=\"col\" "
         "class=\"n\">failed</tr></thead><tbody>",
         of->name, unit->name, unit->name);
    for (int g = 0; g < count; g++) {
        group_label(of, &groups[g], &label);
        report->failed |= label.failed;
        chart_labels(chart, text_string(&label));
        chart_value(best, groups[g].best_value / unit->size);
        chart_value(median, groups[g].median_value / unit->size);
        low = fmin(low, fmin(groups[g].best_value, groups[g].median_value));
        high = fmax(high, fmax(groups[g].best_value, groups[g].median_value));
        html(report->page, "<tr><th scope=\"row\" class=\"n\">%s<td class=\"n\">%s", text_string(&label),
             report_value(unit, groups[g].best_value, number));
        html(report->page, "<td class=\"n\">%s<td class=\"n\">%z<td class=\"n\">%z</tr>",
             report_value(unit, groups[g].median_value, number), groups[g].timed, groups[g].failed);
    }
    html(report->page, "</tbody></table>");
    if (!is_switch(of) && high > REPORT_LOG_MIN * low)
        chart_flag(chart, "log");
    chart_end(report);
    text_free(&label);
}

/* ---- Pairs ---- */

static void put_legend(struct report *report, double worst, bool gaps)
{
    char number[REPORT_NUMBER_BYTES];
    html(report->page, "<p class=\"legend\">1 <span class=\"scale\"></span> %s times the best%r</p>",
         report_number(worst, worst < 10 ? 2 : 0, number), gaps ? " <span class=\"gap\"></span> no time" : "");
}

static void put_pair(struct report *report, const struct findings *findings, size_t run, size_t down, size_t across)
{
    double best_value[RUN_SUMMARY_GROUPS][RUN_SUMMARY_GROUPS];
    const struct comparison *comparison = findings->comparison;
    const struct comparison_parameter *rows = &comparison->parameters[down], *columns = &comparison->parameters[across];
    struct run_summary_group down_groups[RUN_SUMMARY_GROUPS], across_groups[RUN_SUMMARY_GROUPS];
    struct text label = {0};
    double fastest, worst = PALEST;
    bool gaps = false;
    int row_count = run_summary_groups(comparison, down, down_groups);
    int column_count = run_summary_groups(comparison, across, across_groups);
    run_summary_pair(comparison, run, down, across, best_value);
    comparison_cell(comparison, comparison->runs[run].best, run, &fastest);
    for (int r = 0; r < row_count; r++)
        for (int c = 0; c < column_count; c++)
            worst = fmax(worst, objective_gain(comparison->objective, best_value[r][c], fastest));
    html(report->page,
         "<div class=\"pair\">" REPORT_SCROLL "<table class=\"heat%r\"><caption>%s (down) and %s "
         "(across)</caption><thead><tr><td>",
         column_count > COLUMNS_OF_PAPER ? " wide" : "", rows->name, columns->name);
    for (int c = 0; c < column_count; c++) {
        group_label(columns, &across_groups[c], &label);
        html(report->page, "<th scope=\"col\" class=\"n\">%s", text_string(&label));
    }
    html(report->page, "</tr></thead><tbody>");
    for (int r = 0; r < row_count; r++) {
        group_label(rows, &down_groups[r], &label);
        html(report->page, "<tr><th scope=\"row\" class=\"n\">%s", text_string(&label));
        for (int c = 0; c < column_count; c++) {
            char number[REPORT_NUMBER_BYTES];
            double over = objective_gain(comparison->objective, best_value[r][c], fastest);
            gaps |= isnan(over);
            if (isnan(over))
                html(report->page, "<td class=\"gap\">");
            else
                html(report->page, "<td class=\"n\" style=\"--v:%z\">%s",
                     (size_t)(100 * (1 - log(fmax(1, over)) / log(worst))),
                     report_number(over,
                                   over < 10    ? 2
                                   : over < 100 ? 1
                                                : 0,
                                   number));
        }
        html(report->page, "</tr>");
    }
    html(report->page, "</tbody></table></div>");
    put_legend(report, worst, gaps);
    html(report->page, "</div>\n");
    text_free(&label);
}

void report_parameters(struct report *report, const struct findings *findings, size_t run,
                       const struct report_unit *unit)
{
    size_t parameters[CHARTS_MAX], count = order(findings, run, parameters);
    const struct comparison *comparison = findings->comparison;
    if (!comparison->runs[run].measured_run->journal || !count)
        return;
    html(report->page, "<h4>What the parameters do</h4>\n<div class=\"figures\">\n");
    put_importance(report, findings, run, parameters, count);
    for (size_t i = 0; i < count; i++)
        put_parameter(report, findings, run, parameters[i], unit);
    html(report->page, "</div>\n");
    if (count < 2)
        return;
    html(report->page,
         "<h4>Pairs of parameters</h4>\n<p>Best time of each pair of values, as a multiple of the best of all. "
         "Hatched: no "
         "configuration with these values has a time.%s</p>\n<div class=\"pairs\">\n",
         count > PAIRED ? " Shows the four most important parameters." : "");
    for (size_t i = 0; i < count && i < PAIRED; i++)
        for (size_t j = i + 1; j < count && j < PAIRED; j++) {
            bool wider =
                comparison->parameters[parameters[i]].value_count > comparison->parameters[parameters[j]].value_count;
            put_pair(report, findings, run, parameters[wider ? i : j], parameters[wider ? j : i]);
        }
    html(report->page, "</div>\n");
}
