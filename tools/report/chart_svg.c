/* The drawing of a chart. Class names let the page change colours: `ink` is text, `grid` lines of the grid, `s0` to
 * `s2` the colours of the series. The page finds the points of the n-th drawn column in the n-th group `series`, by the
 * beginnings of its last path's parts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/chart.h"
#include "report/chart_scale.h"
#include "report/html.h"

/* Points: 1/72 inch. */
#define WIDTH     241.0 /* 85 mm */
#define WIDTH_MM  85
#define SIZE      7.0  /* of text */
#define LINE      10.0 /* height of a line of text */
#define PLOT      84.0 /* height of a plot of numbers */
#define GAP       3.0
#define LABEL_MAX 90.0 /* width of a row's label */
#define CELL_MIN  3.5
#define CELL_MAX  12.0
#define INK       "#1c2024"
#define SOFT      "#5a646e"
#define GRID      "#c9d0d8"

enum { LEVELS = 8, TICKS_DOWN = 6, TICKS_ACROSS = 7 };

struct drawing {
    const struct chart *chart;
    struct text *svg;
    double left, right, top, bottom, height;
    struct chart_scale value, rows;
};

/* ---- Text ---- */

/* Widths of ' ' to '~' in Helvetica, and in Arial and Liberation Sans, which have the same, in thousandths of the size.
 */
static const short widths[] = {278,  278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
                               556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
                               1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
                               667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
                               333,  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
                               556,  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584};

static bool continues(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80; /* of UTF-8 */
}

double chart_text_width(const char *text)
{
    double width = 0;
    for (const char *c = text; *c; c++)
        width += *c >= ' ' && *c <= '~' ? widths[*c - ' '] : continues(*c) ? 0 : 600;
    return width / 1000;
}

/* Appends a text with an ellipsis in place of what exceeds the width. */
static void put_fitted(struct text *svg, const char *text, double width)
{
    struct text head = {0};
    size_t end = strlen(text);
    text_append(&head, text, end);
    while (end && !head.failed && SIZE * chart_text_width(text_string(&head)) > width) {
        do
            end--;
        while (end && continues(text[end]));
        text_clear(&head);
        text_append(&head, text, end);
        text_printf(&head, "\xe2\x80\xa6");
    }
    html_escape(svg, text_string(&head));
    svg->failed |= head.failed;
    text_free(&head);
}

/* A coordinate: a tenth of a point is finer than print. */
static void put_number(struct text *svg, const char *before, double number)
{
    char digits[32];
    text_format(digits, sizeof digits, "%.1f", number);
    size_t length = strlen(digits);
    if (length > 2 && strcmp(digits + length - 2, ".0") == 0)
        digits[length - 2] = '\0';
    text_printf(svg, "%s%s", before, strcmp(digits, "-0") == 0 ? "0" : digits);
}

static void put_text(struct text *svg, double x, double y, const char *text, double width)
{
    put_number(svg, "<text x=\"", x);
    put_number(svg, "\" y=\"", y);
    text_printf(svg, "\">");
    put_fitted(svg, text, width);
    text_printf(svg, "</text>");
}

static double width_of(const char *text)
{
    return SIZE * chart_text_width(text);
}

/* ---- Frame ---- */

static bool is_heat(const struct chart *chart)
{
    return chart->column_count > 1 && chart->columns[1].form == CHART_CELLS;
}

static bool has_numbers(const struct chart *chart, size_t column)
{
    for (size_t r = 0; r < chart->row_count; r++)
        if (!isnan(chart_cell(chart, r, column)->number))
            return true;
    return false;
}

static const char *label_of(const struct chart *chart, size_t row)
{
    const char *text = chart_cell(chart, row, 0)->text;
    return text ? text : "";
}

static struct chart_scale value_scale(const struct chart *chart)
{
    double low = INFINITY, high = -INFINITY;
    bool zero = chart->zero;
    for (size_t r = 0; r < chart->row_count; r++) {
        double sum = 0;
        for (size_t c = 1; c <= chart->drawn; c++) {
            double number = chart_cell(chart, r, c)->number;
            if (isnan(number))
                continue;
            sum += number;
            low = fmin(low, number);
            high = fmax(high, chart->stacked ? sum : number);
            zero |= chart->columns[c].form == CHART_BARS;
        }
    }
    if (zero && low <= high) {
        low = fmin(low, 0);
        high = fmax(high, 0);
    }
    return chart_scale(low, high, chart->log && !zero, chart->horizontal ? TICKS_ACROSS : TICKS_DOWN);
}

static struct chart_scale row_scale(const struct chart *chart)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t r = 0; r < chart->row_count; r++) {
        low = fmin(low, chart_cell(chart, r, 0)->number);
        high = fmax(high, chart_cell(chart, r, 0)->number);
    }
    return chart_scale(low, high, chart->log_x, TICKS_ACROSS);
}

/* Names of the series; nothing for a single one. Returns the bottom. */
static double put_legend(struct drawing *drawing, double top)
{
    const struct chart *chart = drawing->chart;
    double x = 0, y = top;
    if (chart->drawn < 2 || is_heat(chart))
        return top;
    for (size_t c = 1; c <= chart->drawn; c++) {
        const double width = SIZE + 2 + width_of(chart->columns[c].name);
        const int colour = chart->columns[c].colour;
        if (!has_numbers(chart, c))
            continue;
        if (x > 0 && x + width > WIDTH) {
            x = 0;
            y += LINE;
        }
        const bool dashed = chart->columns[c].form == CHART_DASHES;
        text_printf(drawing->svg, "<path class=\"s%d\" fill=\"%s\" d=\"M", colour, chart_colours[colour]);
        put_number(drawing->svg, "", x);
        put_number(drawing->svg, " ", y + (dashed ? 4.5 : 2));
        text_printf(drawing->svg, "%s", dashed ? "h2.5v1.5h-2.5zm3.5 0h2.5v1.5h-2.5z\"/>" : "h6v6h-6z\"/>");
        text_printf(drawing->svg, "<g class=\"ink\" fill=\"" INK "\">");
        put_text(drawing->svg, x + SIZE + 2, y + 7.5, chart->columns[c].name, WIDTH - SIZE - 2);
        text_printf(drawing->svg, "</g>");
        x += width + 3 * GAP;
    }
    return y + LINE;
}

/* Height of the plot: that of its rows, or of numbers. */
static double plot_height(const struct chart *chart)
{
    if (is_heat(chart))
        return (double)chart->row_count *
               fmin(CELL_MAX, fmax(CELL_MIN, PLOT / (double)(chart->row_count + !chart->row_count)));
    if (!chart->horizontal)
        return PLOT;
    const double bars = chart->stacked ? 1 : (double)chart->drawn;
    return fmax(4 * LINE, (double)chart->row_count * (4 + fmax(LINE - 4, 6 * bars)));
}

/* Places the plot: room for the labels at its left, and for what is above and below it. */
static void place(struct drawing *drawing)
{
    const struct chart *chart = drawing->chart;
    char tick[CHART_TICK_BYTES];
    double labels = 0;
    drawing->value = value_scale(chart);
    if (chart->scale)
        drawing->rows = row_scale(chart);
    if (chart->horizontal || is_heat(chart))
        for (size_t r = 0; r < chart->row_count; r++)
            labels = fmax(labels, fmin(LABEL_MAX, width_of(label_of(chart, r))));
    else
        for (size_t i = 0; i < drawing->value.count; i++)
            labels = fmax(labels, width_of(chart_tick(drawing->value.ticks[i], tick)));
    drawing->left = labels + GAP;
    drawing->right = WIDTH - (is_heat(chart) ? 0 : 2 * GAP);
    drawing->top = put_legend(drawing, *chart->y ? LINE + 1 : 0) + GAP;
    drawing->bottom = drawing->top + plot_height(chart);
    drawing->height = drawing->bottom + LINE + (*chart->x ? LINE : 0) + (is_heat(chart) && !chart->hues ? LINE : 0) + 1;
}

/* ---- Axes ---- */

static double value_at(const struct drawing *drawing, double value)
{
    const double place = chart_scale_at(&drawing->value, value);
    return drawing->chart->horizontal ? drawing->left + place * (drawing->right - drawing->left)
                                      : drawing->bottom - place * (drawing->bottom - drawing->top);
}

/* Distance of two rows with labels. */
static double slot(const struct drawing *drawing)
{
    const double room = drawing->chart->horizontal ? drawing->bottom - drawing->top : drawing->right - drawing->left;
    return room / (double)(drawing->chart->row_count + !drawing->chart->row_count);
}

static double row_at(const struct drawing *drawing, size_t row)
{
    if (drawing->chart->scale)
        return drawing->left + chart_scale_at(&drawing->rows, chart_cell(drawing->chart, row, 0)->number) *
                                   (drawing->right - drawing->left);
    return (drawing->chart->horizontal ? drawing->top : drawing->left) + ((double)row + 0.5) * slot(drawing);
}

static void put_grid(struct drawing *drawing)
{
    text_printf(drawing->svg, "<path class=\"grid\" fill=\"none\" stroke=\"" GRID "\" stroke-width=\".5\" d=\"");
    for (size_t i = 0; i < drawing->value.count; i++) {
        const double at = value_at(drawing, drawing->value.ticks[i]);
        if (drawing->chart->horizontal) {
            put_number(drawing->svg, "M", at);
            put_number(drawing->svg, " ", drawing->top);
            put_number(drawing->svg, "V", drawing->bottom);
        } else {
            put_number(drawing->svg, "M", drawing->left);
            put_number(drawing->svg, " ", at);
            put_number(drawing->svg, "H", drawing->right);
        }
    }
    text_printf(drawing->svg, "\"/>");
}

/* Labels across: each at its place, without those that would touch the one before. */
static void put_across(struct drawing *drawing, const char *label, double at, double *end)
{
    const double half = width_of(label) / 2;
    at = fmin(at, WIDTH - half);
    if (at - half < *end)
        return;
    put_text(drawing->svg, at, drawing->bottom + SIZE + 1, label, WIDTH);
    *end = at + half + GAP;
}

static void put_ticks(struct drawing *drawing, const struct chart_scale *scale, bool across)
{
    char tick[CHART_TICK_BYTES];
    double end = -WIDTH;
    for (size_t i = 0; i < scale->count; i++) {
        chart_tick(scale->ticks[i], tick);
        if (across)
            put_across(drawing, tick,
                       drawing->left + chart_scale_at(scale, scale->ticks[i]) * (drawing->right - drawing->left), &end);
        else
            put_text(drawing->svg, drawing->left - GAP, value_at(drawing, scale->ticks[i]) + 2.5, tick, WIDTH);
    }
}

static void put_row_labels(struct drawing *drawing, bool across)
{
    const struct chart *chart = drawing->chart;
    const double high = (drawing->bottom - drawing->top) / (double)(chart->row_count + !chart->row_count);
    double end = -WIDTH;
    for (size_t r = 0; r < chart->row_count; r++) {
        const double y = drawing->top + ((double)r + 0.5) * high;
        if (across)
            put_across(drawing, label_of(chart, r), row_at(drawing, r), &end);
        else if (y >= end) {
            put_text(drawing->svg, drawing->left - GAP, y + 2.5, label_of(chart, r), LABEL_MAX);
            end = y + SIZE;
        }
    }
}

static void put_axes(struct drawing *drawing)
{
    const struct chart *chart = drawing->chart;
    const double below = drawing->bottom + LINE + SIZE + 1;
    text_printf(drawing->svg, "<g class=\"ink\" fill=\"" INK "\">");
    if (*chart->y)
        put_text(drawing->svg, 0, SIZE, chart->y, WIDTH);
    text_printf(drawing->svg, "<g text-anchor=\"middle\">");
    if (*chart->x)
        put_text(drawing->svg, fmax((drawing->left + drawing->right) / 2, fmin(WIDTH, width_of(chart->x)) / 2), below,
                 chart->x, WIDTH);
    if (chart->horizontal || chart->scale)
        put_ticks(drawing, chart->scale ? &drawing->rows : &drawing->value, true);
    else if (!is_heat(chart))
        put_row_labels(drawing, true);
    text_printf(drawing->svg, "</g><g text-anchor=\"end\">");
    if (chart->horizontal || is_heat(chart))
        put_row_labels(drawing, false);
    else
        put_ticks(drawing, &drawing->value, false);
    text_printf(drawing->svg, "</g></g>");
}

/* ---- Series ---- */

static void put_point(struct drawing *drawing, const char *before, double x, double y)
{
    put_number(drawing->svg, before, x);
    put_number(drawing->svg, " ", y);
}

static void put_line(struct drawing *drawing, size_t column)
{
    const enum chart_form form = drawing->chart->columns[column].form;
    double last = NAN;
    text_printf(drawing->svg, "<path stroke-width=\"1.2\"%s d=\"",
                form == CHART_DASHES ? " stroke-dasharray=\"4 2\"" : "");
    for (size_t r = 0; r < drawing->chart->row_count; r++) {
        const double number = chart_cell(drawing->chart, r, column)->number;
        if (isnan(number))
            continue;
        if (form == CHART_STEPS && !isnan(last))
            put_point(drawing, "L", row_at(drawing, r), last);
        put_point(drawing, isnan(last) ? "M" : "L", row_at(drawing, r), value_at(drawing, number));
        last = value_at(drawing, number);
    }
    text_printf(drawing->svg, "\"/>");
}

/* Points are parts without a length, drawn by the ends of the line: round for the first colour, else square. */
static void put_points(struct drawing *drawing, size_t column)
{
    const bool alone = drawing->chart->columns[column].form == CHART_MARKS;
    text_printf(drawing->svg, "<path stroke-width=\"%s\" stroke-linecap=\"%s\" d=\"", alone ? "4.5" : "3.5",
                drawing->chart->columns[column].colour == 0 ? "round" : "square");
    for (size_t r = 0; r < drawing->chart->row_count; r++) {
        const double number = chart_cell(drawing->chart, r, column)->number;
        if (isnan(number))
            continue;
        put_point(drawing, "M", row_at(drawing, r), value_at(drawing, number));
        text_printf(drawing->svg, "h0");
    }
    text_printf(drawing->svg, "\"/>");
}

static void put_bar(struct drawing *drawing, double x, double y, double width, double height)
{
    put_point(drawing, "M", x, y);
    put_number(drawing->svg, "h", width);
    put_number(drawing->svg, "v", height);
    put_number(drawing->svg, "h", -width);
    text_printf(drawing->svg, "z");
}

static void put_bars(struct drawing *drawing, size_t column)
{
    const struct chart *chart = drawing->chart;
    const double bars = chart->stacked ? 1 : (double)chart->drawn, room = slot(drawing);
    const double thick = fmin(room * (chart->horizontal || bars > 1 ? 0.8 : 0.9) / bars, 3 * LINE);
    const double before = chart->stacked ? -thick / 2 : ((double)column - 1 - bars / 2) * thick;
    int colour = -1;
    text_printf(drawing->svg, "<path d=\"");
    for (size_t r = 0; r < chart->row_count; r++) {
        const double number = chart_cell(chart, r, column)->number;
        double base = 0;
        if (isnan(number))
            continue;
        for (size_t c = 1; c < column && chart->stacked; c++)
            base += fmax(0, chart_cell(chart, r, c)->number);
        if (chart->colours[r] >= 0 && chart->colours[r] != colour) {
            colour = chart->colours[r];
            text_printf(drawing->svg, "\"/><path class=\"s%d\" fill=\"%s\" d=\"", colour, chart_colours[colour]);
        }
        const double at = row_at(drawing, r) + before, from = value_at(drawing, base),
                     to = value_at(drawing, base + number);
        if (chart->horizontal)
            put_bar(drawing, from, at, to - from, thick);
        else
            put_bar(drawing, at, to, thick, from - to);
    }
    text_printf(drawing->svg, "\"/>");
}

static void put_series(struct drawing *drawing)
{
    for (size_t c = 1; c <= drawing->chart->drawn; c++) {
        const enum chart_form form = drawing->chart->columns[c].form;
        const int colour = drawing->chart->columns[c].colour;
        const bool bars = form == CHART_BARS;
        text_printf(drawing->svg, "<g class=\"series s%d\" fill=\"%s\"%s%s%s>", colour,
                    bars ? chart_colours[colour] : "none", bars ? "" : " stroke=\"", bars ? "" : chart_colours[colour],
                    bars ? "" : "\"");
        if (bars)
            put_bars(drawing, c);
        if (form == CHART_LINE || form == CHART_DASHES || form == CHART_STEPS || form == CHART_POINTS)
            put_line(drawing, c);
        if (form == CHART_STEPS || form == CHART_POINTS || form == CHART_MARKS)
            put_points(drawing, c);
        text_printf(drawing->svg, "</g>");
    }
}

/* ---- Heat map ---- */

static const char *ratio_text(const struct chart *chart, double value, char buffer[CHART_TICK_BYTES])
{
    text_format(buffer, CHART_TICK_BYTES, "%.*f", chart->hues || value >= 100 ? 0 : value >= 10 ? 1 : 2, value);
    return buffer;
}

/* The darkest for the best, 0 for no colour. */
static size_t level_of(const struct chart *chart, double value)
{
    const double paler = log(fmax(1, value / chart->best)) / log(chart->worst / chart->best);
    return (size_t)lround((1 - fmin(1, paler)) * LEVELS);
}

static void put_level(struct drawing *drawing, size_t level)
{
    const struct chart *chart = drawing->chart;
    if (!chart->hues) {
        text_printf(drawing->svg, "<path stroke-opacity=\".%02zu\" d=\"", 4 + level * 46 / LEVELS);
        return;
    }
    /* A colour of full saturation, by its angle. */
    const double hue = 6 * (double)level / (double)chart->hues;
    int parts[3];
    for (int i = 0; i < 3; i++) {
        const double turned = fmod(hue + 6 - 2 * i, 6);
        parts[i] = (int)lround(40 + 175 * fmax(0, fmin(1, 2 - fmin(turned, 6 - turned))));
    }
    text_printf(drawing->svg, "<path stroke=\"#%02x%02x%02x\" stroke-opacity=\".35\" d=\"", (unsigned)parts[0],
                (unsigned)parts[1], (unsigned)parts[2]);
}

/* Cells of a level are horizontal lines as thick as a row. */
static void put_cells(struct drawing *drawing, double wide, double high, bool texts)
{
    const struct chart *chart = drawing->chart;
    char text[CHART_TICK_BYTES];
    /* Corner and size of the first cell, by which the page finds the cell at a place. */
    put_number(drawing->svg, "<g class=\"cells s2\" data-place=\"", drawing->left);
    put_number(drawing->svg, " ", drawing->top);
    text_printf(drawing->svg, " %.3f", wide);
    text_printf(drawing->svg, " %.3f\" fill=\"none\" stroke=\"%s\" stroke-width=\"", high, chart_colours[2]);
    put_number(drawing->svg, "", high - fmin(1, high / 8));
    text_printf(drawing->svg, "\">");
    for (size_t level = 0; level <= (chart->hues ? chart->hues : LEVELS); level++) {
        bool begun = false;
        for (size_t r = 0; r < chart->row_count; r++)
            for (size_t c = 1; c <= chart->drawn; c++) {
                const double value = chart_cell(chart, r, c)->number;
                if (isnan(value) || (chart->hues ? (size_t)value : level_of(chart, value)) != level)
                    continue;
                if (!begun)
                    put_level(drawing, level);
                begun = true;
                put_point(drawing, "M", drawing->left + (double)(c - 1) * wide,
                          drawing->top + ((double)r + 0.5) * high);
                put_number(drawing->svg, "h", wide - fmin(1, wide / 8));
            }
        text_printf(drawing->svg, "%s", begun ? "\"/>" : "");
    }
    text_printf(drawing->svg, "</g><path class=\"grid\" fill=\"none\" stroke=\"" GRID "\" stroke-width=\".5\" d=\"");
    for (size_t r = 0; r < chart->row_count; r++)
        for (size_t c = 1; c <= chart->drawn; c++)
            if (isnan(chart_cell(chart, r, c)->number)) {
                put_point(drawing, "M", drawing->left + (double)(c - 1) * wide, drawing->top + (double)(r + 1) * high);
                put_point(drawing, "l", wide, -high);
            }
    text_printf(drawing->svg, "\"/><g class=\"ink\" fill=\"" INK "\" text-anchor=\"middle\">");
    for (size_t r = 0; r < chart->row_count && texts; r++)
        for (size_t c = 1; c <= chart->drawn; c++)
            if (!isnan(chart_cell(chart, r, c)->number))
                put_text(drawing->svg, drawing->left + ((double)c - 0.5) * wide,
                         drawing->top + ((double)r + 0.5) * high + 2.5,
                         ratio_text(chart, chart_cell(chart, r, c)->number, text), WIDTH);
    text_printf(drawing->svg, "</g>");
}

/* "1.00 [scale] 2.00 times the best, hatched: no time" */
static void put_colours(struct drawing *drawing, bool gaps)
{
    const struct chart *chart = drawing->chart;
    const double y = drawing->height - LINE / 2 - 1;
    char number[CHART_TICK_BYTES];
    struct text text = {0};
    ratio_text(chart, chart->best, number);
    double x = drawing->left + width_of(number) + GAP;
    text_printf(drawing->svg, "<g class=\"ink\" fill=\"" INK "\">");
    put_text(drawing->svg, drawing->left, y + 2.5, number, WIDTH);
    text_printf(&text, "%s times the best%s", ratio_text(chart, chart->worst, number),
                gaps ? "; hatched: no time" : "");
    put_text(drawing->svg, x + LEVELS * 5 + GAP, y + 2.5, text_string(&text), WIDTH);
    text_printf(drawing->svg, "</g><g class=\"s2\" fill=\"none\" stroke=\"%s\" stroke-width=\"7\">", chart_colours[2]);
    for (size_t level = LEVELS; level > 0; level--, x += 5) {
        put_level(drawing, level);
        put_point(drawing, "M", x, y);
        text_printf(drawing->svg, "h5\"/>");
    }
    text_printf(drawing->svg, "</g>");
    drawing->svg->failed |= text.failed;
    text_free(&text);
}

static void put_heat(struct drawing *drawing)
{
    const struct chart *chart = drawing->chart;
    const double wide = (drawing->right - drawing->left) / (double)(chart->drawn + !chart->drawn);
    const double high = (drawing->bottom - drawing->top) / (double)(chart->row_count + !chart->row_count);
    char text[CHART_TICK_BYTES];
    double widest = 0, end = -WIDTH;
    bool gaps = false;
    for (size_t r = 0; r < chart->row_count; r++)
        for (size_t c = 1; c <= chart->drawn; c++) {
            const double value = chart_cell(chart, r, c)->number;
            gaps |= isnan(value);
            if (!isnan(value))
                widest = fmax(widest, width_of(ratio_text(chart, value, text)));
        }
    put_cells(drawing, wide, high, widest + 1 < wide && high >= SIZE + 1);
    text_printf(drawing->svg, "<g class=\"ink\" fill=\"" INK "\" text-anchor=\"middle\">");
    for (size_t c = 1; c <= chart->drawn; c++)
        put_across(drawing, chart->columns[c].name, drawing->left + ((double)c - 0.5) * wide, &end);
    text_printf(drawing->svg, "</g>");
    if (!chart->hues)
        put_colours(drawing, gaps);
}

void chart_svg(const struct chart *chart, struct text *svg)
{
    struct text body = {0};
    struct drawing drawing = {.chart = chart, .svg = &body};
    place(&drawing);
    if (!is_heat(chart))
        put_grid(&drawing);
    put_axes(&drawing);
    if (is_heat(chart))
        put_heat(&drawing);
    else
        put_series(&drawing);
    text_printf(svg, "<svg class=\"chart\" xmlns=\"http://www.w3.org/2000/svg\" width=\"%dmm\" height=\"", WIDTH_MM);
    put_number(svg, "", drawing.height * WIDTH_MM / WIDTH);
    put_number(svg, "mm\" viewBox=\"0 0 241 ", drawing.height);
    put_number(svg, "\" font-family=\"Helvetica,Arial,Liberation Sans,sans-serif\" font-size=\"", SIZE);
    text_printf(svg, "\" role=\"img\" aria-label=\"");
    html_escape(svg, chart->title);
    text_printf(svg, "\">");
    text_append(svg, text_string(&body), body.length);
    text_printf(svg, "</svg>");
    svg->failed |= body.failed;
    text_free(&body);
}
