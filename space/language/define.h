/* Named expressions, and macros of the kernel's source. */
#ifndef CUTUNE_LANGUAGE_DEFINE_H
#define CUTUNE_LANGUAGE_DEFINE_H

#include "language/parser.h"

/* Reads `let NAME = EXPRESSION`. */
int parse_let(struct parser *parser);

/* Reads `define NAME`, where NAME is a problem size or a named expression above, or `define NAME = EXPRESSION`, which
 * also declares the name as `let` does. */
int parse_define(struct parser *parser);

/* Appends "-DNAME=VALUE" with its NUL and counts it. */
void define_macro(struct text *options, size_t *count, const char *name, const struct value *value);

/* Appends "-DNAME=VALUE" for each `define` of the space, as consecutive NUL-terminated strings, and adds their number
 * to *count. `own`: a step whose macros replace others; NULL: none. */
int define_options(const struct expr_inputs *inputs, const struct step *own, struct text *options, size_t *count,
                   struct error *error);

#endif
