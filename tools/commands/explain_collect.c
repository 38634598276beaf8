#include "commands/explain_collect.h"

#include <stdio.h>
#include <string.h>

#include "base/pairs.h"
#include "base/text.h"
#include "commands/find.h"
#include "device/device.h"
#include "terminal/output.h"
#include "terminal/stop.h"
#include "tuner/session.h"

struct collecting {
    struct explain_collect *collect;
    struct explained *explained;
    struct arena arena;
    const char **configurations; /* that lack evidence */
    size_t *numbers;             /* theirs in `explained` */
    size_t count;
};

static int listen_to(void *context, const struct session_event *event, struct error *error)
{
    (void)context, (void)error;
    if (event->kind == SESSION_STARTED)
        stop_in_order();
    if (event->kind == SESSION_NOTE)
        output_note("%s", event->note);
    return 0;
}

static int take(void *context, size_t number, const struct evidence *launches, size_t count, const char *no_counters,
                struct error *error)
{
    struct collecting *collecting = context;
    snprintf(collecting->collect->no_counters, sizeof collecting->collect->no_counters, "%s", no_counters);
    if (!count) /* measured on the device: the journal has it */
        return 0;
    return explained_put(collecting->explained, collecting->numbers[number], launches, count, error);
}

/* The named configurations are wanted in any case. */
static int find_lacking(struct collecting *collecting, struct error *error)
{
    const struct explained *explained = collecting->explained;
    size_t count = explained->input.count, most = explained->wanted + collecting->collect->neighbours;
    collecting->configurations = arena_array(&collecting->arena, count + 1, sizeof *collecting->configurations);
    collecting->numbers = arena_array(&collecting->arena, count + 1, sizeof *collecting->numbers);
    if (!collecting->configurations || !collecting->numbers)
        return error_memory(error);
    for (size_t i = 0; i < count && i < most; i++)
        if (explained_lacks(explained, i, collecting->collect->counters)) {
            collecting->configurations[collecting->count] = explained->configurations[i].configuration;
            collecting->numbers[collecting->count++] = i;
        }
    return 0;
}

/* Is it the journal's device? */
static int is_at_hand(const struct collecting *collecting, bool *at_hand, struct error *error)
{
    const struct explained *explained = collecting->explained;
    const struct provenance *provenance = explained->input.provenance;
    struct device *device = NULL;
    struct error none = {0};
    char chosen[DEVICE_NAME_BYTES];
    int code = device_choose_one(collecting->collect->device, chosen, error);
    if (code)
        return code;
    code = device_open(&device, chosen, &none);
    *at_hand = !code && strcmp(device_limits(device)->name, provenance->device.name) == 0;
    if (!*at_hand)
        text_format(collecting->collect->no_counters, sizeof collecting->collect->no_counters, "%s%s",
                    code ? none.message : "the device at hand is ", code ? "" : device_limits(device)->name);
    device_close(device);
    return code == ERROR_INTERRUPTED ? error_set(error, ERROR_INTERRUPTED, "interrupted") : 0;
}

/* The request that gave the journal's results. */
static int make_request(struct collecting *collecting, struct session_request *request, struct error *error)
{
    const struct provenance *provenance = collecting->explained->input.provenance;
    struct arena *arena = &collecting->arena;
    struct space_file space;
    struct pairs sizes;
    int code = find_run_space_file(arena, collecting->collect->space, provenance->kernel,
                                   collecting->collect->untrusted, &space, error);
    if (code && !collecting->collect->space)
        error_hint(error, "--space names the kernel's space");
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
    request->space_path = space.path;
    request->space_text = space.text;
    request->space_length = space.length;
    request->defines = defines;
    request->define_count = sizes.count;
    request->device = collecting->collect->device;
    request->stop = stop_requests;
    request->listener = listen_to;
    return 0;
}

/* On the device, the session looks for what is missing. */
static int collect_on_device(struct collecting *collecting, struct session_request *request, struct error *error)
{
    const struct explained *explained = collecting->explained;
    const struct measured_run *run = explained->comparison->runs[explained->run].measured_run;
    struct session_list list = {.journal = run->path,
                                .fingerprint = run->provenance.fingerprint,
                                .evidence = take,
                                .context = collecting,
                                .focus = explained->configurations[0].configuration,
                                .neighbours = collecting->collect->neighbours};
    const char **others = arena_array(&collecting->arena, explained->named, sizeof *others);
    if (!others)
        return error_memory(error);
    for (size_t i = 1; i < explained->named; i++)
        others[list.work.count++] = explained->configurations[i].configuration;
    list.work.configurations = others;
    request->list = &list;
    collecting->collect->recorded = true;
    return session_run(request, error);
}

static int collect_compiled(struct collecting *collecting, struct session_request *request, struct error *error)
{
    const struct explained *explained = collecting->explained;
    const struct measured_run *run = explained->comparison->runs[explained->run].measured_run;
    const struct session_list list = {
        .work = {.configurations = collecting->configurations, .count = collecting->count},
        .evidence = take,
        .context = collecting};
    if (!collecting->count)
        return 0;
    request->list = &list;
    request->replay = run->path;
    return session_run(request, error);
}

int explain_collect(struct explain_collect *collect, struct explained *explained, struct error *error)
{
    struct collecting collecting = {.collect = collect, .explained = explained};
    struct session_request request = {0};
    bool at_hand = false;
    int code = find_lacking(&collecting, error);
    if (!code)
        code = is_at_hand(&collecting, &at_hand, error);
    if (!code && (at_hand || collecting.count))
        code = make_request(&collecting, &request, error);
    if (!code)
        code = (at_hand ? collect_on_device : collect_compiled)(&collecting, &request, error);
    arena_free(&collecting.arena);
    return code;
}
