#include "exchange/json_place.h"

#include <limits.h>
#include <string.h>

size_t json_skip_space(const char *text, size_t length, size_t at)
{
    while (at < length && (unsigned char)text[at] <= ' ')
        at++;
    return at;
}

static size_t skip_string(const char *text, size_t length, size_t at)
{
    for (at++; at < length && text[at] != '"'; at++)
        if (text[at] == '\\')
            at++;
    return at < length ? at + 1 : length;
}

size_t json_skip_value(const char *text, size_t length, size_t at)
{
    size_t depth = 0;
    do {
        at = json_skip_space(text, length, at);
        if (at == length)
            return length;
        char c = text[at];
        if (c == '"') {
            at = skip_string(text, length, at);
        } else if (c == '{' || c == '[') {
            depth++;
            at++;
        } else if (c == '}' || c == ']') {
            if (depth == 0)
                return at;
            depth--;
            at++;
        } else if (c == ',' || c == ':') {
            if (depth == 0)
                return at;
            at++;
        } else {
            while (at < length && (unsigned char)text[at] > ' ' && !strchr(",:]}\"[{", text[at]))
                at++;
        }
    } while (depth > 0);
    return at;
}

void json_walk_start(struct json_walk *walk, const char *text, size_t length, size_t at)
{
    *walk = (struct json_walk){.text = text, .length = length, .at = at, .key = at, .value = at};
    if (at < length && (text[at] == '{' || text[at] == '[')) {
        walk->object = text[at] == '{';
        walk->at = at + 1;
    } else {
        walk->at = length;
    }
}

bool json_walk_next(struct json_walk *walk)
{
    size_t at = json_skip_space(walk->text, walk->length, walk->at);
    if (at < walk->length && walk->text[at] == ',')
        at = json_skip_space(walk->text, walk->length, at + 1);
    if (at >= walk->length || walk->text[at] == '}' || walk->text[at] == ']')
        return false;
    walk->key = at;
    if (walk->object) {
        at = json_skip_space(walk->text, walk->length, json_skip_value(walk->text, walk->length, at));
        if (at < walk->length && walk->text[at] == ':')
            at = json_skip_space(walk->text, walk->length, at + 1);
    }
    walk->value = at;
    size_t end = json_skip_value(walk->text, walk->length, at);
    walk->at = end > walk->key ? end : walk->length; /* every step advances */
    return true;
}

void json_line(const char *text, size_t length, size_t at, int *line, int *column)
{
    size_t start = 0, lines = 1;
    at = at < length ? at : length;
    for (size_t i = 0; i < at; i++)
        if (text[i] == '\n') {
            start = i + 1;
            lines++;
        }
    *line = lines < INT_MAX ? (int)lines : INT_MAX;
    *column = at - start < INT_MAX ? (int)(at - start) + 1 : INT_MAX;
}
