#include "base/work.h"

#include <stddef.h>

static void tell(const struct work *work)
{
    if (work->show)
        work->show(work->context, work);
}

void work_begin(struct work *work, const char *doing, uint64_t total)
{
    if (!work)
        return;
    work->doing = doing;
    work->done = 0;
    work->total = total;
    tell(work);
}

void work_step(struct work *work, uint64_t steps)
{
    if (!work)
        return;
    work->done += steps;
    tell(work);
}
