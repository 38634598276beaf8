/* Syntax files of editors for the space language, made from the tables of its statements, clauses, types, functions and
 * device limits: a word that a table gains is highlighted. */
#ifndef CUTUNE_MANUAL_SYNTAX_H
#define CUTUNE_MANUAL_SYNTAX_H

#include "base/text.h"

/* A format of syntax files. `write` appends the whole file; the text records a lack of memory. */
struct syntax_format {
    const char *name; /* as an argument of `cutune syntax` */
    void (*write)(struct text *text);
};
extern const struct syntax_format syntax_formats[];
extern const size_t syntax_format_count;
/* Their names, "vim|textmate". */
#define SYNTAX_FORMATS "vim|textmate"

#endif
