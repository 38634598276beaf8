/* Text for people as a terminal shows it best: labels in colour, and lines that break between words. */
#ifndef CUTUNE_TERMINAL_PROSE_H
#define CUTUNE_TERMINAL_PROSE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Kinds of words, most with a colour of their own. The lines of a command end with a backslash, so that a shell takes
 * them together. */
enum mark { MARK_NONE, MARK_COMMAND, MARK_LABEL, MARK_STRONG, MARK_GOOD, MARK_BAD };

/* Zeroed: no colours, and lines of any length. */
struct prose {
    bool colour;
    size_t width;  /* columns of a line; 0: lines are not broken */
    size_t column; /* of the values, behind their labels */
};

/* Returns the prose for a descriptor: on a terminal, colours as output_colour says, and lines as long as
 * terminal_columns says; elsewhere neither, because programs read it. */
struct prose prose_of(int descriptor, size_t column);

/* Appends a string in the colour of its kind. */
void prose_mark(const struct prose *prose, enum mark mark, const char *string, struct text *out);

/* Appends a line "label  value", and further lines for a long value. Control characters become spaces: texts from files
 * must not control the terminal. */
void prose_fact(const struct prose *prose, struct text *out, const char *label, enum mark mark, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
void prose_vfact(const struct prose *prose, struct text *out, const char *label, enum mark mark, const char *format,
                 va_list arguments) __attribute__((format(printf, 5, 0)));

/* Appends lines, and breaks long ones. The rest of a line is indented by two columns more than the line. */
void prose_lines(const struct prose *prose, const char *lines, struct text *out);

#endif
