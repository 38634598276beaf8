#include "expression/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/text.h"
#include "space/space.h"

struct wanted {
    const char *bytes;
    size_t length;
};

static bool same(const void *names, uint32_t item, const void *key)
{
    const char *text = ((const struct names *)names)->entries[item].text;
    const struct wanted *wanted = key;
    return strncmp(text, wanted->bytes, wanted->length) == 0 && text[wanted->length] == '\0';
}

static struct hash_key key_of(const struct names *names, const struct wanted *wanted)
{
    return (struct hash_key){hash_u64(wanted->bytes, wanted->length, 0), same, names, wanted};
}

struct name *names_find(const struct names *names, const char *bytes, size_t length)
{
    const struct wanted wanted = {bytes, length};
    const struct hash_key key = key_of(names, &wanted);
    uint32_t item = hash_table_find(&names->table, &key);
    return item == HASH_TABLE_NONE ? NULL : &names->entries[item];
}

struct name *names_intern(struct names *names, struct arena *arena, const char *bytes, size_t length)
{
    const struct wanted wanted = {bytes, length};
    const struct hash_key key = key_of(names, &wanted);
    struct name *name = names_find(names, bytes, length);
    if (name)
        return name;
    struct name *entries = array_grow(names->entries, &names->room, names->count + 1, sizeof *entries);
    char *text = entries ? arena_copy(arena, bytes, length) : NULL;
    uint32_t item = (uint32_t)names->count;
    if (entries)
        names->entries = entries;
    if (!text || hash_table_put(&names->table, &key, &item))
        return NULL;
    name = &names->entries[names->count++];
    *name = (struct name){.text = text};
    return name;
}

const char *names_nearest(const struct names *names, const char *bytes, size_t length, unsigned kinds)
{
    enum { CANDIDATES_MAX = 512 }; /* limits the search in a space with thousands of words */
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
                                        "a surface",
                                        "a tensor map",
                                        "a name of a chunk",
                                        "the counter of a loop",
                                        "a constant",
                                        "a name with a faulty declaration"};
    return texts[kind];
}

void names_free(struct names *names)
{
    free(names->entries);
    hash_table_free(&names->table);
    memset(names, 0, sizeof *names);
}
