#include "commands/check_errors.h"

#include <stdbool.h>
#include <string.h>

/* True if both are the same error: at the same place, or with the same cause in the source, named in the hint. An
 * argument may be wrong for several kernels: one hint is the cure of all. */
static bool same_error(const struct error *a, const struct error *b)
{
    bool same_place = a->line == b->line && a->column == b->column && strcmp(a->source, b->source) == 0;
    bool same_hint = *a->hint && strcmp(a->hint, b->hint) == 0;
    return (same_hint && (same_place || (a->code == ERROR_COMPILE && b->code == ERROR_COMPILE))) ||
           (same_place && strcmp(a->message, b->message) == 0);
}

void check_errors_add(struct check_errors *errors, size_t row, bool own, const struct error *error)
{
    size_t at = 0;
    while (at < errors->count && !same_error(&errors->errors[at].error, error))
        at++;
    const bool known = at < errors->count;
    errors->total += !known;
    if (at == ERROR_LIST_MAX)
        return;
    errors->count += !known;
    /* whichever comes first, the same one is shown */
    if (!known || own > errors->errors[at].own || (own == errors->errors[at].own && row < errors->errors[at].shown)) {
        errors->errors[at].shown = row;
        errors->errors[at].own = own;
        errors->errors[at].error = *error;
    }
    if (!known || row < errors->errors[at].row)
        errors->errors[at].row = row;
}

void check_errors_give(const struct check_errors *errors, size_t rows, struct error_list *list)
{
    for (size_t row = 0; row < rows; row++)
        for (size_t i = 0; i < errors->count; i++) {
            bool known = errors->errors[i].row != row;
            for (size_t e = 0; e < list->count && !known; e++)
                known = same_error(&list->errors[e], &errors->errors[i].error);
            if (!known && list->count < ERROR_LIST_MAX)
                list->errors[list->count++] = errors->errors[i].error;
            list->total += !known;
        }
    list->total += errors->total - errors->count;
}
