/* Reads a device from a file of `cutune devices --format csv`, for planning without that device. Lines that start
 * with '#' before the header are comments (they name the source of the numbers). */
#ifndef CUTUNE_DATABASE_LIMITS_FILE_H
#define CUTUNE_DATABASE_LIMITS_FILE_H

#include <stddef.h>

#include "base/error.h"
#include "base/limits.h"

/* Reads the file's device. Columns are found by name: `name` and every limit of base/limits.def are required,
 * `driver`, `cuda` ("13.0") and `device` optional; other columns are ERROR_DATA. Rows with different device names
 * are, too; the first of several rows with one name counts. Errors state the line. */
int limits_read(const char *path, struct device_limits *limits, struct error *error);

/* Reads the same from memory, for tests and fuzzing. */
int limits_parse(const char *path, const char *text, size_t length, struct device_limits *limits, struct error *error);

#endif
