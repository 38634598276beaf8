#include "evaluate/kept_samples.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Few wait at a time: those in flight, and those of devices without a correction. */
static struct kept_item *find(const struct kept_samples *kept, uint64_t index, size_t device)
{
    for (size_t i = 0; i < kept->count; i++)
        if (kept->items[i].index == index && kept->items[i].device == device)
            return &kept->items[i];
    return NULL;
}

static void forget(struct kept_samples *kept, struct kept_item *item)
{
    free(item->samples);
    *item = kept->items[--kept->count];
}

int kept_samples_put(struct kept_samples *kept, uint64_t index, size_t device, const char *samples, struct error *error)
{
    struct kept_item *item = kept ? find(kept, index, device) : NULL;
    if (item)
        forget(kept, item);
    if (!kept || !*samples)
        return 0;
    struct kept_item *items = array_grow(kept->items, &kept->room, kept->count + 1, sizeof *items);
    char *copy = items ? strdup(samples) : NULL;
    kept->items = items ? items : kept->items;
    if (!copy)
        return error_memory(error);
    kept->items[kept->count++] = (struct kept_item){index, device, copy};
    return 0;
}

void kept_samples_take(struct kept_samples *kept, uint64_t index, size_t device, struct text *samples)
{
    struct kept_item *item = kept ? find(kept, index, device) : NULL;
    if (!item)
        return;
    text_append(samples, item->samples, strlen(item->samples));
    forget(kept, item);
}

void kept_samples_free(struct kept_samples *kept)
{
    while (kept->count)
        forget(kept, kept->items);
    free(kept->items);
    *kept = (struct kept_samples){0};
}
