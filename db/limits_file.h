/* A device in a file: what `cutune devices --format csv` writes, for planning where that device is not. Lines that
 * start with '#' before the header are remarks (where the numbers are from). */
#ifndef CUTUNE_DB_LIMITS_FILE_H
#define CUTUNE_DB_LIMITS_FILE_H

#include <stddef.h>

#include "base/error.h"
#include "base/limits.h"

/* Reads the file's device. The columns are found by name: `name` and every limit of base/limits.def must be there and
 * have a value, `driver`, `cuda` ("13.0") and `device` may be; others are ERROR_DATA, and so are rows of devices with
 * different names; of several with the same name the first counts. Errors have the line. */
int limits_read(const char *path, struct device_limits *limits, struct error *error);

/* The same from memory, for tests and fuzzing. */
int limits_parse(const char *path, const char *text, size_t length, struct device_limits *limits, struct error *error);

#endif
