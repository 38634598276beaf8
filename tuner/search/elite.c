#include "search/elite.h"

void elite_tell(struct elite *elite, uint64_t index, const struct cost *cost)
{
    size_t at = elite->count;
    if (!cost->ok || cost->bound)
        return;
    while (at > 0 && cost->value < elite->members[at - 1].value)
        at--;
    if (at == elite->most)
        return;
    elite->count += elite->count < elite->most;
    for (size_t i = elite->count - 1; i > at; i--)
        elite->members[i] = elite->members[i - 1];
    elite->members[at] = (struct elite_member){index, cost->value};
}
