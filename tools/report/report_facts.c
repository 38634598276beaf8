/* Time against registers, occupancy and clock. */
#include <math.h>
#include <stdio.h>

#include "analyse/run_summary.h"
#include "report/html.h"
#include "report/report.h"

static const struct {
    const char *title, *axis, *best, *median; /* sentences of a point, without the unit */
    double scale;
    int digits;
} facts[RUN_SUMMARY_FACTS] = {
    [RUN_SUMMARY_REGISTERS] = {"Registers", "registers per thread", "With {x} registers per thread, the best",
                               "With {x} registers per thread, the median", 1, 0},
    [RUN_SUMMARY_OCCUPANCY] = {"Occupancy", "occupancy, %", "At an occupancy of {x}%, the best",
                               "At an occupancy of {x}%, the median", 100, 1},
    [RUN_SUMMARY_CLOCK] = {"Clock", "lowest clock of the multiprocessors, MHz", "At {x} MHz, the best",
                           "At {x} MHz, the median", 1, 0}};

struct levels {
    enum run_summary_fact fact;
    int count;
    struct run_summary_level items[RUN_SUMMARY_GROUPS];
};

/* A clock within 1% is steady: its chart would show noise. */
static bool worth_a_chart(const struct levels *levels)
{
    if (levels->count < 2)
        return false;
    return levels->fact != RUN_SUMMARY_CLOCK || levels->items[levels->count - 1].high > 1.01 * levels->items[0].low;
}

static void put_numbers(struct report *report, const struct levels *levels, const struct report_unit *unit)
{
    char number[REPORT_NUMBER_BYTES];
    chart_numbers_begin(report);
    html(report->page,
         "<table><thead><tr><th scope=\"col\" class=\"n\">%s<th scope=\"col\" class=\"n\">best, %s<th scope=\"col\" "
         "class=\"n\">median, %s<th scope=\"col\" class=\"n\">configurations</tr></thead><tbody>",
         facts[levels->fact].axis, unit->name, unit->name);
    for (int i = 0; i < levels->count; i++) {
        const struct run_summary_level *level = &levels->items[i];
        double scale = facts[levels->fact].scale;
        int digits = facts[levels->fact].digits;
        html(report->page, "<tr><th scope=\"row\" class=\"n\">%s", report_number(scale * level->low, digits, number));
        if (level->high > level->low)
            html(report->page, " to %s", report_number(scale * level->high, digits, number));
        html(report->page, "<td class=\"n\">%s", report_value(unit, level->best_value, number));
        html(report->page, "<td class=\"n\">%s<td class=\"n\">%z</tr>", report_value(unit, level->median_value, number),
             level->timed);
    }
    html(report->page, "</tbody></table>");
}

static void put_chart(struct report *report, const struct levels *levels, const struct report_unit *unit)
{
    const char *verb = report_takes(unit->objective);
    char axis[64], best_says[128], median_says[128];
    double low = NAN, high = NAN;
    snprintf(axis, sizeof axis, "%s, %s", unit->objective->name, unit->name);
    snprintf(best_says, sizeof best_says, "%s %s {y} %s.", facts[levels->fact].best, verb, unit->name);
    snprintf(median_says, sizeof median_says, "%s %s {y} %s.", facts[levels->fact].median, verb, unit->name);
    cJSON *chart = chart_begin(report, "line", facts[levels->fact].title, facts[levels->fact].axis, axis);
    chart_flag(chart, "scatter");
    cJSON *best = chart_series(chart, "best", 0, "points", best_says);
    cJSON *median = chart_series(chart, "median", 1, "points", median_says);
    for (int i = 0; i < levels->count; i++) {
        const struct run_summary_level *level = &levels->items[i];
        double x = facts[levels->fact].scale * (level->low + level->high) / 2;
        chart_point(best, x, level->best_value / unit->size);
        chart_point(median, x, level->median_value / unit->size);
        low = fmin(low, fmin(level->best_value, level->median_value));
        high = fmax(high, fmax(level->best_value, level->median_value));
    }
    if (high > REPORT_LOG_MIN * low)
        chart_flag(chart, "log");
    put_numbers(report, levels, unit);
    chart_end(report);
}

/* Appends a sentence for a fact without a chart. */
static void put_steady(struct report *report, const struct levels *levels)
{
    char low[REPORT_NUMBER_BYTES], high[REPORT_NUMBER_BYTES];
    if (levels->fact != RUN_SUMMARY_CLOCK || levels->count == 0 || worth_a_chart(levels))
        return;
    report_number(levels->items[0].low, 0, low);
    report_number(levels->items[levels->count - 1].high, 0, high);
    html(report->page, "<p>The clock of the multiprocessors was steady: %s to %s MHz.</p>\n", low, high);
}

void report_facts(struct report *report, const struct findings *findings, size_t run, const struct report_unit *unit)
{
    struct levels levels[RUN_SUMMARY_FACTS];
    bool any = false;
    for (int fact = 0; fact < RUN_SUMMARY_FACTS; fact++) {
        levels[fact].fact = (enum run_summary_fact)fact;
        levels[fact].count =
            run_summary_levels(findings->comparison, run, (enum run_summary_fact)fact, levels[fact].items);
        report->failed |= levels[fact].count < 0;
        any |= levels[fact].count > 0 && worth_a_chart(&levels[fact]);
    }
    if (any) {
        html(report->page, "<h4>Time against registers, occupancy and clock</h4>\n<div class=\"figures\">\n");
        for (int fact = 0; fact < RUN_SUMMARY_FACTS; fact++)
            if (worth_a_chart(&levels[fact]))
                put_chart(report, &levels[fact], unit);
        html(report->page, "</div>\n");
    }
    put_steady(report, &levels[RUN_SUMMARY_CLOCK]);
}
