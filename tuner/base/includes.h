/* The files that a compilation may read, found as NVRTC finds them. One reading for all who ask: the cubin cache, the
 * fingerprint of a kernel's source, and which parameters occur in it.
 *
 * NVRTC's order, which tests/compile/test_includes.c holds against NVRTC itself: a name in quotes is looked for in the
 * folder of the file that includes it (as its path is spelled; links are not followed), then in the folders of the
 * options; a name in angle brackets in the folders of the options alone; #include_next goes on behind the folder in
 * which the file that has it was found. A file of the option -include is looked for in the working folder first.
 * Folders are passed over, environment variables are not asked. */
#ifndef CUTUNE_BASE_INCLUDES_H
#define CUTUNE_BASE_INCLUDES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

enum { INCLUDES_MAX = 1 << 15, INCLUDES_DEPTH_MAX = 1000, INCLUDES_BYTES_MAX = 64 << 20 };

/* A file that the compilation may read; everything is borrowed for the time of the call. */
struct included {
    const char *path; /* where it was found */
    const char *name; /* as the directive or the option has it; "" for the source itself */
    const char *text;
    size_t length;
    bool toolkit; /* a header of the toolkit */
};

struct includes {
    const char *path, *source; /* of the source, and its text */
    size_t length;
    const char *options; /* all of the compiler's, NUL-terminated strings one after the other */
    size_t option_count;
    int (*take)(void *context, const struct included *file, struct error *error); /* each file once; not 0: the end */
    void *context;
    struct text unknown; /* owned by the caller: why not all files can be determined, "FILE:LINE: reason"; empty: all
                            files were found */
};

/* Hands the source and all files that it may include to `take`, each before those that it includes in turn. Conditions
 * are not evaluated: a file counts in whichever branch it is included, and one that does not exist is passed over.
 * `unknown` is filled when a directive of a file outside the toolkit gets its name from a macro, a file cannot be read,
 * an option makes NVRTC read files of its own, or one of the limits above is passed. Returns what `take` returned, or
 * ERROR_MEMORY. */
int includes_scan(struct includes *includes, struct error *error);

/* Does the option, or the one behind it, say where files are looked for or which are included? */
bool includes_option(const char *option);

#endif
