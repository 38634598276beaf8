/* Says if a header is out of date. */
#include <string.h>

#include "base/hash.h"
#include "emit/emit.h"

/* Appends the hashes of a header. */
static void find_hashes(const struct text *header, struct text *hashes)
{
    const char *at = text_string(header);
    while ((at = strstr(at, EMIT_HASH_MARK))) {
        at += strlen(EMIT_HASH_MARK);
        text_append(hashes, at, strnlen(at, HASH_HEX_BYTES - 1));
    }
}

int emit_compare(const char *path, const struct text *old, const struct text *fresh, struct error *error)
{
    struct text had = {0}, has = {0};
    int code = 0;
    find_hashes(old, &had);
    find_hashes(fresh, &has);
    if (had.failed || has.failed) {
        code = error_memory(error);
    } else if (!had.length) {
        code = error_set(error, ERROR_DATA,
                         "%s has no hash of its rows: it is not a header that this version of cutune wrote", path);
        error_hint(error, "write it with the same options and -o %s in place of --check", path);
    } else if (strcmp(text_string(&had), text_string(&has)) != 0) {
        code = error_set(error, ERROR_DATA, "%s is out of date: its rows, its space or the options have changed", path);
        error_hint(error, "write it with the same options and -o %s in place of --check", path);
    }
    text_free(&had);
    text_free(&has);
    return code;
}
