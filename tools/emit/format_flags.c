/* Compiler options, for a shell or a makefile. */
#include "emit/emit_model.h"

static void write(const struct emit_model *model, struct text *text)
{
    const struct selection_row *row = &model->selection->rows[model->targets[model->chosen].row];
    for (size_t i = 0; i < row->configuration->count; i++)
        text_printf(text, "%s-D%s=%s", i ? " " : "", emit_source_macro(model, row->configuration->items[i].name),
                    row->configuration->items[i].value);
    text_append(text, "\n", 1);
}

const struct emit_format emit_format_flags = {.name = "flags", .single = true, .write = write};
