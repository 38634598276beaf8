/* The report's section on one run. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/run_summary.h"
#include "base/file.h"
#include "report/html.h"
#include "report/report.h"

enum { STEPS = 200, RANKS = 51, REASONS = 5 };

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
    char title[REPORT_QUANTITY_BYTES], says[64];
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
    report_quantity(unit->objective->name, unit, title);
    struct chart *chart = figure_begin(report, "best", "Best against default and limit", title, "");
    snprintf(says, sizeof says, "The {x} is {y} %s.", unit->name);
    const size_t value = chart_column(chart, title, CHART_BARS, 0, says);
    const size_t rate = chart_column(chart, "GB/s", CHART_LISTED, 0, "");
    const size_t percent = chart_column(chart, "of the limit (%)", CHART_LISTED, 0, "");
    const size_t gain = chart_column(chart, "speed-up", CHART_LISTED, 0, "");
    chart_name_rows(chart, "configuration");
    chart->horizontal = true;
    for (size_t i = 0; i < sizeof bars / sizeof *bars; i++) {
        if (isnan(bars[i].value))
            continue;
        chart_row(chart, bars[i].name);
        chart_row_colour(chart, bars[i].colour);
        chart_number(chart, value, bars[i].value / unit->size);
        chart_number(chart, rate, report_rate(unit->objective, bars[i].amounts.bytes, bars[i].value));
        chart_number(chart, percent, objective_percent(unit->objective, bars[i].amounts.roofline_ns, bars[i].value));
        if (i == 1)
            chart_number(chart, gain, objective_gain(unit->objective, bars[0].value, bars[1].value));
    }
    figure_draw(report);
    if (unit->objective->seconds != 0)
        report_limit(report, findings, run);
    put_limits(report, measured_run, &best, bars[1].value);
    if (isnan(bars[0].value))
        html(report->page, "<p>The default is unknown or has no time.</p>");
    figure_end(report);
}

/* ---- Throughput of all against the limit ---- */

static void put_roofline(struct report *report, const struct findings *findings, size_t run)
{
    const struct measured_run *measured_run = run_of(findings, run)->measured_run;
    double values[RANKS];
    const struct objective *objective = measured_run->objective;
    const double bytes = measured_run->provenance.bytes, limit_ns = measured_run->provenance.roofline_ns;
    /* With `work`, each configuration has its own traffic and limit. */
    long count = isnan(bytes) || !measured_run->journal || objective->per_work
                     ? 0
                     : run_summary_ranks(findings->comparison, run, values, RANKS);
    report->failed |= count < 0;
    if (count < 2)
        return;
    struct chart *chart = figure_begin(report, "traffic", "Traffic of all configurations against the limit",
                                       "configurations that are faster (%)", "GB/s");
    chart_name_rows(chart, "configurations that are faster (%)");
    const size_t rate = chart_column(chart, "configurations (GB/s)", CHART_LINE, 0,
                                     "{x}% of the configurations are faster than this one, which moves {y} GB/s.");
    const size_t limit = chart_column(chart, "limit (GB/s)", CHART_DASHES, 2, "The limit is {y} GB/s.");
    const size_t percent = chart_column(chart, "of the limit (%)", CHART_LISTED, 0, "");
    chart->zero = true;
    for (long i = 0; i < count; i++) {
        chart_row_at(chart, 100.0 * (double)i / (double)(count - 1));
        chart_number(chart, rate, report_rate(objective, bytes, values[i]));
        if (i == 0 || i == count - 1)
            chart_number(chart, limit, report_rate(objective, bytes, limit_ns));
        chart_number(chart, percent, objective_percent(objective, limit_ns, values[i]));
    }
    figure_draw(report);
    figure_end(report);
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

/* Says why the last time of the search is not that of the headline. */
static void put_end_of_search(struct report *report, const struct findings *findings, size_t run,
                              const struct run_summary_step *last)
{
    const struct comparison *comparison = findings->comparison;
    const struct comparison_run *of = run_of(findings, run);
    const struct measurement *played = of->of[last->configuration];
    const double winner = of->of[of->best]->value;
    char number[REPORT_NUMBER_BYTES];
    struct text text = {0};
    if (!(fabs(last->value / winner - 1) >= REPORT_GAIN_MIN - 1))
        return;
    comparison_text(comparison, last->configuration, &text);
    html(report->page, "<p><small>The fastest of the search is <code>%s</code>, %s. ", text_string(&text),
         report_with_unit(comparison->objective, last->value, number));
    html(report->page, "The play-off measured the finalists again, by turns: the winner %s %s",
         report_takes(comparison->objective), report_with_unit(comparison->objective, winner, number));
    if (last->configuration != of->best && measurement_timed(played))
        html(report->page, ", and this configuration %s",
             report_with_unit(comparison->objective, played->value, number));
    html(report->page, ".</small></p>\n");
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
    const struct comparison *comparison = findings->comparison;
    const struct comparison_run *of = run_of(findings, run);
    char title[REPORT_QUANTITY_BYTES], name[REPORT_QUANTITY_BYTES], says[96], final_says[96];
    size_t total, count = run_summary_convergence(comparison, run, steps, STEPS, &total);
    if (count == 0)
        return;
    bool proposers = false; /* false: older journals do not record proposers */
    for (size_t i = 0; i < count; i++)
        proposers |= steps[i].proposer != PROPOSER_UNKNOWN;
    report_quantity("best time so far", unit, title);
    struct chart *chart = figure_begin(report, "convergence", "Convergence", "evaluations", title);
    snprintf(says, sizeof says, "After {x} evaluations, the best %s {y} %s.", report_takes(unit->objective),
             unit->name);
    snprintf(final_says, sizeof final_says, "In the play-off, the winner %s {y} %s.", report_takes(unit->objective),
             unit->name);
    chart_name_rows(chart, "evaluation");
    const size_t best = chart_column(chart, report_quantity("best so far", unit, name), CHART_STEPS, 0, says);
    const size_t final =
        of->of[of->best]->playoff != PLAYOFF_NONE
            ? chart_column(chart, report_quantity("winner, in the play-off", unit, name), CHART_MARKS, 1, final_says)
            : 0;
    const size_t over = chart_column(chart, "over the last (%)", CHART_LISTED, 0, "");
    const size_t proposer = proposers ? chart_column(chart, "proposed by", CHART_LISTED, 0, "") : 0;
    for (size_t i = 0; i < count; i++) {
        chart_row_at(chart, (double)steps[i].evaluation);
        chart_number(chart, best, steps[i].value / unit->size);
        chart_number(chart, over,
                     100 * (objective_gain(comparison->objective, steps[i].value, steps[count - 1].value) - 1));
        if (proposers)
            chart_text(chart, proposer, proposers_shown[steps[i].proposer]);
    }
    chart_row_at(chart, (double)total);
    chart_number(chart, best, steps[count - 1].value / unit->size);
    if (final)
        chart_number(chart, final, of->of[of->best]->value / unit->size);
    figure_draw(report);
    put_end_of_search(report, findings, run, &steps[count - 1]);
    put_warm_start(report, findings, run);
    figure_end(report);
}

static void put_distribution(struct report *report, const struct findings *findings, size_t run,
                             const struct report_unit *unit)
{
    struct run_summary_histogram histogram;
    char title[128], timed_says[96], early_says[96], low[REPORT_NUMBER_BYTES];
    run_summary_histogram(findings->comparison, run, &histogram);
    if (isnan(histogram.low) || !run_of(findings, run)->measured_run->journal)
        return;
    snprintf(timed_says, sizeof timed_says, "{count}: %s {x} to {3} %s, timed to the end.", unit->objective->name,
             unit->name);
    snprintf(early_says, sizeof early_says, "{count}: %s {x} to {3} %s, stopped early.", unit->objective->name,
             unit->name);
    snprintf(title, sizeof title, "%s from (%s); each bar is the same factor wide", unit->objective->name, unit->name);
    struct chart *chart =
        figure_begin(report, "distribution", "Distribution of all configurations", title, "configurations");
    snprintf(title, sizeof title, "from (%s)", unit->name);
    chart_name_rows(chart, title);
    const size_t timed = chart_column(chart, "timed to the end", CHART_BARS, 0, timed_says);
    const size_t early = chart_column(chart, "stopped early as slower", CHART_BARS, 1, early_says);
    snprintf(title, sizeof title, "to (%s)", unit->name);
    const size_t to = chart_column(chart, title, CHART_LISTED, 0, "");
    chart->stacked = true;
    for (size_t b = 0; b < histogram.bins; b++) {
        chart_row(chart, report_value(unit, run_summary_edge(&histogram, b), low));
        chart_number(chart, timed, (double)histogram.timed[b]);
        chart_number(chart, early, (double)histogram.early[b]);
        chart_text(chart, to, report_value(unit, run_summary_edge(&histogram, b + 1), low));
    }
    figure_draw(report);
    figure_end(report);
}

/* ---- Outcomes ---- */

/* Appends a message without the folders of absolute paths, which others that read the page need not know. */
static void put_message(struct report *report, const char *message)
{
    static const char ends[] = " \t\"'()<>=,:;|";
    struct text text = {0};
    for (const char *c = message; *c;) {
        size_t length = strcspn(c, ends), name = length;
        while (*c == '/' && name && c[name - 1] != '/')
            name--;
        if (*c == '/' && name > 1 && name < length)
            text_append(&text, c + name, length - name);
        else
            text_append(&text, c, length);
        c += length;
        length = strspn(c, ends);
        text_append(&text, c, length);
        c += length;
    }
    html(report->page, "%s", text_string(&text));
    report->failed |= text.failed;
    text_free(&text);
}

static void put_outcomes(struct report *report, const struct findings *findings, size_t run)
{
    const struct comparison_run *of = run_of(findings, run);
    if (!of->measured_run->journal)
        return;
    html(report->page,
         "<div class=\"detail\"><h4>What became of the configurations</h4>" REPORT_SCROLL "<table><thead><tr>"
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
            html(report->page, "<li>%z&times; ", reasons[i].count);
            put_message(report, *reasons[i].message ? reasons[i].message : "no reason recorded");
            html(report->page, "<br><small>first: <code>%s</code></small>", text_string(&text));
            text_free(&text);
        }
        if (count > 0 && others)
            html(report->page, "<li>%z&times; other reasons", others);
        html(report->page, "%r</tr>\n", count > 0 ? "</ul>" : "");
    }
    html(report->page, "</tbody></table></div></div>\n");
}

/* ---- The section ---- */

/* "journal.csv, recorded 2026-11-21T07:23:14Z, driver 580.159.04, NVRTC 13.0, cache=cold". A page that others read does
 * not name the reporter's folders. */
static void put_provenance(struct report *report, const struct measured_run *measured_run)
{
    const struct provenance *provenance = &measured_run->provenance;
    const struct {
        const char *before, *fact;
    } facts[] = {{"recorded", provenance->date},
                 {"driver", provenance->device.driver},
                 {provenance_compiler(provenance), provenance->nvrtc},
                 {"", provenance->options}};
    html(report->page, "<p class=\"facts source\">%s", measured_run->path + file_folder_length(measured_run->path));
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (*facts[i].fact)
            html(report->page, ", %s%s%s", facts[i].before, *facts[i].before ? " " : "", facts[i].fact);
    html(report->page, "</p>\n");
}

void report_run(struct report *report, const struct findings *findings, size_t run, size_t number)
{
    const struct comparison *comparison = findings->comparison;
    const struct comparison_run *of = run_of(findings, run);
    const char *name = report_run_name(report, findings, run, number);
    double best_value;
    comparison_cell(comparison, of->best, run, &best_value);
    struct report_unit unit = report_unit(comparison->objective, best_value);
    figures_begin(report, name);
    html(report->page, "<section class=\"run\" id=\"%s\"><h3>", name);
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
        report_energy(report, findings, run);
        html(report->page, "</div>\n");
        report_top(report, findings, run, &unit);
        report_parameters(report, findings, run, &unit);
        report_facts(report, findings, run, &unit);
    }
    put_outcomes(report, findings, run);
    html(report->page, "</section>\n");
}
