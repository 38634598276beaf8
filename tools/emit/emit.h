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

/* A kernel and its results. */
struct emit_kernel {
    const char *name;
    const struct best *const *rows;     /* of this kernel in the database's order (by device, then problem) */
    size_t count;                       /* at least 1 if there is no space */
    const struct selection_time *times; /* as for selection_build */
    size_t time_count;
    const struct space *space; /* not bound; its launches become functions of the header. NULL: none */
};

struct emit_request {
    const struct emit_kernel *kernels;
    size_t kernel_count; /* 1 unless `together` */
    bool together;       /* one header for all kernels. Its shared code is there once, as cutune_tuned_NAME, or as
                            PREFIX_tuned_NAME; a prefix then precedes the kernels' names. ERROR_USAGE for other formats
                            and with plain_macros */
    const char *prefix;  /* of every name; ERROR_USAGE unless a C identifier. NULL: the kernel's name */
    struct option_list devices; /* devices whose rows to write: a name, or a part of it that no other device has, in any
                                   case; empty: all */
    struct option_list sizes;   /* "NAME=NUMBER" of the constants; others: the newest row's */
    const char *format;         /* one of emit_format_names */
    bool plain_macros; /* also TILE beside TRANSPOSE_TILE; the struct's members are then tuned_TILE, because the macro
                          would replace TILE. ERROR_USAGE if the format is not `header` */
    struct text *note; /* may be NULL. Receives a sentence if an output for one device and sizes is written from several
                          rows: its device and sizes, and the options that choose others. Also one about each of
                          `devices` without a row, and one about the default, written or missing. Its text begins the
                          sentence */
    const char *generation; /* of the rows' file; NULL or "": unknown */
};
/* "|header|cmake|json|flags"; an option row skips the leading `|`. */
extern const char emit_format_names[];

/* Precedes the hash of a kernel's rows and space in a header's comment. */
#define EMIT_HASH_MARK "Rows, space and options: "
/* Compares the hashes in two headers. ERROR_DATA, with what to do, if those of `path`, whose text is `old`, are not
 * those of `fresh`, and if there are none. */
int emit_compare(const char *path, const struct text *old, const struct text *fresh, struct error *error);

/* Appends the text. Without a row, of a device or at all, takes the default of the space. The same input gives the same
 * bytes. ERROR_DATA for incompatible rows, ERROR_NOT_FOUND for a device without a row if there is no space, ERROR_USAGE
 * for one that matches several. */
int emit_write(const struct emit_request *request, struct text *text, struct error *error);

#endif
