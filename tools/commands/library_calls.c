#include "commands/library_calls.h"

#include <string.h>

int library_error(const struct cutune_error *from, struct error *error)
{
    if (error) {
        error->code = (enum error_code)from->code;
        error->line = from->line;
        error->column = from->column;
        memcpy(error->source, from->source, sizeof error->source);
        memcpy(error->message, from->message, sizeof error->message);
        memcpy(error->excerpt, from->excerpt, sizeof error->excerpt);
        memcpy(error->hint, from->hint, sizeof error->hint);
    }
    return from->code;
}

void library_problem(const struct option_list *defines, struct text *problem)
{
    for (size_t i = 0; i < defines->count; i++)
        text_printf(problem, "%s%s", i ? " " : "", defines->items[i]);
}
