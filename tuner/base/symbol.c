#include "base/symbol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* True for a part of a name that the compiler adds. */
static bool is_added(const char *part, size_t length)
{
    static const char *const heads[] = {"_INTERNAL_", "_GLOBAL__N_"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (length > strlen(heads[i]) && memcmp(part, heads[i], strlen(heads[i])) == 0)
            return true;
    return false;
}

/* Reads a part of a mangled name, "5table"; false: none. */
static bool next_part(const char **at, const char **part, size_t *length)
{
    while (**at == 'L') /* internal linkage */
        ++*at;
    if (!text_is_digit(**at))
        return false;
    *length = strtoul(*at, (char **)at, 10);
    *part = *at;
    if (*length > strlen(*at))
        return false;
    *at += *length;
    return true;
}

bool symbol_is(const char *symbol, const char *name)
{
    const char *at = symbol + 2, *part;
    size_t length;
    if (strncmp(symbol, "_Z", 2) != 0 || strncmp(name, "_Z", 2) == 0)
        return strcmp(symbol, name) == 0;
    bool nested = *at == 'N';
    at += nested;
    while (next_part(&at, &part, &length)) {
        if (is_added(part, length))
            continue;
        if (strcspn(name, ":") != length || memcmp(name, part, length) != 0)
            return false;
        name += length;
        name += strspn(name, ":");
        if (!nested)
            break;
    }
    return !*name && strcmp(at, nested ? "E" : "") == 0;
}

const char *symbol_word(const char *name, size_t *length)
{
    const char *colon = strrchr(name, ':'), *word = colon ? colon + 1 : name, *at = word;
    *length = strlen(word);
    if (strncmp(at, "_Z", 2) != 0)
        return word;
    at += 2;
    while (*at && *at != 'I') { /* arguments of a template follow */
        const char *part;
        size_t bytes;
        if (next_part(&at, &part, &bytes)) {
            word = part;
            *length = bytes;
        } else if (*at && *at != 'I') {
            at++;
        }
    }
    return word;
}

const char *symbol_name(const char *symbol, char name[SYMBOL_BYTES])
{
    const char *at = symbol + 2, *part;
    size_t length, used = 0;
    bool nested = strncmp(symbol, "_ZN", 3) == 0;
    if (strncmp(symbol, "_Z", 2) == 0) {
        at += nested;
        while (used < SYMBOL_BYTES && next_part(&at, &part, &length))
            if (!is_added(part, length))
                used +=
                    (size_t)snprintf(name + used, SYMBOL_BYTES - used, "%s%.*s", used ? "::" : "", (int)length, part);
        if (used && strcmp(at, nested ? "E" : "") == 0)
            return name;
    }
    snprintf(name, SYMBOL_BYTES, "%s", symbol);
    return name;
}

const char *symbol_of(const char *name, char symbol[SYMBOL_BYTES])
{
    size_t used = (size_t)snprintf(symbol, SYMBOL_BYTES, "%s", strchr(name, ':') ? "_ZN" : name);
    if (!strchr(name, ':'))
        return symbol;
    for (const char *at = name; *at && used < SYMBOL_BYTES; at += strspn(at, ":")) {
        size_t length = strcspn(at, ":");
        used += (size_t)snprintf(symbol + used, SYMBOL_BYTES - used, "%zu%.*s", length, (int)length, at);
        at += length;
    }
    if (used < SYMBOL_BYTES)
        snprintf(symbol + used, SYMBOL_BYTES - used, "E");
    return symbol;
}

const char *symbol_find(const void *code, size_t bytes, const char *name, const char *after)
{
    const char *begin = code, *end = begin + bytes, *colon = strrchr(name, ':'), *word = colon ? colon + 1 : name;
    const char *at = after ? after + strlen(after) : begin;
    while ((at = memmem(at, (size_t)(end - at), word, strlen(word)))) {
        const char *first = at, *last = memchr(at, '\0', (size_t)(end - at));
        if (!last)
            return NULL;
        while (first > begin && first[-1])
            first--;
        if (symbol_is(first, name))
            return first;
        at = last;
    }
    return NULL;
}
