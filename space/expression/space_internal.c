#include "expression/space_internal.h"

#include <stdlib.h>

void space_free(struct space *space)
{
    if (!space)
        return;
    if (space->private) {
        names_free(&space->private->names);
        free(space->private->demands);
    }
    arena_free(&space->arena);
    free(space);
}

void space_put_place(const struct space_place *place, struct error *error)
{
    if (place->source)
        source_place(place->source, place->line, place->column, error);
}
