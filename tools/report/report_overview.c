/* All runs of the page in one table, and the sentence above it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/statistics.h"
#include "report/html.h"
#include "report/report.h"

enum { NAMES_MAX = 5 };

/* ---- The sentence ---- */

/* "2 of 5 repeated runs regressed: copy on H200, scale on H200" */
static void put_regressions(struct report *report, const struct findings *findings, size_t count, size_t changes)
{
    size_t regressed = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < findings[i].change_count; k++)
            regressed += report_regressed(&findings[i].changes[k]);
    html(report->page, "<p class=\"headline %r\"><b>%z of %z repeated runs regressed</b>%r", regressed ? "bad" : "good",
         regressed, changes, regressed ? ": " : "");
    size_t named = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < findings[i].change_count; k++)
            if (report_regressed(&findings[i].changes[k]) && named++ < NAMES_MAX)
                html(report->page, "%r%s on %s", named > 1 ? ", " : "", findings[i].comparison->kernel,
                     report_device(findings[i].comparison->runs[findings[i].changes[k].now].measured_run));
    if (named > NAMES_MAX)
        html(report->page, " and %z more", named - NAMES_MAX);
    html(report->page, "</p>\n");
}

/* "19 of 21 kernels are faster than their default: up to 11.30 times (l2_persist), 1.58 times at the median" */
static void put_gains(struct report *report, const struct findings *findings, size_t count, size_t runs)
{
    double *gains = calloc(runs + 1, sizeof *gains), most = 0;
    const char *fastest = ""; /* the kernel or, in case of one kernel, the device with the largest gain */
    size_t known = 0, gained = 0;
    char number[REPORT_NUMBER_BYTES];
    report->failed |= !gains;
    for (size_t i = 0; i < count && gains; i++)
        for (size_t r = 0; r < findings[i].comparison->run_count; r++) {
            double gain = report_gain(&findings[i], r);
            if (isnan(gain))
                continue;
            gains[known++] = gain;
            gained += gain >= REPORT_GAIN_MIN;
            if (gain > most)
                fastest = count > 1 ? findings[i].comparison->kernel
                                    : report_device(findings[i].comparison->runs[r].measured_run);
            most = fmax(most, gain);
        }
    if (known) {
        html(report->page, "<p class=\"headline\"><b>%z of %z %r are %s than their default</b>", gained, known,
             runs == count ? "kernels" : "runs", report_better(findings[0].comparison->objective));
        if (gained) {
            statistics_sort(gains, known);
            html(report->page, ": up to %s times", report_number(most, 2, number));
            html(report->page, " (%s), %s times at the median", fastest,
                 report_number(statistics_median(gains, known), 2, number));
        }
        html(report->page, "</p>\n");
    }
    free(gains);
}

/* ---- The table ---- */

struct shared {
    bool device, problem, changes, several;
    double most; /* the largest gain */
};

static struct shared shared_of(const struct findings *findings, size_t count)
{
    struct shared shared = {.device = true, .several = count > 1};
    const struct measured_run *first = findings[0].comparison->runs[0].measured_run;
    for (size_t i = 0; i < count; i++) {
        shared.changes |= findings[i].change_count > 0;
        for (size_t r = 0; r < findings[i].comparison->run_count; r++) {
            shared.device &=
                strcmp(report_device(findings[i].comparison->runs[r].measured_run), report_device(first)) == 0;
            shared.most = fmax(shared.most, report_gain(&findings[i], r));
        }
    }
    shared.device &= count > 1;
    return shared;
}

/* Appends a cell with a number, its sort key, and a bar of that many per cent. */
static void put_bar(struct report *report, double number, int digits, double percent)
{
    char buffer[REPORT_NUMBER_BYTES];
    if (isnan(number))
        html(report->page, "<td class=\"n\">–");
    else
        html(report->page, "<td class=\"n bar\" style=\"--w:%z\">%s", (size_t)fmin(100, fmax(0, percent)),
             report_number(number, digits, buffer));
}

static void put_change(struct report *report, const struct findings *findings, size_t run)
{
    html(report->page, "<td>");
    for (size_t k = 0; k < findings->change_count; k++)
        if (findings->changes[k].now == run)
            html(report->page, "%r%s%r", report_regressed(&findings->changes[k]) ? "<b class=\"bad\">" : "",
                 report_verdict_name(&findings->changes[k]), report_regressed(&findings->changes[k]) ? "</b>" : "");
}

static void put_row(struct report *report, const struct findings *findings, size_t run, const struct shared *shared,
                    size_t id)
{
    const struct comparison *comparison = findings->comparison;
    const struct comparison_run *of = &comparison->runs[run];
    char value[REPORT_NUMBER_BYTES], real[TEXT_REAL_BYTES];
    double best, gain = report_gain(findings, run);
    comparison_cell(comparison, of->best, run, &best);
    double percent =
        objective_percent(comparison->objective, comparison_amounts(comparison, of->best, run).roofline_ns, best);
    html(report->page, "<tr><th scope=\"row\"><a href=\"#c%z-r%z\">", id, run + 1);
    if (shared->several)
        html(report->page, "%s</a> <small>%s</small>", comparison->kernel, comparison->problem);
    if (!shared->device) {
        html(report->page, shared->several ? "<td>" : "");
        if (comparison->run_count > 1)
            html(report->page, "[%z] ", run + 1);
        html(report->page, "%s%r", report_device(of->measured_run), shared->several ? "" : "</a>");
    }
    if (shared->changes)
        put_change(report, findings, run);
    html(report->page, "<td class=\"n\" data-value=\"%s\">%s", isnan(best) ? "" : text_real(best, real),
         report_with_unit(comparison->objective, best, value));
    put_bar(report, gain, 2, 100 * gain / shared->most);
    put_bar(report, percent, 1, percent);
    html(report->page, "<td class=\"n\">%z<td>", of->evaluated);
    if (gain >= REPORT_GAIN_MIN)
        report_causes(report, findings, run);
    html(report->page, "</tr>\n");
}

static void put_table(struct report *report, const struct findings *findings, size_t count, size_t id)
{
    const struct shared shared = shared_of(findings, count);
    html(report->page, REPORT_SCROLL "<table class=\"overview sortable\">");
    if (shared.device)
        html(report->page, "<caption>All on %s.</caption>",
             report_device(findings[0].comparison->runs[0].measured_run));
    html(report->page,
         "<thead><tr>%r%r%r<th scope=\"col\" class=\"n\">best<th scope=\"col\" class=\"n\">× "
         "default<th scope=\"col\" class=\"n\">%% of limit<th scope=\"col\" "
         "class=\"n\">configurations<th scope=\"col\">mostly by</tr></thead><tbody>\n",
         shared.several ? "<th scope=\"col\">kernel" : "", shared.device ? "" : "<th scope=\"col\">device",
         shared.changes ? "<th scope=\"col\">change" : "");
    for (size_t i = 0; i < count; i++)
        for (size_t r = 0; r < findings[i].comparison->run_count; r++)
            put_row(report, &findings[i], r, &shared, id + i);
    html(report->page,
         "</tbody></table></div>\n<p><small>Limit: the time that moving the same data takes at the speed of a copy on "
         "the device or, for a pipeline, of the link to the host. Mostly by: the parameters that matter most for the "
         "time, of those in which best and default differ.</small></p>\n");
}

void report_overview(struct report *report, const struct findings *findings, size_t count, size_t id)
{
    size_t runs = 0, changes = 0;
    for (size_t i = 0; i < count; i++) {
        runs += findings[i].comparison->run_count;
        changes += findings[i].change_count;
    }
    if (!changes)
        put_gains(report, findings, count, runs);
    else if (count == 1)
        report_verdicts(report, findings);
    else
        put_regressions(report, findings, count, changes);
    put_table(report, findings, count, id);
}
