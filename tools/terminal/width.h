/* Width of text for people. */
#ifndef CUTUNE_TERMINAL_WIDTH_H
#define CUTUNE_TERMINAL_WIDTH_H

#include <stddef.h>

enum { WIDTH_LEAST = 40, WIDTH_DEFAULT = 80, WIDTH_MOST = 120 };

/* Returns $COLUMNS or, without a number there, the columns of the descriptor's terminal; 0: not a terminal. */
int terminal_columns(int descriptor);

/* Returns the columns of standard output's lines; WIDTH_DEFAULT if it is not a terminal. Between WIDTH_LEAST and
 * WIDTH_MOST, beyond which lines are hard to read. */
int terminal_width(void);

struct text;
/* Appends words, of which the first begins at the column `at`. Breaks lines before `width` between words (0: never),
 * and indents further lines to `column`. */
void terminal_wrap(struct text *text, size_t width, size_t at, size_t column, const char *words);

#endif
