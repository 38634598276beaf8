/* The report's chart of time and energy. */
#include <math.h>

#include "analyse/front.h"
#include "base/pairs.h"
#include "report/html.h"
#include "report/report.h"

static const double confidence = 0.95;
/* Columns that are drawn. */
enum { ON, OFF, DEFAULT, LIBRARY, DRAWN };

/* Each end of an interval is in the chart's table. */
static void put_interval(struct chart *chart, size_t column, struct bounded value, double size)
{
    chart_number(chart, column, value.low / size);
    chart_number(chart, column + 1, isinf(value.high) ? NAN : value.high / size);
}

static void put_rows(struct chart *chart, const struct front *front, const char *default_,
                     const struct report_unit *time, const struct report_unit *energy, size_t drawn)
{
    for (size_t i = 0; i < front->count; i++) {
        const struct front_point *point = &front->points[i];
        const bool is_default = default_ && pairs_compare(front->configurations[i], default_) == 0;
        if (isnan(point->energy.value))
            continue;
        chart_row_at(chart, point->time.value / time->size);
        chart_number(chart, drawn + (is_default ? DEFAULT : point->on ? ON : OFF), point->energy.value / energy->size);
        put_interval(chart, drawn + DRAWN, point->time, time->size);
        put_interval(chart, drawn + DRAWN + 2, point->energy, energy->size);
        chart_text(chart, drawn + DRAWN + 4, point->on ? "front" : "");
        chart_text(chart, drawn + DRAWN + 5, front->configurations[i]);
    }
}

/* The library has intervals of its ratios to a configuration. */
static void put_library(struct chart *chart, const struct front *front, const struct report_unit *time,
                        const struct report_unit *energy, size_t drawn)
{
    const struct bounded took = energy_value(&front->library_energy, &objective_row_time_per_work, confidence);
    const struct bounded needed = energy_value(&front->library_energy, &objective_row_energy_per_work, confidence);
    if (!front->library || isnan(needed.value))
        return;
    chart_row_at(chart, took.value / time->size);
    chart_number(chart, drawn + LIBRARY, needed.value / energy->size);
    put_interval(chart, drawn + DRAWN, took, time->size);
    put_interval(chart, drawn + DRAWN + 2, needed, energy->size);
    chart_text(chart, drawn + DRAWN + 4, "library");
    chart_text(chart, drawn + DRAWN + 5, front->library);
}

static void put_chart(struct report *report, const struct front *front, const char *default_)
{
    static const char *const listed[] = {"time from", "time to", "energy from", "energy to", "is", "configuration"};
    const struct objective *time_of = energy_objective(&objective_row_time, front->per_work);
    const struct objective *energy_of = energy_objective(&objective_row_energy, front->per_work);
    const struct report_unit time = report_unit(time_of, front->points[0].time.value);
    const struct report_unit energy = report_unit(energy_of, front->points[0].energy.value);
    char x[REPORT_QUANTITY_BYTES], y[REPORT_QUANTITY_BYTES];
    report_quantity(time_of->name, &time, x);
    report_quantity(energy_of->name, &energy, y);
    struct chart *chart = figure_begin(report, "energy", "Time against energy", x, y);
    chart_name_rows(chart, x);
    const size_t drawn = chart_column(chart, "front", CHART_MARKS, 0, "On the front: {x}, {y}.");
    chart_column(chart, "others", CHART_MARKS, 1, "Another one is better: {x}, {y}.");
    chart_column(chart, "default", CHART_MARKS, 2, "The default: {x}, {y}.");
    chart_column(chart, "library", CHART_MARKS, 3, "The library: {x}, {y}.");
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++)
        chart_column(chart, listed[i], CHART_LISTED, 0, "");
    put_rows(chart, front, default_, &time, &energy, drawn);
    put_library(chart, front, &time, &energy, drawn);
    figure_draw(report);
    html(report->page, "<p>The front: no other configuration is measurably better in time or energy and as good in the "
                       "other. Intervals are in the table.</p>");
    figure_end(report);
}

void report_energy(struct report *report, const struct findings *findings, size_t run)
{
    const struct measured_run *of = findings->comparison->runs[run].measured_run;
    struct front front = {.count = 0};
    report->failed |= of->journal && front_read(of->journal, confidence, &report->arena, &front, NULL) != 0;
    if (front.count && !report->failed)
        put_chart(report, &front, of->provenance.default_);
}
