/* An explanation for programs: long rows for CSV, an object for JSON. */
#include <math.h>

#include "compare/explain.h"
#include "terminal/output.h"

static const struct measured_run *run_of(const struct explain_input *explained)
{
    return explained->comparison->runs[explained->run].measured_run;
}

static const char *name_of(const struct explain_input *explained, size_t configuration)
{
    return explained->configurations[configuration].configuration;
}

static void add_text(cJSON *object, const char *name, const char *text)
{
    if (text)
        cJSON_AddStringToObject(object, name, text);
    else
        cJSON_AddNullToObject(object, name);
}

/* ---- CSV ---- */

struct long_row {
    const char *row, *configuration, *from, *parameters, *name;
    double value, share;
    const char *text;
};

static void add_row(cJSON *rows, const struct explain_input *explained, const struct long_row *of)
{
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "kernel", explained->comparison->kernel);
    cJSON_AddStringToObject(row, "device", run_of(explained)->provenance.device.name);
    cJSON_AddStringToObject(row, "problem", explained->comparison->problem);
    add_text(row, "row", of->row);
    add_text(row, "configuration", of->configuration);
    add_text(row, "from", of->from);
    add_text(row, "parameters", of->parameters);
    add_text(row, "name", of->name);
    output_add_real(row, "value", of->value);
    output_add_real(row, "share", of->share);
    add_text(row, "text", of->text);
    cJSON_AddItemToArray(rows, row);
}

#define ROW(...) add_row(rows, explained, &(struct long_row){__VA_ARGS__})

static void add_configuration_rows(const struct explain_input *explained, size_t c, cJSON *rows)
{
    const struct explain_input_configuration *of = &explained->explanation.configurations[c];
    const char *name = name_of(explained, c);
    ROW("configuration", name, NULL, NULL, explain_role(explained, c), explained->configurations[c].measurement->value,
        NAN, of->sentence);
    ROW("binds", name, NULL, NULL, resource_name(of->binds), NAN, of->share, NULL);
    for (int r = 0; r < RESOURCE_COUNT; r++)
        if (!isnan(of->resources[r].share) || !isnan(of->resources[r].used))
            ROW("resource", name, NULL, NULL, resource_name((enum resource)r), of->resources[r].used,
                of->resources[r].share, resource_unit((enum resource)r));
    if (!isnan(of->bytes_moved))
        ROW("bytes", name, NULL, NULL, "moved", of->bytes_moved, NAN, NULL);
    if (!isnan(of->bytes_needed))
        ROW("bytes", name, NULL, NULL, "needed", of->bytes_needed, NAN, NULL);
}

static void add_change_rows(const struct explain_input *explained, const char *row,
                            const struct explain_input_change *change, cJSON *rows)
{
    const char *from = name_of(explained, change->from), *to = name_of(explained, change->to);
    ROW(row, to, from, change->parameters, change_answer_name(change->answer), change->speedup, NAN, change->sentence);
    for (size_t i = 0; i < change->cause_count; i++)
        ROW("cause", to, from, change->parameters, change->causes[i].id, NAN, change->causes[i].strength,
            change->causes[i].numbers);
}

void explain_rows(const struct explain_input *explained, cJSON *rows)
{
    const struct explanation *explanation = &explained->explanation;
    ROW("why", name_of(explained, 0), NULL, NULL, NULL, NAN, NAN, explanation->why);
    for (size_t c = 0; c < explained->input.count; c++)
        if (explained->configurations[c].launch_count)
            add_configuration_rows(explained, c, rows);
    if (explanation->overall)
        add_change_rows(explained, "overall", explanation->overall, rows);
    for (size_t i = 0; i < explained->step_count; i++)
        add_change_rows(explained, "step", &explained->steps[i], rows);
    for (size_t i = 0; i < explained->asked_count; i++)
        add_change_rows(explained, "change", &explained->asked[i], rows);
    for (size_t i = 0; i < explanation->change_count; i++)
        add_change_rows(explained, "change", &explanation->changes[i], rows);
}

/* ---- JSON ---- */

static cJSON *launch_object(const struct evidence *launch)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "kernel", launch->kernel);
    for (size_t i = 0; i < evidence_count; i++)
        if (!isnan(evidence_get(launch, &evidence_rows[i])))
            output_add_real(object, evidence_rows[i].name, evidence_get(launch, &evidence_rows[i]));
    return object;
}

static void add_resources(cJSON *object, const struct explain_input_configuration *of)
{
    cJSON *list = cJSON_AddArrayToObject(object, "resources");
    for (int r = 0; r < RESOURCE_COUNT; r++) {
        cJSON *resource = cJSON_CreateObject();
        if (isnan(of->resources[r].share) && isnan(of->resources[r].used)) {
            cJSON_Delete(resource);
            continue;
        }
        cJSON_AddStringToObject(resource, "name", resource_name((enum resource)r));
        cJSON_AddStringToObject(resource, "unit", resource_unit((enum resource)r));
        output_add_real(resource, "used", of->resources[r].used);
        output_add_real(resource, "ceiling", of->resources[r].ceiling);
        output_add_real(resource, "share", of->resources[r].share);
        cJSON_AddItemToArray(list, resource);
    }
}

static cJSON *configuration_object(const struct explain_input *explained, size_t c)
{
    const struct explain_input_configuration *of = &explained->explanation.configurations[c];
    const struct explanation_configuration *given = &explained->configurations[c];
    const struct objective *objective = measurement_objective(given->measurement);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "configuration", given->configuration);
    cJSON_AddStringToObject(object, "role", explain_role(explained, c));
    output_add_real(object, objective_columns(objective)->value, given->measurement->value);
    cJSON_AddBoolToObject(object, "counters", of->counters);
    cJSON_AddStringToObject(object, "binds", resource_name(of->binds));
    output_add_real(object, "share", of->share);
    output_add_real(object, "bytes_moved", of->bytes_moved);
    output_add_real(object, "bytes_needed", of->bytes_needed);
    output_add_real(object, "occupancy", of->occupancy);
    add_text(object, "sentence", of->sentence);
    add_resources(object, of);
    cJSON *launches = cJSON_AddArrayToObject(object, "launches");
    for (size_t i = 0; i < given->launch_count; i++)
        cJSON_AddItemToArray(launches, launch_object(&given->launches[i]));
    return object;
}

static cJSON *change_object(const struct explain_input *explained, const struct explain_input_change *change)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "from", name_of(explained, change->from));
    cJSON_AddStringToObject(object, "to", name_of(explained, change->to));
    cJSON_AddStringToObject(object, "parameters", change->parameters);
    output_add_real(object, "speedup", change->speedup);
    cJSON_AddStringToObject(object, "answer", change_answer_name(change->answer));
    cJSON *causes = cJSON_AddArrayToObject(object, "causes");
    for (size_t i = 0; i < change->cause_count; i++) {
        const struct explain_input_cause *of = &change->causes[i];
        cJSON *cause = cJSON_CreateObject();
        cJSON_AddStringToObject(cause, "id", of->id);
        cJSON_AddStringToObject(cause, "title", of->title);
        output_add_real(cause, "strength", of->strength);
        cJSON_AddStringToObject(cause, "numbers", of->numbers);
        cJSON_AddStringToObject(cause, "source", of->source);
        cJSON_AddItemToArray(causes, cause);
    }
    add_text(object, "sentence", change->sentence);
    return object;
}

cJSON *explain_object(const struct explain_input *explained)
{
    const struct explanation *explanation = &explained->explanation;
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "kernel", explained->comparison->kernel);
    cJSON_AddStringToObject(object, "device", run_of(explained)->provenance.device.name);
    cJSON_AddStringToObject(object, "problem", explained->comparison->problem);
    cJSON_AddStringToObject(object, "journal", run_of(explained)->path);
    cJSON_AddStringToObject(object, "configuration", name_of(explained, 0));
    add_text(object, "default",
             explained->input.default_ == EXPLANATION_NONE ? NULL : name_of(explained, explained->input.default_));
    add_text(object, "why", explanation->why);
    cJSON *configurations = cJSON_AddArrayToObject(object, "configurations");
    for (size_t c = 0; c < explained->input.count; c++)
        if (explained->configurations[c].launch_count)
            cJSON_AddItemToArray(configurations, configuration_object(explained, c));
    if (explanation->overall)
        cJSON_AddItemToObject(object, "overall", change_object(explained, explanation->overall));
    else
        cJSON_AddNullToObject(object, "overall");
    cJSON *steps = cJSON_AddArrayToObject(object, "steps");
    for (size_t i = 0; i < explained->step_count; i++)
        cJSON_AddItemToArray(steps, change_object(explained, &explained->steps[i]));
    cJSON *changes = cJSON_AddArrayToObject(object, "changes");
    for (size_t i = 0; i < explained->asked_count; i++)
        cJSON_AddItemToArray(changes, change_object(explained, &explained->asked[i]));
    for (size_t i = 0; i < explanation->change_count; i++)
        cJSON_AddItemToArray(changes, change_object(explained, &explanation->changes[i]));
    return object;
}
