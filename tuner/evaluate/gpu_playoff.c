/* Runs the play-off on the first device, apart from the search: all finalists in the process of the search, then the
 * leader and those tied with it in further processes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/stop_rules.h"
#include "base/text.h"
#include "base/timeline.h"
#include "evaluate/gpu_evaluator.h"
#include "evaluate/process_medians.h"

/* The finalists that a device can measure. */
struct field {
    struct gpu_evaluator *gpu;
    struct slot *slots[DEVICE_KERNELS_MAX];
    struct device_kernel kernels[DEVICE_KERNELS_MAX];
    struct measurement finals[DEVICE_KERNELS_MAX]; /* times of a run */
    size_t count;
    int64_t begin_ns;
};

/* The finalists that play in further processes. */
struct further {
    size_t numbers[DEVICE_KERNELS_MAX]; /* in the field; a finalist that has failed drops out */
    struct process_medians medians[DEVICE_KERNELS_MAX];
    struct {
        enum power_state processes[PLAYOFF_PROCESSES_MAX];
        char of[POWER_STATE_COUNT][POWER_STATES_BYTES]; /* joined over the processes of a state */
    } states[DEVICE_KERNELS_MAX];
    size_t count;
    size_t leader;                       /* of the first process; number in the field */
    double longest_s;                    /* duration of the longest process but the first; 0: none */
    char why[MEASUREMENT_MESSAGE_BYTES]; /* of the last process without a result; "": none */
};

_Static_assert((int)EVALUATOR_PLAYOFF_NS == (int)KERNEL_NS, "the time that a play-off announces");

int gpu_playoff_compile(struct gpu_evaluator *gpu, struct error *error)
{
    int code = 0;
    while (!code && !gpu_given_up(gpu->setup) &&
           (gpu_slots_oldest(gpu, SLOT_WAITING) || gpu_slots_oldest(gpu, SLOT_COMPILING) || gpu_sets_compiling(gpu)))
        code = gpu_compile_waiting(gpu, INT64_MAX, error);
    return code;
}

/* ---- One process ---- */

/* True if a play-off's outcome is the kernel's own. If the process dies or is late, all kernels fail; a death is the
 * kernel's fault only if it was alone. */
static bool is_verdict(enum status status, size_t kernel_count)
{
    return status == STATUS_OK || status == STATUS_WRONG_RESULT || status == STATUS_LAUNCH_ERROR ||
           (status == STATUS_CRASHED && kernel_count == 1);
}

/* Measures kernels in one job and waits for it. *ended: false after a stop. */
static int play(struct gpu_evaluator *gpu, const struct device_kernel *kernels, size_t count, bool further,
                struct measurement finals[DEVICE_KERNELS_MAX], bool *ended, struct error *error)
{
    struct device *device = gpu->setup->devices[0];
    const struct device_job job = {.playoff = true,
                                   .further = further,
                                   .kernel_count = count,
                                   .kernels = kernels,
                                   .incumbent_ns = INFINITY,
                                   .capped = gpu->members[0].capped,
                                   .timeout_ns = gpu_limit_ns(gpu->setup, gpu->setup->timeout_ns * (int64_t)count)};
    uint64_t id;
    int got = 0;
    int code = device_submit(device, &job, error);
    while (!code && !gpu_given_up(gpu->setup) && (got = device_next(device, &id, finals, error)) == 0)
        worker_wait((struct worker *[]){device_worker(device)}, 1, INT64_MAX);
    *ended = got > 0;
    return code ? code : got < 0 ? ERROR_DEVICE : 0;
}

/* ---- Several processes ---- */

static void note_state(struct further *further, size_t i, size_t process, const char *states)
{
    enum power_state state = power_of(states).state;
    further->states[i].processes[process] = state;
    power_states_join(further->states[i].of[state], states);
}

static void pick(const struct field *field, struct further *further)
{
    for (size_t k = 0; k < field->count; k++) {
        const struct measurement *final = &field->finals[k];
        if (final->playoff != PLAYOFF_LEADER && final->playoff != PLAYOFF_TIED)
            continue;
        if (final->playoff == PLAYOFF_LEADER)
            further->leader = k;
        further->numbers[further->count] = k;
        further->medians[further->count].work = field->kernels[k].work;
        note_state(further, further->count, 0, final->states);
        further->medians[further->count++].times_ns[0] = final->value;
    }
}

/* Adds the outcome of a further process to a finalist's. */
static void add(struct measurement *final, const struct measurement *played)
{
    final->samples += played->samples;
    final->discarded += played->discarded;
    final->measure_ns += played->measure_ns;
    if (played->results_checksum != final->results_checksum)
        final->results_checksum = 0;
    if (played->clock_mhz >= 0 && (final->clock_mhz < 0 || played->clock_mhz < final->clock_mhz))
        final->clock_mhz = played->clock_mhz;
    if (played->throttle_reasons >= 0)
        final->throttle_reasons =
            (final->throttle_reasons < 0 ? 0 : final->throttle_reasons) | played->throttle_reasons;
    measurement_explain(final, "%s", played->message); /* that of the first process describes its own rounds */
}

/* Takes the outcomes of a process. A finalist that is wrong or fails has failed. All outcomes of a process that died
 * are left out, even of a single finalist, because it has worked in another process. */
static void take(struct field *field, struct further *further, size_t process, const struct measurement *played)
{
    size_t kept = 0;
    for (size_t i = 0; i < further->count; i++) {
        struct measurement *final = &field->finals[further->numbers[i]];
        bool failed = status_class(played[i].status) == OUTCOME_FAILED && is_verdict(played[i].status, 0);
        if (failed) {
            *final = played[i];
            continue;
        }
        if (played[i].status != STATUS_OK)
            memcpy(further->why, played[i].message, sizeof further->why);
        further->medians[i].times_ns[process] = played[i].value;
        if (!isnan(played[i].value)) {
            add(final, &played[i]);
            note_state(further, i, process, played[i].states);
        }
        further->numbers[kept] = further->numbers[i];
        further->states[kept] = further->states[i];
        further->medians[kept++] = further->medians[i];
    }
    further->count = kept;
}

/* Leaves out the times of processes in another power state than most. */
static void settle_states(struct field *field, struct further *further, size_t processes)
{
    for (size_t i = 0; i < further->count; i++) {
        char *states = field->finals[further->numbers[i]].states;
        const enum power_state most = process_medians_state(further->states[i].processes, processes);
        for (size_t p = 0; p < processes; p++)
            if (power_differs(further->states[i].processes[p], most)) {
                further->medians[i].times_ns[p] = NAN;
                text_format(further->why, sizeof further->why, "the others have times of another power state");
            }
        states[0] = '\0';
        for (enum power_state state = 0; state < POWER_STATE_COUNT; state++)
            if (!power_differs(state, most))
                power_states_join(states, further->states[i].of[state]);
    }
}

/* Judges by all times so far. */
static void compare(const struct field *field, const struct further *further, size_t processes,
                    struct process_verdict *verdicts)
{
    const double tick_ns = device_timer(field->gpu->setup->devices[0])->tick_ns;
    process_medians_judge(further->medians, further->count, processes, field->gpu->setup->sampling.confidence,
                          isnan(tick_ns) ? 0 : tick_ns, verdicts);
}

/* Sets the finalists' times and places by the medians of the processes. If too many processes ended, those of the first
 * process stand. */
static void judge(struct field *field, struct further *further, size_t processes)
{
    struct process_verdict verdicts[DEVICE_KERNELS_MAX];
    settle_states(field, further, processes);
    compare(field, further, processes, verdicts);
    for (size_t i = 0; i < further->count; i++) {
        struct measurement *final = &field->finals[further->numbers[i]];
        const struct process_verdict *verdict = &verdicts[i];
        if (verdict->playoff == PLAYOFF_NONE) {
            measurement_explain(final, "the play-off has the times of one process, because no further one had any%s%s",
                                *further->why ? ": " : "", further->why);
            continue;
        }
        final->processes = (int64_t)verdict->processes;
        final->playoff = verdict->playoff;
        final->value = verdict->median_ns;
        const struct interval reported = process_medians_reported(verdict);
        final->low = reported.low;
        final->high = reported.high;
    }
}

/* Lets the others play again if the first process's leader has failed since: they were compared with it. */
static void forget_others(struct field *field, size_t leader)
{
    if (status_class(field->finals[leader].status) != OUTCOME_FAILED)
        return;
    for (size_t k = 0; k < field->count; k++)
        if (status_class(field->finals[k].status) != OUTCOME_FAILED)
            field->finals[k] = measurement_unknown(STATUS_OK);
}

/* Plays in a process that has measured nothing else, with the buffers at other places. */
static int play_further(struct field *field, struct further *further, size_t process, bool *ended, struct error *error)
{
    struct device *device = field->gpu->setup->devices[0];
    struct device_kernel kernels[DEVICE_KERNELS_MAX];
    struct measurement played[DEVICE_KERNELS_MAX];
    for (size_t i = 0; i < further->count; i++) {
        kernels[i] = field->kernels[further->numbers[i]];
        kernels[i].results_checksum = field->finals[further->numbers[i]].results_checksum;
    }
    device_displace(device, process);
    device_rest(device);
    int code = play(field->gpu, kernels, further->count, true, played, ended, error);
    device_displace(device, 0);
    if (!code && *ended)
        take(field, further, process, played);
    timeline("coordinator", "play-off in another process");
    return code;
}

static double seconds_between(int64_t start_ns, int64_t end_ns)
{
    return (double)(end_ns - start_ns) * 1e-9;
}

/* True if another process should end within `left_s`. */
static bool fits(const struct field *field, const struct further *further, double left_s)
{
    return process_medians_fit(left_s, further->longest_s, further->count, field->gpu->setup->sampling.sustained);
}

static bool in_time(const struct field *field, struct further *further)
{
    const int64_t end_ns = field->gpu->setup->end_ns;
    const bool enough = !end_ns || fits(field, further, seconds_between(clock_now_ns(), end_ns));
    if (!enough)
        text_format(further->why, sizeof further->why, "the time limit left no time for it");
    return enough;
}

/* True for the processes that the setup asks for, and perhaps for more. */
static bool is_wanted(const struct field *field, const struct further *further, size_t processes)
{
    const struct evaluator_setup *setup = field->gpu->setup;
    const double expected_s =
        process_medians_seconds(field->count, setup->playoff_processes, setup->sampling.sustained);
    struct process_verdict verdicts[DEVICE_KERNELS_MAX];
    if (processes < setup->playoff_processes || !setup->playoff_extends)
        return processes < setup->playoff_processes;
    compare(field, further, processes, verdicts);
    return processes < PLAYOFF_PROCESSES_MAX &&
           fits(field, further, expected_s - seconds_between(field->begin_ns, clock_now_ns())) &&
           process_medians_wide(verdicts, further->count, setup->sampling.target_interval);
}

/* Makes further processes begin with rests if the power cap was seen. */
static void note_cap(const struct field *field)
{
    for (size_t k = 0; k < field->count; k++) {
        enum power_state state = power_of(field->finals[k].states).state;
        field->gpu->members[0].capped |= state == POWER_CAP || state == POWER_MIXED;
    }
}

static int play_processes(struct field *field, struct error *error)
{
    struct further *further = calloc(1, sizeof *further);
    size_t processes = 1;
    bool ended = true;
    int code = 0;
    if (!further)
        return error_memory(error);
    pick(field, further);
    note_cap(field);
    for (; !code && ended && further->count && is_wanted(field, further, processes) && in_time(field, further);
         processes += ended) {
        const int64_t start_ns = clock_now_ns();
        code = play_further(field, further, processes, &ended, error);
        further->longest_s = fmax(further->longest_s, seconds_between(start_ns, clock_now_ns()));
    }
    if (!code && further->count)
        judge(field, further, processes);
    if (!code)
        forget_others(field, further->leader);
    free(further);
    return code;
}

/* ---- The play-off ---- */

static int enter(struct field *field, struct slot *const *slots, size_t count, struct error *error)
{
    struct gpu_evaluator *gpu = field->gpu;
    int code = 0;
    for (size_t i = 0; i < count && !code; i++)
        if (slots[i]->state == SLOT_COMPILED && !gpu_measure_refuse(gpu, slots[i])) {
            field->slots[field->count] = slots[i];
            field->kernels[field->count++] = gpu_slots_kernel(slots[i]);
            code = gpu_sets_tell(gpu, slots[i]->set, gpu->setup->devices[0], error);
        }
    return code;
}

static int measure_finalists(struct gpu_evaluator *gpu, struct slot *const *slots, size_t count, bool *played,
                             struct error *error)
{
    struct field *field = calloc(1, sizeof *field);
    bool ended = false;
    if (!field)
        return error_memory(error);
    field->gpu = gpu;
    field->begin_ns = clock_now_ns();
    gpu_evidence_end(gpu);
    int code = enter(field, slots, count, error);
    if (!code && field->count)
        code = play(gpu, field->kernels, field->count, false, field->finals, &ended, error);
    for (size_t k = 0; k < field->count && ended; k++)
        *played |= is_verdict(field->finals[k].status, field->count);
    if (!code && ended && *played && gpu->setup->playoff_processes > 1)
        code = play_processes(field, error);
    for (size_t k = 0; k < field->count && ended && !code; k++) {
        gpu_measure_outcome(field->slots[k], &field->finals[k]);
        gpu_measure_note_power(&gpu->members[0], &field->slots[k]->measurement);
        gpu_measure_doubt(gpu, field->slots[k], 0);
    }
    free(field);
    return code;
}

int gpu_playoff_enter(struct gpu_evaluator *gpu, uint64_t index, struct slot **slot, struct error *error)
{
    int code = gpu_slots_submit(gpu, index, true, true, slot, error);
    return code || (*slot)->state != SLOT_WAITING ? code : gpu_sets_need(gpu, (*slot)->set, error);
}

int gpu_playoff(void *state, const uint64_t *indices, size_t count, struct measurement *finals, bool *played,
                struct error *error)
{
    struct gpu_evaluator *gpu = state;
    struct slot *slots[DEVICE_KERNELS_MAX] = {NULL};
    int code = 0;
    *played = false;
    for (size_t i = 0; i < count && !code; i++)
        code = gpu_playoff_enter(gpu, indices[i], &slots[i], error);
    if (!code)
        code = gpu_playoff_compile(gpu, error);
    if (!code)
        code = gpu_library_begin(gpu, error);
    if (!code && !gpu->setup->pool) /* probably nothing is left to compile, and ending the compilers takes as long as a
                                       short play-off */
        compile_pool_rest(gpu->pool);
    if (!code && !gpu_given_up(gpu->setup))
        code = measure_finalists(gpu, slots, count, played, error);
    for (size_t i = 0; i < count && !code; i++) {
        finals[i] = slots[i]->measurement;
        slots[i]->state = SLOT_FREE;
    }
    return code;
}
