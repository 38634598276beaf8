#include "compare/grid.h"

#include <stdarg.h>

#include "terminal/output.h"

enum { LINE_BYTES = 1 << 14 }; /* of titles and notes */

/* Appends text, escaped in Markdown. */
static void put(struct grid *grid, const char *string)
{
    if (grid->markdown)
        output_markdown(grid->text, string);
    else
        text_printf(grid->text, "%s", string);
}

void grid_title(struct grid *grid, const char *format, ...)
{
    char line[LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    text_vformat(line, sizeof line, format, arguments);
    va_end(arguments);
    text_printf(grid->text, grid->markdown ? "\n#### " : "\n");
    put(grid, line);
    text_printf(grid->text, grid->markdown ? "\n\n" : "\n");
}

void grid_row(struct grid *grid, const char *mark, const char *label)
{
    grid->cells = 0;
    if (!grid->markdown) {
        text_printf(grid->text, "%-2s%s%*s", mark, label, grid->label - (int)text_width(label), "");
        return;
    }
    text_printf(grid->text, "| ");
    put(grid, label);
    text_printf(grid->text, *mark ? " " : "");
    put(grid, mark);
    text_printf(grid->text, " |");
}

void grid_cell(struct grid *grid, const char *cell)
{
    int width = (int)text_width(cell);
    grid->cells++;
    text_printf(grid->text, grid->markdown ? " " : "  ");
    if (!grid->markdown && grid->column > width)
        text_printf(grid->text, "%*s", grid->column - width, "");
    put(grid, cell);
    text_printf(grid->text, grid->markdown ? " |" : "");
}

void grid_last(struct grid *grid, const char *cell)
{
    struct grid left = *grid;
    left.column = 0;
    grid_cell(&left, cell);
    grid->cells = left.cells;
}

void grid_end(struct grid *grid)
{
    struct text *text = grid->text;
    while (text->length && text->bytes[text->length - 1] == ' ')
        text->bytes[--text->length] = '\0';
    text_append(text, "\n", 1);
}

void grid_end_head(struct grid *grid)
{
    grid_end(grid);
    if (!grid->markdown)
        return;
    text_printf(grid->text, "| --- |");
    for (size_t i = 0; i < grid->cells; i++)
        text_printf(grid->text, " ---: |");
    text_append(grid->text, "\n", 1);
}

void grid_note(struct grid *grid, const char *format, ...)
{
    char line[LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    text_vformat(line, sizeof line, format, arguments);
    va_end(arguments);
    text_printf(grid->text, grid->markdown ? "\n" : "  ");
    put(grid, line);
    text_append(grid->text, "\n", 1);
}

int grid_widest(int width, const char *string)
{
    return (int)text_width(string) > width ? (int)text_width(string) : width;
}
