/* Time against registers, occupancy and clock. */
#include <math.h>
#include <stdio.h>

#include "analyse/run_summary.h"
#include "report/html.h"
#include "report/report.h"

static const struct {
    const char *name, *title, *axis, *best, *median; /* sentences of a point, without the unit */
    double scale;
} facts[RUN_SUMMARY_FACTS] = {[RUN_SUMMARY_REGISTERS] = {"registers", "Registers", "registers per thread",
                                                         "With {x} registers per thread, the best",
                                                         "With {x} registers per thread, the median", 1},
                              [RUN_SUMMARY_OCCUPANCY] = {"occupancy", "Occupancy", "occupancy (%)",
                                                         "At an occupancy of {x}%, the best",
                                                         "At an occupancy of {x}%, the median", 100},
                              [RUN_SUMMARY_CLOCK] = {"clock", "Clock", "lowest clock of the multiprocessors (MHz)",
                                                     "At {x} MHz, the best", "At {x} MHz, the median", 1}};

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

static void put_chart(struct report *report, const struct levels *levels, const struct report_unit *unit)
{
    const char *verb = report_takes(unit->objective);
    const double scale = facts[levels->fact].scale;
    char axis[REPORT_QUANTITY_BYTES], best_says[128], median_says[128];
    double low = NAN, high = NAN;
    snprintf(best_says, sizeof best_says, "%s %s {y} %s.", facts[levels->fact].best, verb, unit->name);
    snprintf(median_says, sizeof median_says, "%s %s {y} %s.", facts[levels->fact].median, verb, unit->name);
    report_quantity(unit->objective->name, unit, axis);
    struct chart *chart =
        figure_begin(report, facts[levels->fact].name, facts[levels->fact].title, facts[levels->fact].axis, axis);
    chart_name_rows(chart, facts[levels->fact].axis);
    const size_t best = chart_column(chart, report_quantity("best", unit, axis), CHART_MARKS, 0, best_says);
    const size_t median = chart_column(chart, report_quantity("median", unit, axis), CHART_MARKS, 1, median_says);
    const size_t from = chart_column(chart, "from", CHART_LISTED, 0, "");
    const size_t to = chart_column(chart, "to", CHART_LISTED, 0, "");
    const size_t timed = chart_column(chart, "configurations", CHART_LISTED, 0, "");
    for (int i = 0; i < levels->count; i++) {
        const struct run_summary_level *level = &levels->items[i];
        chart_row_at(chart, scale * (level->low + level->high) / 2);
        chart_number(chart, best, level->best_value / unit->size);
        chart_number(chart, median, level->median_value / unit->size);
        chart_number(chart, from, scale * level->low);
        chart_number(chart, to, scale * level->high);
        chart_number(chart, timed, (double)level->timed);
        low = fmin(low, fmin(level->best_value, level->median_value));
        high = fmax(high, fmax(level->best_value, level->median_value));
    }
    chart->log = high > REPORT_LOG_MIN * low;
    figure_draw(report);
    figure_end(report);
}

/* Appends a sentence for a fact without a chart. */
static void put_steady(struct report *report, const struct levels *levels)
{
    char low[REPORT_NUMBER_BYTES], high[REPORT_NUMBER_BYTES];
    if (levels->fact != RUN_SUMMARY_CLOCK || levels->count == 0 || worth_a_chart(levels))
        return;
    report_number(levels->items[0].low, 0, low);
    report_number(levels->items[levels->count - 1].high, 0, high);
    html(report->page, "<p class=\"detail\">The clock of the multiprocessors was steady: %s to %s MHz.</p>\n", low,
         high);
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
        html(report->page,
             "<div class=\"detail\"><h4>Time against registers, occupancy and clock</h4>\n<div class=\"figures\">\n");
        for (int fact = 0; fact < RUN_SUMMARY_FACTS; fact++)
            if (worth_a_chart(&levels[fact]))
                put_chart(report, &levels[fact], unit);
        html(report->page, "</div></div>\n");
    }
    put_steady(report, &levels[RUN_SUMMARY_CLOCK]);
}
