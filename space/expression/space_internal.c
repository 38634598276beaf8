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

void space_put_arguments_place(const struct step *step, struct error *error)
{
    space_put_place(step->argument_count ? &step->arguments_place : &step->kernel_place, error);
}
