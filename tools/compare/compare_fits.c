#include "compare/compare_fits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pairs.h"
#include "base/text.h"
#include "compare/grid.h"
#include "terminal/output.h"

enum { CELL_BYTES = 64 };

/* The fits of one kernel, in the order of the files. */
struct group {
    const struct measured_fit **fits;
    size_t count;
    struct arena arena;
};

/* Compared numbers: from the column `fit_quality`, or counted here. */
static double count_configurations(const struct group *group, size_t fit)
{
    return (double)group->fits[fit]->fit->configuration_count;
}

/* Counts the fit's configurations that the first fit also has. */
static double count_shared(const struct group *group, size_t fit)
{
    size_t shared = 0;
    for (size_t a = 0; a < group->fits[fit]->fit->configuration_count; a++)
        for (size_t b = 0; b < group->fits[0]->fit->configuration_count; b++)
            shared += pairs_compare(group->fits[fit]->fit->configurations[a].text,
                                    group->fits[0]->fit->configurations[b].text) == 0;
    return (double)shared;
}

/* A row without probed sizes does not name them. */
static double count_probed(const struct group *group, size_t fit)
{
    size_t length;
    const char *value = pairs_value(group->fits[fit]->row->fit_quality, "probed", &length);
    return value ? text_number(value, NULL) : 0;
}

static const struct quantity {
    const char *name; /* in CSV and JSON, and in the column */
    const char *label;
    int decimals;
    double (*count)(const struct group *group, size_t fit); /* NULL: the number is in the column */
} quantities[] = {
    {"configurations", "configurations", 0, count_configurations},
    {"configurations_of_first", "as in [1]", 0, count_shared},
    {"sizes", "sizes", 0, NULL},
    {"probed", "probed sizes", 0, count_probed},
    {"held_mean", "held out, mean", 3, NULL},
    {"held_fifth", "5th percentile", 3, NULL},
    {"held_worst", "worst", 3, NULL},
    {"mean", "in sample, mean", 3, NULL},
    {"fifth", "5th percentile", 3, NULL},
    {"worst", "worst", 3, NULL},
    {"loss_percent", "loses at most, %", 1, NULL},
};
enum { QUANTITIES = sizeof quantities / sizeof *quantities };

static double quantity_of(const struct group *group, size_t fit, const struct quantity *quantity)
{
    size_t length;
    if (quantity->count)
        return quantity->count(group, fit);
    const char *value = pairs_value(group->fits[fit]->row->fit_quality, quantity->name, &length);
    return value ? text_number(value, NULL) : NAN;
}

/* ---- Groups ---- */

static const char *kernel_of(const struct measured_fit *fit)
{
    return fit->row->provenance.kernel;
}

static bool is_wanted(const struct measured_fit *fit, const char *kernel)
{
    return !kernel || strcmp(kernel, kernel_of(fit)) == 0;
}

size_t compare_fits_count(const struct measured_runs *measured, const char *kernel)
{
    size_t count = 0;
    for (size_t i = 0; i < measured->fit_count; i++)
        count += is_wanted(&measured->fits[i], kernel);
    return count;
}

static bool seen_before(const struct measured_runs *measured, size_t fit)
{
    for (size_t i = 0; i < fit; i++)
        if (strcmp(kernel_of(&measured->fits[i]), kernel_of(&measured->fits[fit])) == 0)
            return true;
    return false;
}

/* Opens the group that begins with this fit. False: it belongs to an earlier group, is not wanted, or memory is out. */
static bool open_group(const struct measured_runs *measured, size_t first, const char *kernel, struct group *group)
{
    *group = (struct group){0};
    if (!is_wanted(&measured->fits[first], kernel) || seen_before(measured, first))
        return false;
    group->fits = arena_array(&group->arena, measured->fit_count, sizeof *group->fits);
    for (size_t i = first; i < measured->fit_count && group->fits; i++) {
        const struct measured_fit *fit = &measured->fits[i];
        if (strcmp(kernel_of(fit), kernel_of(&measured->fits[first])) == 0)
            group->fits[group->count++] = fit;
    }
    if (!group->count)
        arena_free(&group->arena);
    return group->count > 0;
}

/* ---- For people ---- */

static void put_group(const struct group *group, bool markdown, struct text *text)
{
    struct grid grid = {.text = text, .markdown = markdown, .label = 18, .column = 7};
    text_printf(text, markdown ? "### " : "");
    if (markdown)
        output_markdown(text, kernel_of(group->fits[0]));
    else
        text_printf(text, "%s", kernel_of(group->fits[0]));
    text_printf(text, ", fits over sizes\n");
    for (size_t i = 0; i < group->count; i++)
        grid_note(&grid, "[%zu] %s: %s, %s", i + 1, group->fits[i]->row->provenance.device.name,
                  group->fits[i]->row->provenance.problem, group->fits[i]->path);
    grid_title(&grid, "fits: best time / time of the chosen configuration");
    grid_row(&grid, "", "");
    for (size_t i = 0; i < group->count; i++) {
        char number[CELL_BYTES];
        snprintf(number, sizeof number, "[%zu]", i + 1);
        grid_cell(&grid, number);
    }
    grid_end_head(&grid);
    for (size_t q = 0; q < QUANTITIES; q++) {
        if (group->count == 1 && quantities[q].count == count_shared)
            continue;
        grid_row(&grid, "", quantities[q].label);
        for (size_t i = 0; i < group->count; i++) {
            char cell[CELL_BYTES] = "?";
            double value = quantity_of(group, i, &quantities[q]);
            if (!isnan(value))
                text_format(cell, sizeof cell, "%.*f", quantities[q].decimals, value);
            grid_cell(&grid, cell);
        }
        grid_end(&grid);
    }
}

void compare_fits_text(const struct measured_runs *measured, const char *kernel, bool markdown, struct text *text)
{
    struct group group;
    for (size_t i = 0; i < measured->fit_count; i++)
        if (open_group(measured, i, kernel, &group)) {
            text_printf(text, text->length ? "\n\n" : "");
            put_group(&group, markdown, text);
            arena_free(&group.arena);
        }
}

/* ---- For programs ---- */

static void add_row(const struct group *group, size_t fit, const char *name, const char *value, double number,
                    cJSON *rows)
{
    const struct provenance *provenance = &group->fits[fit]->row->provenance;
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "kernel", provenance->kernel);
    cJSON_AddStringToObject(row, "problem", provenance->problem);
    cJSON_AddStringToObject(row, "section", "fit");
    output_add_int(row, "run", (long long)fit + 1);
    cJSON_AddStringToObject(row, "device", provenance->device.name);
    cJSON_AddNullToObject(row, "on");
    cJSON_AddNullToObject(row, "on_device");
    cJSON_AddStringToObject(row, "name", name);
    if (value)
        cJSON_AddStringToObject(row, "value", value);
    else
        output_add_real(row, "value", number);
    output_add_real(row, "low", NAN);
    output_add_real(row, "high", NAN);
    cJSON_AddStringToObject(row, "note", "");
    cJSON_AddItemToArray(rows, row);
}

void compare_fits_rows(const struct measured_runs *measured, const char *kernel, cJSON *rows)
{
    struct group group;
    for (size_t i = 0; i < measured->fit_count; i++)
        if (open_group(measured, i, kernel, &group)) {
            for (size_t f = 0; f < group.count; f++) {
                add_row(&group, f, "file", group.fits[f]->path, NAN, rows);
                for (size_t q = 0; q < QUANTITIES; q++)
                    add_row(&group, f, quantities[q].name, NULL, quantity_of(&group, f, &quantities[q]), rows);
            }
            arena_free(&group.arena);
        }
}

void compare_fits_objects(const struct measured_runs *measured, const char *kernel, cJSON *list)
{
    struct group group;
    for (size_t i = 0; i < measured->fit_count; i++)
        if (open_group(measured, i, kernel, &group)) {
            cJSON *object = cJSON_CreateObject(), *fits;
            cJSON_AddStringToObject(object, "kernel", kernel_of(group.fits[0]));
            fits = cJSON_AddArrayToObject(object, "fits");
            for (size_t f = 0; f < group.count; f++) {
                cJSON *fit = cJSON_CreateObject();
                cJSON_AddStringToObject(fit, "device", group.fits[f]->row->provenance.device.name);
                cJSON_AddStringToObject(fit, "problem", group.fits[f]->row->provenance.problem);
                cJSON_AddStringToObject(fit, "file", group.fits[f]->path);
                for (size_t q = 0; q < QUANTITIES; q++)
                    output_add_real(fit, quantities[q].name, quantity_of(&group, f, &quantities[q]));
                cJSON_AddItemToArray(fits, fit);
            }
            cJSON_AddItemToArray(list, object);
            arena_free(&group.arena);
        }
}
