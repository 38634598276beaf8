/* Finds the files that a compilation may read, as NVRTC finds them. Used by the cubin cache, the fingerprint of a
 * kernel's source, and the check which parameters occur in it.
 *
 * Search order of NVRTC (tests/unit/compile/test_includes.c compares): A quoted name is looked up in the folder of the
 * including file (as its path is spelled; links are not followed), then in the folders of the options. A name in
 * angle brackets is looked up in the folders of the options only. The search of #include_next continues behind the
 * folder of the including file. A file of -include is looked up first in the folder that NVRTC runs in. Directories
 * do not count as files. Environment variables have no influence. */
#ifndef CUTUNE_BASE_INCLUDES_H
#define CUTUNE_BASE_INCLUDES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/text.h"

enum { INCLUDES_MAX = 1 << 15, INCLUDES_DEPTH_MAX = 1000, INCLUDES_BYTES_MAX = 64 << 20 };

/* A file that the compilation may read. Everything is borrowed and valid during the call only. */
struct included {
    const char *path; /* where it was found */
    const char *name; /* as written in the directive or option; "" for the source itself */
    const char *text;
    size_t length;
    bool toolkit; /* a header of the toolkit */
};

/* A directive that finds a file; valid as above. */
struct included_link {
    const char *from; /* path of the file with the directive; of an option: the compiler's folder */
    size_t at;        /* offset of the name in that file's text; 0: in an option */
    const char *path; /* where the file was found */
    dev_t device;
    ino_t inode;
    bool beside; /* in the folder of `from`, not in one of an option */
};

struct includes {
    const char *path, *source; /* the source's path and text */
    size_t length;
    const char *folder;  /* in which the compiler runs: relative paths in options begin there. It ends in '/'; NULL or
                            "": the working directory */
    const char *options; /* all compiler options: consecutive NUL-terminated strings */
    size_t option_count;
    /* Called once for each file. A result other than 0 ends the scan. */
    int (*take)(void *context, const struct included *file, struct error *error);
    /* NULL, or called for each directive that finds a file, also one that was found before; questions such as
     * __has_include are no directives. */
    int (*link)(void *context, const struct included_link *link, struct error *error);
    void *context;
    struct text unknown; /* owned by the caller: why the files cannot be determined, "FILE:LINE: reason"; empty: all
                            found */
};

/* Passes the source and all files that it may include to `take`, an including file before its included ones. Ignores
 * conditions: a file in any branch counts. Skips files that do not exist. Fills `unknown` when a directive outside
 * the toolkit takes its name from a macro, a file cannot be read, an option makes NVRTC read other files, or a limit
 * above is exceeded. Returns the result of `take`, or ERROR_MEMORY. */
int includes_scan(struct includes *includes, struct error *error);

/* True if the option, or the one before it, names include folders or included files. */
bool includes_option(const char *option);

/* Returns the path in an option that names an include folder or, if not *is_folder, an included file: "inc" in
 * "-Iinc" and in "--include-path=inc", "" if the next option is the path. NULL for any other option. */
const char *includes_path(const char *option, bool *is_folder);

#endif
