/* The formats that are no C. */
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/text.h"
#include "emit/emit_model.h"
#include "terminal/output.h"

/* ---- Options of a compiler, for a shell or a makefile ---- */

void emit_flags(const struct emit_model *model, struct text *text)
{
    const struct selection_row *row = &model->selection->rows[model->targets[model->chosen].row];
    for (size_t i = 0; i < row->configuration->count; i++)
        text_printf(text, "%s-D%s=%s", i ? " " : "", row->configuration->items[i].name,
                    row->configuration->items[i].value);
    text_append(text, "\n", 1);
}

/* ---- Variables of CMake ---- */

/* A quoted argument. */
static void put_quoted(struct text *text, const char *string)
{
    struct text clean = {0};
    text_append_clean(&clean, string, "", '.');
    text_append(text, "\"", 1);
    for (const char *c = text_string(&clean); *c; c++)
        text_printf(text, "%s%c", strchr("\"\\$", *c) ? "\\" : "", *c);
    text_append(text, "\"", 1);
    text->failed |= clean.failed;
    text_free(&clean);
}

/* `name` and `suffix` are what all names begin with. */
static void put_variables(const struct emit_model *model, const char *name, const char *suffix,
                          const struct emit_target *target, struct text *text)
{
    const struct selection_row *row = &model->selection->rows[target->row];
    text_printf(text, "set(%s%s_DEVICE ", name, suffix);
    put_quoted(text, row->device);
    text_printf(text, ")\nset(%s%s_RULE %s)\nset(%s%s_DEFINITIONS", name, suffix, choose_rules()[target->rule].name,
                name, suffix);
    for (size_t i = 0; i < row->configuration->count; i++)
        text_printf(text, " %s=%s", row->configuration->items[i].name, row->configuration->items[i].value);
    text_printf(text, ")\n");
    for (size_t i = 0; i < row->configuration->count; i++)
        text_printf(text, "set(%s%s_%s %s)\n", name, suffix, row->configuration->items[i].name,
                    row->configuration->items[i].value);
}

void emit_cmake(const struct emit_model *model, struct text *text)
{
    text_printf(text, "# Tuned configurations of the kernel ");
    text_append_clean(text, model->request->kernel, "", '.');
    text_printf(text,
                ".\n# Made by cutune " CUTUNE_VERSION " (cutune emit): tune and emit again instead of editing.\n");
    put_variables(model, model->upper, "_TUNED", &model->targets[model->chosen], text);
    text_printf(text, "\n# Every device; the first stands for all that are not there.\nset(%s_TUNED_TARGETS",
                model->upper);
    for (size_t i = 0; i < model->target_count; i++)
        text_printf(text, " %s", model->targets[i].macro);
    text_printf(text, ")\n");
    for (size_t i = 0; i < model->target_count; i++) {
        put_variables(model, model->targets[i].macro, "", &model->targets[i], text);
        text_printf(text, "set(%s_ARCHITECTURE %d)\n", model->targets[i].macro, model->targets[i].cc);
    }
}

/* ---- JSON ---- */

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

static cJSON *row_object(const struct selection_row *row)
{
    static const char *const kinds[] = {"device", "common", "default"};
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "row", kinds[row->kind == 0 ? 0 : row->kind == CHOOSE_IS_COMMON ? 1 : 2]);
    add_pairs(object, "configuration", row->configuration);
    if (row->sizes)
        add_pairs(object, "problem", row->sizes);
    if (row->kind == CHOOSE_IS_COMMON) {
        output_add_int(object, "devices", (long long)row->devices);
        output_add_real(object, "relative_time", row->relative);
    }
    if (row->best) {
#define ADD_INT                   output_add_int
#define ADD_COUNT                 output_add_int
#define ADD_REAL                  output_add_real
#define ADD_TIME                  output_add_real
#define ADD_TEXT                  cJSON_AddStringToObject
#define COLUMN(name, kind, field) ADD_##kind(best, #name, row->best->field);
        cJSON *best = cJSON_AddObjectToObject(object, "evidence");
#include "db/database_columns.def"
#undef COLUMN
    }
    return object;
}

void emit_json(const struct emit_model *model, struct text *text)
{
    const struct selection *selection = model->selection;
    cJSON *top = cJSON_CreateObject(), *rows, *targets;
    cJSON_AddStringToObject(top, "kernel", model->request->kernel);
    cJSON_AddStringToObject(top, "cutune", CUTUNE_VERSION);
    rows = cJSON_AddArrayToObject(top, "rows");
    for (size_t i = 0; i < selection->row_count; i++)
        cJSON_AddItemToArray(rows, row_object(&selection->rows[i]));
    targets = cJSON_AddArrayToObject(top, "targets");
    for (size_t i = 0; i < model->target_count; i++) {
        cJSON *target = cJSON_CreateObject();
        cJSON_AddStringToObject(target, "device", model->targets[i].device);
        output_add_int(target, "row", (long long)model->targets[i].row);
        cJSON_AddStringToObject(target, "rule", choose_rules()[model->targets[i].rule].name);
        cJSON_AddItemToArray(targets, target);
    }
    output_add_int(top, "chosen", (long long)model->chosen);
    if (top && targets)
        output_json(text, top, true);
    text_append(text, "\n", 1);
    text->failed |= !top || !targets;
    cJSON_Delete(top);
}
