/* Diagnoses a file that cannot be read: one answer about the whole file instead of a symptom in one of its lines.
 * For files that people edit, merge, convert and send. */
#ifndef CUTUNE_BASE_DAMAGE_H
#define CUTUNE_BASE_DAMAGE_H

#include <stddef.h>

#include "base/error.h"

/* The expected kind of the file. */
enum damage_role {
    DAMAGE_SPACE = 1,
    DAMAGE_DATABASE = 2,
    DAMAGE_JOURNAL = 4,
    DAMAGE_LIMITS = 8,
    DAMAGE_TABLE = 16, /* any other CSV */
    DAMAGE_JSON = 32,
    DAMAGE_NPY = 64
};

/* Call it after reading the file has failed with `code`. Replaces the error, if the damage is known, by one with the
 * same code that names the damage, its line and the cure. Returns `code`. */
int damage_explain(enum damage_role role, const char *path, const char *text, size_t length, int code,
                   struct error *error);
/* The same for a regular file whose text is not in memory. */
int damage_explain_file(enum damage_role role, const char *path, int code, struct error *error);

#endif
