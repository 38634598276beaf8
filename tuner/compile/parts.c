#include "compile/parts.h"

#include <string.h>

void parts_begin(struct parts *parts, const struct compile_job *job)
{
    parts->job = job;
    parts->reply = (struct compile_reply){.status = STATUS_OK, .cached = true};
}

bool parts_next(struct parts *parts)
{
    const struct compile_job *job = parts->job;
    const size_t part = parts->next++;
    size_t before = 0;
    if (part == job->plan.part_count || parts->reply.status != STATUS_OK)
        return false;
    for (size_t p = 0; p < part; p++)
        before += job->plan.option_counts[p];
    parts->own = *job;
    parts->own.plan = (struct bundle_plan){0};
    parts->own.wants_ptx = false;
    parts->own.options = job->options + text_strings_bytes(job->options, before);
    parts->own.option_count = job->plan.option_counts[part];
    parts->own.name_count = 0;
    text_clear(&parts->own_names);
    const char *name = job->name_expressions;
    for (size_t k = 0; k < job->name_count; k++, name += strlen(name) + 1)
        if (job->plan.of[k] == part) {
            text_append(&parts->own_names, name, strlen(name) + 1);
            parts->own.name_count++;
        }
    parts->own.name_expressions = text_string(&parts->own_names);
    return true;
}

void parts_take(struct parts *parts, const struct compile_reply *reply)
{
    const size_t part = parts->next - 1;
    parts->reply.status = reply->status;
    parts->reply.cached &= reply->cached;
    memcpy(parts->reply.message, reply->message, sizeof parts->reply.message);
    bundle_log_begin(&parts->log, part);
    if (reply->log)
        text_append(&parts->log, reply->log, strlen(reply->log));
    if (reply->status != STATUS_OK)
        return;
    text_append(&parts->cubins[part], reply->cubin, reply->cubin_bytes);
    text_append(&parts->names[part], reply->lowered_names, text_strings_bytes(reply->lowered_names, reply->name_count));
    memcpy(parts->resources[part], reply->resources, reply->name_count * sizeof *reply->resources);
}

/* Puts the names and resources into the order of the job's kernels. */
static void order_kernels(struct parts *parts)
{
    const char *names[BUNDLE_PARTS_MAX];
    size_t taken[BUNDLE_PARTS_MAX] = {0};
    for (size_t p = 0; p < parts->job->plan.part_count; p++)
        names[p] = text_string(&parts->names[p]);
    for (size_t k = 0; k < parts->job->name_count; k++) {
        const size_t part = parts->job->plan.of[k], length = strlen(names[part]) + 1;
        text_append(&parts->lowered_names, names[part], length);
        names[part] += length;
        parts->reply.resources[k] = parts->resources[part][taken[part]++];
    }
    parts->reply.lowered_names = text_string(&parts->lowered_names);
    parts->reply.name_count = parts->job->name_count;
}

void parts_end(struct parts *parts)
{
    struct bundle bundle = {.part_count = parts->job->plan.part_count};
    parts->reply.log = (char *)text_string(&parts->log);
    if (parts->reply.status != STATUS_OK)
        return;
    memcpy(bundle.of, parts->job->plan.of, sizeof bundle.of);
    for (size_t p = 0; p < bundle.part_count; p++)
        bundle.parts[p] = (struct bundle_part){parts->cubins[p].bytes, parts->cubins[p].length};
    bundle_write(&parts->bundle, &bundle, parts->job->name_count);
    order_kernels(parts);
    parts->reply.cubin = parts->bundle.bytes;
    parts->reply.cubin_bytes = parts->bundle.length;
}

void parts_free(struct parts *parts)
{
    struct text *const texts[] = {&parts->own_names, &parts->log, &parts->bundle, &parts->lowered_names};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        text_free(texts[i]);
    for (size_t p = 0; p < BUNDLE_PARTS_MAX; p++) {
        text_free(&parts->cubins[p]);
        text_free(&parts->names[p]);
    }
}
