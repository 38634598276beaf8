/* CSV: a header, then a record per row. */
#include <string.h>

#include "base/text.h"
#include "terminal/output_format.h"

static void put_field(struct text *out, const char *field)
{
    const char *mark = text_is_formula(field) ? "'" : "";
    if (!strpbrk(field, ",\"\r\n") && *field != ' ' && (!*field || field[strlen(field) - 1] != ' ')) {
        text_printf(out, "%s%s", mark, field);
        return;
    }
    text_printf(out, "\"%s", mark);
    for (; *field; field++)
        text_append(out, *field == '"' ? "\"\"" : field, *field == '"' ? 2 : 1);
    text_append(out, "\"", 1);
}

static void write(const cJSON *rows, bool vertical, const struct prose *prose, struct text *out)
{
    (void)vertical, (void)prose;
    struct text field = {0};
    const cJSON *row, *item, *first = rows->child;
    cJSON_ArrayForEach(item, first)
    {
        if (item != first->child)
            text_append(out, ",", 1);
        put_field(out, item->string);
    }
    if (first)
        text_append(out, "\n", 1);
    cJSON_ArrayForEach(row, rows)
    {
        cJSON_ArrayForEach(item, row)
        {
            text_clear(&field);
            output_cell(&field, item, false);
            out->failed |= field.failed;
            if (item != row->child)
                text_append(out, ",", 1);
            put_field(out, text_string(&field));
        }
        text_append(out, "\n", 1);
    }
    text_free(&field);
}

const struct output_format output_format_csv = {.name = "csv", .write = write};
