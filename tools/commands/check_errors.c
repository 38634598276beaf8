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

void check_errors_add(struct check_errors *errors, size_t row, const struct error *error)
{
    for (size_t i = 0; i < errors->count; i++)
        if (same_error(&errors->errors[i].error, error)) {
            if (row < errors->errors[i].row) { /* whichever comes first, that of the first row is shown */
                errors->errors[i].row = row;
                errors->errors[i].error = *error;
            }
            return;
        }
    errors->total++;
    if (errors->count == ERROR_LIST_MAX)
        return;
    errors->errors[errors->count].row = row;
    errors->errors[errors->count++].error = *error;
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
