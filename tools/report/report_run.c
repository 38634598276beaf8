/* The report's section on one run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/run_summary.h"
#include "report/html.h"
#include "report/report.h"

enum { STEPS = 200, RANKS = 101, REASONS = 5 };

static const struct comparison_run *run_of(const struct findings *findings, size_t run)
{
    return &findings->comparison->runs[run];
}

/* ---- Best, default and limit ---- */

/* Adds further ceilings of this device, as far as known. */
static void put_limits(struct report *report, const struct measured_run *measured_run, const struct amounts *best,
                       double best_value)
{
    char number[REPORT_NUMBER_BYTES], rate[32];
    double intensity = best->flops / best->bytes;
    if (!isnan(intensity)) {
        html(report->page, "<p>%s operations a byte: at the copy ceiling ", report_number(intensity, 3, number));
        html(report->page, "%s GFLOP/s, ",
             report_number(intensity * measured_run->provenance.ceilings.copy / 1e9, 1, number));
        html(report->page, "the best has %s.</p>",
             report_number(objective_rate(measured_run->objective, best->flops, best_value) / 1e9, 1, number));
    }
    if (measured_run->objective->per_work)
        html(report->page, "<p>The best does %s.</p>",
             format_work_rate(rate, sizeof rate, objective_rate(measured_run->objective, 1, best_value)));
    if (!isnan(measured_run->provenance.ceilings.link_to_device) &&
        !isnan(measured_run->provenance.ceilings.link_to_host)) {
        html(report->page, "<p>Link to the host: %s GB/s to the device, ",
             report_number(measured_run->provenance.ceilings.link_to_device / 1e9, 1, number));
        html(report->page, "%s GB/s back.</p>",
             report_number(measured_run->provenance.ceilings.link_to_host / 1e9, 1, number));
    }
}

static void put_best(struct report *report, const struct findings *findings, size_t run, const struct report_unit *unit)
{
    const struct comparison *comparison = findings->comparison;
    const struct measured_run *measured_run = run_of(findings, run)->measured_run;
    const struct amounts best = comparison_amounts(comparison, run_of(findings, run)->best, run);
    char title[64], says[64], number[REPORT_NUMBER_BYTES];
    struct {
        const char *name;
        double value;
        int colour;
        struct amounts amounts;
    } bars[] = {{"default", NAN, 1, comparison_amounts(comparison, run_of(findings, run)->default_, run)},
                {"best", NAN, 0, best},
                {"limit", unit->objective->seconds != 0 ? best.roofline_ns : NAN, 2, best}};
    comparison_cell(comparison, run_of(findings, run)->default_, run, &bars[0].value);
    comparison_cell(comparison, run_of(findings, run)->best, run, &bars[1].value);
    snprintf(title, sizeof title, "%s, %s", unit->objective->name, unit->name);
    cJSON *chart = chart_begin(report, "bar", "Best against default and limit", title, "");
    chart_flag(chart, "horizontal");
    snprintf(says, sizeof says, "The {x} is {y} %s.", unit->name);
    cJSON *series = chart_series(chart, unit->objective->name, -1, "", says);
    if (unit->objective->seconds != 0)
        report_limit(report, findings, run);
    chart_numbers_begin(report);
    html(report->page,
         "<table><thead><tr><th scope=\"col\"><th scope=\"col\" class=\"n\">%s, %s<th scope=\"col\" "
         "class=\"n\">GB/s<th scope=\"col\" class=\"n\">of the limit, %%<th scope=\"col\" "
         "class=\"n\">speed-up</tr></thead><tbody>",
         unit->objective->name, unit->name);
    for (size_t i = 0; i < sizeof bars / sizeof *bars; i++) {
        if (isnan(bars[i].value))
            continue;
        chart_labels(chart, bars[i].name);
        chart_colour(chart, bars[i].colour);
        chart_value(series, bars[i].value / unit->size);
        html(report->page, "<tr><th scope=\"row\">%s<td class=\"n\">%s", bars[i].name,
             report_value(unit, bars[i].value, number));
        html(report->page, "<td class=\"n\">%s",
             report_number(report_rate(unit->objective, bars[i].amounts.bytes, bars[i].value), 1, number));
        html(report->page, "<td class=\"n\">%s",
             report_number(objective_percent(unit->objective, bars[i].amounts.roofline_ns, bars[i].value), 1, number));
        html(report->page, "<td class=\"n\">%s</tr>",
             report_number(i == 1 ? objective_gain(unit->objective, bars[0].value, bars[1].value) : NAN, 2, number));
    }
    html(report->page, "</tbody></table>");
    put_limits(report, measured_run, &best, bars[1].value);
    if (isnan(bars[0].value))
        html(report->page, "<p>The default is unknown or has no time.</p>");
    chart_end(report);
}

/* ---- Throughput of all against the limit ---- */

static void put_roofline(struct report *report, const struct findings *findings, size_t run)
{
    static const size_t shown[] = {0, 25, 50, 75, 100};
    const struct measured_run *measured_run = run_of(findings, run)->measured_run;
    double values[RANKS];
    char number[REPORT_NUMBER_BYTES];
    const struct objective *objective = measured_run->objective;
    double bytes = measured_run->provenance.bytes;
    /* With `work`, each configuration has its own traffic and limit. */
    long count = isnan(bytes) || !measured_run->journal || objective->per_work
                     ? 0
                     : run_summary_ranks(findings->comparison, run, values, RANKS);
    report->failed |= count < 0;
    if (count < 2)
        return;
    cJSON *chart = chart_begin(report, "line", "Traffic of all configurations against the limit",
                               "configurations that are faster, %", "GB/s");
    chart_flag(chart, "zero");
    cJSON *series = chart_series(chart, "configurations", 0, "",
                                 "{x}% of the configurations are faster than this one, which moves {y} GB/s.");
    for (long i = 0; i < count; i++)
        chart_point(series, 100.0 * (double)i / (double)(count - 1), report_rate(objective, bytes, values[i]));
    if (!isnan(measured_run->provenance.roofline_ns)) {
        series = chart_series(chart, "limit", 2, "dash", "The limit is {y} GB/s.");
        chart_point(series, 0, report_rate(objective, bytes, measured_run->provenance.roofline_ns));
        chart_point(series, 100, report_rate(objective, bytes, measured_run->provenance.roofline_ns));
    }
    chart_numbers_begin(report);
    html(report->page, "<table><thead><tr><th scope=\"col\">faster configurations<th scope=\"col\" class=\"n\">GB/s"
                       "<th scope=\"col\" class=\"n\">of the limit, %%</tr></thead><tbody>");
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        double value = values[shown[i] * (size_t)(count - 1) / 100];
        html(report->page, "<tr><th scope=\"row\">%z %%<td class=\"n\">%s", shown[i],
             report_number(report_rate(objective, bytes, value), 1, number));
        html(report->page, "<td class=\"n\">%s</tr>",
             report_number(objective_percent(measured_run->objective, measured_run->provenance.roofline_ns, value), 1,
                           number));
    }
    html(report->page, "</tbody></table>");
    chart_end(report);
}

/* ---- Convergence and distribution ---- */

/* Appends the values of other devices' and sizes' winners on this device. */
static void put_warm_start(struct report *report, const struct findings *findings, size_t run)
{
    const struct comparison_run *of = run_of(findings, run);
    char number[REPORT_NUMBER_BYTES];
    struct text text = {0};
    double value;
    size_t fastest, count = run_summary_warm_start(findings->comparison, run, &fastest);
    if (count == 0)
        return;
    html(report->page, "<p>The run began with %z winner%r of other devices or problem sizes: ", count,
         count == 1 ? "" : "s");
    if (fastest == COMPARISON_NONE || of->best == COMPARISON_NONE) {
        html(report->page, "none of them has a time.</p>\n");
        return;
    }
    comparison_text(findings->comparison, fastest, &text);
    comparison_cell(findings->comparison, fastest, run, &value);
    html(report->page, "the fastest of them, <code>%s</code>, takes %s, ", text_string(&text),
         report_with_unit(findings->comparison->objective, value, number));
    html(report->page, "%s%% of the speed of the best.</p>\n",
         report_number(100 * objective_gain(findings->comparison->objective, of->of[of->best]->value, value), 1,
                       number));
    report->failed |= text.failed;
    text_free(&text);
}

static void put_convergence(struct report *report, const struct findings *findings, size_t run,
                            const struct report_unit *unit)
{
    static const char *const proposers_shown[PROPOSER_COUNT] = {"",
                                                                "the space, as default",
                                                                "another row's winner",
                                                                "the strategy",
                                                                "an earlier run, measured again",
                                                                "a fit over sizes",
                                                                "the database"};
    struct run_summary_step steps[STEPS];
    char title[64], says[96], number[REPORT_NUMBER_BYTES];
    size_t total, count = run_summary_convergence(findings->comparison, run, steps, STEPS, &total);
    if (count == 0)
        return;
    bool proposers = false; /* false: older journals do not record proposers */
    for (size_t i = 0; i < count; i++)
        proposers |= steps[i].proposer != PROPOSER_UNKNOWN;
    snprintf(title, sizeof title, "best time so far, %s", unit->name);
    cJSON *chart = chart_begin(report, "line", "Convergence", "evaluations", title);
    snprintf(says, sizeof says, "After {x} evaluations, the best %s {y} %s.", report_takes(unit->objective),
             unit->name);
    cJSON *series = chart_series(chart, "best so far", 0, "step", says);
    for (size_t i = 0; i < count; i++)
        chart_point(series, (double)steps[i].evaluation, steps[i].value / unit->size);
    chart_point(series, (double)total, steps[count - 1].value / unit->size);
    chart_numbers_begin(report);
    html(report->page,
         "<table><thead><tr><th scope=\"col\" class=\"n\">evaluation<th scope=\"col\" class=\"n\">best so far, %s"
         "<th scope=\"col\" class=\"n\">over the best, %%%r</tr></thead><tbody>",
         unit->name, proposers ? "<th scope=\"col\">proposed by" : "");
    for (size_t i = 0; i < count; i++) {
        html(report->page, "<tr><td class=\"n\">%z<td class=\"n\">%s", steps[i].evaluation,
             report_value(unit, steps[i].value, number));
        html(report->page, "<td class=\"n\">%s",
             report_number(
                 100 * (objective_gain(findings->comparison->objective, steps[i].value, steps[count - 1].value) - 1), 1,
                 number));
        html(report->page, "%r%s</tr>", proposers ? "<td>" : "", proposers_shown[steps[i].proposer]);
    }
    html(report->page, "</tbody></table>");
    chart_end(report);
    put_warm_start(report, findings, run);
}

static void put_distribution(struct report *report, const struct findings *findings, size_t run,
                             const struct report_unit *unit)
{
    struct run_summary_histogram histogram;
    char title[64], timed_says[96], early_says[96], low[REPORT_NUMBER_BYTES], high[REPORT_NUMBER_BYTES];
    run_summary_histogram(findings->comparison, run, &histogram);
    if (isnan(histogram.low) || !run_of(findings, run)->measured_run->journal)
        return;
    snprintf(timed_says, sizeof timed_says, "{count}: %s {x} to {next} %s, timed to the end.", unit->objective->name,
             unit->name);
    snprintf(early_says, sizeof early_says, "{count}: %s {x} to {next} %s, stopped early.", unit->objective->name,
             unit->name);
    snprintf(title, sizeof title, "%s from, %s (each bar is the same factor wide)", unit->objective->name, unit->name);
    cJSON *chart = chart_begin(report, "bar", "Distribution of all configurations", title, "configurations");
    chart_flag(chart, "stacked");
    cJSON *timed = chart_series(chart, "timed to the end", 0, "", timed_says);
    cJSON *early = chart_series(chart, "stopped early as slower", 1, "", early_says);
    chart_numbers_begin(report);
    html(
        report->page,
        "<table><thead><tr><th scope=\"col\" class=\"n\">from, %s<th scope=\"col\" class=\"n\">to, %s<th scope=\"col\" "
        "class=\"n\">timed<th scope=\"col\" class=\"n\">stopped early</tr></thead><tbody>",
        unit->name, unit->name);
    for (size_t b = 0; b < histogram.bins; b++) {
        report_value(unit, run_summary_edge(&histogram, b), low);
        report_value(unit, run_summary_edge(&histogram, b + 1), high);
        chart_labels(chart, low);
        chart_value(timed, (double)histogram.timed[b]);
        chart_value(early, (double)histogram.early[b]);
        if (histogram.timed[b] || histogram.early[b])
            html(report->page, "<tr><td class=\"n\">%s<td class=\"n\">%s<td class=\"n\">%z<td class=\"n\">%z</tr>", low,
                 high, histogram.timed[b], histogram.early[b]);
    }
    cJSON_AddStringToObject(chart, "end", high);
    html(report->page, "</tbody></table>");
    chart_end(report);
}

/* ---- Outcomes ---- */

static void put_outcomes(struct report *report, const struct findings *findings, size_t run)
{
    const struct comparison_run *of = run_of(findings, run);
    if (!of->measured_run->journal)
        return;
    html(report->page, "<h4>What became of the configurations</h4>" REPORT_SCROLL "<table><thead><tr>"
                       "<th scope=\"col\">outcome<th scope=\"col\" class=\"n\">configurations<th scope=\"col\" "
                       "class=\"n\">%%<th scope=\"col\" class=\"reasons\">meaning, and reasons</tr></thead><tbody>");
    for (int status = 0; status < STATUS_COUNT; status++) {
        struct run_summary_reason reasons[REASONS];
        char number[REPORT_NUMBER_BYTES];
        size_t others;
        if (!of->counts[status])
            continue;
        html(report->page, "<tr><th scope=\"row\"><code>%s</code><td class=\"n\">%z<td class=\"n\">%s<td>%s",
             status_name((enum status)status), of->counts[status],
             report_number(100.0 * (double)of->counts[status] / (double)of->evaluated, 1, number),
             status_description((enum status)status));
        bool works = status_class((enum status)status) != OUTCOME_FAILED;
        long count =
            works ? 0 : run_summary_reasons(findings->comparison, run, (enum status)status, reasons, REASONS, &others);
        report->failed |= count < 0;
        if (count > 0)
            html(report->page, "<ul>");
        for (long i = 0; i < count; i++) {
            struct text text = {0};
            comparison_text(findings->comparison, reasons[i].configuration, &text);
            html(report->page, "<li>%z&times; %s<br><small>first: <code>%s</code></small>", reasons[i].count,
                 *reasons[i].message ? reasons[i].message : "no reason recorded", text_string(&text));
            text_free(&text);
        }
        if (count > 0 && others)
            html(report->page, "<li>%z&times; other reasons", others);
        html(report->page, "%r</tr>\n", count > 0 ? "</ul>" : "");
    }
    html(report->page, "</tbody></table></div>\n");
}

/* ---- The section ---- */

/* "/path/journal.csv, recorded 2026-11-21T07:23:14Z, driver 580.159.04, NVRTC 13.0, cache=cold" */
static void put_provenance(struct report *report, const struct measured_run *measured_run)
{
    const struct provenance *provenance = &measured_run->provenance;
    const struct {
        const char *before, *fact;
    } facts[] = {{"recorded", provenance->date},
                 {"driver", provenance->device.driver},
                 {provenance_compiler(provenance), provenance->nvrtc},
                 {"", provenance->options}};
    html(report->page, "<p class=\"facts\">%s", measured_run->path);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (*facts[i].fact)
            html(report->page, ", %s%s%s", facts[i].before, *facts[i].before ? " " : "", facts[i].fact);
    html(report->page, "</p>\n");
}

void report_run(struct report *report, const struct findings *findings, size_t run, size_t id)
{
    const struct comparison *comparison = findings->comparison;
    const struct comparison_run *of = run_of(findings, run);
    double best_value;
    comparison_cell(comparison, of->best, run, &best_value);
    struct report_unit unit = report_unit(comparison->objective, best_value);
    html(report->page, "<section id=\"c%z-r%z\"><h3>", id, run + 1);
    if (comparison->run_count > 1)
        html(report->page, "[%z] ", run + 1);
    html(report->page, "%s</h3>\n", report_device(of->measured_run));
    report_headline(report, findings, run);
    report_why(report, findings, run);
    put_provenance(report, of->measured_run);
    if (of->best != COMPARISON_NONE) {
        html(report->page, "<div class=\"figures\">\n");
        put_best(report, findings, run, &unit);
        put_roofline(report, findings, run);
        put_convergence(report, findings, run, &unit);
        put_distribution(report, findings, run, &unit);
        html(report->page, "</div>\n");
        report_top(report, findings, run, &unit);
        report_parameters(report, findings, run, &unit);
        report_facts(report, findings, run, &unit);
    }
    put_outcomes(report, findings, run);
    html(report->page, "</section>\n");
}
