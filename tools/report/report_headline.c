/* Answer of a run in one sentence, and the meaning of its limit. */
#include <math.h>
#include <string.h>

#include "analyse/run_summary.h"
#include "base/roofline_time.h"
#include "report/html.h"
#include "report/report.h"

const char *report_takes(const struct objective *objective)
{
    return objective->seconds != 0 ? "takes" : "reaches";
}

const char *report_better(const struct objective *objective)
{
    return objective->seconds != 0 ? "faster" : "better";
}

/* ---- The limit ---- */

/* By base/roofline_time.h, a limit is the time of the traffic at the copy ceiling or, for a pipeline, of its transfers.
 */
static bool limit_is_copy(const struct provenance *provenance)
{
    double copy_ns = roofline_time_of_traffic(&(struct traffic){.bytes = provenance->bytes}, &provenance->ceilings);
    return fabs(provenance->roofline_ns / copy_ns - 1) < 1e-3;
}

static const char *limit_name(const struct provenance *provenance)
{
    return limit_is_copy(provenance) ? "copy limit" : "link limit";
}

/* With `work`, each configuration has its own limit; returns that of the best, for one of its runs. */
static struct provenance limit_of_best(const struct findings *findings, size_t run)
{
    const struct comparison_run *of = &findings->comparison->runs[run];
    struct provenance provenance = of->measured_run->provenance;
    if (findings->comparison->objective->per_work && of->best != COMPARISON_NONE) {
        const struct measurement *best = of->of[of->best];
        provenance.roofline_ns = amounts_of(&provenance, best).roofline_ns * best->work;
        provenance.bytes = best->bytes;
    }
    return provenance;
}

void report_limit(struct report *report, const struct findings *findings, size_t run)
{
    const struct provenance of_best = limit_of_best(findings, run), *provenance = &of_best;
    const char *whose = !findings->comparison->objective->per_work ? ""
                        : findings->comparison->runs[run].measured_run->journal
                            ? " of a run of the best configuration"
                            : " of a unit of work of the best configuration";
    char bytes[REPORT_NUMBER_BYTES], ceiling[REPORT_NUMBER_BYTES], limit[REPORT_NUMBER_BYTES];
    if (isnan(provenance->roofline_ns)) {
        html(report->page, "<p><small>The limit is unknown: %s.</small></p>\n",
             isnan(provenance->bytes) ? "the run does not record how many bytes the kernel must move"
                                      : "the run does not record the speed of a copy on this device");
        return;
    }
    report_with_unit(&objective_row_time, provenance->roofline_ns, limit);
    if (limit_is_copy(provenance))
        html(report->page,
             "<p><small>Limit%r: %s, the time to move the kernel&rsquo;s %s at the copy ceiling of this device, %s. A "
             "kernel "
             "that finds its data in the L2 cache can be faster.</small></p>\n",
             whose, limit, format_bytes(bytes, sizeof bytes, provenance->bytes),
             format_rate(ceiling, sizeof ceiling, provenance->ceilings.copy));
    else
        html(report->page,
             "<p><small>Limit%r: %s, the time of the transfers alone over the link to the host, at the rates measured "
             "on "
             "this "
             "machine.</small></p>\n",
             whose, limit);
}

/* ---- The headline ---- */

const char *report_half(const struct report_unit *unit, const struct measurement *measurement,
                        char buffer[REPORT_NUMBER_BYTES])
{
    double half = (measurement->high - measurement->low) / 2 / unit->size;
    int digits = unit->digits;
    /* A half that would read 0 gets its first digit. */
    while (half > 0 && half < 0.5 * pow(10, -digits) && digits < 9)
        digits++;
    return report_number(half, digits, buffer);
}

double report_gain(const struct findings *findings, size_t run)
{
    const struct comparison *comparison = findings->comparison;
    const struct comparison_run *of = &comparison->runs[run];
    double best_value, default_value;
    comparison_cell(comparison, of->best, run, &best_value);
    comparison_cell(comparison, of->default_, run, &default_value);
    return objective_gain(comparison->objective, default_value, best_value);
}

static void put_gain(struct report *report, const struct findings *findings, size_t run)
{
    const struct comparison *comparison = findings->comparison;
    const struct comparison_run *of = &comparison->runs[run];
    const char *better = report_better(comparison->objective);
    double gain = report_gain(findings, run);
    char number[REPORT_NUMBER_BYTES];
    if (isnan(gain))
        return;
    if (of->best == of->default_)
        html(report->page, "<b>The default is the best</b>: ");
    else if (gain >= REPORT_GAIN_MIN)
        html(report->page, "<b>%s times %s</b>: ", report_number(gain, 2, number), better);
    else
        html(report->page, "<b>Not %s than the default</b>: ", better);
}

void report_causes(struct report *report, const struct findings *findings, size_t run)
{
    size_t causes[RUN_SUMMARY_CAUSES];
    size_t count = run_summary_causes(findings->comparison, run, &findings->importance[run], causes);
    for (size_t i = 0; i < count; i++)
        html(report->page, "%r%s", i ? " and " : "", findings->comparison->parameters[causes[i]].name);
}

/* ", 0.97 of cuBLAS 13.0": the last library compared with the best. */
static void put_library(struct report *report, const struct comparison *comparison, size_t run)
{
    const struct comparison_run *of = &comparison->runs[run];
    const struct measured_run *measured = of->measured_run;
    char number[REPORT_NUMBER_BYTES];
    for (size_t i = measured->library_count; i-- > 0;) {
        const struct journal_library *library = &measured->libraries[i];
        struct text configuration = {0};
        for (size_t p = 0; p < measured->parameter_count; p++)
            text_printf(&configuration, "%s%s=%s", p ? " " : "", measured->parameters[p], library->values[p]);
        bool same = comparison_find(comparison, text_string(&configuration)) == of->best;
        report->failed |= configuration.failed;
        text_free(&configuration);
        if (!same)
            continue;
        double ratio = journal_library_ratio(library, comparison->objective);
        if (!isnan(ratio))
            html(report->page, ", %s of the speed of %s", report_number(ratio, 2, number), library->name);
        return;
    }
}

/* " at the power cap, 1.60 GHz": a time that the power cap may have lengthened. */
static void put_power(struct report *report, const struct measurement *best)
{
    const struct power power = power_of(best->states);
    char state[POWER_TEXT_BYTES];
    if (power.state == POWER_CAP || power.state == POWER_MIXED)
        html(report->page, " %s", power_text(state, power));
}

/* "1.58 times faster: 133.3 µs ± 0.2, 94% of the copy limit, 0.97 of the speed of cuBLAS 13.0; mostly PAD and
 * BLOCK_ROWS" */
void report_headline(struct report *report, const struct findings *findings, size_t run)
{
    const struct comparison *comparison = findings->comparison;
    const struct comparison_run *of = &comparison->runs[run];
    char value[REPORT_NUMBER_BYTES], number[REPORT_NUMBER_BYTES];
    size_t causes[RUN_SUMMARY_CAUSES];
    struct text configuration = {0};
    if (of->best == COMPARISON_NONE) {
        html(report->page, "<p class=\"headline\"><b>No configuration has a time.</b></p>\n");
        return;
    }
    const struct measurement *best = of->of[of->best];
    const struct provenance provenance = limit_of_best(findings, run);
    struct report_unit unit = report_unit(comparison->objective, best->value);
    double percent = objective_percent(comparison->objective, comparison_amounts(comparison, of->best, run).roofline_ns,
                                       best->value);
    bool gained = report_gain(findings, run) >= REPORT_GAIN_MIN;
    html(report->page, "<p class=\"headline\">");
    put_gain(report, findings, run);
    html(report->page, "<span class=\"n\">%s", report_with_unit(comparison->objective, best->value, value));
    if (best->high >= best->low)
        html(report->page, " &plusmn; %s", report_half(&unit, best, number));
    html(report->page, "</span>");
    put_power(report, best);
    if (!isnan(percent))
        html(report->page, ", %s%% of the %s", report_number(percent, percent < 10 ? 1 : 0, number),
             limit_name(&provenance));
    put_library(report, comparison, run);
    if (of->best != of->default_ && (gained || isnan(report_gain(findings, run))) &&
        run_summary_causes(comparison, run, &findings->importance[run], causes)) {
        html(report->page, "%r", gained ? "; mostly " : "; depends mostly on ");
        report_causes(report, findings, run);
    }
    comparison_text(comparison, of->best, &configuration);
    html(report->page, "</p>\n<p class=\"configurations\">Best: <code>%s</code>.", text_string(&configuration));
    text_clear(&configuration);
    if (of->default_ != COMPARISON_NONE && of->default_ != of->best) {
        comparison_cell(comparison, of->default_, run, &percent);
        comparison_text(comparison, of->default_, &configuration);
        html(report->page, " Default: <code>%s</code>, %s.", text_string(&configuration),
             report_with_unit(comparison->objective, percent, value));
    }
    html(report->page, "</p>\n");
    report->failed |= configuration.failed;
    text_free(&configuration);
}
