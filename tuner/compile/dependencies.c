#include "compile/dependencies.h"

#include <string.h>
#include <sys/stat.h>

/* Appends the word at `at` and returns its end. A backslash quotes the next character, and $$ is $. */
static const char *append_word(const char *at, struct text *paths)
{
    for (; *at && !strchr(" \t\n", *at); at++) {
        if (at[0] == '\\' && at[1] == '\n')
            break;
        if ((at[0] == '\\' && at[1] && strchr(" #\\", at[1])) || (at[0] == '$' && at[1] == '$'))
            at++;
        text_append(paths, at, 1);
    }
    text_append(paths, "", 1);
    return at;
}

bool dependencies_read(const char *rule, const char *folder, struct text *paths)
{
    static const char colon[] = ": ";
    size_t folder_length = strlen(folder);
    const char *at = strstr(rule, colon);
    if (!at)
        return false;
    for (at += sizeof colon - 1;;) {
        size_t start = paths->length;
        while (strchr(" \t\n", *at) || (at[0] == '\\' && at[1] == '\n')) {
            if (!*at)
                return !paths->failed;
            at++;
        }
        at = append_word(at, paths);
        if (!paths->failed && strncmp(paths->bytes + start, folder, folder_length) == 0 &&
            paths->bytes[start + folder_length] == '/')
            paths->length = start;
    }
}

void dependencies_state(struct text *states, const char *path)
{
    struct stat about = {0};
    if (stat(path, &about) == 0)
        text_printf(states, "%llu %llu %lld %lld.%09ld ", (unsigned long long)about.st_dev,
                    (unsigned long long)about.st_ino, (long long)about.st_size, (long long)about.st_mtim.tv_sec,
                    about.st_mtim.tv_nsec);
    text_printf(states, "\n");
}

bool dependencies_key(const char *key, const struct text *paths, int64_t before_s, char own_key[HASH_HEX_BYTES])
{
    struct text states = {0};
    bool good = !paths->failed;
    const char *at = text_string(paths), *end = at + paths->length;
    text_printf(&states, "%s\n", key);
    for (; good && at < end; at += strlen(at) + 1) {
        struct stat about;
        good = stat(at, &about) || about.st_mtim.tv_sec < before_s;
        text_append(&states, at, strlen(at) + 1);
        dependencies_state(&states, at);
    }
    good = good && !states.failed;
    if (good)
        hash_hex(states.bytes, states.length, own_key);
    text_free(&states);
    return good;
}
