#include "space/space.h"

size_t space_library_sizes(const struct space *space, int64_t sizes[SPACE_PROBLEMS_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < space->problem_count; i++)
        if (space->problems[i].value.kind == VALUE_INT)
            sizes[count++] = space->problems[i].value.integer;
    return count;
}

void space_describe(const struct space *space, struct provenance *provenance)
{
    provenance->kernel = space->name;
    provenance->title = space->title;
    provenance->source_hash = space->source_hash;
    provenance->space_hash = space->text_hash;
    provenance->bytes = space->bytes;
    provenance->flops = space->flops;
}
