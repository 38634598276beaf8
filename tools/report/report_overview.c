/* Comparisons or runs in one table, and the sentence above it. */
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

/* ---- The cells of a run ---- */

/* A device of the table: the n-th run of its name in a comparison. */
struct column {
    const char *name;
    size_t number;
};

struct table {
    const struct findings *findings;
    size_t count;
    struct column *columns; /* arena memory */
    size_t column_count;
    bool changes; /* of some run */
    double most;  /* the largest gain */
};

static struct column column_of(const struct findings *findings, size_t run)
{
    const struct comparison_run *runs = findings->comparison->runs;
    struct column column = {report_device(runs[run].measured_run), 1};
    for (size_t r = 0; r < run; r++)
        column.number += strcmp(report_device(runs[r].measured_run), column.name) == 0;
    return column;
}

static bool same_column(const struct column *a, const struct column *b)
{
    return a->number == b->number && strcmp(a->name, b->name) == 0;
}

static struct table table_of(struct report *report, const struct findings *findings, size_t count)
{
    struct table table = {.findings = findings, .count = count};
    size_t runs = 0;
    for (size_t i = 0; i < count; i++)
        runs += findings[i].comparison->run_count;
    table.columns = arena_array(&report->arena, runs + 1, sizeof *table.columns);
    report->failed |= !table.columns;
    for (size_t i = 0; i < count && table.columns; i++) {
        table.changes |= findings[i].change_count > 0;
        for (size_t r = 0; r < findings[i].comparison->run_count; r++) {
            const struct column column = column_of(&findings[i], r);
            size_t c = 0;
            while (c < table.column_count && !same_column(&table.columns[c], &column))
                c++;
            if (c == table.column_count)
                table.columns[table.column_count++] = column;
            table.most = fmax(table.most, report_gain(&findings[i], r));
        }
    }
    return table;
}

static void put_column_name(struct report *report, const struct column *column)
{
    html(report->page, "%s", column->name);
    if (column->number > 1)
        html(report->page, ", run %z", column->number);
}

/* Appends a cell with a number and a bar of that many per cent. */
static void put_bar(struct report *report, const char *class, double number, int digits, double percent)
{
    char buffer[REPORT_NUMBER_BYTES];
    if (isnan(number))
        html(report->page, "<td class=\"n %r\">–", class);
    else
        html(report->page, "<td class=\"n bar %r\" style=\"--w:%z\">%s", class, (size_t)fmin(100, fmax(0, percent)),
             report_number(number, digits, buffer));
}

static void put_change(struct report *report, const struct findings *findings, size_t run)
{
    html(report->page, "<td class=\"change\">");
    for (size_t k = 0; k < findings->change_count; k++)
        if (findings->changes[k].now == run)
            html(report->page, "%r%s%r", report_regressed(&findings->changes[k]) ? "<b class=\"bad\">" : "",
                 report_verdict_name(&findings->changes[k]), report_regressed(&findings->changes[k]) ? "</b>" : "");
}

static void put_cell_heads(struct report *report, const struct table *table)
{
    html(report->page,
         "%r<th scope=\"col\" class=\"n\">best<th scope=\"col\" class=\"n\">× default<th scope=\"col\" "
         "class=\"n\">%% of limit<th scope=\"col\">mostly by",
         table->changes ? "<th scope=\"col\">change" : "");
}

static void put_cells(struct report *report, const struct table *table, const struct findings *findings, size_t run)
{
    const struct comparison *comparison = findings->comparison;
    const struct comparison_run *of = &comparison->runs[run];
    char value[REPORT_NUMBER_BYTES], real[TEXT_REAL_BYTES];
    double best, gain = report_gain(findings, run);
    comparison_cell(comparison, of->best, run, &best);
    double percent =
        objective_percent(comparison->objective, comparison_amounts(comparison, of->best, run).roofline_ns, best);
    if (table->changes)
        put_change(report, findings, run);
    html(report->page, "<td class=\"n value\" data-value=\"%s\">%s", isnan(best) ? "" : text_real(best, real),
         report_with_unit(comparison->objective, best, value));
    put_bar(report, "gain", gain, 2, 100 * gain / table->most);
    put_bar(report, "percent", percent, 1, percent);
    html(report->page, "<td class=\"causes\">");
    if (gain >= REPORT_GAIN_MIN)
        report_causes(report, findings, run);
}

/* `class`: "detail" if the page has them elsewhere on paper. */
static void put_notes(struct report *report, const char *class)
{
    html(report->page,
         "</tbody></table></div>\n<p class=\"%r\"><small>Limit: the time that moving the same data takes at the speed "
         "of a copy on "
         "the device or, for a pipeline, of the link to the host. Mostly by: the parameters that matter most for the "
         "time, of those in which best and default differ.</small></p>\n",
         class);
}

/* ---- A row for each comparison ---- */

static void put_comparisons_head(struct report *report, const struct table *table)
{
    const bool several = table->column_count > 1;
    html(report->page, REPORT_SCROLL "<table class=\"overview sortable\">");
    if (!several)
        html(report->page, "<caption>All on %s.</caption>", table->column_count ? table->columns[0].name : "");
    html(report->page, "<thead><tr>");
    if (several) {
        html(report->page, "<td>");
        for (size_t c = 0; c < table->column_count; c++) {
            html(report->page, "<th scope=\"colgroup\" colspan=\"%z\">", (size_t)(table->changes ? 5 : 4));
            put_column_name(report, &table->columns[c]);
        }
        html(report->page, "</tr><tr>");
    }
    html(report->page, "<th scope=\"col\">kernel");
    for (size_t c = 0; c < table->column_count; c++) {
        if (several) {
            html(report->page, "<td class=\"device\">");
            put_column_name(report, &table->columns[c]);
        }
        put_cell_heads(report, table);
    }
    html(report->page, "</tr></thead><tbody>\n");
}

static void put_comparison_row(struct report *report, const struct table *table, size_t number)
{
    const struct findings *findings = &table->findings[number];
    html(report->page, "<tr><th scope=\"row\"><a href=\"#%s\">%s</a> <small>%s</small>", report->names[number],
         findings->comparison->kernel, findings->comparison->problem);
    for (size_t c = 0; c < table->column_count; c++) {
        size_t run = 0;
        while (run < findings->comparison->run_count) {
            const struct column column = column_of(findings, run);
            if (same_column(&column, &table->columns[c]))
                break;
            run++;
        }
        if (table->column_count > 1) {
            html(report->page, "<td class=\"device\">");
            if (run < findings->comparison->run_count)
                put_column_name(report, &table->columns[c]);
        }
        if (run < findings->comparison->run_count)
            put_cells(report, table, findings, run);
        else
            html(report->page, "%r<td><td><td><td>", table->changes ? "<td>" : "");
    }
    html(report->page, "</tr>\n");
}

void report_overview(struct report *report, const struct findings *findings, size_t count)
{
    const struct table table = table_of(report, findings, count);
    size_t runs = 0, changes = 0;
    if (!report->names || !table.columns)
        return;
    for (size_t i = 0; i < count; i++) {
        runs += findings[i].comparison->run_count;
        changes += findings[i].change_count;
    }
    if (changes)
        put_regressions(report, findings, count, changes);
    else
        put_gains(report, findings, count, runs);
    report_search(report, "Filter", findings[0].comparison->kernel);
    put_comparisons_head(report, &table);
    for (size_t i = 0; i < count; i++)
        put_comparison_row(report, &table, i);
    put_notes(report, "");
}

/* ---- A row for each run ---- */

void report_runs(struct report *report, const struct findings *findings, size_t number)
{
    const struct table table = table_of(report, findings, 1);
    const struct comparison *comparison = findings->comparison;
    if (findings->change_count)
        report_verdicts(report, findings);
    else
        put_gains(report, findings, 1, comparison->run_count);
    html(report->page, REPORT_SCROLL "<table class=\"overview sortable\"><thead><tr><th scope=\"col\">device");
    put_cell_heads(report, &table);
    html(report->page, "<th scope=\"col\" class=\"n\">configurations</tr></thead><tbody>\n");
    for (size_t r = 0; r < comparison->run_count; r++) {
        html(report->page, "<tr><th scope=\"row\"><a href=\"#%s\">[%z] %s</a>",
             report_run_name(report, findings, r, number), r + 1, report_device(comparison->runs[r].measured_run));
        put_cells(report, &table, findings, r);
        html(report->page, "<td class=\"n tried\">%z</tr>\n", comparison->runs[r].evaluated);
    }
    put_notes(report, "detail");
}
