/* A comparison for people. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

#include "compare/compare.h"

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
    switch (row->ratio.verdict) {
    case VERDICT_BROKEN:
    case VERDICT_MISSING:
        return row->now == COMPARISON_NONE ? "nothing was timed" : compare_cell_note(comparison, row->now, change->now);
    case VERDICT_UNKNOWN:
        if (row->before == COMPARISON_NONE)
            return what == CHANGE_DEFAULT ? "default unknown" : "nothing was timed before";
        note = compare_cell_note(comparison, row->before, change->before);
        return *note ? note : "not in the database";
    default:
        return row->ratio.by_medians ? "no intervals: judged by medians" : "";
    }
}

/* ---- Tables: a label on the left, a column per run ---- */

struct grid {
    struct text *text;
    int label, column; /* widths */
};

static int width_of(const char *string)
{
    return (int)text_width(string);
}

static void begin_row(struct grid *grid, const char *mark, const char *label)
{
    text_printf(grid->text, "%-2s%s%*s", mark, label, grid->label - width_of(label), "");
}

static void put_cell(struct grid *grid, const char *cell)
{
    int width = width_of(cell);
    text_printf(grid->text, "  %*s%s", grid->column > width ? grid->column - width : 0, "", cell);
}

static void end_row(struct grid *grid)
{
    while (grid->text->length && grid->text->bytes[grid->text->length - 1] == ' ')
        grid->text->bytes[--grid->text->length] = '\0';
    text_append(grid->text, "\n", 1);
}

static void put_head(struct grid *grid, const struct comparison *comparison, const char *title)
{
    text_printf(grid->text, "\n%s\n", title);
    begin_row(grid, "", "");
    for (size_t r = 0; r < comparison->run_count; r++) {
        char number[CELL_BYTES];
        snprintf(number, sizeof number, "[%zu]", r + 1);
        put_cell(grid, number);
    }
}

static int widest(int width, const char *string)
{
    return width_of(string) > width ? width_of(string) : width;
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

/* The options of a run, "cache=cold timeout=30 ...", that another run does not share. */
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
    double percent = objective_percent(comparison->objective, measured_run->provenance.floor_ns, best_value);
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
        snprintf(cell, CELL_BYTES, "%s", measured_run->provenance.nvrtc);
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
        grid->label = widest(grid->label, comparison->parameters[p].name);
        for (size_t r = 0; r < comparison->run_count; r++)
            grid->column = widest(grid->column, value_of(comparison, r, p));
    }
    for (int fact = 0; fact < FACTS; fact++)
        for (size_t r = 0; r < comparison->run_count && worth_a_row(comparison, (enum fact)fact, &differ); r++) {
            fact_text(comparison, r, (enum fact)fact, cell);
            grid->column = widest(grid->column, cell);
        }
}

static void put_winners(struct text *text, const struct comparison *comparison)
{
    struct grid grid = {text, width_of("% of ceiling"), width_of("[99]")};
    bool differ;
    measure_winners(&grid, comparison);
    put_head(&grid, comparison, comparison->run_count > 1 ? "winners (* differs)" : "winner");
    end_row(&grid);
    for (size_t p = 0; p < comparison->parameter_count; p++) {
        differ = false;
        for (size_t r = 1; r < comparison->run_count; r++)
            differ |= strcmp(value_of(comparison, r, p), value_of(comparison, 0, p)) != 0;
        begin_row(&grid, differ ? "*" : "", comparison->parameters[p].name);
        for (size_t r = 0; r < comparison->run_count; r++)
            put_cell(&grid, value_of(comparison, r, p));
        end_row(&grid);
    }
    for (int fact = 0; fact < FACTS; fact++) {
        char cell[CELL_BYTES];
        if (!worth_a_row(comparison, (enum fact)fact, &differ))
            continue;
        begin_row(&grid, differ && facts[fact].compared ? "*" : "",
                  facts[fact].name ? facts[fact].name : comparison->objective->name);
        for (size_t r = 0; r < comparison->run_count; r++) {
            fact_text(comparison, r, (enum fact)fact, cell);
            put_cell(&grid, cell);
        }
        end_row(&grid);
    }
}

/* ---- Portability ---- */

static void put_matrix(struct text *text, const struct comparison *comparison)
{
    struct grid grid = {text, width_of("best of [99]"), 7};
    bool early = false, holes = false;
    if (comparison->run_count < 2)
        return;
    put_head(&grid, comparison, "portability: time on the column's device / time of that device's own best");
    put_cell(&grid, "P");
    end_row(&grid);
    for (size_t from = 0; from < comparison->run_count; from++) {
        char cell[CELL_BYTES];
        size_t best = comparison->runs[from].best;
        snprintf(cell, sizeof cell, "best of [%zu]", from + 1);
        begin_row(&grid, "", cell);
        for (size_t on = 0; on < comparison->run_count; on++) {
            enum cell state;
            double slowdown = comparison_slowdown(comparison, from, on, &state);
            bool failed = state == CELL_FAILED;
            early |= state == CELL_EARLY;
            holes |= isnan(slowdown);
            text_format(cell, sizeof cell, "%s%#.4g", state == CELL_EARLY ? "~" : "", slowdown);
            put_cell(&grid, failed ? "fails" : isnan(slowdown) ? "?" : cell);
        }
        double portability = best == COMPARISON_NONE ? NAN : comparison_portability(comparison, best);
        text_format(cell, sizeof cell, "%.3f", portability);
        put_cell(&grid, isnan(portability) ? "?" : cell);
        end_row(&grid);
    }
    if (early)
        text_printf(text, "  ~ stopped early there as too slow: from few samples\n");
    for (size_t from = 0; from < comparison->run_count && holes; from++)
        for (size_t on = 0; on < comparison->run_count; on++) {
            const struct comparison_run *run = &comparison->runs[from];
            struct text configuration = {0};
            enum cell state;
            if (run->best == COMPARISON_NONE || !isnan(comparison_slowdown(comparison, from, on, &state)))
                continue;
            comparison_text(comparison, run->best, &configuration);
            text_printf(text, "  %s: best of [%zu] on [%zu] %s: %s\n", state == CELL_UNKNOWN ? "missing" : "fails",
                        from + 1, on + 1, comparison->runs[on].measured_run->provenance.device.name,
                        state == CELL_UNKNOWN ? text_string(&configuration)
                                              : compare_cell_note(comparison, run->best, on));
            text_free(&configuration);
        }
}

static void put_ranking(struct text *text, const struct findings *findings)
{
    const struct comparison *comparison = findings->comparison;
    struct grid grid = {text, 5, 7};
    if (comparison->run_count < 2)
        return;
    if (findings->known == 0) {
        text_printf(text, "\nbest over all: unknown, no configuration was measured in every run\n");
        return;
    }
    put_head(&grid, comparison,
             "best over all: P, the harmonic mean of the efficiencies, and each device's best time / time there");
    text_printf(text, "  configuration\n");
    for (size_t i = 0; i < findings->ranked; i++) {
        char cell[CELL_BYTES];
        struct text configuration = {0};
        text_format(cell, sizeof cell, "%.3f", findings->ranking[i].portability);
        begin_row(&grid, "", cell);
        for (size_t r = 0; r < comparison->run_count; r++) {
            double efficiency = comparison_efficiency(comparison, findings->ranking[i].configuration, r);
            text_format(cell, sizeof cell, "%.3f", efficiency);
            put_cell(&grid, efficiency > 0 ? cell : "fails");
        }
        comparison_text(comparison, findings->ranking[i].configuration, &configuration);
        text_printf(text, "  %s\n", text_string(&configuration));
        text_free(&configuration);
    }
    text_printf(text, "  of %zu configurations that every run knows\n", findings->known);
}

/* ---- Importance and changes ---- */

static void put_importance(struct text *text, const struct findings *findings)
{
    const struct comparison *comparison = findings->comparison;
    struct grid grid = {text, width_of("rows without time"), 7};
    bool any = false;
    for (size_t r = 0; r < comparison->run_count; r++)
        any |= !isnan(findings->importance[r].fit);
    if (!any) {
        text_printf(text, "\nimportance: unknown, a run needs at least %d timed configurations\n", IMPORTANCE_ROWS_MIN);
        return;
    }
    for (size_t p = 0; p < comparison->parameter_count; p++)
        grid.label = widest(grid.label, comparison->parameters[p].name);
    put_head(&grid, comparison,
             "importance: % of the variance of log(time) that goes through the parameter, alone or with others");
    end_row(&grid);
    for (size_t p = 0; p < comparison->parameter_count + 3; p++) {
        static const char *const more[] = {"explained", "rows", "rows without time"};
        bool parameter = p < comparison->parameter_count;
        begin_row(&grid, "", parameter ? comparison->parameters[p].name : more[p - comparison->parameter_count]);
        for (size_t r = 0; r < comparison->run_count; r++) {
            const struct importance *importance = &findings->importance[r];
            double share = parameter ? importance->shares[p] : importance->fit;
            size_t rows = p == comparison->parameter_count + 1 ? importance->rows : importance->failed;
            char cell[CELL_BYTES];
            if (p > comparison->parameter_count)
                snprintf(cell, sizeof cell, "%zu", rows);
            else
                text_format(cell, sizeof cell, "%.1f", 100 * share);
            put_cell(&grid, p <= comparison->parameter_count && isnan(share) ? "?" : cell);
        }
        end_row(&grid);
    }
    text_printf(text, "  " IMPORTANCE_METHOD "\n");
}

static void put_changes(struct text *text, const struct findings *findings)
{
    const struct comparison *comparison = findings->comparison;
    for (size_t i = 0; i < findings->change_count; i++) {
        const struct change *change = &findings->changes[i];
        text_printf(text, "\nchange on %s, [%zu] to [%zu]: time now / before, and what the 95%% intervals allow\n",
                    comparison->runs[change->before].measured_run->provenance.device.name, change->before + 1,
                    change->now + 1);
        for (int what = 0; what < CHANGE_COUNT; what++) {
            const struct verdict_ratio *ratio = &change->rows[what].ratio;
            const char *note = compare_change_note(comparison, change, (enum change_what)what);
            text_printf(text, "  %-18s  %-9s", change_name((enum change_what)what), verdict_name(ratio->verdict));
            if (!isnan(ratio->ratio))
                text_printf(text, "  %.4f", ratio->ratio);
            if (!isnan(ratio->low) && !isnan(ratio->high))
                text_printf(text, ", %.4f to %.4f", ratio->low, ratio->high);
            if (*note)
                text_printf(text, "%s%s", isnan(ratio->ratio) ? "  " : ", ", note);
            end_row(&(struct grid){text, 0, 0});
        }
        text_printf(text, "  %-18s", "all");
        for (int verdict = 0; verdict < VERDICT_UNKNOWN; verdict++)
            text_printf(text, "%s %zu %s", verdict ? "," : " ", change->counts[verdict],
                        verdict_name((enum verdict)verdict));
        text_append(text, "\n", 1);
    }
}

void compare_text(const struct findings *findings, struct text *text)
{
    const struct comparison *comparison = findings->comparison;
    text_printf(text, "%s%s%s  %s\n", comparison->kernel, *comparison->title ? ", " : "", comparison->title,
                comparison->problem);
    for (size_t r = 0; r < comparison->run_count; r++) {
        const struct comparison_run *run = &comparison->runs[r];
        text_printf(text, "  [%zu] %s: ", r + 1, run->measured_run->provenance.device.name);
        if (run->measured_run->journal)
            text_printf(text, "%zu configurations, %zu timed, %zu stopped early, %zu without time", run->evaluated,
                        status_class_count(run->counts, OUTCOME_TIMED), status_class_count(run->counts, OUTCOME_BOUND),
                        status_class_count(run->counts, OUTCOME_FAILED));
        else
            text_printf(text, "best and default from a database");
        text_printf(text, ", %s\n", run->measured_run->path);
    }
    put_winners(text, comparison);
    put_matrix(text, comparison);
    put_ranking(text, findings);
    put_changes(text, findings);
    put_importance(text, findings);
}
