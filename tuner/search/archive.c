#include "search/archive.h"

#include <stdlib.h>
#include <string.h>

int archive_open(struct archive *archive, const struct strategy_setup *setup, struct error *error)
{
    size_t neighbours = 1;
    *archive = (struct archive){
        .set = setup->set, .seed = setup->seed, .valid = valid_set_count(setup->set), .best = SIZE_MAX};
    for (size_t p = 0; p < valid_set_parameter_count(setup->set); p++)
        neighbours += valid_set_value_count(setup->set, p) - 1;
    archive->around_room = neighbours;
    archive->table_size = 1024;
    archive->room = 512;
    archive->around = malloc(neighbours * sizeof *archive->around);
    archive->table = calloc(archive->table_size, sizeof *archive->table);
    archive->entries = malloc(archive->room * sizeof *archive->entries);
    if (archive->around && archive->table && archive->entries)
        return 0;
    archive_close(archive);
    return error_memory(error);
}

void archive_close(struct archive *archive)
{
    free(archive->around);
    free(archive->table);
    free(archive->entries);
    memset(archive, 0, sizeof *archive);
}

/* The place of a configuration in the table, free or not. */
static size_t slot(const struct archive *archive, uint64_t index)
{
    size_t mask = archive->table_size - 1, at = (size_t)random_mix(0, index) & mask;
    while (archive->table[at] && archive->entries[archive->table[at] - 1].index != index)
        at = (at + 1) & mask;
    return at;
}

struct archive_entry *archive_find(const struct archive *archive, uint64_t index)
{
    uint32_t number = archive->table[slot(archive, index)];
    return number ? &archive->entries[number - 1] : NULL;
}

/* Room for one more entry; the table stays at most half full. */
static bool grow(struct archive *archive)
{
    if (archive->count < archive->room)
        return true;
    size_t room = archive->room * 2, size = archive->table_size * 2;
    struct archive_entry *entries = room < UINT32_MAX ? realloc(archive->entries, room * sizeof *entries) : NULL;
    if (!entries)
        return false;
    archive->entries = entries;
    uint32_t *table = calloc(size, sizeof *table);
    if (!table)
        return false;
    free(archive->table);
    archive->table = table;
    archive->table_size = size;
    archive->room = room;
    for (size_t i = 0; i < archive->count; i++)
        table[slot(archive, entries[i].index)] = (uint32_t)(i + 1);
    return true;
}

/* The entry of a configuration, made when there is none. */
static struct archive_entry *add(struct archive *archive, uint64_t index)
{
    struct archive_entry *entry = archive_find(archive, index);
    if (entry)
        return entry;
    if (!grow(archive)) {
        archive->failed = true;
        return NULL;
    }
    archive->entries[archive->count] = (struct archive_entry){.index = index};
    archive->table[slot(archive, index)] = (uint32_t)(archive->count + 1);
    return &archive->entries[archive->count++];
}

struct archive_entry *archive_tell(struct archive *archive, uint64_t index, const struct cost *cost)
{
    struct archive_entry *entry = add(archive, index);
    if (!entry)
        return NULL;
    *entry = (struct archive_entry){
        .index = index, .told = true, .ok = cost->ok, .bound = cost->ok && cost->bound, .value = cost->value};
    if (archive->best == SIZE_MAX ? entry->ok : archive_better(entry, &archive->entries[archive->best]))
        archive->best = (size_t)(entry - archive->entries);
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

bool archive_better(const struct archive_entry *a, const struct archive_entry *b)
{
    return a->ok && (!b->ok || a->value < b->value);
}

int archive_ask(struct archive *archive, archive_propose *propose, void *state, uint64_t *configs, size_t room,
                size_t *count, struct error *error)
{
    *count = 0;
    while (*count < room && !archive->failed) {
        uint64_t index;
        if ((!propose(state, &index) || archive_find(archive, index)) && !archive_fresh(archive, &index))
            break;
        if (add(archive, index))
            configs[(*count)++] = index;
    }
    return archive->failed ? error_memory(error) : 0;
}
