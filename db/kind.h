/* What a file is, by its first bytes: commands take journals and databases alike, and write neither over by accident.
 */
#ifndef CUTUNE_DB_KIND_H
#define CUTUNE_DB_KIND_H

#include "base/error.h"

enum file_kind {
    KIND_OTHER, /* an empty file, too */
    KIND_JOURNAL,
    KIND_DATABASE
};

/* ERROR_NOT_FOUND when there is no such file, ERROR_IO when it cannot be read. */
int kind_find(const char *path, enum file_kind *kind, struct error *error);

#endif
