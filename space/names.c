#include "space/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "space/space.h"

static size_t slot_of(const struct names *names, const char *bytes, size_t length)
{
    size_t mask = names->slot_count - 1, slot = (size_t)hash_u64(bytes, length, 0) & mask;
    while (names->slots[slot]) {
        const char *text = names->entries[names->slots[slot] - 1].text;
        if (strncmp(text, bytes, length) == 0 && text[length] == '\0')
            break;
        slot = (slot + 1) & mask;
    }
    return slot;
}

struct name *names_find(const struct names *names, const char *bytes, size_t length)
{
    if (names->slot_count == 0)
        return NULL;
    uint32_t number = names->slots[slot_of(names, bytes, length)];
    return number ? &names->entries[number - 1] : NULL;
}

/* The table stays at most half full. */
static int grow(struct names *names)
{
    size_t capacity = names->capacity ? names->capacity * 2 : 128;
    if (capacity > UINT32_MAX / 2)
        return -1;
    struct name *entries = realloc(names->entries, capacity * sizeof *entries);
    if (!entries)
        return -1;
    names->entries = entries;
    uint32_t *slots = calloc(capacity * 2, sizeof *slots);
    if (!slots)
        return -1;
    free(names->slots);
    names->slots = slots;
    names->slot_count = capacity * 2;
    names->capacity = capacity;
    for (size_t i = 0; i < names->count; i++)
        slots[slot_of(names, entries[i].text, strlen(entries[i].text))] = (uint32_t)i + 1;
    return 0;
}

struct name *names_intern(struct names *names, struct arena *arena, const char *bytes, size_t length)
{
    struct name *name = names_find(names, bytes, length);
    if (name)
        return name;
    if (names->count == names->capacity && grow(names))
        return NULL;
    char *text = arena_copy(arena, bytes, length);
    if (!text)
        return NULL;
    names->slots[slot_of(names, bytes, length)] = (uint32_t)names->count + 1;
    name = &names->entries[names->count++];
    *name = (struct name){.text = text};
    return name;
}

const char *names_nearest(const struct names *names, const char *bytes, size_t length, unsigned kinds)
{
    enum { CANDIDATES_MAX = 512 }; /* a space with thousands of words does not need the nearest of all */
    const char *candidates[CANDIDATES_MAX];
    char name[SPACE_WORD_MAX + 1];
    size_t count = 0;
    if (length > SPACE_WORD_MAX)
        return NULL;
    memcpy(name, bytes, length);
    name[length] = '\0';
    for (size_t i = 0; i < names->count && count < CANDIDATES_MAX; i++) {
        const struct name *entry = &names->entries[i];
        bool wanted = kinds >> entry->kind & 1u && (entry->kind != NAME_FREE || entry->word_line);
        if (wanted && strcmp(entry->text, name) != 0)
            candidates[count++] = entry->text;
    }
    return text_nearest(name, candidates, count);
}

const char *name_kind_text(enum name_kind kind)
{
    static const char *const texts[] = {"a word",
                                        "a parameter",
                                        "a problem size",
                                        "a buffer",
                                        "a named expression",
                                        "a device limit",
                                        "a function",
                                        "a type",
                                        "a texture",
                                        "a name of a chunk",
                                        "a name with a faulty declaration"};
    return texts[kind];
}

void names_free(struct names *names)
{
    free(names->entries);
    free(names->slots);
    memset(names, 0, sizeof *names);
}
