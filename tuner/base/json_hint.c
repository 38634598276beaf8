#include "base/json_hint.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"

/* The text where a parser stopped. */
static const struct {
    const char *begins, *hint;
} rules[] = {
    {"NaN", "JSON has no NaN and Infinity, though some programs write them"},
    {"-NaN", "JSON has no NaN and Infinity, though some programs write them"},
    {"Infinity", "JSON has no NaN and Infinity, though some programs write them"},
    {"-Infinity", "JSON has no NaN and Infinity, though some programs write them"},
    {"True", "JSON has true, false and null"},
    {"False", "JSON has true, false and null"},
    {"None", "JSON has true, false and null"},
    {"'", "JSON's strings are in double quotes"},
    {"//", "JSON has no comments"},
    {"/*", "JSON has no comments"},
    {"#", "JSON has no comments"},
};

/* The text before a place, or the whole text. */
struct scan {
    size_t depth; /* of open objects and arrays */
    bool string;  /* ends within a string */
    char last;    /* of the characters outside of strings, without blanks; '\0': none */
};

static struct scan scan_to(const char *text, size_t end)
{
    struct scan scan = {0};
    for (size_t i = 0; i < end; i++) {
        char c = text[i];
        if (scan.string && c == '\\')
            i++;
        else if (c == '"')
            scan.string = !scan.string;
        if (scan.string || (unsigned char)c <= ' ')
            continue;
        scan.last = c;
        scan.depth += c == '{' || c == '[';
        scan.depth -= scan.depth && (c == '}' || c == ']');
    }
    return scan;
}

static bool is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

/* True if the comma, or the one before, ends an object or array. */
static bool is_last_comma(const char *text, size_t length, size_t at, char before)
{
    size_t next = at;
    while (next < length && (next == at || (unsigned char)text[next] <= ' '))
        next++;
    return (is_one_of(text[at], "}]") && before == ',') ||
           (text[at] == ',' && next < length && is_one_of(text[next], "}]"));
}

const char *json_hint(const char *text, size_t length, size_t at)
{
    while (length && (unsigned char)text[length - 1] <= ' ')
        length--;
    const struct scan before = scan_to(text, at < length ? at : length), whole = scan_to(text, length);
    const bool opens = at < length && text[at] == '"';
    if (whole.string && (before.string || opens))
        return "this string has no closing quote";
    if (before.string)
        return "in a string, a backslash stands before one of \" \\ / b f n r t u";
    if (at + 1 >= length && whole.depth)
        return "the text ends within an object or array: was it cut off?";
    if (at >= length)
        return NULL;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (length - at >= strlen(rules[i].begins) && memcmp(text + at, rules[i].begins, strlen(rules[i].begins)) == 0)
            return rules[i].hint;
    if (is_last_comma(text, length, at, before.last))
        return "JSON has no comma before } and ]";
    if (before.last && !before.depth)
        return "more text follows the value";
    bool word = text_is_letter(text[at]) || text[at] == '_';
    if (before.last && !is_one_of(before.last, ",:[{") &&
        (word || text_is_digit(text[at]) || is_one_of(text[at], "\"{[-")))
        return "a comma or a colon is missing before it";
    return word ? "JSON's names and words are in double quotes" : NULL;
}
