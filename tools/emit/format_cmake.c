/* CMake variables. */
#include <string.h>

#include "base/text.h"
#include "emit/emit_model.h"

/* Appends a quoted argument. */
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

/* Appends variables; all names begin with `name` and `suffix`. */
static void put_variables(const struct emit_model *model, const char *name, const char *suffix,
                          const struct emit_target *target, struct text *text)
{
    const struct selection_row *row = &model->selection->rows[target->row];
    text_printf(text, "set(%s%s_DEVICE ", name, suffix);
    put_quoted(text, row->device);
    text_printf(text, ")\nset(%s%s_RULE %s)\nset(%s%s_DEFINITIONS", name, suffix, choose_rules()[target->rule].name,
                name, suffix);
    for (size_t i = 0; i < row->configuration->count; i++)
        text_printf(text, " %s=%s", emit_source_macro(model, row->configuration->items[i].name),
                    row->configuration->items[i].value);
    text_printf(text, ")\n");
    for (size_t i = 0; i < row->configuration->count; i++)
        text_printf(text, "set(%s%s_%s %s)\n", name, suffix, row->configuration->items[i].name,
                    row->configuration->items[i].value);
}

static void write(const struct emit_model *model, struct text *text)
{
    text_printf(text, "# ");
    emit_title(model, text);
    text_printf(text,
                ".\n# Made by cutune " CUTUNE_VERSION " (cutune emit): tune and emit again instead of editing.\n");
    if (model->choice.length) {
        text_printf(text, "# ");
        text_append_clean(text, text_string(&model->choice), "", '.');
        text_printf(text, ".\n");
    }
    if (emit_has_generation(model)) {
        text_printf(text, "set(%s_TUNED_GENERATION ", model->upper);
        put_quoted(text, model->request->generation);
        text_printf(text, ")\n");
    }
    put_variables(model, model->upper, "_TUNED", &model->targets[model->chosen], text);
    text_printf(text,
                "\n# Every device; the first stands for all that are not there, and one without a device for its "
                "architectures.\n"
                "set(%s_TUNED_TARGETS",
                model->upper);
    for (size_t i = 0; i < model->target_count; i++)
        text_printf(text, " %s", model->targets[i].macro);
    text_printf(text, ")\n");
    for (size_t i = 0; i < model->target_count; i++) {
        put_variables(model, model->targets[i].macro, "", &model->targets[i], text);
        text_printf(text, "set(%s_ARCHITECTURE", model->targets[i].macro);
        if (!i || *model->targets[i].device)
            text_printf(text, " %d", model->targets[i].cc);
        for (size_t a = 0; a < model->architecture_count && i && !*model->targets[i].device; a++)
            if (model->architectures[a].target == i)
                text_printf(text, " %d", model->architectures[a].cc);
        text_printf(text, ")\n");
    }
}

const struct emit_format emit_format_cmake = {.name = "cmake", .single = true, .write = write};
