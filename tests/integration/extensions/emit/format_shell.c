/* Shell variables: export TILE=32. */
#include "emit/emit_model.h"

static void write(const struct emit_model *model, struct text *text)
{
    const struct selection_row *row = &model->selection->rows[model->targets[model->chosen].row];
    for (size_t i = 0; i < row->configuration->count; i++)
        text_printf(text, "export %s=%s\n", row->configuration->items[i].name, row->configuration->items[i].value);
}

const struct emit_format emit_format_shell = {.name = "shell", .write = write};
