#include "evaluate/duplicates.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "journal/outcomes.h"

static bool same(const void *duplicates, uint32_t item, const void *code)
{
    return strcmp(((const struct duplicates *)duplicates)->rows[item].code, code) == 0;
}

static struct hash_key key_of(const struct duplicates *duplicates, const char *code)
{
    return (struct hash_key){hash_u64(code, HASH_HEX_BYTES, 0), same, duplicates, code};
}

const struct duplicate *duplicates_find(const struct duplicates *duplicates, const char *code)
{
    const struct hash_key key = key_of(duplicates, code);
    uint32_t item = hash_table_find(&duplicates->table, &key);
    return item == HASH_TABLE_NONE ? NULL : &duplicates->rows[item];
}

bool duplicate_serves(const struct duplicate *duplicate, bool exact, double incumbent)
{
    return duplicate->measurement.status != STATUS_SLOWER ||
           (!exact && outcomes_censored_counts(&duplicate->measurement, incumbent));
}

int duplicates_add(struct duplicates *duplicates, const struct duplicate *duplicate, struct error *error)
{
    const struct hash_key key = key_of(duplicates, duplicate->code);
    struct duplicate *rows = array_grow(duplicates->rows, &duplicates->room, duplicates->count + 1, sizeof *rows);
    uint32_t item = (uint32_t)duplicates->count;
    if (rows)
        duplicates->rows = rows;
    if (!rows || hash_table_put(&duplicates->table, &key, &item))
        return error_memory(error);
    bool fresh = item == duplicates->count;
    if (fresh || rows[item].measurement.status == STATUS_SLOWER)
        rows[item] = *duplicate;
    duplicates->count += fresh;
    return 0;
}

void duplicates_free(struct duplicates *duplicates)
{
    free(duplicates->rows);
    hash_table_free(&duplicates->table);
    memset(duplicates, 0, sizeof *duplicates);
}
