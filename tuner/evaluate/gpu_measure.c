/* Distributes compiled slots to devices and collects the measurements. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/roofline_time.h"
#include "compile/cubin.h"
#include "evaluate/gpu_evaluator.h"

enum power_state gpu_measure_incumbent_state(const struct gpu_member *member)
{
    return member->incumbent >= member->best ? member->best_state : POWER_UNKNOWN;
}

void gpu_measure_note_power(struct gpu_member *member, const struct measurement *measurement)
{
    enum power_state state = power_of(measurement->states).state;
    member->capped |= state == POWER_CAP || state == POWER_MIXED;
    if (measurement_timed(measurement) && measurement->value < member->best) {
        member->best = measurement->value;
        member->best_state = state;
    }
}

/* Names the variables of the machine code, for guarded measuring: NUL-terminated strings. Returns their number. */
static size_t name_variables(const struct slot *slot, char *names, size_t room)
{
    struct bundle bundle;
    size_t used = 0, count = 0;
    bundle_read(slot->cubin.bytes, slot->cubin.length, &bundle);
    for (size_t p = 0; p < bundle.part_count && used < room; p++) {
        char *list = names + used, *rest = list, *name;
        cubin_variables(bundle.parts[p].bytes, bundle.parts[p].length, list, room - used);
        used = (size_t)(list - names);
        while ((name = strtok_r(rest, ", ", &rest))) {
            const size_t bytes = strlen(name) + 1;
            memmove(names + used, name, bytes);
            used += bytes;
            count++;
        }
    }
    return count;
}

static int start_measuring(struct gpu_evaluator *gpu, struct slot *slot, size_t device, struct error *error)
{
    struct device_kernel kernel = gpu_slots_kernel(slot);
    struct device_job job = {.id = (uint64_t)(slot - gpu->slots),
                             .kernels = &kernel,
                             .kernel_count = 1,
                             .incumbent_ns =
                                 slot->exact ? INFINITY : gpu->members[device].incumbent * gpu_slots_work(slot),
                             .incumbent_state = gpu_measure_incumbent_state(&gpu->members[device]),
                             .capped = gpu->members[device].capped,
                             .timeout_ns = gpu->setup->timeout_ns};
    char variables[1024];
    if (gpu->setup->sampling.guarding.on) {
        kernel.variables = variables;
        kernel.variable_count = name_variables(slot, variables, sizeof variables);
    }
    gpu_evidence_end(gpu);
    int code = gpu_sets_tell(gpu, slot->set, gpu->setup->devices[device], error);
    if (!code)
        code = device_submit(gpu->setup->devices[device], &job, error);
    if (!code) {
        slot->state = SLOT_MEASURING;
        slot->device = device;
    }
    if (!gpu->measure_begin_ns)
        gpu->measure_begin_ns = clock_now_ns();
    return code;
}

bool gpu_measure_refuse(struct gpu_evaluator *gpu, struct slot *slot)
{
    const struct measurement *refusal = gpu_sets_refusal(gpu, slot->set);
    if (refusal)
        gpu_measure_outcome(slot, refusal);
    return refusal;
}

/* True if the slot's pipeline must wait: two devices that copy at once share the host's memory, so neither time would
 * be that of one device. */
static bool host_is_taken(const struct gpu_evaluator *gpu, const struct slot *slot)
{
    bool taken = false;
    for (size_t i = 0; i < gpu->slot_count; i++)
        taken |= gpu->slots[i].state == SLOT_MEASURING && gpu->slots[i].launch.pipeline.total > 0;
    return slot->launch.pipeline.total > 0 && taken;
}

static bool may_measure(const struct gpu_evaluator *gpu, const struct slot *slot, size_t device)
{
    bool wanted = slot->wanted == EVALUATOR_ANY_DEVICE || slot->wanted == device || gpu->members[slot->wanted].left_out;
    return wanted && gpu_sets_ready(gpu, slot->set) && !host_is_taken(gpu, slot);
}

/* Returns the oldest compiled slot that the device may measure. */
static struct slot *oldest_ready(struct gpu_evaluator *gpu, size_t device)
{
    struct slot *found = NULL;
    for (size_t i = 0; i < gpu->slot_count; i++) {
        struct slot *slot = &gpu->slots[i];
        if (slot->state == SLOT_COMPILED && (!found || slot->order < found->order) && may_measure(gpu, slot, device))
            found = slot;
    }
    return found;
}

int gpu_measure_start(struct gpu_evaluator *gpu, struct error *error)
{
    struct slot *slot;
    int code = 0;
    for (size_t d = 0; d < gpu->setup->device_count && !code; d++) {
        while (!code && !gpu->members[d].left_out && device_idle(gpu->setup->devices[d]) &&
               (slot = oldest_ready(gpu, d))) {
            if (gpu_measure_refuse(gpu, slot))
                code = gpu_slots_keep_measured(gpu, slot, error);
            else
                code = start_measuring(gpu, slot, d, error);
        }
    }
    return code;
}

/* Explains a result that is wrong only after the first launch: state that persists between launches is the likely
 * cause. */
static void explain_later(const struct slot *slot, struct measurement *measurement)
{
    char names[96], why[MEASUREMENT_MESSAGE_BYTES];
    if (measurement->status != STATUS_WRONG_RESULT || measurement->verified != VERIFIED_FIRST)
        return;
    size_t count = 0;
    struct bundle bundle;
    bundle_read(slot->cubin.bytes, slot->cubin.length, &bundle);
    for (size_t p = 0; p < bundle.part_count && !count; p++)
        count = cubin_variables(bundle.parts[p].bytes, bundle.parts[p].length, names, sizeof names);
    if (!count)
        return;
    snprintf(why, sizeof why, "%s", measurement->message);
    measurement_explain(
        measurement,
        "%s; %s %s from launch to launch: set %s by `device_variable`, set %s back in the kernel, or use an "
        "inout buffer",
        why, names, count == 1 ? "keeps its value" : "keep their values", count == 1 ? "it" : "them",
        count == 1 ? "it" : "them");
}

/* Reads or writes alone exceed the copy ceiling a little; beyond this ratio the difference is not noise. */
static const double impossible = 1.25;

void gpu_measure_doubt(const struct gpu_evaluator *gpu, struct slot *slot, size_t device)
{
    struct measurement *measurement = &slot->measurement;
    const struct ceilings *ceilings = device_ceilings(gpu->setup->devices[device]);
    double run_ns = isnan(slot->amounts.work) ? measurement->value : measurement->run_ns;
    /* The L2 may hold a part of the data from the previous run, and the last writes. */
    struct traffic traffic = {.bytes = slot->amounts.bytes - (double)gpu->limits->l2_bytes};
    space_transfers(gpu->setup->space, &traffic.in_bytes, &traffic.out_bytes);
    bool transfers = traffic.in_bytes + traffic.out_bytes > 0;
    double ratio = roofline_time_of_traffic(&traffic, ceilings) / run_ns;
    if (measurement->status == STATUS_OK && !*measurement->message && ratio > impossible)
        measurement_explain(
            measurement,
            "its traffic%s would take %.3g times as long at the %s: check that each run does all of its "
            "work, and %s",
            transfers ? "" : " beyond the L2", ratio, transfers ? "ceiling of the host link" : "copy ceiling",
            transfers ? "the copies of the pipeline" : "the statement `bytes`");
}

void gpu_measure_outcome(struct slot *slot, const struct measurement *measured)
{
    struct measurement known = slot->measurement;
    slot->measurement = *measured;
    explain_later(slot, &slot->measurement);
    measurement_per_work(&slot->measurement, &slot->amounts);
    slot->measurement.compile_ns = known.compile_ns;
    slot->measurement.occupancy = known.occupancy;
    slot->measurement.registers = known.registers;
    slot->measurement.shared_bytes = known.shared_bytes;
    slot->measurement.local_bytes = known.local_bytes;
    memcpy(slot->measurement.kernel, known.kernel, sizeof known.kernel);
    slot->state = SLOT_DONE;
}

static int take_from(struct gpu_evaluator *gpu, size_t device, struct error *error)
{
    uint64_t id;
    struct measurement measured[DEVICE_KERNELS_MAX];
    int got, code = 0;
    while (!code && (got = device_next(gpu->setup->devices[device], &id, measured, error)) > 0) {
        struct slot *slot = &gpu->slots[id];
        gpu_measure_outcome(slot, &measured[0]);
        gpu_measure_doubt(gpu, slot, device);
        gpu_measure_note_power(&gpu->members[device], &slot->measurement);
        snprintf(slot->measurement.uuid, sizeof slot->measurement.uuid, "%s",
                 device_limits(gpu->setup->devices[device])->uuid);
        gpu->usage.phase_ns = clock_now_ns() - gpu->measure_begin_ns;
        gpu->usage.phase_measure_ns += measured[0].measure_ns > 0 ? measured[0].measure_ns : 0;
        code = gpu_slots_keep_measured(gpu, slot, error);
    }
    return code ? code : got < 0 ? ERROR_DEVICE : 0;
}

int gpu_measure_take(struct gpu_evaluator *gpu, struct error *error)
{
    int code = 0;
    for (size_t d = 0; d < gpu->setup->device_count && !code; d++)
        code = take_from(gpu, d, error);
    return code;
}
