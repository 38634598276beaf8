/* A comparison for people. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

#include "compare/compare.h"
#include "compare/grid.h"
#include "terminal/output.h"

enum { CELL_BYTES = 256 };

const char *compare_cell_note(const struct comparison *comparison, size_t configuration, size_t run)
{
    switch (comparison_cell(comparison, configuration, run, NULL)) {
    case CELL_TIMED:
        return "";
    case CELL_EARLY:
        return "stopped early";
    case CELL_UNKNOWN:
        return "not measured";
    default:
        return status_name(comparison->runs[run].of[configuration]->status);
    }
}

const char *compare_change_note(const struct comparison *comparison, const struct change *change, enum change_what what)
{
    const struct change_row *row = &change->rows[what];
    const char *note;
    if (change->apart)
        return change->apart;
    switch (row->ratio.verdict) {
    case VERDICT_BROKEN:
    case VERDICT_MISSING:
        return row->now == COMPARISON_NONE ? "nothing was timed" : compare_cell_note(comparison, row->now, change->now);
    case VERDICT_UNKNOWN:
        if (row->before == COMPARISON_NONE)
            return what == CHANGE_DEFAULT ? "default unknown" : "nothing was timed before";
        note = compare_cell_note(comparison, row->before, change->before);
        return *note ? note : "not in the database";
    case VERDICT_OTHER_STATE:
        return row->states;
    default:
        return row->ratio.by_medians ? "no intervals: judged by medians" : "";
    }
}

static void put_head(struct grid *grid, const struct comparison *comparison, const char *title)
{
    grid_title(grid, "%s", title);
    grid_row(grid, "", "");
    for (size_t r = 0; r < comparison->run_count; r++) {
        char number[CELL_BYTES];
        snprintf(number, sizeof number, "[%zu]", r + 1);
        grid_cell(grid, number);
    }
}

/* Makes another table on the same page. */
static struct grid table(const struct grid *page, int label, int column)
{
    return (struct grid){.text = page->text, .markdown = page->markdown, .label = label, .column = column};
}

/* ---- Winners ---- */

enum fact {
    FACT_VALUE,
    FACT_DEFAULT,
    FACT_SPEEDUP,
    FACT_CEILING,
    FACT_OPTIONS,
    FACT_SOURCE,
    FACT_DRIVER,
    FACT_NVRTC,
    FACTS
};
static const struct {
    const char *name; /* NULL: the objective's */
    bool compared;    /* mark where it differs */
} facts[FACTS] = {{NULL, false},         {"default", false}, {"speed-up", false}, {"% of ceiling", false},
                  {"measured as", true}, {"source", true},   {"driver", true},    {"NVRTC", true}};

static bool has_word(const char *text, const char *word, size_t length)
{
    for (; *text; text += strcspn(text, " "), text += strspn(text, " "))
        if (strcspn(text, " ") == length && strncmp(text, word, length) == 0)
            return true;
    return false;
}

/* Formats the options of a run, "cache=cold timeout=30 ...", that another run does not share. */
static void options_text(const struct comparison *comparison, size_t run, char *cell)
{
    size_t used = 0;
    const char *text = comparison->runs[run].measured_run->provenance.options;
    for (; *text; text += strcspn(text, " "), text += strspn(text, " ")) {
        size_t length = strcspn(text, " ");
        bool shared = true;
        for (size_t r = 0; r < comparison->run_count; r++)
            shared &= has_word(comparison->runs[r].measured_run->provenance.options, text, length);
        if (!shared && used + length + 2 < CELL_BYTES)
            used += (size_t)snprintf(cell + used, CELL_BYTES - used, "%s%.*s", used ? " " : "", (int)length, text);
    }
}

static void fact_text(const struct comparison *comparison, size_t run, enum fact fact, char *cell)
{
    const struct comparison_run *of = &comparison->runs[run];
    const struct measured_run *measured_run = of->measured_run;
    double best_value, default_value;
    comparison_cell(comparison, of->best, run, &best_value);
    comparison_cell(comparison, of->default_, run, &default_value);
    double percent =
        objective_percent(comparison->objective, comparison_amounts(comparison, of->best, run).roofline_ns, best_value);
    double gain = objective_gain(comparison->objective, default_value, best_value);
    *cell = '\0';
    if (fact == FACT_VALUE && !isnan(best_value))
        comparison->objective->print(cell, CELL_BYTES, best_value);
    else if (fact == FACT_DEFAULT && !isnan(default_value))
        comparison->objective->print(cell, CELL_BYTES, default_value);
    else if (fact == FACT_SPEEDUP && !isnan(gain))
        text_format(cell, CELL_BYTES, "%.2f", gain);
    else if (fact == FACT_CEILING && !isnan(percent))
        text_format(cell, CELL_BYTES, "%.1f", percent);
    else if (fact == FACT_OPTIONS)
        options_text(comparison, run, cell);
    else if (fact == FACT_SOURCE)
        snprintf(cell, CELL_BYTES, "%.8s", measured_run->provenance.source_hash);
    else if (fact == FACT_DRIVER)
        snprintf(cell, CELL_BYTES, "%s", measured_run->provenance.device.driver);
    else if (fact == FACT_NVRTC)
        snprintf(cell, CELL_BYTES, "%s%s",
                 strcmp(provenance_compiler(&measured_run->provenance), "nvcc") == 0 ? "nvcc " : "",
                 measured_run->provenance.nvrtc);
}

static const char *value_of(const struct comparison *comparison, size_t run, size_t parameter)
{
    size_t best = comparison->runs[run].best;
    if (best == COMPARISON_NONE)
        return "";
    return comparison->parameters[parameter]
        .values[comparison->choices[best * comparison->parameter_count + parameter]];
}

/* Options are long and mostly equal: shows a line only if they differ. */
static bool worth_a_row(const struct comparison *comparison, enum fact fact, bool *differ)
{
    char first[CELL_BYTES], cell[CELL_BYTES];
    bool any = false;
    *differ = false;
    fact_text(comparison, 0, fact, first);
    for (size_t r = 0; r < comparison->run_count; r++) {
        fact_text(comparison, r, fact, cell);
        any |= *cell != '\0';
        *differ |= strcmp(cell, first) != 0;
    }
    return facts[fact].compared ? *differ : any;
}

static void measure_winners(struct grid *grid, const struct comparison *comparison)
{
    char cell[CELL_BYTES];
    bool differ;
    for (size_t p = 0; p < comparison->parameter_count; p++) {
        grid->label = grid_widest(grid->label, comparison->parameters[p].name);
        for (size_t r = 0; r < comparison->run_count; r++)
            grid->column = grid_widest(grid->column, value_of(comparison, r, p));
    }
    for (int fact = 0; fact < FACTS; fact++)
        for (size_t r = 0; r < comparison->run_count && worth_a_row(comparison, (enum fact)fact, &differ); r++) {
            fact_text(comparison, r, (enum fact)fact, cell);
            grid->column = grid_widest(grid->column, cell);
        }
}

static void put_winners(const struct grid *page, const struct comparison *comparison)
{
    struct grid grid = table(page, (int)text_width("% of ceiling"), (int)text_width("[99]"));
    bool differ;
    measure_winners(&grid, comparison);
    put_head(&grid, comparison, comparison->run_count > 1 ? "winners (* differs)" : "winner");
    grid_end_head(&grid);
    for (size_t p = 0; p < comparison->parameter_count; p++) {
        differ = false;
        for (size_t r = 1; r < comparison->run_count; r++)
            differ |= strcmp(value_of(comparison, r, p), value_of(comparison, 0, p)) != 0;
        grid_row(&grid, differ ? "*" : "", comparison->parameters[p].name);
        for (size_t r = 0; r < comparison->run_count; r++)
            grid_cell(&grid, value_of(comparison, r, p));
        grid_end(&grid);
    }
    for (int fact = 0; fact < FACTS; fact++) {
        char cell[CELL_BYTES];
        if (!worth_a_row(comparison, (enum fact)fact, &differ))
            continue;
        grid_row(&grid, differ && facts[fact].compared ? "*" : "",
                 facts[fact].name ? facts[fact].name : comparison->objective->name);
        for (size_t r = 0; r < comparison->run_count; r++) {
            fact_text(comparison, r, (enum fact)fact, cell);
            grid_cell(&grid, cell);
        }
        grid_end(&grid);
    }
}

/* ---- Portability ---- */

static void put_matrix(const struct grid *page, const struct comparison *comparison)
{
    struct grid grid = table(page, (int)text_width("best of [99]"), 7);
    bool early = false, holes = false;
    if (comparison->run_count < 2)
        return;
    put_head(&grid, comparison, "portability: time on the column's device / time of that device's own best");
    grid_cell(&grid, "P");
    grid_end_head(&grid);
    for (size_t from = 0; from < comparison->run_count; from++) {
        char cell[CELL_BYTES];
        size_t best = comparison->runs[from].best;
        snprintf(cell, sizeof cell, "best of [%zu]", from + 1);
        grid_row(&grid, "", cell);
        for (size_t on = 0; on < comparison->run_count; on++) {
            enum cell state;
            double slowdown = comparison_slowdown(comparison, from, on, &state);
            bool failed = state == CELL_FAILED;
            early |= state == CELL_EARLY;
            holes |= isnan(slowdown);
            text_format(cell, sizeof cell, "%s%#.4g", state == CELL_EARLY ? "~" : "", slowdown);
            grid_cell(&grid, failed ? "fails" : isnan(slowdown) ? "?" : cell);
        }
        double portability = best == COMPARISON_NONE ? NAN : comparison_portability(comparison, best);
        text_format(cell, sizeof cell, "%.3f", portability);
        grid_cell(&grid, isnan(portability) ? "?" : cell);
        grid_end(&grid);
    }
    if (early)
        grid_note(&grid, "~ stopped early there as too slow: from few samples");
    for (size_t from = 0; from < comparison->run_count && holes; from++)
        for (size_t on = 0; on < comparison->run_count; on++) {
            const struct comparison_run *run = &comparison->runs[from];
            struct text configuration = {0};
            enum cell state;
            if (run->best == COMPARISON_NONE || !isnan(comparison_slowdown(comparison, from, on, &state)))
                continue;
            comparison_text(comparison, run->best, &configuration);
            grid_note(&grid, "%s: best of [%zu] on [%zu] %s: %s", state == CELL_UNKNOWN ? "missing" : "fails", from + 1,
                      on + 1, comparison->runs[on].measured_run->provenance.device.name,
                      state == CELL_UNKNOWN ? text_string(&configuration)
                                            : compare_cell_note(comparison, run->best, on));
            text_free(&configuration);
        }
}

static void put_ranking(const struct grid *page, const struct findings *findings)
{
    const struct comparison *comparison = findings->comparison;
    struct grid grid = table(page, 5, 7);
    if (comparison->run_count < 2)
        return;
    if (findings->known == 0) {
        grid_title(&grid, "best over all: unknown, no configuration was measured in every run");
        return;
    }
    put_head(&grid, comparison,
             "best over all: P, the harmonic mean of the efficiencies, and each device's best time / time there");
    grid_last(&grid, "configuration");
    grid_end_head(&grid);
    for (size_t i = 0; i < findings->ranked; i++) {
        char cell[CELL_BYTES];
        struct text configuration = {0};
        text_format(cell, sizeof cell, "%.3f", findings->ranking[i].portability);
        grid_row(&grid, "", cell);
        for (size_t r = 0; r < comparison->run_count; r++) {
            double efficiency = comparison_efficiency(comparison, findings->ranking[i].configuration, r);
            text_format(cell, sizeof cell, "%.3f", efficiency);
            grid_cell(&grid, efficiency > 0 ? cell : "fails");
        }
        comparison_text(comparison, findings->ranking[i].configuration, &configuration);
        grid_last(&grid, text_string(&configuration));
        grid_end(&grid);
        text_free(&configuration);
    }
    grid_note(&grid, "of %zu configurations that every run knows", findings->known);
}

/* ---- Importance and changes ---- */

static void put_importance(const struct grid *page, const struct findings *findings)
{
    const struct comparison *comparison = findings->comparison;
    struct grid grid = table(page, (int)text_width("rows without time"), 7);
    bool any = false;
    for (size_t r = 0; r < comparison->run_count; r++)
        any |= !isnan(findings->importance[r].fit);
    if (!any) {
        grid_title(&grid, "importance: unknown, a run needs at least %d timed configurations", IMPORTANCE_ROWS_MIN);
        return;
    }
    for (size_t p = 0; p < comparison->parameter_count; p++)
        grid.label = grid_widest(grid.label, comparison->parameters[p].name);
    put_head(&grid, comparison,
             "importance: % of the variance of log(time) that goes through the parameter, alone or with others");
    grid_end_head(&grid);
    for (size_t p = 0; p < comparison->parameter_count + 3; p++) {
        static const char *const more[] = {"explained", "rows", "rows without time"};
        bool parameter = p < comparison->parameter_count;
        grid_row(&grid, "", parameter ? comparison->parameters[p].name : more[p - comparison->parameter_count]);
        for (size_t r = 0; r < comparison->run_count; r++) {
            const struct importance *importance = &findings->importance[r];
            double share = parameter ? importance->shares[p] : importance->fit;
            size_t rows = p == comparison->parameter_count + 1 ? importance->rows : importance->failed;
            char cell[CELL_BYTES];
            if (p > comparison->parameter_count)
                snprintf(cell, sizeof cell, "%zu", rows);
            else
                text_format(cell, sizeof cell, "%.1f", 100 * share);
            grid_cell(&grid, p <= comparison->parameter_count && isnan(share) ? "?" : cell);
        }
        grid_end(&grid);
    }
    grid_note(&grid, "%s", IMPORTANCE_METHOD);
}

/* Formats "1.0212, 1.0110 to 1.0314, NOTE", as far as known. */
static void change_text(const struct comparison *comparison, const struct change *change, enum change_what what,
                        char *cell)
{
    const struct verdict_ratio *ratio = &change->rows[what].ratio;
    const char *note = compare_change_note(comparison, change, what);
    int used = 0;
    *cell = '\0';
    if (!isnan(ratio->ratio))
        used += text_format(cell, CELL_BYTES, "%.4f", ratio->ratio);
    if (!isnan(ratio->low) && !isnan(ratio->high))
        used += text_format(cell + used, CELL_BYTES - (size_t)used, ", %.4f to %.4f", ratio->low, ratio->high);
    if (*note)
        snprintf(cell + used, CELL_BYTES - (size_t)used, "%s%s", isnan(ratio->ratio) ? "" : ", ", note);
}

static void put_change(const struct grid *page, const struct comparison *comparison, const struct change *change)
{
    struct grid grid = table(page, 18, 0);
    struct text all = {0};
    int width = 9;
    for (int what = 0; what < CHANGE_COUNT; what++)
        if (change->rows[what].ratio.verdict == VERDICT_OTHER_STATE)
            width = (int)strlen(verdict_name(VERDICT_OTHER_STATE));
    grid_title(&grid, "change on %s, [%zu] to [%zu]: time now / before, and what the 95%% intervals allow",
               comparison->runs[change->before].measured_run->provenance.device.name, change->before + 1,
               change->now + 1);
    if (grid.markdown) { /* Markdown has no table without a head */
        grid_row(&grid, "", "");
        grid_cell(&grid, "verdict");
        grid_cell(&grid, "now / before");
        grid_end_head(&grid);
    }
    for (int what = 0; what < CHANGE_COUNT; what++) {
        char verdict[CELL_BYTES], cell[CELL_BYTES];
        snprintf(verdict, sizeof verdict, "%-*s", page->markdown ? 0 : width,
                 verdict_name(change->rows[what].ratio.verdict));
        change_text(comparison, change, (enum change_what)what, cell);
        grid_row(&grid, "", change_name((enum change_what)what));
        grid_last(&grid, verdict);
        grid_last(&grid, cell);
        grid_end(&grid);
    }
    for (int verdict = 0; verdict < VERDICT_UNKNOWN; verdict++)
        text_printf(&all, "%s%zu %s", verdict ? ", " : "", change->counts[verdict],
                    verdict_name((enum verdict)verdict));
    if (change->counts[VERDICT_OTHER_STATE])
        text_printf(&all, ", %zu %s", change->counts[VERDICT_OTHER_STATE], verdict_name(VERDICT_OTHER_STATE));
    grid_note(&grid, page->markdown ? "%s: %s" : "%-18s  %s", "all", text_string(&all));
    text_free(&all);
}

static void put_changes(const struct grid *page, const struct findings *findings)
{
    for (size_t i = 0; i < findings->change_count; i++)
        put_change(page, findings->comparison, &findings->changes[i]);
}

static void put_runs(const struct grid *page, const struct comparison *comparison)
{
    for (size_t r = 0; r < comparison->run_count; r++) {
        const struct comparison_run *run = &comparison->runs[r];
        char known[CELL_BYTES] = "best and default from a database";
        if (run->measured_run->journal)
            snprintf(known, sizeof known, "%zu configurations, %zu timed, %zu stopped early, %zu without time",
                     run->evaluated, status_class_count(run->counts, OUTCOME_TIMED),
                     status_class_count(run->counts, OUTCOME_CENSORED),
                     status_class_count(run->counts, OUTCOME_FAILED));
        struct grid line = *page;
        grid_note(&line, "[%zu] %s: %s, %s", r + 1, run->measured_run->provenance.device.name, known,
                  run->measured_run->path);
    }
}

/* A reader of Markdown, such as a reviewer, looks for changes first. */
static void put_all(const struct findings *findings, struct text *text, bool markdown)
{
    const struct comparison *comparison = findings->comparison;
    const struct grid page = {.text = text, .markdown = markdown};
    struct text title = {0};
    text_printf(&title, "%s%s%s  %s", comparison->kernel, *comparison->title ? ", " : "", comparison->title,
                comparison->problem);
    text_printf(text, markdown ? "### " : "");
    if (markdown)
        output_markdown(text, text_string(&title));
    else
        text_append(text, text_string(&title), title.length);
    text_append(text, "\n", 1);
    put_runs(&page, comparison);
    if (markdown)
        put_changes(&page, findings);
    put_winners(&page, comparison);
    put_matrix(&page, comparison);
    put_ranking(&page, findings);
    if (!markdown)
        put_changes(&page, findings);
    put_importance(&page, findings);
    text_free(&title);
}

void compare_text(const struct findings *findings, struct text *text)
{
    put_all(findings, text, false);
}

void compare_markdown(const struct findings *findings, struct text *text)
{
    put_all(findings, text, true);
}
