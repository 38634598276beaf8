#include "compile/includes.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "compile/regular.h"

struct gather {
    const char *folders;
    size_t folder_count;
    struct text *digest;
    struct text paths; /* of files that are there, NUL-terminated, one after the other: each is scanned in its turn */
    size_t path_count;
    size_t bytes;
};

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* ---- Reading a text ---- */

struct scan {
    const char *start, *end;
};

static bool starts(const char *at, const char *end, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(end - at) >= length && memcmp(at, word, length) == 0;
}

/* Past what may stand between a directive's words. */
static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end) {
        if (*at == ' ' || *at == '\t' || *at == '(' || *at == '\v' || *at == '\f') {
            at++;
        } else if (starts(at, end, "\\\n")) {
            at += 2;
        } else if (starts(at, end, "\\\r\n")) {
            at += 3;
        } else if (starts(at, end, "/*")) {
            const char *close = memmem(at + 2, (size_t)(end - at - 2), "*/", 2);
            if (!close)
                return end;
            at = close + 2;
        } else {
            break;
        }
    }
    return at;
}

static bool ends(const char *start, const char *at, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(at - start) >= length && memcmp(at - length, word, length) == 0;
}

/* Is the word at `at` the name of a directive, as far as the text before it tells? A comment between may hide the '#':
 * that counts too. */
static bool after_hash(const struct scan *scan, const char *at)
{
    static const char *const blanks[] = {" ", "\t", "\v", "\f", "\\\n", "\\\r\n"};
    static const char *const hashes[] = {"#", "%:", "?\?=", "*/"};
    for (size_t i = 0; i < sizeof blanks / sizeof *blanks;) {
        bool found = ends(scan->start, at, blanks[i]);
        at -= found ? strlen(blanks[i]) : 0;
        i = found ? 0 : i + 1;
    }
    for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++)
        if (ends(scan->start, at, hashes[i]))
            return true;
    return false;
}

/* A backslash at the end of a line that cuts a word in two could hide anything. */
static bool has_cut_word(const struct scan *scan)
{
    const char *at = scan->start;
    while ((at = memchr(at, '\n', (size_t)(scan->end - at)))) {
        const char *before = at > scan->start && at[-1] == '\r' ? at - 1 : at;
        at++;
        if (at < scan->end && is_word(*at) && before - scan->start >= 2 && before[-1] == '\\' && is_word(before[-2]))
            return true;
    }
    return false;
}

/* ---- Looking for files ---- */

static bool is_known(const struct gather *gather, const char *path)
{
    const char *at = gather->paths.bytes;
    for (size_t i = 0; i < gather->path_count; i++, at += strlen(at) + 1)
        if (strcmp(at, path) == 0)
            return true;
    return false;
}

/* Adds the file <folder><name> when it is there. */
static bool try_file(struct gather *gather, const char *folder, size_t folder_length, const char *name,
                     size_t name_length)
{
    struct text path = {0}, content = {0};
    bool good = false;
    text_append(&path, folder, folder_length);
    if (folder_length && folder[folder_length - 1] != '/')
        text_append(&path, "/", 1);
    text_append(&path, name, name_length);
    if (path.failed)
        goto out;
    good = is_known(gather, path.bytes);
    if (good)
        goto out;
    enum regular found = regular_read(path.bytes, INCLUDES_BYTES_MAX - gather->bytes, &content);
    good = found != REGULAR_UNFIT;
    if (found != REGULAR_READ)
        goto out;
    gather->bytes += content.length;
    text_printf(gather->digest, "%zu %s\n", content.length, path.bytes);
    text_append(gather->digest, text_string(&content), content.length);
    text_append(&gather->paths, path.bytes, path.length + 1);
    gather->path_count++;
    good = !gather->digest->failed && !gather->paths.failed && gather->path_count <= INCLUDES_MAX;
out:
    text_free(&content);
    text_free(&path);
    return good;
}

static bool look_for(struct gather *gather, const char *includer, const char *name, size_t length)
{
    const char *folder = gather->folders;
    if (memchr(name, '\0', length))
        return false;
    if (length && *name == '/')
        return try_file(gather, "", 0, name, length);
    if (!try_file(gather, "", 0, name, length) ||
        !try_file(gather, includer, file_folder_length(includer), name, length))
        return false;
    for (size_t i = 0; i < gather->folder_count; i++, folder += strlen(folder) + 1)
        if (!try_file(gather, folder, strlen(folder), name, length))
            return false;
    return true;
}

/* ---- Following ---- */

/* The word "include" or "embed" ends at `at`. */
static bool follow(struct gather *gather, const struct scan *scan, const char *includer, const char *word,
                   const char *at)
{
    bool asks = word - scan->start >= 6 && memcmp(word - 6, "__has_", 6) == 0;
    if (starts(at, scan->end, "_next"))
        at += 5;
    if ((word > scan->start && is_word(word[-1]) && !asks) || (at < scan->end && is_word(*at)))
        return true;
    at = skip_blanks(at, scan->end);
    if (at < scan->end && (*at == '"' || *at == '<')) {
        const char *name = at + 1, *line_end = memchr(at, '\n', (size_t)(scan->end - at));
        const char *close = memchr(name, *at == '"' ? '"' : '>', (size_t)((line_end ? line_end : scan->end) - name));
        if (close && close > name)
            return look_for(gather, includer, name, (size_t)(close - name));
    }
    return !asks && !after_hash(scan, word);
}

static bool follow_all(struct gather *gather, const char *path, const char *text, size_t length)
{
    static const char *const words[] = {"include", "embed"};
    struct scan scan = {text, text + length};
    if (has_cut_word(&scan))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t word_length = strlen(words[i]);
        for (const char *at = text; (at = memmem(at, (size_t)(scan.end - at), words[i], word_length));
             at += word_length)
            if (!follow(gather, &scan, path, at, at + word_length))
                return false;
    }
    return true;
}

bool includes_gather(const char *path, const char *source, const char *folders, size_t folder_count,
                     struct text *digest)
{
    struct gather gather = {.folders = folders, .folder_count = folder_count, .digest = digest};
    struct text content = {0}, current = {0};
    bool good = follow_all(&gather, path, source, strlen(source));
    for (size_t offset = 0; good && offset < gather.paths.length;) {
        /* The list of paths moves in memory while it grows. */
        text_clear(&current);
        text_append(&current, gather.paths.bytes + offset, strlen(gather.paths.bytes + offset));
        offset += current.length + 1;
        text_clear(&content);
        good = !current.failed && regular_read(text_string(&current), INCLUDES_BYTES_MAX, &content) == REGULAR_READ &&
               follow_all(&gather, text_string(&current), text_string(&content), content.length);
    }
    text_free(&current);
    text_free(&content);
    text_free(&gather.paths);
    return good;
}
