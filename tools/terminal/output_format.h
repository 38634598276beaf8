/* A format of results: one file format_NAME.c and one row in output_formats.def. */
#ifndef CUTUNE_TERMINAL_OUTPUT_FORMAT_H
#define CUTUNE_TERMINAL_OUTPUT_FORMAT_H

#include "terminal/output.h"

struct output_format {
    const char *name;
    bool people; /* people read it: a few members of a row, in prose where that is better, instead of all */
    bool nested; /* a row may hold objects and arrays */
    /* Appends the rows, a cJSON array of objects with the same members. `vertical`: a line per member, where the format
     * has such a shape. Out of memory shows in `out`. */
    void (*write)(const cJSON *rows, bool vertical, struct text *out);
};

/* Appends what a cell shows. People get six digits of a number, programs all. */
void output_cell(struct text *text, const cJSON *item, bool people);
bool output_is_number(const cJSON *item);

#endif
