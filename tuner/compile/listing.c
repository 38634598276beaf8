#include "compile/listing.h"

#include <string.h>

bool listing_part_is(struct listing_part part, const char *text)
{
    return strlen(text) == part.length && memcmp(part.text, text, part.length) == 0;
}

struct listing_part listing_name(const struct listing_line *line)
{
    const char *point = line->operation.length ? memchr(line->operation.text, '.', line->operation.length) : NULL;
    size_t length = point ? (size_t)(point - line->operation.text) : line->operation.length;
    return (struct listing_part){line->operation.text, length};
}

/* Takes the next word behind a point from the rest of an operation; false at its end. */
static bool next_word(struct listing_part *rest, struct listing_part *word)
{
    if (rest->length == 0 || *rest->text != '.')
        return false;
    const char *begin = rest->text + 1, *end = rest->text + rest->length;
    const char *point = memchr(begin, '.', (size_t)(end - begin));
    point = point ? point : end;
    *word = (struct listing_part){begin, (size_t)(point - begin)};
    *rest = (struct listing_part){point, (size_t)(end - point)};
    return true;
}

static struct listing_part behind_name(const struct listing_line *line)
{
    size_t name = listing_name(line).length;
    return (struct listing_part){line->operation.text + name, line->operation.length - name};
}

bool listing_has(const struct listing_line *line, const char *text)
{
    struct listing_part rest = behind_name(line), word;
    while (next_word(&rest, &word))
        if (listing_part_is(word, text))
            return true;
    return false;
}

unsigned listing_bits(const struct listing_line *line)
{
    static const struct {
        const char *suffix;
        unsigned bits;
    } widths[] = {{"U8", 8}, {"S8", 8}, {"U16", 16}, {"S16", 16}, {"64", 64}, {"128", 128}, {"256", 256}};
    struct listing_part rest = behind_name(line), word;
    unsigned bits = 32;
    while (next_word(&rest, &word))
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
            if (listing_part_is(word, widths[w].suffix))
                bits = widths[w].bits;
    return bits;
}

/* ---- Lines ---- */

/* The part from `at` to the first of `ends`, at most up to `end`. */
static struct listing_part part_up_to(const char *at, const char *end, const char *ends)
{
    size_t length = strcspn(at, ends);
    return (struct listing_part){at, at < end ? length < (size_t)(end - at) ? length : (size_t)(end - at) : 0};
}

static const char *skip(const char *at, const char *end, const char *what)
{
    at += strspn(at, what);
    return at < end ? at : end;
}

/* Format of a line: address in a comment, optional predicate, operation, operands, semicolon. */
static bool read_instruction(const char *line, const char *end, struct listing_line *read)
{
    const char *at = skip(line, end, " \t"), *close;
    if (end - at < 2 || memcmp(at, "/*", 2) != 0 || !(close = strstr(at, "*/")) || close + 2 > end)
        return false;
    at = skip(close + 2, end, " \t{");
    if (at < end && *at == '@') {
        read->predicate = part_up_to(at + 1, end, " \t\n");
        at = skip(read->predicate.text + read->predicate.length, end, " \t");
    }
    read->operation = part_up_to(at, end, " \t;\n");
    at = skip(at + read->operation.length, end, " \t");
    read->operands = part_up_to(at, end, ";\n");
    while (read->operands.length && strchr(" \t", at[read->operands.length - 1]))
        read->operands.length--;
    return read->operation.length > 0;
}

bool listing_next(struct listing *listing, struct listing_line *read)
{
    static const char section[] = ".text.";
    while (*listing->at) {
        const char *line = listing->at, *end = line + strcspn(line, "\n");
        struct listing_part label = {line, end > line && end[-1] == ':' ? (size_t)(end - line) - 1 : 0};
        listing->at = *end ? end + 1 : end;
        *read = (struct listing_line){{0}, {0}, {0}, {0}};
        if (label.length && strncmp(line, section, sizeof section - 1) == 0) {
            listing->inside = listing_part_is(
                (struct listing_part){line + sizeof section - 1, label.length - (sizeof section - 1)}, listing->kernel);
            continue;
        }
        if (!listing->inside)
            continue;
        if (label.length && *line == '.') {
            read->label = label;
            return true;
        }
        if (read_instruction(line, end, read))
            return true;
    }
    return false;
}
