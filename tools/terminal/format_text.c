/* Text for people: a table, or a line per member. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "terminal/output_format.h"
#include "terminal/width.h"

enum { GAP = 2 }; /* between columns */

static void pad(struct text *text, size_t count)
{
    while (count--)
        text_append(text, " ", 1);
}

static void print_vertical(const struct prose *prose, const cJSON *rows, struct text *out)
{
    struct prose facts = *prose;
    struct text value = {0};
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
    facts.column = width + GAP;
    cJSON_ArrayForEach(row, rows)
    {
        if (row != rows->child)
            text_append(out, "\n", 1);
        cJSON_ArrayForEach(item, row)
        {
            text_clear(&value);
            output_cell(&value, item, true);
            out->failed |= value.failed;
            prose_fact(&facts, out, item->string, MARK_NONE, "%s", text_string(&value));
        }
    }
    text_free(&value);
}

struct column {
    size_t width;
    bool numbers; /* only numbers: aligned to the right */
    bool below;   /* moved to a line of its own */
    bool left_out;
};

static void measure_columns(const cJSON *rows, struct column *columns, size_t count, struct text *scratch)
{
    const cJSON *row, *item;
    size_t i = 0;
    cJSON_ArrayForEach(item, rows->child)
    {
        columns[i++] = (struct column){.width = text_width(item->string), .numbers = true};
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

static bool in_line(const struct column *column)
{
    return !column->below && !column->left_out;
}

static size_t line_width(const struct column *columns, size_t count)
{
    size_t width = 0;
    for (size_t i = 0; i < count; i++)
        if (in_line(&columns[i]))
            width += columns[i].width + (width ? GAP : 0);
    return width;
}

/* Returns the column of the member with that name, or `count`. */
static size_t find_column(const cJSON *row, const char *name, size_t count)
{
    size_t i = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, row)
    {
        if (strcmp(item->string, name) == 0)
            return i;
        i++;
    }
    return count;
}

static void narrow(const cJSON *rows, const struct output_fit *fit, struct column *columns, size_t count,
                   struct text *left_out)
{
    for (const struct output_step *step = fit->steps; fit->width && step->name; step++) {
        size_t at = find_column(rows->child, step->name, count);
        if (line_width(columns, count) <= fit->width)
            return;
        if (at < count)
            *(step->below ? &columns[at].below : &columns[at].left_out) = true;
        if (at < count && !step->below)
            text_printf(left_out, "%s%s", left_out->length ? ", " : "", step->name);
    }
}

static void print_cell(struct text *out, const char *string, const struct column *column, bool first)
{
    size_t space = column->width - text_width(string);
    if (!first)
        pad(out, GAP);
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

/* Prints a text on lines of its own, indented and broken at spaces. */
static void print_below(struct text *out, const char *string, size_t width)
{
    string += strspn(string, " ");
    if (!*string)
        return;
    pad(out, GAP);
    terminal_wrap(out, width + 1, GAP, GAP, string);
    text_append(out, "\n", 1);
}

/* Prints the names of the members, or the cells. */
static void print_line(struct text *out, const cJSON *cells, const struct column *columns, size_t count, bool names,
                       struct text *scratch)
{
    const cJSON *item;
    size_t i = 0, begin = out->length;
    cJSON_ArrayForEach(item, cells)
    {
        if (i == count)
            break;
        if (in_line(&columns[i])) {
            text_clear(scratch);
            if (!names)
                output_cell(scratch, item, true);
            out->failed |= scratch->failed;
            print_cell(out, names ? item->string : text_string(scratch), &columns[i], out->length == begin);
        }
        i++;
    }
    end_line(out);
}

void output_table(const cJSON *rows, const struct output_fit *fit, struct text *out, struct text *left_out)
{
    struct text scratch = {0};
    const cJSON *row, *item;
    size_t count = (size_t)cJSON_GetArraySize(rows->child);
    struct column *columns = calloc(count + 1, sizeof *columns);
    if (!columns || !rows->child) {
        out->failed |= !columns;
        free(columns);
        return;
    }
    measure_columns(rows, columns, count, &scratch);
    narrow(rows, fit, columns, count, left_out);
    print_line(out, rows->child, columns, count, true, &scratch);
    cJSON_ArrayForEach(row, rows)
    {
        print_line(out, row, columns, count, false, &scratch);
        for (size_t i = 0; i < count; i++)
            if (columns[i].below && (item = cJSON_GetArrayItem(row, (int)i))) {
                text_clear(&scratch);
                output_cell(&scratch, item, true);
                print_below(out, text_string(&scratch), fit->width);
            }
    }
    free(columns);
    text_free(&scratch);
}

static void print_table(const struct prose *prose, const cJSON *rows, struct text *out)
{
    static const struct output_fit any = {.width = 0};
    struct text table = {0};
    output_table(rows, &any, &table, NULL);
    prose_lines(prose, text_string(&table), out);
    out->failed |= table.failed;
    text_free(&table);
}

static void write(const cJSON *rows, bool vertical, const struct prose *prose, struct text *out)
{
    (vertical ? print_vertical : print_table)(prose, rows, out);
}

const struct output_format output_format_text = {.name = "text", .people = true, .prose = true, .write = write};
