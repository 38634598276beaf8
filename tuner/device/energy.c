/* A window of a round is an uninterrupted series of runs. Restoring before each run is a part of the series. A second
 * window of the same round restores alone, and its energy and time are subtracted, unless restoring takes almost no
 * time. */
#include "device/energy.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <string.h>

#include "device/buffers.h"
#include "device/clock.h"
#include "device/device.h"
#include "device/energy_window.h"
#include "device/gpu.h"
#include "device/launch.h"
#include "device/measure.h"
#include "device/techniques.h"
#include "device/verify.h"
#include "device/verify_timed.h"

/* Five advances of a counter that advances every 100 ms, between 90 % and 110 % of their time. */
static const int64_t lead_ns = 100000000, window_ns = 450000000, idle_lead_ns = 300000000;
static const double restored_most = 0.3;    /* beyond, the difference of two large numbers is not one to trust */
static const double restored_least = 0.001; /* of the time: less is not worth a window */
static const double target = 0.01;          /* half the interval of a decided value, relative */

int64_t gpu_energy_limit_ns(size_t count)
{
    int64_t window = gpu_window_limit_ns(lead_ns, window_ns);
    return gpu_learn_limit_ns() + gpu_window_limit_ns(idle_lead_ns, window_ns) +
           (int64_t)count * ENERGY_ROUNDS_MAX * 2 * window;
}

/* Copies of gpu->tested, the first of which it is itself. */
struct copies {
    unsigned char *memory;
    size_t count;
};

struct player {
    struct gpu *gpu;
    struct gpu_kernel *kernel;
    struct gpu_timed timed;
    const struct copies *copies;
    size_t copy_count, turn; /* copies that it uses, and the next of them */
    bool restores;           /* runs need their initial data again */
    bool prepares, runs;     /* parts of a run in the present series */
    bool plays;              /* takes part in the next round */
    double run_ns, prepare_ns;
    double read_w; /* sum of the board's own readings of its power */
    size_t readings;
};

struct field {
    struct gpu *gpu;
    struct player players[DEVICE_KERNELS_MAX];
    struct measurement *measurements;
    struct energy *energies;
    size_t count, at; /* the kernel that runs */
    struct copies copies;
};

/* ---- Copies ---- */

/* Returns why a kernel's runs must use the buffers themselves; NULL: they need not. A library and the configuration
 * beside it do the same. */
static const char *keeps_places(const struct gpu *gpu, const struct gpu_kernel *kernel, bool beside_library)
{
    const struct launch *launch = &kernel->launch;
    if (gpu->sampling.warm)
        return "";
    if (beside_library)
        return "a library keeps addresses";
    if (gpu_way_of(launch))
        return launch->graph ? "a graph keeps addresses" : "a pipeline has its own memory";
    return launch->texture_count || launch->tensor_map_count || launch->variable_count
               ? "a texture, tensor map or variable keeps addresses"
               : NULL;
}

/* As many that all but the one in use fill the L2. Without memory, there is one. */
static cudaError_t make_copies(struct gpu *gpu, struct copies *copies)
{
    uint64_t bytes = 0;
    cudaError_t result = cudaSuccess;
    copies->count = 1;
    for (size_t i = 0; i < gpu->buffer_count; i++)
        bytes += gpu->buffers[i].bytes;
    if (gpu->sampling.warm || !bytes)
        return cudaSuccess;
    size_t more = (size_t)((gpu->flush_bytes + bytes - 1) / bytes);
    if (cudaMalloc((void **)&copies->memory, more * gpu->tested_bytes)) {
        cudaGetLastError();
        copies->memory = NULL;
        return cudaSuccess;
    }
    for (size_t i = 0; i < more && !result; i++)
        result = cudaMemcpyAsync(copies->memory + i * gpu->tested_bytes, gpu->tested, gpu->tested_bytes,
                                 cudaMemcpyDeviceToDevice, gpu->stream);
    copies->count = 1 + more;
    cudaError_t finished = cudaStreamSynchronize(gpu->stream);
    return result ? result : finished;
}

static struct gpu_places places_of(const struct player *player)
{
    struct gpu_places places = gpu_own_places(player->gpu);
    for (size_t i = 0; i < player->gpu->buffer_count && player->turn; i++)
        places.data[i] = player->copies->memory + (player->turn - 1) * player->gpu->tested_bytes +
                         (places.data[i] - player->gpu->tested);
    return places;
}

/* Restores the inout buffers at other places. */
static cudaError_t restore_at(struct gpu *gpu, const struct gpu_places *places)
{
    cudaError_t result = cudaSuccess;
    for (size_t i = 0; i < gpu->buffer_count && !result; i++) {
        const struct gpu_buffer *buffer = &gpu->buffers[i];
        if (buffer->initial)
            result = cudaMemcpyAsync((void *)places->data[i], buffer->initial, buffer->bytes, cudaMemcpyDeviceToDevice,
                                     gpu->stream);
        else if (buffer->role == BUFFER_INOUT)
            result = cudaMemsetAsync((void *)places->data[i], 0, buffer->bytes, gpu->stream);
    }
    return result;
}

/* ---- A window ---- */

static cudaError_t queue_run(struct gpu *gpu, void *context)
{
    struct player *player = context;
    const struct gpu_timed *timed = &player->timed;
    const bool rotates = player->copy_count > 1;
    const struct gpu_places places = places_of(player);
    cudaError_t result = cudaSuccess;
    if (player->prepares)
        result = rotates ? restore_at(gpu, &places) : timed->restore(gpu, timed->context);
    if (!result && player->prepares && timed->settle)
        result = timed->settle(gpu, timed->context);
    if (!result && player->runs)
        result = rotates ? gpu_launch_steps(gpu, player->kernel, places) : timed->queue(gpu, timed->context);
    player->turn = (player->turn + 1) % player->copy_count;
    return result;
}

/* Runs a series of whole runs, or of preparations alone. */
static cudaError_t run_series(struct field *field, struct player *player, bool runs, struct gpu_window *window)
{
    player->prepares = player->restores;
    player->runs = runs;
    field->at = (size_t)(player - field->players);
    /* Restoring queues an entry for each buffer. */
    const uint64_t launches = gpu_launches_queued(player->kernel) + (player->restores ? field->gpu->buffer_count : 0);
    const bool waits = player->timed.settle || player->kernel->launch.until_count;
    const struct gpu_series series = {.queue = queue_run,
                                      .context = player,
                                      .run_ns = runs ? player->run_ns : player->prepare_ns,
                                      .queued = waits ? 0 : launches,
                                      .lead_ns = lead_ns,
                                      .for_ns = window_ns};
    cudaError_t result = gpu_enter(field->gpu, player->kernel);
    if (!result)
        result = gpu_run_window(field->gpu, &series, window);
    cudaError_t left = gpu_leave(field->gpu, player->kernel);
    return result ? result : left;
}

static void note_condition(struct measurement *measurement, struct energy *energy, const struct gpu_condition *now)
{
    int64_t mhz = isnan(now->mhz) ? -1 : llround(now->mhz);
    if (mhz >= 0 && (measurement->clock_mhz < 0 || mhz < measurement->clock_mhz))
        measurement->clock_mhz = mhz;
    if (now->reasons >= 0)
        measurement->throttle_reasons =
            (measurement->throttle_reasons < 0 ? 0 : measurement->throttle_reasons) | now->reasons;
    power_states_add(energy->states, &(struct power_reading){now->mhz, now->reasons, now->celsius});
}

/* Plays a kernel's part of a round. */
static cudaError_t play(struct field *field, struct player *player)
{
    const size_t k = (size_t)(player - field->players);
    struct energy *energy = &field->energies[k];
    struct measurement *measurement = &field->measurements[k];
    struct gpu_window whole, prepared = {.watts = 0, .run_ns = 0};
    cudaError_t result = run_series(field, player, true, &whole);
    if (!result && player->restores && player->prepare_ns >= restored_least * player->run_ns)
        result = run_series(field, player, false, &prepared);
    if (result)
        return result;
    const double joules = whole.watts * whole.run_ns * 1e-9, spent = prepared.watts * prepared.run_ns * 1e-9;
    bool throttled = whole.condition.throttled || prepared.condition.throttled;
    note_condition(measurement, energy, &whole.condition);
    energy->runs += (double)whole.runs;
    player->read_w += isnan(whole.read_w) ? 0 : whole.read_w;
    player->readings += !isnan(whole.read_w);
    energy->read_w = player->readings ? player->read_w / (double)player->readings : NAN;
    energy->throttled += throttled;
    energy->restored = fmax(energy->restored, spent / joules);
    if (throttled || isnan(joules - spent))
        return cudaSuccess;
    energy->joules[energy->round_count] = joules - spent;
    energy->times_ns[energy->round_count] = whole.run_ns - prepared.run_ns;
    if (energy->restored > restored_most) {
        measurement_explain(measurement,
                            "restoring its buffers takes %.0f%% of the energy, more than %.0f%%: it has no number",
                            100 * energy->restored, 100 * restored_most);
        player->plays = false;
    }
    return cudaSuccess;
}

/* ---- The rounds ---- */

static bool is_decided(const struct field *field, size_t k)
{
    const struct energy *energy = &field->energies[k];
    struct bounded joules = energy_value(energy, &objective_row_energy, field->gpu->sampling.confidence);
    size_t valid = 0;
    for (size_t i = 0; i < energy->round_count; i++)
        valid += !isnan(energy->joules[i]);
    if (valid < ENERGY_ROUNDS_LEAST)
        return false;
    for (size_t other = 0; other < field->count; other++)
        if (other != k && energy_dominates(&field->energies[other], energy, field->gpu->sampling.confidence))
            return true;
    return joules.high - joules.low <= 2 * target * joules.value;
}

static bool takes_part(const struct field *field, size_t k)
{
    return field->players[k].plays && field->measurements[k].status == STATUS_OK;
}

/* All go forward in even rounds and backward in odd ones. */
static cudaError_t play_round(struct field *field, size_t round, bool *played)
{
    cudaError_t result = cudaSuccess;
    *played = false;
    for (size_t i = 0; i < field->count && !result; i++) {
        const size_t k = round % 2 ? field->count - 1 - i : i;
        struct energy *energy = &field->energies[k];
        if (!takes_part(field, k))
            continue;
        energy->joules[energy->round_count] = energy->times_ns[energy->round_count] = NAN;
        result = play(field, &field->players[k]);
        energy->round_count++;
        *played = true;
    }
    for (size_t k = 0; k < field->count && round + 1 >= ENERGY_ROUNDS_LEAST; k++)
        field->players[k].plays = takes_part(field, k) && !is_decided(field, k);
    return result;
}

static cudaError_t measure_idle(struct field *field)
{
    const struct gpu_series series = {.lead_ns = idle_lead_ns, .for_ns = window_ns};
    struct gpu_window window;
    unsigned milliwatts = 0;
    struct gpu_nvml *nvml = &field->gpu->nvml;
    cudaError_t result = gpu_run_window(field->gpu, &series, &window);
    bool capped = nvml->power_limit && !nvml->power_limit(nvml->device, &milliwatts) && milliwatts;
    for (size_t k = 0; k < field->count; k++) {
        field->energies[k].idle_w = window.watts;
        field->energies[k].cap_w = capped ? milliwatts * 1e-3 : NAN;
    }
    return result;
}

/* Times a run and what prepares it, roughly. */
static cudaError_t try_run(struct field *field, struct player *player)
{
    struct gpu *gpu = field->gpu;
    double *const times_ns[2] = {&player->prepare_ns, &player->run_ns};
    field->at = (size_t)(player - field->players);
    player->prepares = player->restores;
    cudaError_t result = gpu_enter(gpu, player->kernel);
    for (int whole = player->restores ? 0 : 1; whole < 2 && !result; whole++) {
        float ms = 0;
        player->runs = whole;
        result = queue_run(gpu, player);
        if (!result)
            result = cudaEventRecord(gpu->events[0], gpu->stream);
        if (!result)
            result = queue_run(gpu, player);
        if (!result)
            result = cudaEventRecord(gpu->events[1], gpu->stream);
        cudaError_t finished = cudaStreamSynchronize(gpu->stream);
        result = result ? result : finished;
        if (!result)
            result = cudaEventElapsedTime(&ms, gpu->events[0], gpu->events[1]);
        *times_ns[whole] = fmax(1e6 * (double)ms, 1);
    }
    cudaError_t left = gpu_leave(gpu, player->kernel);
    return result ? result : left;
}

static cudaError_t begin(struct field *field, struct gpu_kernel *kernels)
{
    struct gpu *gpu = field->gpu;
    cudaError_t result = make_copies(gpu, &field->copies);
    bool inout = false, library = false;
    for (size_t k = 0; k < field->count; k++)
        library |= kernels[k].shared_object != NULL;
    for (size_t i = 0; i < gpu->buffer_count; i++)
        inout |= gpu->buffers[i].role == BUFFER_INOUT;
    for (size_t k = 0; k < field->count && !result; k++) {
        struct gpu_kernel *kernel = &kernels[k];
        const char *keeps = keeps_places(gpu, kernel, library);
        const size_t copies = keeps ? 1 : field->copies.count;
        const struct gpu_timed timed = gpu_timed_kernel(gpu, kernel);
        field->energies[k] = energy_unknown();
        field->energies[k].runs = field->energies[k].restored = field->energies[k].throttled = 0;
        field->energies[k].copies = (double)copies;
        field->energies[k].work = kernel->work;
        field->players[k] = (struct player){.gpu = gpu,
                                            .kernel = kernel,
                                            .timed = timed,
                                            .copies = &field->copies,
                                            .copy_count = copies,
                                            .restores = inout || timed.settle || kernel->launch.variable_count ||
                                                        kernel->launch.texture_count,
                                            .plays = field->measurements[k].status == STATUS_OK};
        if (!gpu->sampling.warm && copies == 1)
            measurement_explain(&field->measurements[k],
                                "its energy is that of runs that find the data of the one "
                                "before in the L2: %s",
                                keeps ? keeps : "there is no memory for copies of the buffers");
        if (field->players[k].plays)
            result = try_run(field, &field->players[k]);
    }
    return result;
}

/* A measurement has the time of the windows. */
static void conclude(struct field *field)
{
    for (size_t k = 0; k < field->count; k++) {
        struct measurement *measurement = &field->measurements[k];
        struct energy *energy = &field->energies[k];
        const struct bounded time = energy_value(energy, &objective_row_time, field->gpu->sampling.confidence);
        if (measurement->status != STATUS_OK || energy->restored > restored_most)
            energy->round_count = 0;
        if (measurement->status != STATUS_OK || !energy->round_count)
            continue;
        measurement->value = time.value;
        measurement->low = time.low;
        measurement->high = time.high;
        measurement->samples = (uint32_t)fmin(energy->runs, UINT32_MAX);
        if (isnan(time.value) && !*measurement->message)
            measurement_explain(measurement, energy->throttled > 0 ? "the device was throttled in every round"
                                                                   : "NVML's counter of energy does not advance");
    }
}

int gpu_measure_energies(struct gpu *gpu, struct gpu_kernel *kernels, struct measurement *measurements,
                         struct energy *energies, size_t count, struct error *error)
{
    static struct field field; /* large; a process measures one at a time */
    bool played = true;
    field = (struct field){.gpu = gpu, .measurements = measurements, .energies = energies, .count = count};
    gpu->beat = (struct gpu_beat){0};
    cudaError_t result = begin(&field, kernels);
    if (!result)
        result = measure_idle(&field);
    for (size_t round = 0; round < ENERGY_ROUNDS_MAX && !result && played; round++)
        result = play_round(&field, round, &played);
    cudaFree(field.copies.memory);
    if (result) {
        gpu_note_failure(gpu, result, gpu_when_repeated, &measurements[field.at]);
        return 0;
    }
    int code = gpu_verify_timed(gpu, kernels, measurements, count, error);
    if (!code && !gpu->spoiled)
        conclude(&field);
    return code;
}
