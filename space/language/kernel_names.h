/* Kernel names in a space, and the check that the sources have these kernels. */
#ifndef CUTUNE_LANGUAGE_KERNEL_NAMES_H
#define CUTUNE_LANGUAGE_KERNEL_NAMES_H

#include "space/space.h"

/* Finds the identifier in a kernel's name expression: "f" in "f", "f<int>", "ns::f<int>" and "(void (*)(int *))f". */
void kernel_symbol(const char *kernel, const char **symbol, size_t *length);

/* Collects the kernels of the steps and of the reference; call it before the sources are read. */
int kernel_names_begin(struct space *space, struct error *error);

/* Notes that an identifier occurs in a file that is compiled alone, or, with NULL, in the kernel's source; `name` NULL:
 * any may occur. */
void kernel_names_mark(struct space *space, const char *name, size_t length, const struct kernel_file *alone);

/* Adds a hint: a function of the source with a similar name, or else the given hint. */
void kernel_names_suggest(const char *source, const char *symbol, size_t length, struct error *error);

#endif
