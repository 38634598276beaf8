/* Compiles configurations that the search will probably submit first, while the devices start. */
#include <stdlib.h>
#include <string.h>

#include "evaluate/gpu_evaluator.h"

enum foreseen_state {
    FORESEEN_WAITING,
    FORESEEN_COMPILING,
    FORESEEN_COMPILED,
    FORESEEN_GONE /* submitted, or useless */
};

struct foreseen {
    enum foreseen_state state;
    uint64_t index;
    struct compile_result result; /* FORESEEN_COMPILED; points into the texts */
    struct text cubin, names, log;
};

/* machine code kept for later submissions */
enum { KEPT_BYTES_MAX = 64 << 20 };

int gpu_foresee(struct gpu_evaluator *gpu, const uint64_t *indices, size_t count, struct error *error)
{
    gpu->foreseen = calloc(count, sizeof *gpu->foreseen);
    if (!gpu->foreseen)
        return error_memory(error);
    for (size_t i = 0; i < count; i++) {
        size_t earlier = 0;
        while (earlier < i && indices[earlier] != indices[i])
            earlier++;
        if (earlier == i)
            gpu->foreseen[gpu->foreseen_count++].index = indices[i];
    }
    return gpu_compile_start(gpu, error);
}

static int start(struct gpu_evaluator *gpu, struct foreseen *foreseen, struct error *error)
{
    const struct space *space = gpu->setup->space;
    uint32_t choices[SPACE_PARAMETERS_MAX];
    struct launch launch;
    struct error unlaunchable = {0}; /* reported by the submission */
    char why[256];
    valid_set_get(gpu->setup->set, foreseen->index, choices);
    if (space_launch(space, choices, &launch, &unlaunchable) ||
        !space_launch_fits(space, LAUNCH_OF_RUN, choices, why, sizeof why)) {
        foreseen->state = FORESEEN_GONE;
        return 0;
    }
    foreseen->state = FORESEEN_COMPILING;
    return gpu_compile_submit(gpu, gpu_foreseen_id(gpu, (size_t)(foreseen - gpu->foreseen)), choices, &launch, false,
                              error);
}

int gpu_foreseen_start(struct gpu_evaluator *gpu, struct error *error)
{
    int code = 0;
    for (size_t i = 0; i < gpu->foreseen_count && !code && !gpu->started && compile_pool_idle(gpu->pool); i++)
        if (gpu->foreseen[i].state == FORESEEN_WAITING && gpu->foreseen_bytes < KEPT_BYTES_MAX)
            code = start(gpu, &gpu->foreseen[i], error);
    return code;
}

bool gpu_foreseen_abandon(struct gpu_evaluator *gpu)
{
    for (size_t i = 0; i < gpu->foreseen_count; i++) {
        struct foreseen *foreseen = &gpu->foreseen[i];
        bool awaited = foreseen->state != FORESEEN_COMPILING;
        for (size_t s = 0; s < gpu->slot_count && !awaited; s++)
            awaited = gpu->slots[s].foreseen == foreseen;
        if (awaited)
            continue;
        foreseen->state = FORESEEN_GONE;
        return compile_pool_abandon(gpu->pool, gpu_foreseen_id(gpu, i));
    }
    return false;
}

static bool keep(struct foreseen *foreseen, const struct compile_result *result)
{
    foreseen->result = *result;
    text_append(&foreseen->cubin, result->cubin, result->cubin_bytes);
    text_append(&foreseen->names, result->lowered_names, text_strings_bytes(result->lowered_names, result->name_count));
    text_append(&foreseen->log, result->log, strlen(result->log));
    foreseen->result.cubin = result->cubin ? foreseen->cubin.bytes : NULL;
    foreseen->result.lowered_names = text_string(&foreseen->names);
    foreseen->result.log = text_string(&foreseen->log);
    return !foreseen->cubin.failed && !foreseen->names.failed && !foreseen->log.failed;
}

bool gpu_foreseen_take(struct gpu_evaluator *gpu, const struct compile_result *result, struct slot **slot)
{
    *slot = NULL;
    if (result->id < gpu_foreseen_id(gpu, 0))
        return false;
    struct foreseen *foreseen = &gpu->foreseen[result->id - gpu_foreseen_id(gpu, 0)];
    for (size_t i = 0; i < gpu->slot_count && !*slot; i++)
        if (gpu->slots[i].state == SLOT_COMPILING && gpu->slots[i].foreseen == foreseen)
            *slot = &gpu->slots[i];
    if (*slot)
        (*slot)->foreseen = NULL;
    bool kept = !*slot && keep(foreseen, result);
    foreseen->state = kept ? FORESEEN_COMPILED : FORESEEN_GONE;
    gpu->foreseen_bytes += kept ? foreseen->cubin.length + foreseen->log.length : 0;
    return true;
}

/* True if a slot uses the compilation. Other slots of the same configuration, for other devices, compile it again. */
static bool is_claimed(const struct gpu_evaluator *gpu, const struct foreseen *foreseen)
{
    bool claimed = false;
    for (size_t i = 0; i < gpu->slot_count; i++)
        claimed |= gpu->slots[i].state != SLOT_FREE && gpu->slots[i].foreseen == foreseen;
    return claimed;
}

struct foreseen *gpu_foreseen_find(struct gpu_evaluator *gpu, uint64_t index)
{
    for (size_t i = 0; i < gpu->foreseen_count; i++) {
        struct foreseen *foreseen = &gpu->foreseen[i];
        if (foreseen->index != index || foreseen->state == FORESEEN_GONE || is_claimed(gpu, foreseen))
            continue;
        if (foreseen->state != FORESEEN_WAITING)
            return foreseen;
        foreseen->state = FORESEEN_GONE;
    }
    return NULL;
}

const struct compile_result *gpu_foreseen_result(const struct foreseen *foreseen)
{
    return foreseen->state == FORESEEN_COMPILED ? &foreseen->result : NULL;
}

static void release(struct gpu_evaluator *gpu, struct foreseen *foreseen)
{
    foreseen->state = FORESEEN_GONE;
    gpu->foreseen_bytes -= foreseen->cubin.length + foreseen->log.length;
    text_free(&foreseen->cubin);
    text_free(&foreseen->names);
    text_free(&foreseen->log);
}

void gpu_foreseen_release(struct gpu_evaluator *gpu, struct slot *slot)
{
    release(gpu, slot->foreseen);
    slot->foreseen = NULL;
}

void gpu_foreseen_free(struct gpu_evaluator *gpu)
{
    for (size_t i = 0; i < gpu->foreseen_count; i++)
        release(gpu, &gpu->foreseen[i]);
    free(gpu->foreseen);
}
