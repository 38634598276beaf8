/* The drawing of a heat map. */
#include <math.h>

#include "report/chart_draw.h"

enum { LEVELS = 8 };

bool draw_is_heat(const struct chart *chart)
{
    return chart->column_count > 1 && chart->columns[1].form == CHART_CELLS;
}

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
        text_printf(drawing->svg, "<path opacity=\".%02zu\" d=\"", 4 + level * 46 / LEVELS);
        return;
    }
    /* A colour of full saturation, by its angle. */
    const double hue = 6 * (double)level / (double)chart->hues;
    int parts[3];
    for (int i = 0; i < 3; i++) {
        const double turned = fmod(hue + 6 - 2 * i, 6);
        parts[i] = (int)lround(40 + 175 * fmax(0, fmin(1, 2 - fmin(turned, 6 - turned))));
    }
    text_printf(drawing->svg, "<path stroke=\"#%02x%02x%02x\" opacity=\".35\" d=\"", (unsigned)parts[0],
                (unsigned)parts[1], (unsigned)parts[2]);
}

/* Cells of a level are horizontal lines as thick as a row. */
static void put_cells(struct drawing *drawing, double wide, double high, bool texts)
{
    const struct chart *chart = drawing->chart;
    char text[CHART_TICK_BYTES];
    /* Corner and size of the first cell, by which the page finds the cell at a place. */
    draw_number(drawing->svg, "<g class=\"cells s2\" data-place=\"", drawing->left);
    draw_number(drawing->svg, " ", drawing->top);
    text_printf(drawing->svg, " %.3f", wide);
    text_printf(drawing->svg, " %.3f\" fill=\"none\" stroke=\"%s\" stroke-width=\"", high, chart_colours[2]);
    draw_number(drawing->svg, "", high - fmin(1, high / 8));
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
                draw_point(drawing, "M", drawing->left + (double)(c - 1) * wide,
                           drawing->top + ((double)r + 0.5) * high);
                draw_number(drawing->svg, "h", wide - fmin(1, wide / 8));
            }
        text_printf(drawing->svg, "%s", begun ? "\"/>" : "");
    }
    draw_number(drawing->svg, "</g><path class=\"grid\" fill=\"none\" stroke=\"" DRAW_GRID "\" stroke-width=\"",
                high - 1);
    text_printf(drawing->svg, "\" stroke-dasharray=\".7 2.3\" d=\"");
    for (size_t r = 0; r < chart->row_count; r++)
        for (size_t c = 1; c <= chart->drawn; c++)
            if (isnan(chart_cell(chart, r, c)->number)) {
                draw_point(drawing, "M", drawing->left + (double)(c - 1) * wide,
                           drawing->top + ((double)r + 0.5) * high);
                draw_number(drawing->svg, "h", wide - 1);
            }
    text_printf(drawing->svg, "\"/><g text-anchor=\"middle\">");
    for (size_t r = 0; r < chart->row_count && texts; r++)
        for (size_t c = 1; c <= chart->drawn; c++)
            if (!isnan(chart_cell(chart, r, c)->number))
                draw_text(drawing->svg, drawing->left + ((double)c - 0.5) * wide,
                          drawing->top + ((double)r + 0.5) * high + 2.5,
                          ratio_text(chart, chart_cell(chart, r, c)->number, text), DRAW_WIDTH);
    text_printf(drawing->svg, "</g>");
}

/* "1.00 [scale] 2.00 times the best, hatched: no time" */
static void put_colours(struct drawing *drawing, bool gaps)
{
    const struct chart *chart = drawing->chart;
    const double y = drawing->height - DRAW_LINE / 2 - 1;
    char number[CHART_TICK_BYTES];
    struct text text = {0};
    ratio_text(chart, chart->best, number);
    double x = drawing->left + draw_width(number) + DRAW_GAP;
    draw_text(drawing->svg, drawing->left, y + 2.5, number, DRAW_WIDTH);
    text_printf(&text, "%s times the best%s", ratio_text(chart, chart->worst, number),
                gaps ? "; hatched: no time" : "");
    draw_text(drawing->svg, x + LEVELS * 5 + DRAW_GAP, y + 2.5, text_string(&text), DRAW_WIDTH);
    text_printf(drawing->svg, "<g class=\"s2\" fill=\"none\" stroke=\"%s\" stroke-width=\"7\">", chart_colours[2]);
    for (size_t level = LEVELS; level > 0; level--, x += 5) {
        put_level(drawing, level);
        draw_point(drawing, "M", x, y);
        text_printf(drawing->svg, "h5\"/>");
    }
    text_printf(drawing->svg, "</g>");
    drawing->svg->failed |= text.failed;
    text_free(&text);
}

void draw_heat(struct drawing *drawing)
{
    const struct chart *chart = drawing->chart;
    const double wide = (drawing->right - drawing->left) / (double)(chart->drawn + !chart->drawn);
    const double high = (drawing->bottom - drawing->top) / (double)(chart->row_count + !chart->row_count);
    char text[CHART_TICK_BYTES];
    double widest = 0, end = -DRAW_WIDTH;
    bool gaps = false;
    for (size_t r = 0; r < chart->row_count; r++)
        for (size_t c = 1; c <= chart->drawn; c++) {
            const double value = chart_cell(chart, r, c)->number;
            gaps |= isnan(value);
            if (!isnan(value))
                widest = fmax(widest, draw_width(ratio_text(chart, value, text)));
        }
    put_cells(drawing, wide, high, widest + 1 < wide && high >= DRAW_SIZE + 1);
    text_printf(drawing->svg, "<g text-anchor=\"middle\">");
    for (size_t c = 1; c <= chart->drawn; c++)
        draw_across(drawing, chart->columns[c].name, drawing->left + ((double)c - 0.5) * wide, &end);
    text_printf(drawing->svg, "</g>");
    if (!chart->hues)
        put_colours(drawing, gaps);
}
