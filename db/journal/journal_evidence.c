#include "journal/journal_evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"

static bool same_values(const void *owner, uint32_t item, const void *key)
{
    const struct journal_evidences *evidences = owner;
    const char *const *a = evidences->items[item].values, *const *b = key;
    size_t p = 0;
    while (p < evidences->width && strcmp(a[p], b[p]) == 0)
        p++;
    return p == evidences->width;
}

static struct hash_key key_of(const struct journal_evidences *evidences, const char *const *values)
{
    uint64_t hash = 0;
    for (size_t p = 0; p < evidences->width; p++)
        hash = hash_u64(values[p], strlen(values[p]) + 1, hash);
    return (struct hash_key){.hash = hash, .same = same_values, .owner = evidences, .key = values};
}

/* The configuration's item, a new one if it has none; NULL when out of memory: nothing can be added afterwards. */
static struct journal_evidence *item_of(struct journal_evidences *evidences, const char *const *values)
{
    const struct hash_key key = key_of(evidences, values);
    struct journal_evidence *items =
        array_grow(evidences->items, &evidences->room, evidences->count + 1, sizeof *evidences->items);
    uint32_t number = (uint32_t)evidences->count;
    if (!items)
        return NULL;
    evidences->items = items;
    if (hash_table_put(&evidences->table, &key, &number))
        return NULL;
    if (number < evidences->count)
        return &items[number];
    const char **copies = arena_array(&evidences->arena, evidences->width + 1, sizeof *copies);
    for (size_t p = 0; p < evidences->width; p++)
        if (!copies || !(copies[p] = arena_copy(&evidences->arena, values[p], strlen(values[p]))))
            return NULL;
    items[number] = (struct journal_evidence){.values = copies};
    evidences->count++;
    return &items[number];
}

/* Capacities are powers of two: a full array is copied into one of twice its size. */
static bool add_launch(struct journal_evidences *evidences, struct journal_evidence *item,
                       const struct evidence *evidence)
{
    size_t at = 0;
    struct evidence *launches = (struct evidence *)item->launches; /* memory of the arena, so not constant */
    while (at < item->count && launches[at].launch < evidence->launch)
        at++;
    if (at < item->count && launches[at].launch == evidence->launch) {
        launches[at] = *evidence;
        return true;
    }
    if ((item->count & (item->count - 1)) == 0) {
        struct evidence *more = arena_array(&evidences->arena, item->count ? 2 * item->count : 1, sizeof *more);
        if (!more)
            return false;
        for (size_t i = 0; i < item->count; i++)
            more[i] = launches[i];
        item->launches = launches = more;
    }
    memmove(launches + at + 1, launches + at, (item->count - at) * sizeof *launches);
    launches[at] = *evidence;
    item->count++;
    return true;
}

int journal_evidences_add(struct journal_evidences *evidences, const char *const *values, size_t width,
                          const struct evidence *evidence, struct error *error)
{
    struct evidence launch = *evidence;
    if (isnan(launch.launch))
        launch.launch = 0;
    if (!(launch.launch >= 0 && launch.launch < JOURNAL_LAUNCHES_MAX) || launch.launch != floor(launch.launch)) {
        error_set(error, ERROR_DATA, "the evidence 'launch=%g' is not the number of a launch", launch.launch);
        error_hint(error, "expected a whole number from 0 to %d; delete this line, and the evidence is unknown",
                   JOURNAL_LAUNCHES_MAX - 1);
        return ERROR_DATA;
    }
    evidences->width = width;
    struct journal_evidence *item = item_of(evidences, values);
    return item && add_launch(evidences, item, &launch) ? 0 : error_memory(error);
}

const struct journal_evidence *journal_evidences_find(const struct journal_evidences *evidences,
                                                      const char *const *values)
{
    const struct hash_key key = key_of(evidences, values);
    uint32_t found = hash_table_find(&evidences->table, &key);
    return found == HASH_TABLE_NONE ? NULL : &evidences->items[found];
}

void journal_evidences_free(struct journal_evidences *evidences)
{
    free(evidences->items);
    hash_table_free(&evidences->table);
    arena_free(&evidences->arena);
    *evidences = (struct journal_evidences){0};
}
