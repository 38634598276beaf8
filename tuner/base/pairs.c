#include "base/pairs.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

bool pairs_identifier(const char *text, size_t length)
{
    if (length == 0 || text_is_digit(text[0]))
        return false;
    for (size_t i = 0; i < length; i++)
        if (!text_is_letter(text[i]) && !text_is_digit(text[i]) && text[i] != '_')
            return false;
    return true;
}

bool pairs_split(const char *text, size_t length, struct pair_parts *parts)
{
    const char *equals = memchr(text, '=', length);
    if (!equals)
        return false;
    *parts = (struct pair_parts){.name = text, .value = equals + 1, .name_length = (size_t)(equals - text)};
    parts->value_length = length - parts->name_length - 1;
    return true;
}

const char *pairs_word(const char *at, size_t *length)
{
    at += strspn(at, " ");
    *length = strcspn(at, " ");
    return *length ? at : NULL;
}

const char *pairs_value(const char *text, const char *name, size_t *length)
{
    struct pair_parts parts;
    size_t word;
    for (const char *at = text; (at = pairs_word(at, &word)); at += word)
        if (pairs_split(at, word, &parts) && strlen(name) == parts.name_length &&
            memcmp(at, name, parts.name_length) == 0) {
            *length = parts.value_length;
            return parts.value;
        }
    return NULL;
}

const char *pairs_find(const struct pairs *pairs, const char *name)
{
    for (size_t i = 0; i < pairs->count; i++)
        if (strcmp(pairs->items[i].name, name) == 0)
            return pairs->items[i].value;
    return NULL;
}

int pairs_part(const char *word, size_t length, struct pair_parts *parts, struct error *error)
{
    if (pairs_split(word, length, parts) && pairs_identifier(word, parts->name_length))
        return 0;
    return error_set(error, ERROR_DATA, "'%.*s' is not NAME=VALUE", (int)(length < 80 ? length : 80), word);
}

static int add(struct arena *arena, struct pairs *pairs, const char *text, size_t length, struct error *error)
{
    struct pair_parts parts = {0};
    if (pairs_part(text, length, &parts, error))
        return ERROR_DATA;
    struct pair pair = {arena_copy(arena, text, parts.name_length), arena_copy(arena, parts.value, parts.value_length)};
    if (!pair.name || !pair.value)
        return error_memory(error);
    if (pairs_find(pairs, pair.name))
        return error_set(error, ERROR_DATA, "%.60s has two values", pair.name);
    pairs->items[pairs->count++] = pair;
    return 0;
}

int pairs_read(struct arena *arena, const char *text, struct pairs *pairs, struct error *error)
{
    size_t count = 0, length;
    int code = 0;
    for (const char *at = text; (at = pairs_word(at, &length)); at += length)
        count++;
    if (count > PAIRS_MAX)
        return error_set(error, ERROR_DATA, "more than %d parameters or sizes", PAIRS_MAX);
    *pairs = (struct pairs){0, arena_array(arena, count, sizeof *pairs->items)};
    if (!pairs->items)
        return error_memory(error);
    for (const char *at = text; !code && (at = pairs_word(at, &length)); at += length)
        code = add(arena, pairs, at, length, error);
    return code;
}

int pairs_order(struct arena *arena, const struct pairs *first, struct pairs *pairs, bool *same, struct error *error)
{
    struct pair *items = arena_array(arena, first->count, sizeof *items);
    if (!items)
        return error_memory(error);
    *same = pairs->count == first->count;
    for (size_t i = 0; i < first->count && *same; i++) {
        items[i] = (struct pair){first->items[i].name, pairs_find(pairs, first->items[i].name)};
        *same = items[i].value != NULL;
    }
    if (*same)
        pairs->items = items;
    return 0;
}

struct word {
    const char *start; /* NULL: none */
    size_t length;
};

static int compare_words(const struct word *a, const struct word *b)
{
    size_t common = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->start, b->start, common);
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

/* The first word of the text that sorts behind `word`. */
static struct word next_word(const char *text, const struct word *word)
{
    struct word next = {0}, here;
    for (const char *at = text; (here.start = pairs_word(at, &here.length)); at = here.start + here.length) {
        if ((!word->start || compare_words(&here, word) > 0) && (!next.start || compare_words(&here, &next) < 0))
            next = here;
    }
    return next;
}

int pairs_compare(const char *a, const char *b)
{
    struct word left = {0}, right = {0};
    if (strcmp(a, b) == 0)
        return 0;
    for (;;) {
        left = next_word(a, &left);
        right = next_word(b, &right);
        if (!left.start || !right.start)
            return (left.start != NULL) - (right.start != NULL);
        int order = compare_words(&left, &right);
        if (order)
            return order;
    }
}

const char *pairs_text(struct arena *arena, const struct pairs *pairs)
{
    struct text text = {0};
    for (size_t i = 0; i < pairs->count; i++)
        text_printf(&text, "%s%s=%s", i ? " " : "", pairs->items[i].name, pairs->items[i].value);
    const char *copy = text.failed ? NULL : arena_copy(arena, text_string(&text), text.length);
    text_free(&text);
    return copy;
}

bool pairs_number(const char *value, double *number)
{
    char *end;
    *number = text_number(value, &end);
    return end != value && *end == '\0' && isfinite(*number);
}

int pairs_compare_values(const char *a, const char *b)
{
    double x, y;
    bool x_number = pairs_number(a, &x), y_number = pairs_number(b, &y);
    if (x_number && y_number)
        return x < y ? -1 : x > y;
    return x_number != y_number ? y_number - x_number : strcmp(a, b);
}
