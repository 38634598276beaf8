/* For people: a table, or a line per member. */
#include <stdlib.h>

#include "base/text.h"
#include "terminal/output_format.h"

static void pad(struct text *text, size_t count)
{
    while (count--)
        text_append(text, " ", 1);
}

static void print_vertical(struct text *out, const cJSON *rows)
{
    const cJSON *row, *item;
    size_t width = 0;
    cJSON_ArrayForEach(row, rows)
    {
        cJSON_ArrayForEach(item, row)
        {
            if (text_width(item->string) > width)
                width = text_width(item->string);
        }
    }
    cJSON_ArrayForEach(row, rows)
    {
        if (row != rows->child)
            text_append(out, "\n", 1);
        cJSON_ArrayForEach(item, row)
        {
            text_append_clean(out, item->string, "", ' ');
            if (!cJSON_IsNull(item)) {
                pad(out, width - text_width(item->string) + 2);
                output_cell(out, item, true);
            }
            text_append(out, "\n", 1);
        }
    }
}

struct column {
    size_t width;
    bool numbers; /* only numbers: aligned to the right */
};

static void measure_columns(const cJSON *rows, struct column *columns, size_t count, struct text *scratch)
{
    const cJSON *row, *item;
    size_t i = 0;
    cJSON_ArrayForEach(item, rows->child)
    {
        columns[i++] = (struct column){text_width(item->string), true};
    }
    cJSON_ArrayForEach(row, rows)
    {
        i = 0;
        cJSON_ArrayForEach(item, row)
        {
            if (i == count)
                break;
            text_clear(scratch);
            output_cell(scratch, item, true);
            if (text_width(text_string(scratch)) > columns[i].width)
                columns[i].width = text_width(text_string(scratch));
            columns[i].numbers &= output_is_number(item) || cJSON_IsNull(item);
            i++;
        }
    }
}

static void print_cell(struct text *out, const char *string, const struct column *column, bool first)
{
    size_t space = column->width - text_width(string);
    if (!first)
        pad(out, 2);
    if (column->numbers)
        pad(out, space);
    text_printf(out, "%s", string);
    if (!column->numbers)
        pad(out, space);
}

static void end_line(struct text *out)
{
    while (out->length && out->bytes[out->length - 1] == ' ')
        out->length--;
    text_append(out, "\n", 1);
}

static void print_table(struct text *out, const cJSON *rows)
{
    struct text scratch = {0};
    const cJSON *row, *item;
    size_t count = (size_t)cJSON_GetArraySize(rows->child), i = 0;
    struct column *columns = calloc(count + 1, sizeof *columns);
    if (!columns) {
        out->failed = true;
        return;
    }
    if (rows->child)
        measure_columns(rows, columns, count, &scratch);
    cJSON_ArrayForEach(item, rows->child)
    {
        print_cell(out, item->string, &columns[i], i == 0);
        i++;
    }
    if (rows->child)
        end_line(out);
    cJSON_ArrayForEach(row, rows)
    {
        i = 0;
        cJSON_ArrayForEach(item, row)
        {
            if (i == count)
                break;
            text_clear(&scratch);
            output_cell(&scratch, item, true);
            out->failed |= scratch.failed;
            print_cell(out, text_string(&scratch), &columns[i], i == 0);
            i++;
        }
        end_line(out);
    }
    free(columns);
    text_free(&scratch);
}

static void write(const cJSON *rows, bool vertical, struct text *out)
{
    (vertical ? print_vertical : print_table)(out, rows);
}

const struct output_format output_format_text = {.name = "text", .people = true, .write = write};
