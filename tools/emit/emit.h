/* Writes a kernel's best configurations for other programs: a header for C11, C++17, CUDA and NVRTC, CMake variables,
 * JSON, or compiler options. */
#ifndef CUTUNE_EMIT_EMIT_H
#define CUTUNE_EMIT_EMIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/option.h"
#include "base/text.h"
#include "choose/selection.h"
#include "database/database.h"
#include "space/space.h"

struct emit_request {
    const char *kernel;         /* the rows' kernel, for comments */
    const char *prefix;         /* of every name; ERROR_USAGE unless a C identifier */
    struct option_list devices; /* devices whose rows to write: a name, or a part of it that no other device has, in any
                                   case; empty: all */
    struct option_list sizes;   /* "NAME=NUMBER" of the constants; others: the newest row's */
    const char *format;         /* one of emit_format_names */
    bool plain_macros; /* also TILE beside TRANSPOSE_TILE; the struct's members are then tuned_TILE, because the macro
                          would replace TILE. ERROR_USAGE if the format is not `header` */
    struct text *note; /* may be NULL. Receives a sentence if an output for one device and sizes is written from several
                          rows: its device and sizes, and the options that choose others. Also one about each of
                          `devices` without a row, and one about the default. Its text begins the sentence */
    const char *generation;    /* of the rows' file; NULL or "": unknown */
    const struct space *space; /* not bound; its launches become a function of the header. NULL: none */
};
/* "|header|cmake|json|flags"; an option row skips the leading `|`. */
extern const char emit_format_names[];

/* Appends the text, from `count` rows of one kernel in the database's order (by device, then problem) and `times`, as
 * for selection_build. Without a row, of a device or at all, takes the default of the space. The same input gives the
 * same bytes. ERROR_DATA for incompatible rows, ERROR_NOT_FOUND for a device without a row if there is no space,
 * ERROR_USAGE for one that matches several. `count` is at least 1 if there is no space. */
int emit_write(const struct best *const *rows, size_t count, const struct selection_time *times, size_t time_count,
               const struct emit_request *request, struct text *text, struct error *error);

#endif
