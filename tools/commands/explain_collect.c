#include "commands/explain_collect.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "commands/session_values.h"
#include "session/process_pool.h"
#include "terminal/stop.h"

struct collecting {
    struct explain_collect *collect;
    struct explain_input *explained;
    struct arena arena;
    const char **configurations; /* configurations without evidence */
    size_t *numbers;             /* their indices in `explained` */
    size_t count;
};

static int listen_to(void *context, const struct session_event *event, struct error *error)
{
    (void)error;
    session_values_show(context, false, event);
    return 0;
}

static int take(void *context, size_t number, const struct evidence *launches, size_t count, const char *no_counters,
                struct error *error)
{
    struct collecting *collecting = context;
    snprintf(collecting->collect->no_counters, sizeof collecting->collect->no_counters, "%s", no_counters);
    if (!count) /* measured on the device: the journal has it */
        return 0;
    work_step(progress_work(collecting->collect->progress), 1);
    return explain_input_put(collecting->explained, collecting->numbers[number], launches, count, error);
}

/* Always includes the named configurations. */
static int find_lacking(struct collecting *collecting, struct error *error)
{
    const struct explain_input *explained = collecting->explained;
    size_t count = explained->input.count, most = explained->wanted + collecting->collect->neighbours;
    collecting->configurations = arena_array(&collecting->arena, count + 1, sizeof *collecting->configurations);
    collecting->numbers = arena_array(&collecting->arena, count + 1, sizeof *collecting->numbers);
    if (!collecting->configurations || !collecting->numbers)
        return error_memory(error);
    for (size_t i = 0; i < count && i < most; i++)
        if (explain_input_lacks(explained, i, collecting->collect->counters)) {
            collecting->configurations[collecting->count] = explained->configurations[i].configuration;
            collecting->numbers[collecting->count++] = i;
        }
    return 0;
}

/* True if the device is the journal's. */
static int is_at_hand(struct explain_collect *collect, const struct explain_input *explained, bool *at_hand,
                      struct error *error)
{
    struct error none = {0};
    int code = process_pool_open_device(collect->process_pool, collect->device, &none);
    const char *name = code ? "" : device_limits(collect->process_pool->devices[0])->name;
    *at_hand = !code && strcmp(name, explained->input.provenance->device.name) == 0;
    if (!*at_hand)
        text_format(collect->no_counters, sizeof collect->no_counters, "%s%s",
                    code ? none.message : "the device at hand is ", name);
    if (code != ERROR_USAGE && code != ERROR_INTERRUPTED)
        return 0;
    *error = none;
    return code;
}

/* On the device, the session finds missing evidence itself. */
static int collect_on_device(struct collecting *collecting, struct session_request *request, struct error *error)
{
    const struct explain_input *explained = collecting->explained;
    const struct comparison_run *run = &explained->comparison->runs[explained->run];
    struct session_list list = {.journal = run->measured_run->journal,
                                .evidence = take,
                                .context = collecting,
                                .focus = explained->configurations[0].configuration,
                                .neighbours = collecting->collect->neighbours,
                                .measured = collecting->collect->measured,
                                .run = run->number,
                                .comparisons = collecting->collect->comparisons};
    const char **others = arena_array(&collecting->arena, explained->named, sizeof *others);
    if (!others)
        return error_memory(error);
    for (size_t i = 1; i < explained->named; i++)
        others[list.work.count++] = explained->configurations[i].configuration;
    list.work.configurations = others;
    request->list = &list;
    request->process_pool = collecting->collect->process_pool;
    return session_run(request, error);
}

static int collect_compiled(struct collecting *collecting, struct session_request *request, struct error *error)
{
    const struct explain_input *explained = collecting->explained;
    const struct measured_run *run = explained->comparison->runs[explained->run].measured_run;
    const struct session_list list = {
        .journal = run->journal,
        .work = {.configurations = collecting->configurations, .count = collecting->count},
        .evidence = take,
        .context = collecting};
    if (!collecting->count)
        return 0;
    work_begin(progress_work(collecting->collect->progress), "configurations listed", collecting->count);
    request->list = &list;
    request->replay = run->path;
    return session_run(request, error);
}

int explain_collect(struct explain_collect *collect, struct explain_input *explained, struct error *error)
{
    struct collecting collecting = {.collect = collect, .explained = explained};
    struct session_request request = {
        .device = collect->device, .stop = stop_requests, .listener = listen_to, .context = collect->progress};
    bool at_hand = false;
    int code = find_lacking(&collecting, error);
    if (!code)
        code = is_at_hand(collect, explained, &at_hand, error);
    if (!code && (at_hand || collecting.count))
        code = session_values_again(&request, &collecting.arena, explained->input.provenance, collect->space,
                                    collect->untrusted, error);
    if (!code)
        code = (at_hand ? collect_on_device : collect_compiled)(&collecting, &request, error);
    arena_free(&collecting.arena);
    return code;
}
