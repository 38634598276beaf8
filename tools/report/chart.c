#include "report/chart.h"

#include <math.h>
#include <string.h>

const char *const chart_colours[CHART_COLOURS] = {"#0072b2", "#d55e00", "#00806a", "#a8447f"};

static const char *copy(struct chart *chart, const char *text)
{
    const char *copied = arena_copy(&chart->arena, text, strlen(text));
    chart->failed |= !copied;
    return copied ? copied : "";
}

void chart_begin(struct chart *chart, const char *title, const char *x, const char *y)
{
    *chart = (struct chart){.best = 1, .column_count = 1, .columns = {{.name = "", .says = ""}}};
    chart->title = copy(chart, title);
    chart->x = copy(chart, x);
    chart->y = copy(chart, y);
}

void chart_free(struct chart *chart)
{
    arena_free(&chart->arena);
}

void chart_name_rows(struct chart *chart, const char *name)
{
    chart->columns[0].name = copy(chart, name);
}

size_t chart_column(struct chart *chart, const char *name, enum chart_form form, int colour, const char *says)
{
    if (chart->column_count == CHART_COLUMNS_MAX)
        return CHART_COLUMNS_MAX - 1;
    chart->columns[chart->column_count] = (struct chart_column){copy(chart, name), copy(chart, says), form, colour};
    chart->drawn += form != CHART_LISTED;
    return chart->column_count++;
}

static struct chart_cell *cell_at(const struct chart *chart, size_t row, size_t column)
{
    return &chart->cells[row * CHART_COLUMNS_MAX + column];
}

const struct chart_cell *chart_cell(const struct chart *chart, size_t row, size_t column)
{
    return cell_at(chart, row, column);
}

/* False if memory is out: the chart stays as it is. */
static bool add_row(struct chart *chart)
{
    if (chart->row_count == chart->row_room) {
        size_t room = 2 * chart->row_room + 16;
        struct chart_cell *cells = arena_array(&chart->arena, room * CHART_COLUMNS_MAX, sizeof *cells);
        int *colours = arena_array(&chart->arena, room, sizeof *colours);
        chart->failed |= !cells || !colours;
        if (!cells || !colours)
            return false;
        if (chart->row_count) {
            memcpy(cells, chart->cells, chart->row_count * CHART_COLUMNS_MAX * sizeof *cells);
            memcpy(colours, chart->colours, chart->row_count * sizeof *colours);
        }
        chart->cells = cells;
        chart->colours = colours;
        chart->row_room = room;
    }
    for (size_t c = 0; c < CHART_COLUMNS_MAX; c++)
        *cell_at(chart, chart->row_count, c) = (struct chart_cell){.number = NAN};
    chart->colours[chart->row_count++] = -1;
    return true;
}

void chart_row(struct chart *chart, const char *label)
{
    if (add_row(chart))
        chart_text(chart, 0, label);
}

void chart_row_at(struct chart *chart, double x)
{
    chart->scale = true;
    if (add_row(chart))
        chart_number(chart, 0, x);
}

void chart_row_colour(struct chart *chart, int colour)
{
    if (!chart->failed)
        chart->colours[chart->row_count - 1] = colour;
}

void chart_text(struct chart *chart, size_t column, const char *text)
{
    if (!chart->failed)
        cell_at(chart, chart->row_count - 1, column)->text = copy(chart, text);
}

void chart_number(struct chart *chart, size_t column, double number)
{
    char digits[TEXT_REAL_BYTES];
    if (chart->failed || !isfinite(number))
        return;
    text_format(digits, sizeof digits, "%.7g", number); /* exceeds the resolution of every measurement */
    chart_text(chart, column, digits);
    cell_at(chart, chart->row_count - 1, column)->number = number;
}

static void put_cell(struct text *csv, const char *cell)
{
    bool formula = text_is_formula(cell), quoted = formula || strpbrk(cell, ",\"\r\n");
    text_printf(csv, "%s%s", quoted ? "\"" : "", formula ? "'" : "");
    for (const char *c = cell; *c; c++) {
        text_append(csv, c, 1);
        if (*c == '"')
            text_append(csv, c, 1);
    }
    text_printf(csv, "%s", quoted ? "\"" : "");
}

void chart_csv(const struct chart *chart, struct text *csv)
{
    for (size_t c = 0; c < chart->column_count; c++) {
        text_printf(csv, "%s", c ? "," : "");
        put_cell(csv, chart->columns[c].name);
    }
    text_printf(csv, "\n");
    for (size_t r = 0; r < chart->row_count; r++) {
        for (size_t c = 0; c < chart->column_count; c++) {
            const char *text = cell_at(chart, r, c)->text;
            text_printf(csv, "%s", c ? "," : "");
            put_cell(csv, text ? text : "");
        }
        text_printf(csv, "\n");
    }
}
