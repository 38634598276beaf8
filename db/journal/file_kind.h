/* Distinguishes files by their first bytes: commands accept journals and databases alike, and overwrite neither by
 * accident. */
#ifndef CUTUNE_JOURNAL_FILE_KIND_H
#define CUTUNE_JOURNAL_FILE_KIND_H

#include "base/error.h"

enum file_kind {
    FILE_KIND_OTHER, /* including an empty file */
    FILE_KIND_JOURNAL,
    FILE_KIND_DATABASE
};

/* ERROR_NOT_FOUND if the file is missing, ERROR_IO if it cannot be read. */
int file_kind_find(const char *path, enum file_kind *kind, struct error *error);

#endif
