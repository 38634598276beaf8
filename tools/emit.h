/* The text of a tuned header: the table of a kernel's best configurations, the function that chooses among them, and
 * macros for one device. It compiles as C11, C++17 and CUDA; NVRTC sees the macros alone. */
#ifndef CUTUNE_TOOLS_EMIT_H
#define CUTUNE_TOOLS_EMIT_H

#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "db/database.h"

struct emit_request {
    const char *kernel; /* whose rows these are; for comments */
    const char *prefix; /* of every name in the header: a C identifier, else ERROR_USAGE */
    const char *device; /* whose newest row the macros are: its name or a part that no other device has, in any case;
                           NULL: the newest row of all */
};

/* Appends the header for `count` (at least 1) rows of one kernel in the database's order (by device, then problem). The
 * same rows give
 * the same bytes. Rows whose parameters or sizes have different names are ERROR_DATA, a device that is none of theirs
 * ERROR_NOT_FOUND, one that fits several ERROR_USAGE. */
int emit_header(const struct best *const *rows, size_t count, const struct emit_request *request, struct text *text,
                struct error *error);

#endif
