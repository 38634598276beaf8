/* The CUDA toolkit whose headers the kernels are compiled with. */
#ifndef CUTUNE_BASE_TOOLKIT_H
#define CUTUNE_BASE_TOOLKIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Appends the toolkit's include folders as consecutive NUL-terminated strings and adds their number to *count. Takes
 * the folders of $CUTUNE_CUDA_INCLUDE, separated by ':'. Without it, takes the toolkit of $CUDA_HOME, else of
 * $CUDA_PATH, else the one that cutune was built with, else one of the same major version in its usual place. Adds the
 * cccl of each, skips missing folders, and never mixes the headers of two toolkits. */
void toolkit_folders(struct text *folders, size_t *count);

/* Appends the possible paths of the toolkit's library `name`, in the same order, as consecutive NUL-terminated
 * strings and adds their number to *count. */
void toolkit_libraries(const char *name, struct text *paths, size_t *count);

/* Appends the possible paths of the toolkit's program `name`, in the same order and then in the folders of $PATH. */
void toolkit_programs(const char *name, struct text *paths, size_t *count);

/* Appends the include options of the source `path` as consecutive NUL-terminated strings and adds their number to
 * *count: "-I" with the source's own folder, then with each of the toolkit's. The options of a space follow them. */
void toolkit_options(const char *path, struct text *options, size_t *count);
/* Likewise, but only the first option: the source's own folder. */
void toolkit_source_option(const char *path, struct text *options, size_t *count);

#endif
