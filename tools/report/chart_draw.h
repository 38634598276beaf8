/* Parts of a chart's drawing: lengths in points (1/72 inch) from its upper left corner. Class names let the page change
 * colours: lines of the grid are `grid`, and `s0` to `s3` have the colours of the series. */
#ifndef CUTUNE_REPORT_CHART_DRAW_H
#define CUTUNE_REPORT_CHART_DRAW_H

#include "report/chart.h"
#include "report/chart_scale.h"

#define DRAW_WIDTH 240.0 /* 85 mm */
#define DRAW_SIZE  7.0   /* of text */
#define DRAW_LINE  10.0  /* height of a line of text */
#define DRAW_GAP   3.0
#define DRAW_INK   "#1c2024"
#define DRAW_GRID  "#c9d0d8"

struct drawing {
    const struct chart *chart;
    struct text *svg;
    double left, right, top, bottom; /* of the plot */
    double height;
    struct chart_scale value, rows;
};

bool draw_is_heat(const struct chart *chart);
/* Appends the cells of a heat map, the names of its columns, and the scale of its colours. */
void draw_heat(struct drawing *drawing);

/* Width of a text, with room for a wider font in place of a missing one. */
double draw_width(const char *text);
/* Appends a number behind `before`, to a tenth of a point, which is finer than print. */
void draw_number(struct text *svg, const char *before, double number);
/* Appends a text at a place; an ellipsis replaces the end that exceeds `width`. */
void draw_text(struct text *svg, double x, double y, const char *text, double width);
/* Appends "Mx y" for the `before` "M". */
void draw_point(struct drawing *drawing, const char *before, double x, double y);
/* Appends a label below the plot, centred, unless it would touch the one that ends at *end. */
void draw_across(struct drawing *drawing, const char *label, double at, double *end);

#endif
