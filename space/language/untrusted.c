#include "language/untrusted.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

#define ADVICE "read the file; if you trust it like a program, leave out --untrusted (CUTUNE_UNTRUSTED)"

int untrusted_refuse(struct parser *parser, const struct token *token, const char *what, const char *cause)
{
    if (!parser->space->private->untrusted)
        return 0;
    int code = parser_error(parser, token, ERROR_DATA, "an untrusted space cannot have %s: %s", what, cause);
    error_hint(parser->error, ADVICE);
    return code;
}

/* ---- Options ---- */

/* Names without their dashes: compilers accept most of them with one or two. An option missing here might read, write
 * or run a file, in this version of the compiler or in a later one. */
static const char *const compiler_options[] = {
    "define-macro",
    "include-path",
    "undefine-macro",
    "std",
    "maxrregcount",
    "use_fast_math",
    "fmad",
    "ftz",
    "prec-div",
    "prec-sqrt",
    "extra-device-vectorization",
    "restrict",
    "lineinfo",
    "generate-line-info",
    "G",
    "device-debug",
    "dopt",
    "default-device",
    "device-as-default-execution-space",
    "device-int128",
    "device-float128",
    "w",
    "disable-warnings",
    "diag-error",
    "diag-suppress",
    "diag-warn",
    "builtin-move-forward",
    "builtin-initializer-list",
    "no-source-include",
    "modify-stack-limit",
    "minimal",
    "split-compile",
    "fast-compile",
    "Ofast-compile",
};
static const char *const ptxas_options[] = {
    "O0",
    "O1",
    "O2",
    "O3",
    "opt-level",
    "dlcm",
    "dscm",
    "def-load-cache",
    "def-store-cache",
    "v",
    "verbose",
    "w",
    "disable-warnings",
    "Werror",
    "warning-as-error",
    "warn-spills",
    "warn-on-spills",
    "warn-lmem-usage",
    "warn-on-local-memory-usage",
    "warn-double-usage",
    "warn-on-double-precision-use",
    "allow-expensive-optimizations",
    "register-usage-level",
    "maxrregcount",
    "fmad",
    "disable-optimizer-constants",
    "optimize-float-atomics",
};
static const char *const ptxas_prefixes[] = {"-Xptxas=", "--Xptxas=", "-ptxas-options=", "--ptxas-options="};

static size_t dashes(const char *text)
{
    size_t count = strspn(text, "-");
    return count > 2 ? 0 : count;
}

static bool is_listed(const char *const *names, size_t count, const char *text, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i]) == length && memcmp(names[i], text, length) == 0)
            return true;
    return false;
}

/* Options of ptxas, separated by commas. A value completes the last one: -dlcm= or -O. */
static bool is_ptxas_list(const char *text, bool valued)
{
    for (;; text++) {
        size_t length = strcspn(text, ","), start = dashes(text), name = strcspn(text + start, "=,");
        bool last = !text[length], whole = start + name < length;
        bool level = last && valued && strcmp(text, "-O") == 0;
        bool good = start && is_listed(ptxas_options, sizeof ptxas_options / sizeof *ptxas_options, text + start, name);
        if (!level && (!good || (last && valued && !whole)))
            return false;
        if (last)
            return true;
        text += length;
    }
}

static bool is_harmless(const char *text, bool valued)
{
    for (size_t i = 0; i < sizeof ptxas_prefixes / sizeof *ptxas_prefixes; i++)
        if (strncmp(text, ptxas_prefixes[i], strlen(ptxas_prefixes[i])) == 0)
            return is_ptxas_list(text + strlen(ptxas_prefixes[i]), valued);
    if (text[0] == '-' && text[1] && strchr("DIU", text[1]))
        return text[2] || valued; /* else the next option would be its value */
    size_t start = dashes(text), name = strcspn(text + start, "=");
    return start && (!valued || text[start + name]) &&
           is_listed(compiler_options, sizeof compiler_options / sizeof *compiler_options, text + start, name);
}

int untrusted_option(struct parser *parser, const struct token *token, const char *text, bool valued)
{
    if (is_harmless(text, valued))
        return 0;
    char what[128];
    snprintf(what, sizeof what, "the option '%.60s'", text);
    return untrusted_refuse(parser, token, what, "it is not known to be free of reading, writing and running files");
}

/* ---- Files ---- */

static bool leaves_by_name(const char *path)
{
    bool leaves = path[0] == '/';
    for (const char *part = path; part; part = strchr(part, '/')) {
        part += *part == '/';
        leaves |= strncmp(part, "..", 2) == 0 && (part[2] == '/' || !part[2]);
    }
    return leaves;
}

/* A file that does not exist is judged by its name. */
static bool is_inside(const struct space *space, const char *path)
{
    char name[PATH_MAX], folder[PATH_MAX], file[PATH_MAX];
    size_t length = file_folder_length(space->path);
    snprintf(name, sizeof name, "%.*s", (int)length, space->path);
    if (!realpath(length ? name : ".", folder))
        return false;
    if (!realpath(path, file))
        return strncmp(path, space->path, length) == 0 && !leaves_by_name(path + length);
    length = strlen(folder);
    return strncmp(file, folder, length) == 0 && (file[length] == '/' || folder[length - 1] == '/');
}

int untrusted_path(struct parser *parser, const struct token *token, const char *path)
{
    return is_inside(parser->space, path)
               ? 0
               : untrusted_refuse(parser, token, "this file", "it is outside of the folder of the space file");
}

int untrusted_included(const struct space *space, const char *path, struct error *error)
{
    if (!space->private->untrusted || is_inside(space, path))
        return 0;
    error_set(error, ERROR_DATA, "an untrusted source cannot include %s: it is outside of the folder of the space file",
              path);
    error_hint(error, ADVICE);
    return ERROR_DATA;
}

int untrusted_unknown(const struct space *space, const char *why, struct error *error)
{
    if (!space->private->untrusted)
        return 0;
    error_set(error, ERROR_DATA, "the files of an untrusted source must be known: %s", why);
    error_hint(error, ADVICE);
    return ERROR_DATA;
}
