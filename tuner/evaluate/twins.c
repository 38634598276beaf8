#include "evaluate/twins.h"

#include <stdlib.h>
#include <string.h>

/* Where the code stands in the table, or the free place where it belongs. */
static size_t *place(const struct twins *twins, const char *code)
{
    size_t mask = 2 * twins->room - 1, at = (size_t)hash_u64(code, HASH_HEX_BYTES, 0) & mask;
    while (twins->table[at] && strcmp(twins->rows[twins->table[at] - 1].code, code) != 0)
        at = (at + 1) & mask;
    return &twins->table[at];
}

const struct twin *twins_find(const struct twins *twins, const char *code)
{
    size_t number = twins->room ? *place(twins, code) : 0;
    return number ? &twins->rows[number - 1] : NULL;
}

bool twin_serves(const struct twin *twin, bool exact, double incumbent_ns)
{
    return twin->measurement.status != STATUS_SLOWER || (!exact && twin->measurement.low_ns > incumbent_ns);
}

static int grow(struct twins *twins, struct error *error)
{
    size_t room = twins->room ? twins->room * 2 : 256;
    struct twin *rows = realloc(twins->rows, room * sizeof *rows);
    size_t *table = calloc(2 * room, sizeof *table);
    if (rows)
        twins->rows = rows;
    if (!rows || !table) {
        free(table);
        return error_memory(error);
    }
    free(twins->table);
    twins->table = table;
    twins->room = room;
    for (size_t i = 0; i < twins->count; i++)
        *place(twins, rows[i].code) = i + 1;
    return 0;
}

int twins_add(struct twins *twins, const struct twin *twin, struct error *error)
{
    int code = twins->count == twins->room ? grow(twins, error) : 0;
    size_t *number = code ? NULL : place(twins, twin->code);
    if (code)
        return code;
    if (*number) {
        if (twins->rows[*number - 1].measurement.status == STATUS_SLOWER)
            twins->rows[*number - 1] = *twin;
        return 0;
    }
    twins->rows[twins->count++] = *twin;
    *number = twins->count;
    return 0;
}

void twins_free(struct twins *twins)
{
    free(twins->rows);
    free(twins->table);
    memset(twins, 0, sizeof *twins);
}
