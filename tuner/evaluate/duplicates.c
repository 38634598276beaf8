#include "evaluate/duplicates.h"

#include <stdlib.h>
#include <string.h>

/* Finds the slot of a code, or the free slot where it belongs. */
static size_t *place(const struct duplicates *duplicates, const char *code)
{
    size_t mask = 2 * duplicates->room - 1, at = (size_t)hash_u64(code, HASH_HEX_BYTES, 0) & mask;
    while (duplicates->table[at] && strcmp(duplicates->rows[duplicates->table[at] - 1].code, code) != 0)
        at = (at + 1) & mask;
    return &duplicates->table[at];
}

const struct duplicate *duplicates_find(const struct duplicates *duplicates, const char *code)
{
    size_t number = duplicates->room ? *place(duplicates, code) : 0;
    return number ? &duplicates->rows[number - 1] : NULL;
}

bool duplicate_serves(const struct duplicate *duplicate, bool exact, double incumbent)
{
    return duplicate->measurement.status != STATUS_SLOWER ||
           (!exact && objective_better(measurement_objective(&duplicate->measurement), incumbent,
                                       measurement_better_end(&duplicate->measurement)));
}

static int grow(struct duplicates *duplicates, struct error *error)
{
    size_t room = duplicates->room ? duplicates->room * 2 : 256;
    struct duplicate *rows = realloc(duplicates->rows, room * sizeof *rows);
    size_t *table = calloc(2 * room, sizeof *table);
    if (rows)
        duplicates->rows = rows;
    if (!rows || !table) {
        free(table);
        return error_memory(error);
    }
    free(duplicates->table);
    duplicates->table = table;
    duplicates->room = room;
    for (size_t i = 0; i < duplicates->count; i++)
        *place(duplicates, rows[i].code) = i + 1;
    return 0;
}

int duplicates_add(struct duplicates *duplicates, const struct duplicate *duplicate, struct error *error)
{
    int code = duplicates->count == duplicates->room ? grow(duplicates, error) : 0;
    size_t *number = code ? NULL : place(duplicates, duplicate->code);
    if (code)
        return code;
    if (*number) {
        if (duplicates->rows[*number - 1].measurement.status == STATUS_SLOWER)
            duplicates->rows[*number - 1] = *duplicate;
        return 0;
    }
    duplicates->rows[duplicates->count++] = *duplicate;
    *number = duplicates->count;
    return 0;
}

void duplicates_free(struct duplicates *duplicates)
{
    free(duplicates->rows);
    free(duplicates->table);
    memset(duplicates, 0, sizeof *duplicates);
}
