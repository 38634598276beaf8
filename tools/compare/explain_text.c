/* An explanation for people. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compare/explain.h"
#include "compare/grid.h"
#include "terminal/output.h"

const char *explain_role(const struct explain_input *explained, size_t configuration)
{
    bool best = explained->numbers[configuration] == explained->comparison->runs[explained->run].best;
    bool default_ = configuration == explained->input.default_;
    if (best || default_)
        return !default_ ? "winner" : best ? "winner and default" : "default";
    return configuration < explained->named ? "configuration" : "neighbour";
}

const char *explain_use(enum resource resource, double use, char buffer[EXPLAIN_USE_BYTES])
{
    const char *unit = resource_unit(resource);
    buffer[0] = '\0';
    if (isnan(use) || !*unit)
        return buffer;
    if (strcmp(unit, "bytes/s") == 0)
        return format_rate(buffer, EXPLAIN_USE_BYTES, use);
    if (strcmp(unit, "flops/s") == 0)
        return format_flops(buffer, EXPLAIN_USE_BYTES, use);
    text_format(buffer, EXPLAIN_USE_BYTES, "%.4g G/s", use / 1e9);
    return buffer;
}

/* Appends a line "name  text", or in Markdown an item of a list. */
static void fact(struct text *text, bool markdown, const char *name, const char *value)
{
    if (!value || !*value)
        return;
    if (markdown) {
        text_printf(text, "- %s: ", name);
        output_markdown(text, value);
        text_append(text, "\n", 1);
    } else {
        text_printf(text, "%-11s %s\n", name, value);
    }
}

static void heading(struct text *text, bool markdown, const char *title)
{
    text_printf(text, markdown ? "\n**%s**\n\n" : "\n%s\n", title);
}

static void sentence(struct text *text, bool markdown, const char *value)
{
    if (markdown) {
        text_append(text, "- ", 2);
        output_markdown(text, value);
        text_append(text, "\n", 1);
    } else {
        text_printf(text, "  %s\n", value);
    }
}

static void put_head(const struct explain_shown *shown, bool markdown, struct text *text)
{
    const struct explain_input *explained = shown->explained;
    const struct measured_run *run = explained->comparison->runs[explained->run].measured_run;
    bool pipeline = explained->explanation.configurations[0].pipeline;
    size_t known = 0, counted = 0;
    char evidence[1280];
    for (size_t c = 0; c < explained->input.count; c++) {
        known += !explain_input_lacks(explained, c, false);
        counted += !explain_input_lacks(explained, c, true);
    }
    fact(text, markdown, "kernel", explained->comparison->kernel);
    fact(text, markdown, "problem", explained->comparison->problem);
    fact(text, markdown, "device", run->provenance.device.name);
    fact(text, markdown, "journal", run->path);
    if (counted)
        snprintf(evidence, sizeof evidence, "%s of %zu of %zu configurations",
                 pipeline ? "times of the stages" : "hardware counters", counted, explained->input.count);
    else
        snprintf(evidence, sizeof evidence, "static, of %zu of %zu configurations; no %s%s%s", known,
                 explained->input.count, pipeline ? "times of the stages" : "hardware counters",
                 shown->no_counters && *shown->no_counters ? ": " : "", shown->no_counters ? shown->no_counters : "");
    fact(text, markdown, "evidence", evidence);
    fact(text, markdown, "why", explained->explanation.why);
}

/* True for the focus, the default, and requested configurations. */
static bool is_named(const struct explain_input *explained, size_t configuration)
{
    return explained->configurations[configuration].launch_count && configuration < explained->named;
}

static void put_configurations(const struct explain_input *explained, bool markdown, struct text *text)
{
    for (size_t c = 0; c < explained->input.count; c++) {
        const struct explanation_configuration *given = &explained->configurations[c];
        const struct objective *objective = measurement_objective(given->measurement);
        char title[320], value[32];
        if (!is_named(explained, c))
            continue;
        snprintf(title, sizeof title, "%s %s, %s", explain_role(explained, c), given->configuration,
                 objective->print(value, sizeof value, given->measurement->value));
        heading(text, markdown, title);
        if (explained->explanation.configurations[c].sentence)
            sentence(text, markdown, explained->explanation.configurations[c].sentence);
    }
}

/* True if a shown configuration has a share that does not read 0%. */
static bool is_used(const struct explain_input *explained, enum resource resource)
{
    bool used = false;
    for (size_t c = 0; c < explained->input.count; c++)
        used |= is_named(explained, c) && explained->explanation.configurations[c].resources[resource].share >= 0.005;
    return used;
}

static void put_use(const struct explain_input *explained, enum resource resource, struct grid *grid)
{
    grid_row(grid, "", resource_name(resource));
    for (size_t c = 0; c < explained->input.count; c++) {
        const struct explain_input_resource *of = &explained->explanation.configurations[c].resources[resource];
        char cell[64] = "", use[EXPLAIN_USE_BYTES];
        if (!is_named(explained, c))
            continue;
        explain_use(resource, of->used, use);
        if (!isnan(of->share))
            text_format(cell, sizeof cell, "%s%s%.0f%%", use, *use ? ", " : "", 100 * of->share);
        grid_cell(grid, cell);
    }
    grid_end(grid);
}

static void put_resources(const struct explain_input *explained, bool markdown, struct text *text)
{
    struct grid grid = {.text = text, .markdown = markdown, .label = 32, .column = 20};
    bool any = false;
    for (int r = 0; r < RESOURCE_COUNT; r++)
        any |= is_used(explained, (enum resource)r);
    if (!any)
        return;
    grid_title(&grid, explained->explanation.configurations[0].pipeline
                          ? "share of the link's ceiling, and of each stage in the run"
                          : "use of the resources, and its share of the ceiling");
    grid_row(&grid, "", "");
    for (size_t c = 0; c < explained->input.count; c++)
        if (is_named(explained, c))
            grid_cell(&grid, explain_role(explained, c));
    grid_end_head(&grid);
    for (int r = 0; r < RESOURCE_COUNT; r++)
        if (is_used(explained, (enum resource)r))
            put_use(explained, (enum resource)r, &grid);
}

/* For a change of several parameters, the reason has its own line, as has each further cause. */
static void put_change(const struct explain_input_change *change, bool markdown, struct text *text)
{
    size_t length = strlen(change->parameters);
    if (change->parameter_count > 1 && strncmp(change->sentence, change->parameters, length) == 0 &&
        change->sentence[length] == ':') {
        char line[1024];
        sentence(text, markdown, change->parameters);
        snprintf(line, sizeof line, "  %s", change->sentence + length + 2);
        sentence(text, markdown, line);
    } else {
        sentence(text, markdown, change->sentence);
    }
    for (size_t i = 1; i < change->cause_count; i++) {
        char line[512];
        text_format(line, sizeof line, "  also %s: %s", change->causes[i].title, change->causes[i].numbers);
        sentence(text, markdown, line);
    }
}

static void put_changes(const char *title, const struct explain_input_change *changes, size_t count, bool markdown,
                        struct text *text)
{
    if (count)
        heading(text, markdown, title);
    for (size_t i = 0; i < count; i++)
        put_change(&changes[i], markdown, text);
}

void explain_text(const struct explain_shown *shown, bool markdown, struct text *text)
{
    const struct explain_input *explained = shown->explained;
    const struct explanation *explanation = &explained->explanation;
    /* Otherwise it is among the changes. */
    bool overall = explanation->overall && explanation->overall->parameter_count > 1;
    put_head(shown, markdown, text);
    put_configurations(explained, markdown, text);
    put_resources(explained, markdown, text);
    put_changes("from the default", explanation->overall, overall, markdown, text);
    put_changes("from the default, one parameter after the other", explained->steps, explained->step_count, markdown,
                text);
    put_changes("from the other configurations", explained->asked, explained->asked_count, markdown, text);
    put_changes("one parameter changed", explanation->changes, explanation->change_count, markdown, text);
}
