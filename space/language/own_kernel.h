/* Kernels that cutune itself launches, with the default configuration: those that fill buffers, and the `accept`
 * kernel. */
#ifndef CUTUNE_LANGUAGE_OWN_KERNEL_H
#define CUTUNE_LANGUAGE_OWN_KERNEL_H

#include "language/parser.h"

/* Reads the kernel's name expression, and its file if one follows, into a new own_kernel of the space. */
int own_kernel_parse(struct parser *parser, struct own_kernel **own);

/* Iterates over these kernels: *at is 0 at first; NULL: the end. A kernel that fills belongs to buffer *at - 1. */
struct own_kernel *own_kernel_next(const struct space *space, size_t *at);

/* Notes that an identifier occurs in a file, as kernel_names_mark does. */
void own_kernels_mark(struct space *space, const char *name, size_t length, const struct kernel_file *alone);
/* Checks that their sources have all these kernels; else ERROR_SYNTAX at the place of the name. */
int own_kernels_check(const struct space *space, struct error *error);

/* Reads the statement `accept`; the check follows once all statements are read. */
int parse_accept(struct parser *parser);
int accept_check(struct parser *parser);

#endif
