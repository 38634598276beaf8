/* Files of a space besides the space file itself, for hosts without them. */
#ifndef CUTUNE_LANGUAGE_FILES_H
#define CUTUNE_LANGUAGE_FILES_H

#include "space/space.h"

/* Notes a file that was read. When memory is out, does nothing: later calls report that. */
void space_note_file(struct space *space, const char *path);

/* Passes paths to `take`, as cutune would open them: of all files read while parsing (included spaces and sources,
 * without toolkit headers), then of all files read while measuring (of buffers and the library). Stops at a non-zero
 * result of `take` and returns it. */
int space_each_file(const struct space *space, int (*take)(void *context, const char *path, struct error *error),
                    void *context, struct error *error);

#endif
