/* Within a compiler process: the files that compilations include, read once for many compilations that differ only
 * in their macros. */
#ifndef CUTUNE_COMPILE_INCLUDE_CACHE_H
#define CUTUNE_COMPILE_INCLUDE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "compile/compile_reply.h"

/* The files found last. Zeroed: none yet. */
struct include_cache {
    struct text question; /* identifies the source and the options that locate files */
    struct text digest;   /* path and hash of each file */
    struct text paths;    /* of the files outside the toolkit and their folders, NUL-terminated */
    struct text states;   /* of the same files: differ if a file has changed */
    struct text included; /* texts of the files outside the toolkit except the source, NUL-terminated */
    size_t included_count;
    uint64_t hidden; /* headers.h: the user has a file of that name */
    bool known;      /* all files were determined */
};

/* Appends path and hash of every file that the compilation may read to `digest`. Reuses the last result if the
 * question is the same and no file outside the toolkit, nor a folder with one, has changed since, unless `anew`.
 * False if the files cannot be determined. */
bool include_cache_append(struct include_cache *include_cache, const struct request *request, bool anew,
                          struct text *digest);

/* The headers of headers.h to hide from NVRTC, because the compilation finds a file of the user's by that name. The
 * toolkit's files do not count: its cuda.h declares functions of the host. */
uint64_t include_cache_hidden(struct include_cache *include_cache, const struct request *request);

/* The texts of all files outside the toolkit that the compilation may include: consecutive NUL-terminated strings,
 * valid until the next question. NULL if the files cannot be determined. */
const char *include_cache_included(struct include_cache *include_cache, const struct request *request, size_t *count);

void include_cache_free(struct include_cache *include_cache);

#endif
