#include "commands/session_values.h"

#include "terminal/output.h"
#include "terminal/stop.h"

struct session_request session_values_request(const struct session_values *values)
{
    return (struct session_request){.sets = values->sets.items,
                                    .set_count = values->sets.count,
                                    .space_memory_bytes = (size_t)values->space_memory_mib << 20,
                                    .device = values->device,
                                    .conditions = values->conditions,
                                    .jobs = (size_t)values->jobs,
                                    .no_cache = values->no_cache,
                                    .strategy = values->strategy,
                                    .seed = (uint64_t)values->seed,
                                    .max_evals = (uint64_t)values->max_evals,
                                    .journal = values->journal,
                                    .stop = stop_requests};
}

void session_values_show(struct progress *progress, bool quiet, const struct session_event *event)
{
    switch (event->kind) {
    case SESSION_NOTE:
        if (!quiet)
            output_note("%s", event->note);
        return;
    case SESSION_STARTED:
        stop_in_order();
        return;
    case SESSION_EVALUATION:
    case SESSION_PROGRESS:
        progress_show(progress, event);
        return;
    case SESSION_SEARCHED:
        progress_end(progress);
        return;
    default:
        return;
    }
}
