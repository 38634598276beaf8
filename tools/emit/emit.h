/* A kernel's best configurations as other programs read them: a header for C11, C++17, CUDA and NVRTC, variables of
 * CMake, JSON, or options of a compiler. */
#ifndef CUTUNE_EMIT_EMIT_H
#define CUTUNE_EMIT_EMIT_H

#include <stddef.h>

#include "base/error.h"
#include "base/option.h"
#include "base/text.h"
#include "db/database.h"
#include "db/selection.h"

struct emit_request {
    const char *kernel;         /* whose rows these are; for comments */
    const char *prefix;         /* of every name: a C identifier, else ERROR_USAGE */
    struct option_list devices; /* only rows of these: a name, or a part of it that no other device has, in any case;
                                   empty: all */
    struct option_list sizes;   /* "NAME=NUMBER" of those that the constants (macros, variables, flags) are for; of the
                                   others, the newest row's */
    const char *format;         /* one of emit_format_names */
};
/* "header|cmake|json|flags", for an option row; in front of it stands a `|`. */
extern const char emit_format_names[];

/* Appends what is asked for, from `count` (at least 1) rows of one kernel in the database's order (by device, then
 * problem) and `times`, as for selection_build. The same input gives the same bytes. ERROR_DATA for rows that do not go
 * together, ERROR_NOT_FOUND for a device that is none of theirs, ERROR_USAGE for one that fits several. */
int emit_write(const struct best *const *rows, size_t count, const struct selection_time *times, size_t time_count,
               const struct emit_request *request, struct text *text, struct error *error);

#endif
