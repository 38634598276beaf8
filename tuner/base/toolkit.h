/* The CUDA toolkit whose headers kernels are compiled with. */
#ifndef CUTUNE_BASE_TOOLKIT_H
#define CUTUNE_BASE_TOOLKIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Appends the toolkit's include folders, NUL-terminated, one after the other, and adds their number to *count: those of
 * $CUDA_HOME, else of $CUDA_PATH, else of the toolkit that cutune was built with, each with its cccl. Only folders that
 * exist. The headers of two toolkits do not mix. */
void toolkit_folders(struct text *folders, size_t *count);

/* Appends the options that say where the includes of the source `path` are looked for, NUL-terminated, and adds their
 * number to *count: "-I" with the source's own folder, then with each of the toolkit's. Options of a space come behind
 * them. */
void toolkit_options(const char *path, struct text *options, size_t *count);

#endif
