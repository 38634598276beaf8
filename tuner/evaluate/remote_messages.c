#include "evaluate/remote_messages.h"

#include <stdio.h>
#include <string.h>

#define NUMBER(type, member) PACK_NUMBER(struct type, member)

PACK_TABLE(remote_job_table, struct remote_job, NUMBER(remote_job, synthetic), NUMBER(remote_job, no_cache),
           NUMBER(remote_job, keep_samples), NUMBER(remote_job, space_memory_bytes),
           PACK_STRING(struct remote_job, folder), PACK_STRING(struct remote_job, space_path),
           PACK_STRING(struct remote_job, replay), PACK_RANGE(struct remote_job, space_text, space_length),
           PACK_STRING(struct remote_job, conditions), PACK_STRING(struct remote_job, part),
           PACK_STRINGS(struct remote_job, defines, define_count), PACK_STRINGS(struct remote_job, sets, set_count),
           PACK_STRINGS(struct remote_job, configurations, configuration_count),
           PACK_STRINGS(struct remote_job, files, file_count));

PACK_TABLE(remote_part_table, struct remote_part, NUMBER(remote_part, file), NUMBER(remote_part, offset),
           NUMBER(remote_part, total), PACK_RANGE(struct remote_part, bytes, length));

PACK_OWN_TABLE(usage_table, struct evaluator_usage, NUMBER(evaluator_usage, compilers),
               NUMBER(evaluator_usage, compiled), NUMBER(evaluator_usage, compile_ns),
               NUMBER(evaluator_usage, compile_wall_ns), NUMBER(evaluator_usage, phase_ns),
               NUMBER(evaluator_usage, phase_measure_ns), NUMBER(evaluator_usage, phase_compile_ns));

PACK_TABLE(remote_state_table, struct remote_state, PACK_NUMBERS(struct remote_state, capacity),
           PACK_STRUCT(struct remote_state, usage, usage_table));

PACK_TABLE(remote_ready_table, struct remote_ready, PACK_TEXT(struct remote_ready, version),
           PACK_STRUCT(struct remote_ready, limits, device_limits_table), NUMBER(remote_ready, devices),
           NUMBER(remote_ready, configurations), PACK_TEXT(struct remote_ready, text_hash),
           PACK_TEXT(struct remote_ready, compiler), PACK_TEXT(struct remote_ready, source_hash),
           PACK_TEXT(struct remote_ready, data_hash), PACK_STRUCT(struct remote_ready, state, remote_state_table));

PACK_TABLE(remote_submit_table, struct remote_submit, NUMBER(remote_submit, index), NUMBER(remote_submit, device),
           NUMBER(remote_submit, exact));

PACK_TABLE(remote_incumbent_table, struct remote_incumbent, NUMBER(remote_incumbent, device),
           NUMBER(remote_incumbent, value));

PACK_TABLE(remote_done_table, struct remote_done, NUMBER(remote_done, index), NUMBER(remote_done, device),
           NUMBER(remote_done, withdrawn), NUMBER(remote_done, original),
           PACK_STRUCT(struct remote_done, measurement, measurement_table), PACK_STRING(struct remote_done, log),
           PACK_STRING(struct remote_done, samples), PACK_STRUCT(struct remote_done, state, remote_state_table));

static bool tell(bool differs, char *why, size_t room, const char *what, const char *its, const char *first)
{
    if (differs)
        snprintf(why, room, "it has %s %s, the first rank %s", what, its, first);
    return differs;
}

static bool texts_differ(const char *its, const char *first, char *why, size_t room, const char *what)
{
    return tell(strcmp(its, first) != 0, why, room, what, its, first);
}

static bool numbers_differ(int64_t its, int64_t first, char *why, size_t room, const char *what)
{
    char one[24], other[24];
    snprintf(one, sizeof one, "%lld", (long long)its);
    snprintf(other, sizeof other, "%lld", (long long)first);
    return tell(its != first, why, room, what, one, other);
}

bool remote_differs(const struct remote_ready *first, const struct remote_ready *other, char *why, size_t room)
{
    const struct device_limits *a = &first->limits, *b = &other->limits;
    if (texts_differ(other->version, first->version, why, room, "cutune") ||
        texts_differ(b->name, a->name, why, room, "the device") ||
        texts_differ(b->driver, a->driver, why, room, "driver") ||
        numbers_differ(b->cuda, a->cuda, why, room, "a driver of CUDA version"))
        return true;
    for (size_t i = 0; i < limit_count; i++)
        if (numbers_differ(limit_get(b, &limit_rows[i]), limit_get(a, &limit_rows[i]), why, room, limit_rows[i].name))
            return true;
    return texts_differ(other->text_hash, first->text_hash, why, room, "another space file: its hash is") ||
           texts_differ(other->source_hash, first->source_hash, why, room, "other sources: their hash is") ||
           texts_differ(other->compiler, first->compiler, why, room, "another compiler: its build is") ||
           texts_differ(other->data_hash, first->data_hash, why, room, "other input files: their hash is") ||
           numbers_differ((int64_t)other->configurations, (int64_t)first->configurations, why, room,
                          "another number of valid configurations,");
}
