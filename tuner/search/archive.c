#include "search/archive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

int archive_open(struct archive *archive, const struct strategy_setup *setup, struct error *error)
{
    size_t neighbours = 1;
    *archive = (struct archive){
        .set = setup->set, .seed = setup->seed, .valid = valid_set_count(setup->set), .best = SIZE_MAX};
    for (size_t p = 0; p < valid_set_parameter_count(setup->set); p++)
        neighbours += valid_set_value_count(setup->set, p) - 1;
    archive->around_room = neighbours;
    archive->around = malloc(neighbours * sizeof *archive->around);
    return archive->around ? 0 : error_memory(error);
}

void archive_close(struct archive *archive)
{
    free(archive->around);
    hash_table_free(&archive->table);
    free(archive->entries);
    memset(archive, 0, sizeof *archive);
}

static bool same(const void *archive, uint32_t item, const void *index)
{
    return ((const struct archive *)archive)->entries[item].index == *(const uint64_t *)index;
}

struct archive_entry *archive_find(const struct archive *archive, uint64_t index)
{
    const struct hash_key key = {random_mix(0, index), same, archive, &index};
    uint32_t item = hash_table_find(&archive->table, &key);
    return item == HASH_TABLE_NONE ? NULL : &archive->entries[item];
}

struct archive_entry *archive_add(struct archive *archive, uint64_t index)
{
    struct archive_entry *entry = archive_find(archive, index);
    if (entry)
        return entry;
    const struct hash_key key = {random_mix(0, index), same, archive, &index};
    struct archive_entry *entries = array_grow(archive->entries, &archive->room, archive->count + 1, sizeof *entries);
    uint32_t item = (uint32_t)archive->count;
    if (entries)
        archive->entries = entries;
    if (!entries || hash_table_put(&archive->table, &key, &item)) {
        archive->failed = true;
        return NULL;
    }
    entries[archive->count++] = (struct archive_entry){.index = index};
    return &entries[item];
}

static bool better(const struct archive_entry *a, const struct archive_entry *b)
{
    return a->ok && (!b->ok || a->value < b->value);
}

/* Adds an entry to the best few if it is among them; of equal ones the first is better. */
static void rank(struct archive *archive, size_t item)
{
    const struct archive_entry *entry = &archive->entries[item];
    size_t at = archive->few_count;
    if (!entry->told || !entry->ok)
        return;
    while (at > 0 && (better(entry, &archive->entries[archive->few[at - 1]]) ||
                      (entry->value == archive->entries[archive->few[at - 1]].value && item < archive->few[at - 1])))
        at--;
    if (at == ARCHIVE_BEST_MAX)
        return;
    archive->few_count += archive->few_count < ARCHIVE_BEST_MAX;
    memmove(archive->few + at + 1, archive->few + at, (archive->few_count - 1 - at) * sizeof *archive->few);
    archive->few[at] = item;
}

/* Ranks all entries again: an entry that changes may drop out of the best few in favour of another. */
static void rank_all(struct archive *archive)
{
    archive->few_count = 0;
    for (size_t i = 0; i < archive->count; i++)
        rank(archive, i);
}

struct archive_entry *archive_tell(struct archive *archive, uint64_t index, const struct cost *cost)
{
    struct archive_entry *entry = archive_add(archive, index);
    if (!entry)
        return NULL;
    bool again = entry->told;
    *entry = (struct archive_entry){.index = index,
                                    .told = true,
                                    .ok = cost->ok,
                                    .censored = cost->ok && cost->censored,
                                    .value = cost->censored ? fmax(cost->value, cost->least) : cost->value,
                                    .least = cost->least,
                                    .effort = cost->effort,
                                    .cause = cost->cause};
    if (archive->best == SIZE_MAX ? entry->ok : better(entry, &archive->entries[archive->best]))
        archive->best = (size_t)(entry - archive->entries);
    if (again)
        rank_all(archive);
    else
        rank(archive, (size_t)(entry - archive->entries));
    return entry;
}

bool archive_fresh(struct archive *archive, uint64_t *index)
{
    while (archive->cursor < archive->valid) {
        *index = random_permute(archive->seed, archive->valid, archive->cursor++);
        if (!archive_find(archive, *index))
            return true;
    }
    return false;
}

size_t archive_around(struct archive *archive, uint64_t index, enum neighbourhood neighbourhood)
{
    return valid_set_neighbours(archive->set, index, neighbourhood, archive->around, archive->around_room);
}

bool archive_neighbour(struct archive *archive, uint64_t index, enum neighbourhood neighbourhood, struct random *random,
                       uint64_t *neighbour)
{
    size_t count = archive_around(archive, index, neighbourhood), unseen = 0;
    for (size_t i = 0; i < count; i++)
        if (!archive_find(archive, archive->around[i]))
            archive->around[unseen++] = archive->around[i];
    if (unseen)
        *neighbour = archive->around[random_below(random, unseen)];
    return unseen > 0;
}

size_t archive_best_few(const struct archive *archive, size_t *best, size_t most)
{
    size_t count = archive->few_count < most ? archive->few_count : most;
    memcpy(best, archive->few, count * sizeof *best);
    return count;
}

int archive_ask(struct archive *archive, archive_propose *propose, void *state, uint64_t *configs, size_t room,
                size_t *count, struct error *error)
{
    *count = 0;
    while (*count < room && !archive->failed) {
        uint64_t index;
        if ((!propose(state, &index) || archive_find(archive, index)) && !archive_fresh(archive, &index))
            break;
        if (archive_add(archive, index))
            configs[(*count)++] = index;
    }
    return archive->failed ? error_memory(error) : 0;
}
