/* Markdown: a table, or a table of two columns per row. */
#include <string.h>

#include "terminal/output_format.h"

void output_markdown(struct text *text, const char *string)
{
    for (; *string; string++)
        if (*string == '\n' || *string == '\r' || *string == '\t')
            text_append(text, " ", 1);
        else
            text_printf(text, "%s%c", strchr("\\`*[]<>|~", *string) ? "\\" : "", *string);
}

static void put_cell(struct text *out, const cJSON *item)
{
    struct text cell = {0};
    output_cell(&cell, item, true);
    text_printf(out, " ");
    output_markdown(out, text_string(&cell));
    text_printf(out, " |");
    out->failed |= cell.failed;
    text_free(&cell);
}

static void put_name(struct text *out, const char *name)
{
    text_printf(out, " ");
    output_markdown(out, name);
    text_printf(out, " |");
}

/* True if all present cells are numbers. */
static bool is_number(const cJSON *rows, int column)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, rows)
    {
        const cJSON *item = cJSON_GetArrayItem(row, column);
        if (item && !output_is_number(item) && !cJSON_IsNull(item))
            return false;
    }
    return true;
}

static void print_table(const cJSON *rows, struct text *out)
{
    const cJSON *row, *item;
    int column = 0;
    text_printf(out, "|");
    cJSON_ArrayForEach(item, rows->child)
    {
        put_name(out, item->string);
    }
    text_printf(out, "\n|");
    cJSON_ArrayForEach(item, rows->child)
    {
        text_printf(out, is_number(rows, column++) ? " ---: |" : " --- |");
    }
    cJSON_ArrayForEach(row, rows)
    {
        text_printf(out, "\n|");
        cJSON_ArrayForEach(item, row)
        {
            put_cell(out, item);
        }
    }
    text_printf(out, "\n");
}

static void print_vertical(const cJSON *rows, struct text *out)
{
    const cJSON *row, *item;
    cJSON_ArrayForEach(row, rows)
    {
        text_printf(out, "%s| | |\n| --- | --- |\n", row == rows->child ? "" : "\n");
        cJSON_ArrayForEach(item, row)
        {
            text_printf(out, "|");
            put_name(out, item->string);
            put_cell(out, item);
            text_printf(out, "\n");
        }
    }
}

static void write(const cJSON *rows, bool vertical, const struct prose *prose, struct text *out)
{
    (void)prose;
    if (vertical)
        print_vertical(rows, out);
    else if (rows->child)
        print_table(rows, out);
}

const struct output_format output_format_markdown = {.name = "markdown", .people = true, .write = write};
