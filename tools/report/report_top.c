/* Table of a run's best configurations: time, interval and factor first, then the differing facts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/run_summary.h"
#include "report/html.h"
#include "report/report.h"

/* Facts before KEPT stay in sight when the table scrolls. */
enum fact {
    FACT_VALUE,
    FACT_HALF,
    FACT_GAIN,
    FACT_OVER,
    FACT_RATE,
    FACT_FLOPS,
    FACT_WORK,
    FACT_REGISTERS,
    FACT_SHARED,
    FACT_LOCAL,
    FACT_OCCUPANCY,
    FACTS
};
#define KEPT FACT_OVER

static const struct {
    const char *name; /* NULL: the objective's */
    int digits;
    const char *unit; /* in the caption, which has the fact if all rows have the same value; NULL: never there */
} facts[FACTS] = {[FACT_VALUE] = {NULL, 0, NULL},
                  [FACT_HALF] = {"±", 0, NULL},
                  [FACT_GAIN] = {"× default", 2, NULL},
                  [FACT_OVER] = {"over best, %", 2, NULL},
                  [FACT_RATE] = {"GB/s", 1, NULL},
                  [FACT_FLOPS] = {"GFLOP/s", 1, NULL},
                  [FACT_WORK] = {"Gwork/s", 1, NULL},
                  [FACT_REGISTERS] = {"registers", 0, " registers"},
                  [FACT_SHARED] = {"shared, B", 0, " B of shared memory"},
                  [FACT_LOCAL] = {"local, B", 0, " B of local memory"},
                  [FACT_OCCUPANCY] = {"occupancy, %", 0, "% occupancy"}};

enum spread { SPREAD_UNKNOWN, SPREAD_SAME, SPREAD_DIFFERS };

struct top {
    const struct comparison *comparison;
    const struct comparison_run *of;
    const struct report_unit *unit;
    size_t *rows; /* configurations */
    size_t count;
    double default_value; /* NaN: unknown */
    enum spread facts[FACTS];
    enum spread *parameters; /* never unknown */
    enum spread kernels; /* kernel of registers, memory and occupancy; unknown: the configurations have a single one */
};

static double known(int64_t number)
{
    return number < 0 ? NAN : (double)number;
}

static double fact_of(const struct top *top, size_t row, enum fact fact)
{
    const struct measured_run *measured_run = top->of->measured_run;
    const struct measurement *measurement = top->of->of[top->rows[row]];
    const struct objective *objective = measured_run->objective;
    const struct amounts amounts = amounts_of(&measured_run->provenance, measurement);
    switch (fact) {
    case FACT_VALUE:
        return measurement->value;
    case FACT_HALF:
        return (measurement->high - measurement->low) / 2;
    case FACT_GAIN:
        return objective_gain(objective, top->default_value, measurement->value);
    case FACT_OVER:
        return 100 * (objective_gain(objective, measurement->value, top->of->of[top->rows[0]]->value) - 1);
    case FACT_RATE:
        return report_rate(objective, amounts.bytes, measurement->value);
    case FACT_FLOPS:
        return objective_rate(objective, amounts.flops, measurement->value) / 1e9;
    case FACT_WORK:
        return objective->per_work ? objective_rate(objective, 1, measurement->value) / 1e9 : NAN;
    case FACT_REGISTERS:
        return known(measurement->registers);
    case FACT_SHARED:
        return known(measurement->shared_bytes);
    case FACT_LOCAL:
        return known(measurement->local_bytes);
    default:
        return 100 * measurement->occupancy;
    }
}

static const char *print_fact(const struct top *top, size_t row, enum fact fact, char buffer[REPORT_NUMBER_BYTES])
{
    double value = fact_of(top, row, fact);
    if (fact == FACT_VALUE)
        return report_value(top->unit, value, buffer);
    if (fact == FACT_HALF)
        return report_half(top->unit, top->of->of[top->rows[row]], buffer);
    return report_number(value, facts[fact].digits, buffer);
}

static const char *value_of(const struct top *top, size_t row, size_t parameter)
{
    const struct comparison *comparison = top->comparison;
    return comparison->parameters[parameter]
        .values[comparison->choices[top->rows[row] * comparison->parameter_count + parameter]];
}

/* ---- Facts that all rows share ---- */

static enum spread spread_of_fact(const struct top *top, enum fact fact)
{
    bool unknown = true, same = facts[fact].unit && top->count > 1;
    for (size_t i = 0; i < top->count; i++) {
        double value = fact_of(top, i, fact);
        unknown &= isnan(value);
        same &= value == fact_of(top, 0, fact);
    }
    return unknown ? SPREAD_UNKNOWN : same ? SPREAD_SAME : SPREAD_DIFFERS;
}

static enum spread spread_of_parameter(const struct top *top, size_t parameter)
{
    bool same = top->count > 1;
    for (size_t i = 1; i < top->count && same; i++)
        same = value_of(top, i, parameter) == value_of(top, 0, parameter);
    return same ? SPREAD_SAME : SPREAD_DIFFERS;
}

static const char *kernel_of(const struct top *top, size_t row)
{
    return top->of->of[top->rows[row]]->kernel;
}

static enum spread spread_of_kernels(const struct top *top)
{
    bool unknown = true, same = true;
    for (size_t i = 0; i < top->count; i++) {
        unknown &= !*kernel_of(top, i);
        same &= strcmp(kernel_of(top, i), kernel_of(top, 0)) == 0;
    }
    return unknown ? SPREAD_UNKNOWN : same ? SPREAD_SAME : SPREAD_DIFFERS;
}

static void find_spreads(struct top *top)
{
    top->kernels = spread_of_kernels(top);
    for (int fact = 0; fact < FACTS; fact++)
        top->facts[fact] = spread_of_fact(top, (enum fact)fact);
    for (size_t p = 0; p < top->comparison->parameter_count; p++)
        top->parameters[p] = spread_of_parameter(top, p);
}

static void put_caption(struct report *report, const struct top *top)
{
    size_t shared = 0;
    for (size_t p = 0; p < top->comparison->parameter_count; p++)
        if (top->parameters[p] == SPREAD_SAME)
            html(report->page, "%r<code data-constant>%s=%s</code>",
                 shared++ ? ", " : "<caption><div>The same in all rows: ", top->comparison->parameters[p].name,
                 value_of(top, 0, p));
    for (int fact = 0; fact < FACTS; fact++) {
        char number[REPORT_NUMBER_BYTES];
        if (top->facts[fact] == SPREAD_SAME)
            html(report->page, "%r%s%s",
                 shared++ ? ", " : "<caption><div>The same in all rows: ", print_fact(top, 0, (enum fact)fact, number),
                 facts[fact].unit);
    }
    if (top->kernels == SPREAD_SAME)
        html(report->page, "%rregisters, memory and occupancy of the kernel <code>%s</code>",
             shared++ ? ", " : "<caption><div>The same in all rows: ", kernel_of(top, 0));
    if (shared)
        html(report->page, ".</div></caption>");
}

/* ---- The table ---- */

/* Number of columns that stay in sight, behind the rank. */
static size_t kept_of(const struct top *top)
{
    size_t kept = 0;
    for (int fact = 0; fact < KEPT; fact++)
        kept += top->facts[fact] == SPREAD_DIFFERS;
    return kept;
}

/* Words are at the left of their column, numbers at the right. */
static const char *side_of(const struct top *top, size_t parameter)
{
    return top->comparison->parameters[parameter].numbers ? "" : " class=\"t\"";
}

static void put_head(struct report *report, const struct top *top)
{
    html(report->page, "<thead><tr><th scope=\"col\">#");
    for (int fact = 0; fact < KEPT; fact++)
        if (top->facts[fact] == SPREAD_DIFFERS) {
            bool unit = fact != FACT_GAIN;
            html(report->page, "<th scope=\"col\">%s%s%s",
                 facts[fact].name ? facts[fact].name : top->unit->objective->name, unit ? ", " : "",
                 unit ? top->unit->name : "");
        }
    html(report->page, "<th scope=\"col\" class=\"t\">standing");
    for (size_t p = 0; p < top->comparison->parameter_count; p++)
        if (top->parameters[p] == SPREAD_DIFFERS)
            html(report->page, "<th scope=\"col\"%r data-parameter>%s", side_of(top, p),
                 top->comparison->parameters[p].name);
    for (int fact = KEPT; fact < FACTS; fact++)
        if (top->facts[fact] == SPREAD_DIFFERS)
            html(report->page, "<th scope=\"col\">%s", facts[fact].name);
    if (top->kernels == SPREAD_DIFFERS)
        html(report->page, "<th scope=\"col\" class=\"t\">of the kernel");
    html(report->page, "</tr></thead><tbody>\n");
}

static void put_row(struct report *report, const struct top *top, size_t row)
{
    static const char *const names[] = {
        [STANDING_NONE] = "", [STANDING_WINNER] = "winner", [STANDING_TIED] = "tied", [STANDING_LOST] = ""};
    const char *name = names[top->of->standings[top->rows[row]]];
    bool default_ = top->rows[row] == top->of->default_;
    char number[REPORT_NUMBER_BYTES];
    html(report->page, "<tr%r%r%r%r><td>%z", *name || default_ ? " class=\"" : "", name,
         !default_ ? ""
         : *name   ? " default"
                   : "default",
         *name || default_ ? "\"" : "", row + 1);
    for (int fact = 0; fact < KEPT; fact++)
        if (top->facts[fact] == SPREAD_DIFFERS)
            html(report->page, "<td>%s", print_fact(top, row, (enum fact)fact, number));
    html(report->page, "<td class=\"t\">%r%r%r", name, *name && default_ ? ", " : "", default_ ? "default" : "");
    for (size_t p = 0; p < top->comparison->parameter_count; p++)
        if (top->parameters[p] == SPREAD_DIFFERS)
            html(report->page, "<td%r>%s", side_of(top, p), value_of(top, row, p));
    for (int fact = KEPT; fact < FACTS; fact++)
        if (top->facts[fact] == SPREAD_DIFFERS)
            html(report->page, "<td>%s", print_fact(top, row, (enum fact)fact, number));
    if (top->kernels == SPREAD_DIFFERS)
        html(report->page, "<td class=\"t\">%s", kernel_of(top, row));
    html(report->page, "\n");
}

/* ---- The section ---- */

/* Appends the ties, and the rule that chose the winner. */
/* Says why the winner was chosen among tied configurations. */
static const char *choice_of(const struct comparison_run *run)
{
    const struct measurement *best = run->of[run->best];
    if (run->keeps_incumbent)
        return "is the configuration that the database had";
    if (!isnan(best->efficiency_other_devices))
        return "is the best on other devices, then needs the fewest registers, then the least shared memory";
    if (!isnan(best->efficiency_other_sizes))
        return "is the best at other sizes, then needs the fewest registers, then the least shared memory";
    return "needs the fewest registers, then the least shared memory";
}

static void put_rule(struct report *report, const struct top *top)
{
    size_t finalists = top->of->finalists, tied = top->of->tied;
    if (finalists == 0)
        html(report->page, "<p>No play-off decided: the winner is the fastest of the search; of equally fast "
                           "configurations, the one with the fewest registers, then the least shared memory.</p>\n");
    else if (finalists == 1)
        html(report->page, "<p>Winner: the play-off had no other finalist.</p>\n");
    else if (tied == 0)
        html(report->page, "<p>Winner: of the %z finalists of the play-off, all others are measurably slower.</p>\n",
             finalists);
    else
        html(report->page,
             "<p>Winner: of the %z finalists of the play-off, %z are tied: none of them is measurably slower than the "
             "fastest. Of these, the winner %s; all of them are as fast, as far as the play-off can tell.</p>\n",
             finalists, tied, choice_of(top->of));
}

/* Appends an example of a search: a varying parameter, with the winner's value. */
static void put_search(struct report *report, const struct top *top)
{
    size_t p = 0;
    while (p < top->comparison->parameter_count && top->parameters[p] != SPREAD_DIFFERS)
        p++;
    struct text example = {0};
    if (p < top->comparison->parameter_count)
        text_printf(&example, "%s=%s", top->comparison->parameters[p].name, value_of(top, 0, p));
    report_search(report, "Search", text_string(&example));
    report->failed |= example.failed;
    text_free(&example);
}

static void put_table(struct report *report, const struct top *top)
{
    html(report->page, "<div class=\"detail\"><h4>Best configurations</h4>\n");
    put_rule(report, top);
    put_search(report, top);
    html(report->page,
         "<div class=\"scroll tall\" role=\"region\" aria-label=\"table\" tabindex=\"0\"><table "
         "class=\"top sortable keep%z\">",
         kept_of(top));
    put_caption(report, top);
    put_head(report, top);
    for (size_t i = 0; i < top->count; i++)
        put_row(report, top, i);
    html(report->page, "</tbody></table></div>\n");
    if (top->facts[FACT_HALF] != SPREAD_UNKNOWN)
        html(report->page, "<p><small>&plusmn;: half of the confidence interval of the median.</small></p>\n");
    html(report->page, "</div>\n");
}

void report_top(struct report *report, const struct findings *findings, size_t run, const struct report_unit *unit)
{
    const struct comparison *comparison = findings->comparison;
    struct top top = {.comparison = comparison, .of = &comparison->runs[run], .unit = unit};
    top.rows = calloc(report->top + 1, sizeof *top.rows);
    top.parameters = calloc(comparison->parameter_count + 1, sizeof *top.parameters);
    long count = top.rows && top.parameters ? run_summary_top(comparison, run, top.rows, report->top) : -1;
    report->failed |= count < 0;
    if (count > 0) {
        top.count = (size_t)count;
        comparison_cell(comparison, top.of->default_, run, &top.default_value);
        find_spreads(&top);
        put_table(report, &top);
    }
    free(top.rows);
    free(top.parameters);
}
