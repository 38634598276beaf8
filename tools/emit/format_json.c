/* JSON: all rows with all their data. */
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "base/text.h"
#include "emit/emit_model.h"
#include "terminal/output.h"

static void add_pairs(cJSON *object, const char *name, const struct pairs *pairs)
{
    cJSON *inner = cJSON_AddObjectToObject(object, name);
    for (size_t i = 0; pairs && i < pairs->count; i++) {
        enum emit_kind kind = EMIT_WORD;
        emit_classify(pairs->items[i].value, &kind);
        if (kind == EMIT_INT || kind == EMIT_LONG)
            output_add_int(inner, pairs->items[i].name, strtoll(pairs->items[i].value, NULL, 10));
        else if (kind == EMIT_REAL)
            output_add_real(inner, pairs->items[i].name, text_number(pairs->items[i].value, NULL));
        else
            cJSON_AddStringToObject(inner, pairs->items[i].name, pairs->items[i].value);
    }
}

static const char *kind_name(int kind)
{
    switch (kind) {
    case CHOOSE_IS_FIT:
        return "fit";
    case CHOOSE_IS_COMMON:
        return "common";
    case CHOOSE_IS_DEFAULT:
        return "default";
    default:
        return "device";
    }
}

static cJSON *row_object(const struct selection_row *row)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "row", kind_name(row->kind));
    add_pairs(object, "configuration", row->configuration);
    if (row->sizes)
        add_pairs(object, "problem", row->sizes);
    if (row->kind == CHOOSE_IS_COMMON) {
        output_add_int(object, "devices", (long long)row->devices);
        output_add_real(object, "relative_time", row->relative);
    }
    if (row->requirement)
        cJSON_AddStringToObject(object, "condition", row->requirement);
    if (row->best)
        output_add_best(cJSON_AddObjectToObject(object, "evidence"), row->best);
    return object;
}

/* Adds the architectures whose devices have the target. */
static void add_architectures(cJSON *object, const struct emit_model *model, size_t target)
{
    cJSON *list = cJSON_AddArrayToObject(object, "architectures");
    for (size_t i = 0; i < model->architecture_count; i++)
        if (model->architectures[i].target == target)
            cJSON_AddItemToArray(list, cJSON_CreateNumber(model->architectures[i].cc));
}

static void write(const struct emit_model *model, struct text *text)
{
    const struct selection *selection = model->selection;
    cJSON *top = cJSON_CreateObject(), *rows, *targets;
    cJSON_AddStringToObject(top, "kernel", model->kernel->name);
    cJSON_AddStringToObject(top, "cutune", CUTUNE_VERSION);
    if (emit_has_generation(model))
        cJSON_AddStringToObject(top, "generation", model->request->generation);
    rows = cJSON_AddArrayToObject(top, "rows");
    for (size_t i = 0; i < selection->row_count; i++)
        cJSON_AddItemToArray(rows, row_object(&selection->rows[i]));
    targets = cJSON_AddArrayToObject(top, "targets");
    for (size_t i = 0; i < model->target_count; i++) {
        cJSON *target = cJSON_CreateObject();
        cJSON_AddStringToObject(target, "device", model->targets[i].device);
        output_add_int(target, "row", (long long)model->targets[i].row);
        cJSON_AddStringToObject(target, "rule", choose_rules()[model->targets[i].rule].name);
        if (i && !*model->targets[i].device)
            add_architectures(target, model, i);
        cJSON_AddItemToArray(targets, target);
    }
    output_add_int(top, "chosen", (long long)model->chosen);
    if (top && targets)
        output_json(text, top, true);
    text_append(text, "\n", 1);
    text->failed |= !top || !targets;
    cJSON_Delete(top);
}

const struct emit_format emit_format_json = {.name = "json", .write = write};
