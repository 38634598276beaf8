#include "session/limits_cache.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/regular.h"

enum { FILE_BYTES_MAX = 1 << 16 };

/* Finds the folder. False: no variable names it, or its path is too long. */
static bool find_folder(char folder[PATH_MAX])
{
    static const struct {
        const char *variable, *below;
    } places[] = {{"XDG_STATE_HOME", "/cutune"}, {"HOME", "/.local/state/cutune"}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *value = getenv(places[i].variable);
        if (value && *value == '/')
            return snprintf(folder, PATH_MAX, "%s%s", value, places[i].below) < PATH_MAX;
    }
    return false;
}

static bool find_file(const char *name, char folder[PATH_MAX], char path[PATH_MAX])
{
    if (!find_folder(folder) || snprintf(path, PATH_MAX, "%s/device-%s", folder, name) >= PATH_MAX)
        return false;
    for (char *at = path + strlen(folder) + 1; *at; at++)
        if (*at == '/') /* part of the names of MIG instances */
            *at = '_';
    return true;
}

/* Makes a file's contents: a hash of the rest, the version of packed data, the limits. */
static bool make_contents(const struct device_limits *limits, struct text *contents)
{
    char hash[HASH_HEX_BYTES];
    struct text rest = {0};
    pack_u64(&rest, PACK_VERSION);
    pack_struct(&rest, &device_limits_table, limits);
    hash_hex(text_string(&rest), rest.length, hash);
    text_append(contents, hash, sizeof hash);
    text_append(contents, text_string(&rest), rest.length);
    contents->failed |= rest.failed;
    text_free(&rest);
    return !contents->failed;
}

bool limits_cache_load(const char *name, struct device_limits *limits)
{
    char folder[PATH_MAX], path[PATH_MAX], hash[HASH_HEX_BYTES];
    struct text text = {0};
    bool good = find_file(name, folder, path) && regular_read(path, FILE_BYTES_MAX, &text) == REGULAR_READ &&
                text.length > sizeof hash;
    if (good) {
        const char *rest = text.bytes + sizeof hash;
        size_t length = text.length - sizeof hash;
        struct unpack unpack = unpack_start(rest, length);
        hash_hex(rest, length, hash);
        good = memcmp(hash, text.bytes, sizeof hash) == 0 && unpack_u64(&unpack) == PACK_VERSION &&
               unpack_struct(&unpack, &device_limits_table, limits) && unpack_finished(&unpack);
    }
    text_free(&text);
    return good;
}

void limits_cache_store(const char *name, const struct device_limits *limits)
{
    char folder[PATH_MAX], path[PATH_MAX];
    struct text contents = {0}, there = {0};
    if (find_file(name, folder, path) && make_contents(limits, &contents) &&
        (regular_read(path, FILE_BYTES_MAX, &there) != REGULAR_READ || there.length != contents.length ||
         memcmp(there.bytes, contents.bytes, contents.length) != 0) &&
        !file_make_folder(folder, NULL))
        file_replace(path, contents.bytes, contents.length, NULL);
    text_free(&contents);
    text_free(&there);
}

bool limits_cache_matches(const struct device_limits *a, const struct device_limits *b)
{
    bool alike = strcmp(a->name, b->name) == 0;
    for (size_t i = 0; i < limit_count && alike; i++)
        alike = limit_get(a, &limit_rows[i]) == limit_get(b, &limit_rows[i]);
    return alike;
}
