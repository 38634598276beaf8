/* The files that a space consists of, besides the space file itself: for hosts that have none of them. */
#ifndef CUTUNE_SPACE_FILES_H
#define CUTUNE_SPACE_FILES_H

#include "space/space.h"

/* Notes a file that was read. Does nothing when memory is out, which other calls tell. */
void space_note_file(struct space *space, const char *path);

/* Passes the paths of all files that parsing read (included spaces and sources, without headers of the toolkit) and
 * that measuring will read (of buffers and of the library) to `take`, whose result other than 0 ends this and is
 * returned. Paths are as cutune would open them. */
int space_each_file(const struct space *space, int (*take)(void *context, const char *path, struct error *error),
                    void *context, struct error *error);

#endif
