/* A chart: a table, some columns of which are drawn. Its CSV is the whole table; its SVG is the same in the page and in
 * a file. */
#ifndef CUTUNE_REPORT_CHART_H
#define CUTUNE_REPORT_CHART_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/text.h"

/* Form of a column. Every drawn column stands before the listed ones. */
enum chart_form {
    CHART_LISTED, /* in the table only */
    CHART_LINE,
    CHART_DASHES, /* a dashed line */
    CHART_STEPS,  /* a line of steps with points */
    CHART_POINTS, /* a line with points */
    CHART_MARKS,  /* points without a line */
    CHART_BARS,
    CHART_CELLS /* a column of a heat map: all drawn columns of the chart have this form */
};

enum { CHART_COLUMNS_MAX = 40, CHART_COLOURS = 4 };
/* Colours of the series, which people with any colour vision can tell apart (after Okabe and Ito): blue, orange,
 * green and purple. */
extern const char *const chart_colours[CHART_COLOURS];

struct chart_column {
    const char *name, *says;
    enum chart_form form;
    int colour; /* index of chart_colours */
};

struct chart_cell {
    const char *text; /* NULL: empty */
    double number;    /* NaN: no number */
};

struct chart {
    /* Set by the caller after chart_begin. */
    bool horizontal; /* bars; `x` is the title of their axis */
    bool stacked;    /* bars of a row begin where the last one ends */
    bool log, log_x, zero;
    double best, worst; /* of a heat map: the darkest value, and the least value of the palest colour */
    size_t hues;        /* of a heat map: its values are numbers of so many kinds; 0: they are ratios */

    /* Private. */
    struct arena arena;
    const char *title, *x, *y;
    struct chart_column columns[CHART_COLUMNS_MAX]; /* the first has the rows' labels or numbers */
    size_t column_count, drawn, row_count, row_room;
    bool scale; /* the first column has numbers */
    struct chart_cell *cells;
    int *colours; /* by row; -1: the column's */
    bool failed;  /* memory is out */
};

/* Begins an empty chart. `x`, `y`: titles of its axes, or "". Copies all texts. chart_free frees it. */
void chart_begin(struct chart *chart, const char *title, const char *x, const char *y);
void chart_free(struct chart *chart);

/* Names the first column; "" by default. */
void chart_name_rows(struct chart *chart, const char *name);
/* Adds a column; returns its index. `says`: the sentence of a point, for a tooltip, or "". Its placeholders are {x},
 * {y}, {title} (of the chart), {name} (of the column), {count} ("1 configuration", by y) and {N} (the row's cell in
 * column N). */
size_t chart_column(struct chart *chart, const char *name, enum chart_form form, int colour, const char *says);

/* Begins a row with a label, or with a number. A chart has rows of one of both kinds. */
void chart_row(struct chart *chart, const char *label);
void chart_row_at(struct chart *chart, double x);
/* Colour of the row's bar. */
void chart_row_colour(struct chart *chart, int colour);
/* Fills a cell of the last row. A number that is not finite leaves it empty. */
void chart_number(struct chart *chart, size_t column, double number);
void chart_text(struct chart *chart, size_t column, const char *text);

const struct chart_cell *chart_cell(const struct chart *chart, size_t row, size_t column);

/* Appends the table as CSV: numbers with seven digits. A cell that a spreadsheet would run as a formula begins with an
 * apostrophe. */
void chart_csv(const struct chart *chart, struct text *csv);

/* Appends the drawing, 85 mm wide, with text of at least 7 points. It needs no other file. */
void chart_svg(const struct chart *chart, struct text *svg);

#endif
