/* Kernels of the source that cutune itself launches, with the default configuration: the kernels that fill buffers, and
 * the `accept` kernel. */
#ifndef CUTUNE_LANGUAGE_OWN_KERNEL_H
#define CUTUNE_LANGUAGE_OWN_KERNEL_H

#include "language/parser.h"

/* Reads the kernel's name expression into a new own_kernel of the space. */
int own_kernel_parse(struct parser *parser, struct own_kernel **own);

/* Iterates over these kernels: *at is 0 at first; NULL: the end. A kernel that fills belongs to buffer *at - 1. */
struct own_kernel *own_kernel_next(const struct space *space, size_t *at);

/* Notes that an identifier occurs in the kernel's source; NULL: any may occur. */
void own_kernels_mark(struct space *space, const char *name, size_t length);
/* Checks that the source has all these kernels; else ERROR_SYNTAX at the place of the name. */
int own_kernels_check(const struct space *space, struct error *error);

/* Reads the statement `accept`; the check follows once all statements are read. */
int parse_accept(struct parser *parser);
int accept_check(struct parser *parser);

#endif
