/* The width to which text for people is broken. */
#ifndef CUTUNE_TERMINAL_WIDTH_H
#define CUTUNE_TERMINAL_WIDTH_H

enum { WIDTH_LEAST = 40, WIDTH_DEFAULT = 80, WIDTH_MOST = 120 };

/* $COLUMNS or, without a number there, the columns of the terminal that the descriptor is; 0: it is none. */
int terminal_columns(int descriptor);

/* The columns of standard output's lines; WIDTH_DEFAULT if it is not a terminal. Between WIDTH_LEAST and WIDTH_MOST,
 * beyond which lines are hard to read. */
int terminal_width(void);

#endif
