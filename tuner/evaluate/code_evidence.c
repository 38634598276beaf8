#include "evaluate/code_evidence.h"

#include <string.h>

#include "base/pack.h"
#include "compile/accesses.h"
#include "compile/instruction_mix.h"

/* Returns the kernel's lowered name. */
static const char *lowered_name(const struct compile_result *result, size_t kernel)
{
    const char *name = result->lowered_names;
    for (size_t k = 0; k < kernel; k++)
        name += strlen(name) + 1;
    return name;
}

void code_evidence(const struct launch *launch, const struct compile_result *result, struct evidence *launches)
{
    struct bundle bundle;
    bundle_read(result->cubin, result->cubin_bytes, &bundle);
    for (uint32_t p = 0; p < bundle.part_count; p++) {
        struct text listing = {0};
        struct error ignored = {0};
        bool listed = !accesses_list(bundle.parts[p].bytes, bundle.parts[p].length, &listing, &ignored);
        for (size_t s = 0; s < launch->step_count && listed; s++)
            if (bundle.of[launch->steps[s].kernel] == p)
                instruction_mix_read(text_string(&listing), lowered_name(result, launch->steps[s].kernel), &launches[s],
                                     &ignored);
        text_free(&listing);
    }
}

/* Ample: nvdisasm takes half a second, and longer on a loaded machine. */
static const int64_t timeout_ns = 20000000000;

struct listed {
    const struct launch *launch;
    const struct compile_result *result;
};

static void list(int socket, void *context)
{
    const struct listed *listed = context;
    struct evidence launches[SPACE_LAUNCHES_MAX];
    struct text text = {0};
    for (size_t s = 0; s < listed->launch->step_count; s++)
        launches[s] = evidence_unknown();
    code_evidence(listed->launch, listed->result, launches);
    for (size_t s = 0; s < listed->launch->step_count; s++)
        pack_struct(&text, &evidence_table, &launches[s]);
    message_send(socket, 1, 0, text.bytes, text.length);
    text_free(&text);
}

void code_evidence_begin(struct worker *worker, const struct launch *launch, const struct compile_result *result)
{
    struct listed listed = {launch, result};
    if (!worker_start(worker, list, &listed, NULL))
        worker_expect(worker, timeout_ns);
}

void code_evidence_end(struct worker *worker, const struct launch *launch, struct evidence *launches)
{
    struct message message;
    int got = 0;
    while (worker->pid && (got = worker_receive(worker, &message)) == 0 && !worker_late(worker))
        worker_wait(&worker, 1, INT64_MAX);
    struct unpack unpack = unpack_start(got > 0 ? message.bytes : NULL, got > 0 ? message.length : 0);
    for (size_t s = 0; s < launch->step_count && got > 0; s++) {
        struct evidence found;
        if (unpack_struct(&unpack, &evidence_table, &found))
            evidence_add(&launches[s], &found);
    }
    worker_stop(worker);
}
