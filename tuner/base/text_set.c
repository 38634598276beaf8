#include "base/text_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"

static bool same(const void *set, uint32_t item, const void *text)
{
    return strcmp(((const struct text_set *)set)->texts[item], text) == 0;
}

const char **text_set_place(struct text_set *set, const char *text)
{
    const struct hash_key key = {hash_u64(text, strlen(text), 0), same, set, text};
    const char **texts = array_grow(set->texts, &set->room, set->count + 1, sizeof *texts);
    uint32_t item = (uint32_t)set->count;
    if (!texts)
        return NULL;
    set->texts = texts;
    if (hash_table_put(&set->table, &key, &item))
        return NULL;
    if (item == set->count)
        set->texts[set->count++] = NULL;
    return &set->texts[item];
}

void text_set_free(struct text_set *set)
{
    free(set->texts);
    hash_table_free(&set->table);
    *set = (struct text_set){0};
}
