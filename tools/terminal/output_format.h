/* A format of results: one file format_NAME.c and one row in output_formats.def. */
#ifndef CUTUNE_TERMINAL_OUTPUT_FORMAT_H
#define CUTUNE_TERMINAL_OUTPUT_FORMAT_H

#include "terminal/output.h"
#include "terminal/prose.h"

struct output_format {
    const char *name;
    bool people; /* for people: selected members of a row, rounded */
    bool prose;  /* for a terminal: lines of text where they are clearer than a table */
    bool nested; /* a row may hold objects and arrays */
    /* Appends the rows, a cJSON array of objects with the same members. `vertical`: one line per member, if the format
     * supports it. `prose`: how a format for a terminal writes. `out` records a lack of memory. */
    void (*write)(const cJSON *rows, bool vertical, const struct prose *prose, struct text *out);
};

/* Appends the text of a cell: numbers have six digits for people, all digits for programs. */
void output_cell(struct text *text, const cJSON *item, bool people);
bool output_is_number(const cJSON *item);

#endif
