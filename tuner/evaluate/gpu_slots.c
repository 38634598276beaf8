/* Slots: a configuration holds one from its submission until its outcome is returned. */
#include <math.h>
#include <string.h>

#include "evaluate/gpu_evaluator.h"
#include "space/candidate.h"

struct slot *gpu_slots_oldest(struct gpu_evaluator *gpu, enum slot_state state)
{
    struct slot *found = NULL;
    for (size_t i = 0; i < gpu->slot_count; i++)
        if (gpu->slots[i].state == state && (!found || gpu->slots[i].order < found->order))
            found = &gpu->slots[i];
    return found;
}

size_t gpu_slots_used(const struct gpu_evaluator *gpu)
{
    size_t used = 0;
    for (size_t i = 0; i < gpu->slot_count; i++)
        used += gpu->slots[i].state != SLOT_FREE;
    return used;
}

size_t gpu_slots_room(const struct gpu_evaluator *gpu, bool learns_at_once)
{
    size_t depth = queue_depth_wanted(&gpu->queue, learns_at_once), used = gpu_slots_used(gpu);
    return depth > used ? depth - used : 0;
}

void gpu_slots_finish(struct slot *slot, enum status status)
{
    slot->measurement.status = status;
    slot->state = SLOT_DONE;
}

/* Only compilations of foreseen configurations outlive their slots. */
static void withdraw(struct gpu_evaluator *gpu, struct slot *slot)
{
    if (slot->state == SLOT_COMPILING && !slot->foreseen)
        compile_pool_abandon(gpu->pool, (uint64_t)(slot - gpu->slots));
    slot->foreseen = NULL;
    slot->withdrawn = true;
    slot->state = SLOT_DONE;
}

int gpu_slots_withdraw(void *state, enum evaluation_stage stage, struct error *error)
{
    struct gpu_evaluator *gpu = state;
    enum slot_state last = stage == STAGE_WAITING ? SLOT_WAITING : SLOT_DUPLICATE;
    (void)error;
    for (size_t i = 0; i < gpu->slot_count; i++) {
        struct slot *slot = &gpu->slots[i];
        if (slot->state != SLOT_FREE && slot->state <= last && !slot->apart)
            withdraw(gpu, slot);
    }
    while (stage == STAGE_UNMEASURED && gpu_foreseen_abandon(gpu))
        continue;
    if (stage == STAGE_UNMEASURED)
        gpu_sets_withdraw(gpu);
    return 0;
}

int gpu_slots_submit(struct gpu_evaluator *gpu, uint64_t index, bool exact, bool apart, struct slot **taken,
                     struct error *error)
{
    char why[256];
    struct slot *slot = gpu_slots_oldest(gpu, SLOT_FREE);
    int code = gpu_start(gpu, error);
    if (code)
        return code;
    valid_set_get(gpu->setup->set, index, slot->choices);
    code = space_launch(gpu->setup->space, slot->choices, &slot->launch, error);
    if (!code)
        code = space_work(gpu->setup->space, slot->choices, &slot->amounts, error);
    if (!code && gpu->setup->space->accept_command)
        code = space_environment(gpu->setup->space, slot->choices, UINT64_MAX, UINT64_MAX, &slot->environment,
                                 &slot->environment_count, error);
    if (code)
        return code;
    slot->foreseen = gpu_foreseen_find(gpu, index);
    slot->state = SLOT_WAITING;
    slot->index = index;
    slot->original = OUTCOME_NO_DUPLICATE;
    slot->exact = exact;
    slot->apart = apart;
    slot->withdrawn = false;
    slot->wanted = slot->device = EVALUATOR_ANY_DEVICE;
    slot->evidence = NULL;
    slot->set = space_set(gpu->setup->space, slot->choices);
    slot->order = gpu->orders++;
    slot->measurement = measurement_unknown(STATUS_OK);
    measurement_per_work(&slot->measurement, &slot->amounts);
    text_clear(&slot->log);
    const struct candidate *candidate = space_candidate(gpu->setup->space, slot->choices);
    if (candidate && candidate->refused) {
        measurement_explain(&slot->measurement, "refused: %s", candidate->refused);
        gpu_slots_finish(slot, STATUS_COMPILE_ERROR);
    } else if (!space_launch_fits(gpu->setup->space, LAUNCH_OF_RUN, slot->choices, why, sizeof why)) {
        measurement_explain(&slot->measurement, "%s", why);
        gpu_slots_finish(slot, STATUS_PRUNED_LIMIT);
    }
    if (taken)
        *taken = slot;
    return 0;
}

double gpu_slots_work(const struct slot *slot)
{
    return isnan(slot->amounts.work) ? 1 : slot->amounts.work;
}

struct device_kernel gpu_slots_kernel(const struct slot *slot)
{
    return (struct device_kernel){.cubin = slot->cubin.bytes,
                                  .cubin_bytes = slot->cubin.length,
                                  .lowered_names = text_string(&slot->names),
                                  .name_count = slot->launch.kernel_count,
                                  .launch = &slot->launch,
                                  .work = gpu_slots_work(slot),
                                  .set = slot->set,
                                  .environment = text_string(&slot->environment),
                                  .environment_count = slot->environment_count};
}

/* ---- Duplicates: configurations with equal machine code, launch, work and expected results are measured once ---- */

static bool hash_code(struct slot *slot)
{
    struct text text = {0};
    space_pack_launch(&text, &slot->launch);
    text_append(&text, (const char *)&slot->amounts.work, sizeof slot->amounts.work);
    text_append(&text, (const char *)&slot->set, sizeof slot->set);
    text_append(&text, slot->names.bytes, slot->names.length);
    text_append(&text, slot->environment.bytes, slot->environment.length); /* a command may judge by the parameters */
    text_append(&text, slot->cubin.bytes, slot->cubin.length);
    bool good = !text.failed;
    if (good)
        hash_hex(text.bytes, text.length, slot->code);
    text_free(&text);
    return good;
}

/* Takes the outcome of a duplicate, which was measured. */
static void take_over(struct gpu_evaluator *gpu, struct slot *slot, const struct duplicate *duplicate)
{
    struct text config = {0};
    uint32_t choices[SPACE_PARAMETERS_MAX];
    int64_t compile_ns = slot->measurement.compile_ns;
    valid_set_get(gpu->setup->set, duplicate->index, choices);
    space_config_text(gpu->setup->space, choices, &config);
    slot->measurement = duplicate->measurement;
    slot->device = duplicate->device;
    slot->original = duplicate->index;
    slot->measurement.compile_ns = compile_ns;
    slot->measurement.measure_ns = 0;
    if (duplicate->measurement.status == STATUS_OK)
        slot->measurement.status = STATUS_DUPLICATE;
    measurement_explain_duplicate(&slot->measurement, text_string(&config), duplicate->measurement.message);
    text_free(&config);
    slot->state = SLOT_DONE;
}

static double gpu_incumbent(const struct gpu_evaluator *gpu, size_t device)
{
    return device < gpu->setup->device_count ? gpu->members[device].incumbent : INFINITY;
}

static void settle_duplicate(struct gpu_evaluator *gpu, struct slot *slot)
{
    const struct duplicate *duplicate = duplicates_find(&gpu->duplicates, slot->code);
    if (duplicate && duplicate_serves(duplicate, slot->exact, gpu_incumbent(gpu, duplicate->device))) {
        take_over(gpu, slot, duplicate);
        return;
    }
    for (size_t i = 0; i < gpu->slot_count; i++) {
        const struct slot *other = &gpu->slots[i];
        if (other != slot && (other->state == SLOT_COMPILED || other->state == SLOT_MEASURING) &&
            strcmp(other->code, slot->code) == 0) {
            slot->state = SLOT_DUPLICATE;
            return;
        }
    }
}

int gpu_slots_find_duplicate(struct gpu_evaluator *gpu, struct slot *slot, struct error *error)
{
    if (!hash_code(slot))
        return error_memory(error);
    if (slot->wanted == EVALUATOR_ANY_DEVICE)
        settle_duplicate(gpu, slot);
    return 0;
}

int gpu_slots_keep_measured(struct gpu_evaluator *gpu, const struct slot *slot, struct error *error)
{
    struct duplicate duplicate = {.index = slot->index, .device = slot->device, .measurement = slot->measurement};
    memcpy(duplicate.code, slot->code, sizeof duplicate.code);
    int code = duplicates_add(&gpu->duplicates, &duplicate, error);
    for (size_t i = 0; i < gpu->slot_count; i++)
        if (gpu->slots[i].state == SLOT_DUPLICATE && strcmp(gpu->slots[i].code, slot->code) == 0) {
            gpu->slots[i].state = SLOT_COMPILED;
            settle_duplicate(gpu, &gpu->slots[i]);
        }
    return code;
}
