/* Sets of expected results other than the default configuration's. Their kernels are compiled like variants when a
 * configuration first needs them, and a device computes a set before its first job that needs it. */
#include <stdlib.h>
#include <string.h>

#include "evaluate/gpu_evaluator.h"
#include "evaluate/set_code.h"

enum part_state { PART_WAITING, PART_COMPILING, PART_COMPILED };

struct gpu_set_state {
    struct set_code code;
    enum part_state states[SET_PARTS];
    struct measurement outcome; /* OK, or the outcome of all configurations that need the set */
};

static void fail(struct gpu_set_state *state, const char *why)
{
    state->outcome = measurement_unknown(STATUS_WRONG_RESULT);
    measurement_explain(&state->outcome, "no expected results: %s", why);
    for (enum set_part part = 0; part < SET_PARTS; part++)
        if (state->states[part] == PART_WAITING)
            state->states[part] = PART_COMPILED;
}

int gpu_sets_need(struct gpu_evaluator *gpu, uint32_t set, struct error *error)
{
    struct error why = {0};
    if (set == 0 || gpu->sets[set])
        return 0;
    struct gpu_set_state *state = gpu->sets[set] = calloc(1, sizeof *state);
    if (!state)
        return error_memory(error);
    state->code.set = set;
    state->outcome = measurement_unknown(STATUS_OK);
    int code = set_code_make(gpu->setup->space, &state->code, &why);
    for (enum set_part part = 0; part < SET_PARTS; part++)
        if (!state->code.parts[part].used)
            state->states[part] = PART_COMPILED;
    if (code == ERROR_MEMORY)
        return error_memory(error);
    if (code)
        fail(state, why.message);
    return 0;
}

static int start(struct gpu_evaluator *gpu, size_t set, enum set_part part, struct error *error)
{
    struct gpu_set_state *state = gpu->sets[set];
    struct compile_job job = {.id = gpu_set_id(gpu, set, part), .cc = gpu->limits->cc};
    struct set_code_texts texts = {0};
    struct error why = {0};
    int code = set_code_job(gpu->setup->space, &state->code, part, gpu->setup->compiler_build, &texts, &job, &why);
    if (code == ERROR_MEMORY)
        error_memory(error);
    else if (code)
        fail(state, why.message);
    state->states[part] = code ? PART_COMPILED : PART_COMPILING;
    if (!code)
        code = compile_pool_submit(gpu->pool, &job, error);
    else if (code != ERROR_MEMORY)
        code = 0;
    set_code_texts_free(&texts);
    return code;
}

int gpu_sets_start(struct gpu_evaluator *gpu, struct error *error)
{
    int code = 0;
    for (size_t set = 1; set < SPACE_SETS_MAX && gpu->setup->space->per_count; set++)
        for (enum set_part part = 0; part < SET_PARTS; part++)
            if (!code && gpu->sets[set] && gpu->sets[set]->states[part] == PART_WAITING && compile_pool_idle(gpu->pool))
                code = start(gpu, set, part, error);
    return code;
}

bool gpu_sets_take(struct gpu_evaluator *gpu, const struct compile_result *result)
{
    const struct space *space = gpu->setup->space;
    struct error why = {0};
    if (result->id < gpu_set_id(gpu, 0, 0) || result->id >= gpu_set_up_id(gpu))
        return false;
    struct gpu_set_state *state = gpu->sets[(result->id - gpu->slot_count) / SET_PARTS];
    enum set_part part = (enum set_part)((result->id - gpu->slot_count) % SET_PARTS);
    state->states[part] = PART_COMPILED;
    char text[sizeof why.message];
    if (result->status != STATUS_OK) {
        text_format(text, sizeof text, "%s does not compile: %s", set_code_part_name(&state->code, part),
                    result->message);
        fail(state, text);
    } else if (set_code_take(space, &state->code, part, result, &why)) {
        fail(state, why.message);
    }
    if (state->outcome.status == STATUS_OK && state->states[SET_REFERENCE] == PART_COMPILED &&
        state->states[SET_ACCEPT] == PART_COMPILED && set_code_check(space, &state->code, &why))
        fail(state, why.message);
    return true;
}

bool gpu_sets_ready(const struct gpu_evaluator *gpu, uint32_t set)
{
    const struct gpu_set_state *state = gpu->sets[set];
    return !state || (state->states[SET_REFERENCE] == PART_COMPILED && state->states[SET_ACCEPT] == PART_COMPILED);
}

bool gpu_sets_compiling(const struct gpu_evaluator *gpu)
{
    for (uint32_t set = 1; set < SPACE_SETS_MAX && gpu->setup->space->per_count; set++)
        if (!gpu_sets_ready(gpu, set))
            return true;
    return false;
}

const struct measurement *gpu_sets_refusal(const struct gpu_evaluator *gpu, uint32_t set)
{
    const struct measurement *refusal = NULL;
    if (gpu->sets[set] && gpu->sets[set]->outcome.status != STATUS_OK)
        return &gpu->sets[set]->outcome;
    for (size_t d = 0; d < gpu->setup->device_count && !refusal; d++)
        refusal = device_refusal(gpu->setup->devices[d], set);
    return refusal;
}

int gpu_sets_tell(const struct gpu_evaluator *gpu, uint32_t set, struct device *device, struct error *error)
{
    if (device_expects(device, set))
        return 0;
    const struct device_expected expected = set_code_expected(&gpu->sets[set]->code);
    return device_expect(device, set, &expected, error);
}

static void forget(struct gpu_evaluator *gpu, size_t set)
{
    if (gpu->sets[set])
        set_code_free(&gpu->sets[set]->code);
    free(gpu->sets[set]);
    gpu->sets[set] = NULL;
}

void gpu_sets_withdraw(struct gpu_evaluator *gpu)
{
    for (uint32_t set = 1; set < SPACE_SETS_MAX && gpu->setup->space->per_count; set++) {
        if (gpu_sets_ready(gpu, set))
            continue;
        for (enum set_part part = 0; part < SET_PARTS; part++)
            if (gpu->sets[set]->states[part] == PART_COMPILING)
                compile_pool_abandon(gpu->pool, gpu_set_id(gpu, set, part));
        forget(gpu, set);
    }
}

void gpu_sets_free(struct gpu_evaluator *gpu)
{
    for (size_t set = 0; set < SPACE_SETS_MAX; set++)
        forget(gpu, set);
}
