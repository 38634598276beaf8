#include "commands/session_values.h"

#include "base/pairs.h"
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

int session_values_again(struct session_request *request, struct arena *arena, const struct provenance *provenance,
                         const char *space, bool untrusted, struct error *error)
{
    struct space_file file;
    struct pairs sizes;
    int code = find_run_space_file(arena, space, provenance->kernel, untrusted, &file, error);
    if (!code)
        code = pairs_read(arena, provenance->problem, &sizes, error);
    if (!code)
        code = conditions_read(&request->conditions, arena, provenance->options, error);
    const char **defines = code ? NULL : arena_array(arena, sizes.count + 1, sizeof *defines);
    if (!code && !defines)
        code = error_memory(error);
    for (size_t i = 0; !code && i < sizes.count; i++)
        if (!(defines[i] = arena_printf(arena, "%s=%s", sizes.items[i].name, sizes.items[i].value)))
            code = error_memory(error);
    if (code)
        return code;
    request->space_path = file.path;
    request->space_text = file.text;
    request->space_length = file.length;
    request->defines = defines;
    request->define_count = sizes.count;
    return 0;
}

void session_values_show(struct progress *progress, bool quiet, const struct session_event *event)
{
    switch (event->kind) {
    case SESSION_NOTE:
        if (!quiet)
            output_note("%s", event->note);
        return;
    case SESSION_WAIT:
        if (!quiet)
            progress_wait(progress, event->waits);
        return;
    case SESSION_STARTED:
        stop_in_order();
        return;
    case SESSION_RUN:
        if (event->run->kind != RUN_PLAN)
            progress_show(progress, event);
        return;
    case SESSION_SEARCHED:
        output_status("");
        return;
    default:
        return;
    }
}
