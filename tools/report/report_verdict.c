/* Changes between runs of one device: the verdict, then its numbers. */
#include <math.h>

#include "compare/compare.h"
#include "report/html.h"
#include "report/report.h"

static bool is_bad(const struct change *change, int what)
{
    return !change->apart && change_regressed(change, (enum change_what)what, false);
}

bool report_regressed(const struct change *change)
{
    bool regressed = false;
    for (int what = 0; what < CHANGE_COUNT; what++)
        regressed |= is_bad(change, what);
    return regressed;
}

const char *report_verdict_name(const struct change *change)
{
    static const char *const names[VERDICT_COUNT] = {"no change", "faster",  "slower",  "undecided",
                                                     "broken",    "missing", "unknown", "other state"};
    return report_regressed(change) ? "regression" : names[change->rows[CHANGE_BEST].ratio.verdict];
}

/* Subject of the sentence: the first regression in the order of the table, or else the best. */
static enum change_what subject_of(const struct change *change)
{
    for (int what = 0; what < CHANGE_COUNT; what++)
        if (is_bad(change, what))
            return (enum change_what)what;
    return CHANGE_BEST;
}

/* "Regression on H200: the best takes 10.50 µs, 1.050 times as long as before (1.030 to 1.070)" */
static void put_sentence(struct report *report, const struct comparison *comparison, const struct change *change)
{
    static const char *const leads[VERDICT_COUNT] = {"No change", "Faster",     "Slower",     "No clear change",
                                                     "Broken",    "Not tested", "No verdict", "Another power state"};
    static const char *const subjects[CHANGE_COUNT] = {"best", "best of the first run", "default"};
    enum change_what what = subject_of(change);
    const struct change_row *row = &change->rows[what];
    const char *note = compare_change_note(comparison, change, what);
    bool regressed = report_regressed(change), duration = comparison->objective->seconds != 0;
    char value[REPORT_NUMBER_BYTES], number[REPORT_NUMBER_BYTES];
    double now;
    html(report->page, "<p class=\"headline%r\"><b>%s on %s</b>: the %s ",
         regressed                              ? " bad"
         : row->ratio.verdict == VERDICT_FASTER ? " good"
                                                : "",
         regressed ? "Regression" : leads[row->ratio.verdict],
         report_device(comparison->runs[change->now].measured_run), subjects[what]);
    if (isnan(row->ratio.ratio) || change->apart || row->ratio.verdict == VERDICT_OTHER_STATE)
        html(report->page, "is %s%r%s%r", verdict_name(row->ratio.verdict), *note ? " (" : "", note, *note ? ")" : "");
    else {
        comparison_cell(comparison, row->now, change->now, &now);
        html(report->page, "%s <span class=\"n\">%s</span>, ", report_takes(comparison->objective),
             report_with_unit(comparison->objective, now, value));
        html(report->page, "%s times %s before", report_number(row->ratio.ratio, 3, number),
             duration ? "as long as" : "worse than");
        if (!isnan(row->ratio.low) && !isnan(row->ratio.high)) {
            html(report->page, " (%s to ", report_number(row->ratio.low, 3, number));
            html(report->page, "%s)", report_number(row->ratio.high, 3, number));
        }
    }
    html(report->page, "</p>\n");
}

static void put_number(struct report *report, double number)
{
    char buffer[REPORT_NUMBER_BYTES];
    html(report->page, "<td class=\"n\">%s", report_number(number, 4, buffer));
}

static void put_table(struct report *report, const struct comparison *comparison, const struct change *change)
{
    html(report->page,
         REPORT_SCROLL "<table><thead><tr><th scope=\"col\">[%z] to [%z]<th scope=\"col\">verdict<th "
                       "scope=\"col\" class=\"n\">ratio<th scope=\"col\" class=\"n\">from<th "
                       "scope=\"col\" class=\"n\">to</tr></thead><tbody>\n",
         change->before + 1, change->now + 1);
    for (int what = 0; what < CHANGE_COUNT; what++) {
        const struct verdict_ratio *ratio = &change->rows[what].ratio;
        const char *note = compare_change_note(comparison, change, (enum change_what)what);
        html(report->page, "<tr%r><th scope=\"row\">%s<td>%s", is_bad(change, what) ? " class=\"bad\"" : "",
             change_name((enum change_what)what), verdict_name(ratio->verdict));
        if (*note)
            html(report->page, " <small>(%s)</small>", note);
        put_number(report, ratio->ratio);
        put_number(report, ratio->low);
        put_number(report, ratio->high);
        html(report->page, "</tr>\n");
    }
    html(report->page, "</tbody></table></div>\n");
}

void report_verdicts(struct report *report, const struct findings *findings)
{
    for (size_t i = 0; i < findings->change_count; i++) {
        put_sentence(report, findings->comparison, &findings->changes[i]);
        put_table(report, findings->comparison, &findings->changes[i]);
    }
    if (findings->change_count)
        html(report->page, "<p>Ratio: time in the later run / time in the earlier one. From and to: what the 95%% "
                           "intervals of the two times allow.</p>\n");
}
