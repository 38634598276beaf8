#include "evaluate/host_code.h"

#include <stddef.h>
#include <string.h>

#include "base/text.h"

enum { DEPTH_MAX = 64 };

struct scan {
    const char *name;
    int line, wanted_line;
    struct {
        bool device, own;
    } blocks[DEPTH_MAX];
    int depth;
    struct {
        bool device; /* the head has __device__ or __global__ */
        int named;   /* line of the name in the head; 0: absent */
    } head;          /* the text before the next block */
    bool function;   /* a parenthesis follows the name where it first is `defined` */
    struct host_code found;
};

static bool is_part(char c)
{
    return text_is_letter(c) || text_is_digit(c) || c == '_';
}

static bool is(const char *at, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(at, word, length) == 0;
}

/* ---- Text that is not code ---- */

/* Returns the end of the comment, literal or directive that begins at `at`, or `at`. */
static const char *skip(const char *at, bool line_begins)
{
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (*at == '#' && line_begins) {
        while (*at && *at != '\n')
            at += at[0] == '\\' && at[1] ? 2 : 1;
        return at;
    }
    if (*at == '"' || *at == '\'') {
        const char quote = *at++;
        while (*at && *at != quote && *at != '\n')
            at += at[0] == '\\' && at[1] ? 2 : 1;
        return at + (*at == quote);
    }
    return at;
}

/* ---- Code ---- */

static bool in_device(const struct scan *scan)
{
    return scan->depth > 0 && scan->depth <= DEPTH_MAX && scan->blocks[scan->depth - 1].device;
}

static void open_block(struct scan *scan)
{
    bool own = scan->head.named && (!scan->wanted_line || scan->head.named == scan->wanted_line);
    bool device = scan->head.device || in_device(scan);
    if (own && !device && strcmp(scan->name, "main") == 0)
        scan->found.of_host = true;
    if (scan->depth < DEPTH_MAX) {
        scan->blocks[scan->depth].device = device;
        scan->blocks[scan->depth].own = own || (scan->depth > 0 && scan->blocks[scan->depth - 1].own);
    }
    scan->depth++;
    scan->head.device = false;
    scan->head.named = 0;
}

static void read_word(struct scan *scan, const char *at, size_t length)
{
    static const char *const host[] = {"cout",   "cerr",   "fprintf", "fopen", "exit",  "vector",
                                       "chrono", "thread", "getenv",  "rand",  "srand", "string"};
    bool inside = in_device(scan);
    if (is(at, length, "__device__") || is(at, length, "__global__"))
        scan->head.device = true;
    if (is(at, length, scan->name)) {
        scan->head.named = scan->line;
        if (inside)
            scan->found.on_device = true;
        else if (!scan->found.defined)
            scan->function = at[length + strspn(at + length, " \t")] == '(';
        scan->found.defined |= !inside;
    }
    if (scan->depth == 0 || scan->depth > DEPTH_MAX || !scan->blocks[scan->depth - 1].own)
        return;
    for (size_t i = 0; i < sizeof host / sizeof *host; i++)
        scan->found.of_host |= is(at, length, host[i]);
    scan->found.of_host |=
        length > 4 && memcmp(at, "cuda", 4) == 0 && at[4] >= 'A' && at[4] <= 'Z' && at[length] == '(';
}

static void read_sign(struct scan *scan, const char *at)
{
    if (*at == '{') {
        open_block(scan);
    } else if (*at == '}' || *at == ';') {
        scan->depth -= *at == '}' && scan->depth > 0;
        scan->head.device = false;
        scan->head.named = 0;
    } else if (strncmp(at, "<<<", 3) == 0 && scan->depth > 0 && scan->depth <= DEPTH_MAX &&
               scan->blocks[scan->depth - 1].own) {
        scan->found.of_host = true;
    }
}

static struct scan scan_text(const char *text, const char *name, int line)
{
    struct scan scan = {.name = name, .line = 1, .wanted_line = line};
    bool line_begins = true;
    for (const char *at = text; *at;) {
        const char *behind = skip(at, line_begins);
        size_t length = 0;
        if (behind == at && (text_is_letter(*at) || *at == '_')) {
            while (is_part(at[length]))
                length++;
            read_word(&scan, at, length);
        } else if (behind == at) {
            read_sign(&scan, at);
        }
        if (behind == at)
            behind = at + (length ? length : 1);
        line_begins = line_begins && (*at == ' ' || *at == '\t');
        for (; at < behind; at++)
            if (*at == '\n') {
                scan.line++;
                line_begins = true;
            }
    }
    return scan;
}

struct host_code host_code_of(const char *text, const char *name, int line)
{
    return scan_text(text, name, line).found;
}

bool host_code_is_function(const char *text, const char *name)
{
    return scan_text(text, name, 0).function;
}

bool host_code_includes(const char *text, const char *header)
{
    static const char directive[] = "include";
    for (const char *at = text; (at = strstr(at, directive));) {
        at += sizeof directive - 1;
        at += strspn(at, " \t");
        if ((*at == '<' || *at == '"') && strncmp(at + 1, header, strlen(header)) == 0)
            return true;
    }
    return false;
}
