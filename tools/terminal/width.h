/* Width of text for people. */
#ifndef CUTUNE_TERMINAL_WIDTH_H
#define CUTUNE_TERMINAL_WIDTH_H

enum { WIDTH_LEAST = 40, WIDTH_DEFAULT = 80, WIDTH_MOST = 120 };

/* Returns $COLUMNS or, without a number there, the columns of the descriptor's terminal; 0: not a terminal. */
int terminal_columns(int descriptor);

/* Returns the columns of standard output's lines; WIDTH_DEFAULT if it is not a terminal. Between WIDTH_LEAST and
 * WIDTH_MOST, beyond which lines are hard to read. */
int terminal_width(void);

#endif
