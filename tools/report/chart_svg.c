/* The drawing of a chart. The page finds the points of the n-th drawn column in the n-th group `series`, by the
 * beginnings of the parts of its last path. */
#include <math.h>

#include "report/chart_draw.h"
#include "report/html.h"

#define WIDTH_MM  85
#define PLOT      84.0 /* height of a plot of numbers */
#define LABEL_MAX 90.0 /* width of a row's label */
#define CELL_MIN  3.5
#define CELL_MAX  12.0

enum { TICKS_DOWN = 6, TICKS_ACROSS = 7 };

/* ---- Frame ---- */

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
    if (chart->drawn < 2 || draw_is_heat(chart))
        return top;
    for (size_t c = 1; c <= chart->drawn; c++) {
        const double width = DRAW_SIZE + 2 + draw_width(chart->columns[c].name);
        const int colour = chart->columns[c].colour;
        if (!has_numbers(chart, c))
            continue;
        if (x > 0 && x + width > DRAW_WIDTH) {
            x = 0;
            y += DRAW_LINE;
        }
        const bool dashed = chart->columns[c].form == CHART_DASHES;
        text_printf(drawing->svg, "<path class=\"s%d\" fill=\"%s\" d=\"M", colour, chart_colours[colour]);
        draw_number(drawing->svg, "", x);
        draw_number(drawing->svg, " ", y + (dashed ? 4.5 : 2));
        text_printf(drawing->svg, "%s", dashed ? "h2.5v1.5h-2.5zm3.5 0h2.5v1.5h-2.5z\"/>" : "h6v6h-6z\"/>");
        draw_text(drawing->svg, x + DRAW_SIZE + 2, y + 7.5, chart->columns[c].name, DRAW_WIDTH - DRAW_SIZE - 2);
        x += width + 3 * DRAW_GAP;
    }
    return y + DRAW_LINE;
}

/* Height of the plot: that of its rows, or of numbers. */
static double plot_height(const struct chart *chart)
{
    if (draw_is_heat(chart))
        return (double)chart->row_count *
               fmin(CELL_MAX, fmax(CELL_MIN, PLOT / (double)(chart->row_count + !chart->row_count)));
    if (!chart->horizontal)
        return PLOT;
    const double bars = chart->stacked ? 1 : (double)chart->drawn;
    return fmax(4 * DRAW_LINE, (double)chart->row_count * (4 + fmax(DRAW_LINE - 4, 6 * bars)));
}

/* Places the plot: room for its labels at the left, and for the titles and the legend. */
static void place(struct drawing *drawing)
{
    const struct chart *chart = drawing->chart;
    char tick[CHART_TICK_BYTES];
    double labels = 0;
    drawing->value = value_scale(chart);
    if (chart->scale)
        drawing->rows = row_scale(chart);
    if (chart->horizontal || draw_is_heat(chart))
        for (size_t r = 0; r < chart->row_count; r++)
            labels = fmax(labels, fmin(LABEL_MAX, draw_width(label_of(chart, r))));
    else
        for (size_t i = 0; i < drawing->value.count; i++)
            labels = fmax(labels, draw_width(chart_tick(drawing->value.ticks[i], tick)));
    drawing->left = labels + DRAW_GAP;
    drawing->right = DRAW_WIDTH - (draw_is_heat(chart) ? 0 : 2 * DRAW_GAP);
    drawing->top = put_legend(drawing, *chart->y ? DRAW_LINE + 1 : 0) + DRAW_GAP;
    drawing->bottom = drawing->top + plot_height(chart);
    drawing->height = drawing->bottom + DRAW_LINE + (*chart->x ? DRAW_LINE : 0) +
                      (draw_is_heat(chart) && !chart->hues ? DRAW_LINE : 0) + 1;
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
    text_printf(drawing->svg, "<path class=\"grid\" fill=\"none\" stroke=\"" DRAW_GRID "\" stroke-width=\".5\" d=\"");
    for (size_t i = 0; i < drawing->value.count; i++) {
        const double at = value_at(drawing, drawing->value.ticks[i]);
        if (drawing->chart->horizontal) {
            draw_number(drawing->svg, "M", at);
            draw_number(drawing->svg, " ", drawing->top);
            draw_number(drawing->svg, "V", drawing->bottom);
        } else {
            draw_number(drawing->svg, "M", drawing->left);
            draw_number(drawing->svg, " ", at);
            draw_number(drawing->svg, "H", drawing->right);
        }
    }
    text_printf(drawing->svg, "\"/>");
}

static void put_ticks(struct drawing *drawing, const struct chart_scale *scale, bool across)
{
    char tick[CHART_TICK_BYTES];
    double end = -DRAW_WIDTH;
    for (size_t i = 0; i < scale->count; i++) {
        chart_tick(scale->ticks[i], tick);
        if (across)
            draw_across(drawing, tick,
                        drawing->left + chart_scale_at(scale, scale->ticks[i]) * (drawing->right - drawing->left),
                        &end);
        else
            draw_text(drawing->svg, drawing->left - DRAW_GAP, value_at(drawing, scale->ticks[i]) + 2.5, tick,
                      DRAW_WIDTH);
    }
}

static void put_row_labels(struct drawing *drawing, bool across)
{
    const struct chart *chart = drawing->chart;
    const double high = (drawing->bottom - drawing->top) / (double)(chart->row_count + !chart->row_count);
    double end = -DRAW_WIDTH;
    for (size_t r = 0; r < chart->row_count; r++) {
        const double y = drawing->top + ((double)r + 0.5) * high;
        if (across)
            draw_across(drawing, label_of(chart, r), row_at(drawing, r), &end);
        else if (y >= end) {
            draw_text(drawing->svg, drawing->left - DRAW_GAP, y + 2.5, label_of(chart, r), LABEL_MAX);
            end = y + DRAW_SIZE;
        }
    }
}

static void put_axes(struct drawing *drawing)
{
    const struct chart *chart = drawing->chart;
    const double below = drawing->bottom + DRAW_LINE + DRAW_SIZE + 1;
    if (*chart->y)
        draw_text(drawing->svg, 0, DRAW_SIZE, chart->y, DRAW_WIDTH);
    text_printf(drawing->svg, "<g text-anchor=\"middle\">");
    if (*chart->x)
        draw_text(drawing->svg, fmax((drawing->left + drawing->right) / 2, fmin(DRAW_WIDTH, draw_width(chart->x)) / 2),
                  below, chart->x, DRAW_WIDTH);
    if (chart->horizontal || chart->scale)
        put_ticks(drawing, chart->scale ? &drawing->rows : &drawing->value, true);
    else if (!draw_is_heat(chart))
        put_row_labels(drawing, true);
    text_printf(drawing->svg, "</g><g text-anchor=\"end\">");
    if (chart->horizontal || draw_is_heat(chart))
        put_row_labels(drawing, false);
    else
        put_ticks(drawing, &drawing->value, false);
    text_printf(drawing->svg, "</g>");
}

/* ---- Series ---- */

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
            draw_point(drawing, "L", row_at(drawing, r), last);
        draw_point(drawing, isnan(last) ? "M" : "L", row_at(drawing, r), value_at(drawing, number));
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
        draw_point(drawing, "M", row_at(drawing, r), value_at(drawing, number));
        text_printf(drawing->svg, "h0");
    }
    text_printf(drawing->svg, "\"/>");
}

static void put_bar(struct drawing *drawing, double x, double y, double width, double height)
{
    draw_point(drawing, "M", x, y);
    draw_number(drawing->svg, "h", width);
    draw_number(drawing->svg, "v", height);
    draw_number(drawing->svg, "h", -width);
    text_printf(drawing->svg, "z");
}

static void put_bars(struct drawing *drawing, size_t column)
{
    const struct chart *chart = drawing->chart;
    const double bars = chart->stacked ? 1 : (double)chart->drawn, room = slot(drawing);
    const double thick = fmin(room * (chart->horizontal || bars > 1 ? 0.8 : 0.9) / bars, 3 * DRAW_LINE);
    const double before = chart->stacked ? -thick / 2 : ((double)column - 1 - bars / 2) * thick;
    int colour = -1;
    text_printf(drawing->svg, "<path d=\"");
    for (size_t r = 0; r < chart->row_count; r++) {
        const double number = chart_cell(chart, r, column)->number;
        double base = 0;
        if (isnan(number) || number == 0)
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

void chart_svg(const struct chart *chart, struct text *svg)
{
    struct text body = {0};
    struct drawing drawing = {.chart = chart, .svg = &body};
    place(&drawing);
    if (!draw_is_heat(chart))
        put_grid(&drawing);
    put_axes(&drawing);
    if (draw_is_heat(chart))
        draw_heat(&drawing);
    else
        put_series(&drawing);
    text_printf(svg, "<svg class=\"chart\" xmlns=\"http://www.w3.org/2000/svg\" width=\"%dmm\" height=\"", WIDTH_MM);
    draw_number(svg, "", drawing.height * WIDTH_MM / DRAW_WIDTH);
    draw_number(svg, "mm\" viewBox=\"0 0 240 ", drawing.height);
    draw_number(svg, "\" font-family=\"Helvetica,Arial,Liberation Sans,sans-serif\" font-size=\"", DRAW_SIZE);
    text_printf(svg, "\" fill=\"" DRAW_INK "\" role=\"img\" aria-label=\"");
    html_escape(svg, chart->title);
    text_printf(svg, "\">");
    text_append(svg, text_string(&body), body.length);
    text_printf(svg, "</svg>");
    svg->failed |= body.failed;
    text_free(&body);
}
