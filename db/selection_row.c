#include "db/selection_row.h"

#include <errno.h>
#include <math.h>
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

static bool read_real(const char *text, double *number)
{
    char *end;
    *number = text_number(text, &end);
    return *text && !*end && strspn(text, "+-.0123456789eE") == strlen(text) && isfinite(*number);
}

bool selection_number(const char *text, long double *number)
{
    double real;
    char *end;
    const char *digits = text + strspn(text, "+-");
    if (*digits && !digits[strspn(digits, "0123456789")]) {
        errno = 0;
        *number = (long double)strtoll(text, &end, 10);
        return !*end && !errno;
    }
    if (!read_real(text, &real))
        return false;
    *number = real;
    return true;
}
