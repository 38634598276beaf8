#include "choose/selection_row.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

int selection_pairs(struct selection *selection, const char *text, const struct pairs *first,
                    const struct pairs **result, bool *same, struct error *error)
{
    struct pairs *pairs = arena_alloc(&selection->arena, sizeof *pairs);
    int code = pairs ? pairs_read(&selection->arena, text, pairs, error) : error_memory(error);
    *same = true;
    if (!code && first)
        code = pairs_order(&selection->arena, first, pairs, same, error);
    *result = pairs;
    return code;
}

static bool has_only(const char *text, size_t length, const char *characters)
{
    for (size_t i = 0; i < length; i++)
        if (!strchr(characters, text[i]))
            return false;
    return length > 0;
}

static bool read_real(const char *text, size_t length, long double *number)
{
    char *end;
    if (!has_only(text, length, "+-.0123456789eE"))
        return false;
    *number = text_number(text, &end);
    return end == text + length && isfinite(*number);
}

static bool read_long_integer(const char *text, size_t length, long double *number)
{
    char *end;
    errno = 0;
    *number = (long double)strtoll(text, &end, 10);
    return end == text + length && !errno;
}

bool selection_number(const char *text, size_t length, long double *number)
{
    enum { SHORT = 18 }; /* digits that cannot overflow */
    size_t sign = length > 0 && (*text == '+' || *text == '-');
    int64_t value = 0;
    for (size_t i = sign; i < length; i++) {
        if (!text_is_digit(text[i]))
            return read_real(text, length, number);
        if (i - sign < SHORT)
            value = value * 10 + (text[i] - '0');
    }
    if (length - sign > SHORT)
        return read_long_integer(text, length, number);
    *number = (long double)(*text == '-' ? -value : value);
    return length > sign;
}
