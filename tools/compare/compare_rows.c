/* A comparison for programs: long rows for CSV, an object for JSON. */
#include <math.h>

#include "compare/compare.h"
#include "terminal/output.h"

static const char *value_of(const struct comparison *comparison, size_t configuration, size_t parameter)
{
    return comparison->parameters[parameter]
        .values[comparison->choices[configuration * comparison->parameter_count + parameter]];
}

/* Adds the configuration as a string member; null if there are none. */
static void add_configuration(cJSON *object, const char *name, const struct comparison *comparison,
                              size_t configuration)
{
    struct text text = {0};
    if (configuration == COMPARISON_NONE) {
        cJSON_AddNullToObject(object, name);
        return;
    }
    comparison_text(comparison, configuration, &text);
    cJSON_AddStringToObject(object, name, text_string(&text));
    text_free(&text);
}

/* ---- CSV ---- */

struct long_row {
    const char *section;
    size_t run, on; /* COMPARISON_NONE: the row concerns all runs, or no second run */
    const char *name;
    const char *text; /* NULL: use `value` */
    double value, low, high;
    const char *note;
};

static void add_number(cJSON *row, const char *name, size_t run)
{
    if (run == COMPARISON_NONE)
        cJSON_AddNullToObject(row, name);
    else
        output_add_int(row, name, (long long)run + 1);
}

static void add_row(cJSON *rows, const struct comparison *comparison, const struct long_row *long_row)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "kernel", comparison->kernel);
    cJSON_AddStringToObject(row, "problem", comparison->problem);
    cJSON_AddStringToObject(row, "section", long_row->section);
    add_number(row, "run", long_row->run);
    if (long_row->run == COMPARISON_NONE)
        cJSON_AddNullToObject(row, "device");
    else
        cJSON_AddStringToObject(row, "device", comparison->runs[long_row->run].measured_run->provenance.device.name);
    add_number(row, "on", long_row->on);
    if (long_row->on == COMPARISON_NONE)
        cJSON_AddNullToObject(row, "on_device");
    else
        cJSON_AddStringToObject(row, "on_device", comparison->runs[long_row->on].measured_run->provenance.device.name);
    cJSON_AddStringToObject(row, "name", long_row->name);
    if (long_row->text)
        cJSON_AddStringToObject(row, "value", long_row->text);
    else
        output_add_real(row, "value", long_row->value);
    output_add_real(row, "low", long_row->low);
    output_add_real(row, "high", long_row->high);
    cJSON_AddStringToObject(row, "note", long_row->note);
    cJSON_AddItemToArray(rows, row);
}

#define ROW(...) add_row(rows, comparison, &(struct long_row){__VA_ARGS__})

static void add_winners(const struct comparison *comparison, cJSON *rows)
{
    for (size_t r = 0; r < comparison->run_count; r++) {
        const struct comparison_run *run = &comparison->runs[r];
        double default_value;
        comparison_cell(comparison, run->default_, r, &default_value);
        ROW("run", r, COMPARISON_NONE, "file", run->measured_run->path, NAN, NAN, NAN, "");
        ROW("run", r, COMPARISON_NONE, "configurations", NULL, (double)run->evaluated, NAN, NAN, "");
        for (int status = 0; status < STATUS_COUNT; status++)
            if (run->counts[status])
                ROW("run", r, COMPARISON_NONE, status_name((enum status)status), NULL, (double)run->counts[status], NAN,
                    NAN, "");
        if (run->best == COMPARISON_NONE)
            continue;
        const struct measurement *best = run->of[run->best];
        ROW("winner", r, COMPARISON_NONE, objective_columns(comparison->objective)->value, NULL, best->value, best->low,
            best->high, "");
        ROW("winner", r, COMPARISON_NONE, objective_columns(comparison->objective)->default_value, NULL, default_value,
            NAN, NAN, "");
        ROW("winner", r, COMPARISON_NONE, "speedup", NULL,
            objective_gain(comparison->objective, default_value, best->value), NAN, NAN, "");
        for (size_t p = 0; p < comparison->parameter_count; p++) {
            bool differs = false;
            for (size_t other = 0; other < comparison->run_count; other++)
                differs |= comparison->runs[other].best != COMPARISON_NONE &&
                           value_of(comparison, comparison->runs[other].best, p) != value_of(comparison, run->best, p);
            ROW("parameter", r, COMPARISON_NONE, comparison->parameters[p].name, value_of(comparison, run->best, p),
                NAN, NAN, NAN, differs ? "differs" : "");
        }
    }
}

static void add_portability(const struct findings *findings, cJSON *rows)
{
    const struct comparison *comparison = findings->comparison;
    for (size_t from = 0; from < comparison->run_count && comparison->run_count > 1; from++)
        for (size_t on = 0; on < comparison->run_count; on++) {
            enum cell cell;
            double slowdown = comparison_slowdown(comparison, from, on, &cell);
            const char *note = compare_cell_note(comparison, comparison->runs[from].best, on);
            ROW("portability", from, on, "slowdown", NULL, slowdown, NAN, NAN, note);
            ROW("portability", from, on, "efficiency", NULL,
                comparison_efficiency(comparison, comparison->runs[from].best, on), NAN, NAN, note);
        }
    for (size_t i = 0; i < findings->ranked && comparison->run_count > 1; i++) {
        size_t configuration = findings->ranking[i].configuration;
        struct text text = {0};
        comparison_text(comparison, configuration, &text);
        ROW("best_over_all", COMPARISON_NONE, COMPARISON_NONE, text_string(&text), NULL,
            findings->ranking[i].portability, NAN, NAN, "");
        for (size_t r = 0; r < comparison->run_count; r++)
            ROW("best_over_all", COMPARISON_NONE, r, text_string(&text), NULL,
                comparison_efficiency(comparison, configuration, r), NAN, NAN,
                compare_cell_note(comparison, configuration, r));
        text_free(&text);
    }
}

static void add_importance(const struct findings *findings, cJSON *rows)
{
    const struct comparison *comparison = findings->comparison;
    for (size_t r = 0; r < comparison->run_count; r++) {
        const struct importance *importance = &findings->importance[r];
        ROW("importance", r, COMPARISON_NONE, "(explained)", NULL, importance->fit, NAN, NAN, IMPORTANCE_METHOD);
        for (size_t p = 0; p < comparison->parameter_count; p++)
            ROW("importance", r, COMPARISON_NONE, comparison->parameters[p].name, NULL, importance->shares[p], NAN, NAN,
                "");
    }
}

static void add_changes(const struct findings *findings, cJSON *rows)
{
    const struct comparison *comparison = findings->comparison;
    for (size_t i = 0; i < findings->change_count; i++)
        for (int what = 0; what < CHANGE_COUNT; what++) {
            const struct change_row *row = &findings->changes[i].rows[what];
            ROW("change", findings->changes[i].before, findings->changes[i].now, change_name((enum change_what)what),
                NULL, row->ratio.ratio, row->ratio.low, row->ratio.high, verdict_name(row->ratio.verdict));
        }
}

void compare_rows(const struct findings *findings, cJSON *rows)
{
    add_winners(findings->comparison, rows);
    add_portability(findings, rows);
    add_changes(findings, rows);
    add_importance(findings, rows);
}

/* ---- JSON ---- */

static cJSON *run_object(const struct findings *findings, size_t r)
{
    const struct comparison *comparison = findings->comparison;
    const struct comparison_run *run = &comparison->runs[r];
    const struct measured_run *measured_run = run->measured_run;
    const struct importance *importance = &findings->importance[r];
    cJSON *object = cJSON_CreateObject(), *counts, *shares;
    double best_value, default_value;
    comparison_cell(comparison, run->best, r, &best_value);
    comparison_cell(comparison, run->default_, r, &default_value);
    output_add_int(object, "run", (long long)r + 1);
    cJSON_AddStringToObject(object, "file", measured_run->path);
    cJSON_AddBoolToObject(object, "journal", measured_run->journal != NULL);
    cJSON_AddStringToObject(object, "device", measured_run->provenance.device.name);
    cJSON_AddStringToObject(object, "driver", measured_run->provenance.device.driver);
    cJSON_AddStringToObject(object, "nvrtc", measured_run->provenance.nvrtc);
    cJSON_AddStringToObject(object, "options", measured_run->provenance.options);
    cJSON_AddStringToObject(object, "source_hash", measured_run->provenance.source_hash);
    cJSON_AddStringToObject(object, "space_hash", measured_run->provenance.space_hash);
    cJSON_AddStringToObject(object, "date", measured_run->provenance.date);
    output_add_int(object, "configurations", (long long)run->evaluated);
    counts = cJSON_AddObjectToObject(object, "counts");
    for (int status = 0; status < STATUS_COUNT; status++)
        output_add_int(counts, status_name((enum status)status), (long long)run->counts[status]);
    add_configuration(object, "best", comparison, run->best);
    output_add_real(object, objective_columns(comparison->objective)->value, best_value);
    output_add_real(object, objective_columns(comparison->objective)->low,
                    run->best == COMPARISON_NONE ? NAN : run->of[run->best]->low);
    output_add_real(object, objective_columns(comparison->objective)->high,
                    run->best == COMPARISON_NONE ? NAN : run->of[run->best]->high);
    add_configuration(object, "default", comparison, run->default_);
    output_add_real(object, objective_columns(comparison->objective)->default_value, default_value);
    output_add_real(object, "speedup", objective_gain(comparison->objective, default_value, best_value));
    output_add_real(object, "importance_explained", importance->fit);
    output_add_int(object, "importance_rows", (long long)importance->rows);
    shares = cJSON_AddObjectToObject(object, "importance");
    for (size_t p = 0; p < comparison->parameter_count; p++)
        output_add_real(shares, comparison->parameters[p].name, importance->shares[p]);
    return object;
}

static cJSON *matrix_array(const struct comparison *comparison)
{
    cJSON *array = cJSON_CreateArray();
    for (size_t from = 0; from < comparison->run_count && comparison->run_count > 1; from++)
        for (size_t on = 0; on < comparison->run_count; on++) {
            cJSON *object = cJSON_CreateObject();
            enum cell cell;
            output_add_int(object, "best_of", (long long)from + 1);
            output_add_int(object, "on", (long long)on + 1);
            output_add_real(object, "slowdown", comparison_slowdown(comparison, from, on, &cell));
            output_add_real(object, "efficiency", comparison_efficiency(comparison, comparison->runs[from].best, on));
            cJSON_AddStringToObject(object, "note", compare_cell_note(comparison, comparison->runs[from].best, on));
            cJSON_AddItemToArray(array, object);
        }
    return array;
}

static cJSON *ranking_array(const struct findings *findings)
{
    const struct comparison *comparison = findings->comparison;
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; i < findings->ranked && comparison->run_count > 1; i++) {
        cJSON *object = cJSON_CreateObject(), *efficiencies;
        add_configuration(object, "configuration", comparison, findings->ranking[i].configuration);
        output_add_real(object, "portability", findings->ranking[i].portability);
        efficiencies = cJSON_AddArrayToObject(object, "efficiency");
        for (size_t r = 0; r < comparison->run_count; r++)
            cJSON_AddItemToArray(efficiencies,
                                 output_real(comparison_efficiency(comparison, findings->ranking[i].configuration, r)));
        cJSON_AddItemToArray(array, object);
    }
    return array;
}

static cJSON *change_array(const struct findings *findings)
{
    const struct comparison *comparison = findings->comparison;
    cJSON *array = cJSON_CreateArray();
    for (size_t i = 0; i < findings->change_count; i++)
        for (int what = 0; what < CHANGE_COUNT; what++) {
            const struct change *change = &findings->changes[i];
            const struct change_row *row = &change->rows[what];
            cJSON *object = cJSON_CreateObject();
            output_add_int(object, "before", (long long)change->before + 1);
            output_add_int(object, "now", (long long)change->now + 1);
            cJSON_AddStringToObject(object, "of", change_name((enum change_what)what));
            cJSON_AddStringToObject(object, "verdict", verdict_name(row->ratio.verdict));
            cJSON_AddStringToObject(object, "note", compare_change_note(comparison, change, (enum change_what)what));
            output_add_real(object, "ratio", row->ratio.ratio);
            output_add_real(object, "low", row->ratio.low);
            output_add_real(object, "high", row->ratio.high);
            cJSON_AddItemToArray(array, object);
        }
    return array;
}

cJSON *compare_object(const struct findings *findings)
{
    const struct comparison *comparison = findings->comparison;
    cJSON *object = cJSON_CreateObject(), *runs;
    cJSON_AddStringToObject(object, "kernel", comparison->kernel);
    cJSON_AddStringToObject(object, "title", comparison->title);
    cJSON_AddStringToObject(object, "problem", comparison->problem);
    runs = cJSON_AddArrayToObject(object, "runs");
    for (size_t r = 0; r < comparison->run_count; r++)
        cJSON_AddItemToArray(runs, run_object(findings, r));
    cJSON_AddItemToObject(object, "portability", matrix_array(comparison));
    cJSON_AddItemToObject(object, "best_over_all", ranking_array(findings));
    output_add_int(object, "known_in_every_run", (long long)findings->known);
    cJSON_AddItemToObject(object, "changes", change_array(findings));
    cJSON_AddStringToObject(object, "importance_method", IMPORTANCE_METHOD);
    return object;
}
