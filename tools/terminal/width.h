/* The width to which text for people is broken. */
#ifndef CUTUNE_TERMINAL_WIDTH_H
#define CUTUNE_TERMINAL_WIDTH_H

enum { WIDTH_LEAST = 40, WIDTH_DEFAULT = 80, WIDTH_MOST = 120 };

/* Characters of a line: $COLUMNS or, without a number there, the width of the terminal that standard output is; else
 * WIDTH_DEFAULT. Between WIDTH_LEAST and WIDTH_MOST, beyond which lines are hard to read. */
int terminal_width(void);

#endif
