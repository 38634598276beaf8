#include "evaluate/submissions.h"

#include <string.h>

#include "base/array.h"

int submissions_add(struct submissions *list, struct submission item, struct error *error)
{
    if (list->begin && list->begin + list->count == list->room) {
        memmove(list->items, list->items + list->begin, list->count * sizeof *list->items);
        list->begin = 0;
    }
    struct submission *items = array_grow(list->items, &list->room, list->begin + list->count + 1, sizeof *items);
    if (!items)
        return error_memory(error);
    list->items = items;
    list->items[list->begin + list->count++] = item;
    return 0;
}

bool submissions_take(struct submissions *list, uint64_t index)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[list->begin + i].index == index) {
            list->items[list->begin + i] = list->items[list->begin + --list->count];
            return true;
        }
    return false;
}
