/* Tables of a comparison, with a label on the left and a column per run: aligned text, or Markdown. */
#ifndef CUTUNE_COMPARE_GRID_H
#define CUTUNE_COMPARE_GRID_H

#include <stdbool.h>

#include "base/text.h"

struct grid {
    struct text *text; /* receives the output */
    bool markdown;
    int label, column; /* widths of the label and of each column, for text */
    size_t cells;      /* of the current row */
};

/* Begins a table. */
void grid_title(struct grid *grid, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Begins a row. `mark`: "*" or "". */
void grid_row(struct grid *grid, const char *mark, const char *label);
/* Adds a cell, aligned to the right, or to the left as the last one of a row. */
void grid_cell(struct grid *grid, const char *cell);
void grid_last(struct grid *grid, const char *cell);
/* Ends a row; the first row of a table is its head. */
void grid_end(struct grid *grid);
void grid_end_head(struct grid *grid);
/* Adds a line below a table. */
void grid_note(struct grid *grid, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the larger of a width and a string's. */
int grid_widest(int width, const char *string);

#endif
