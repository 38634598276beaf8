/* Each launch of the candidate, timed or not, is the same to it: new inputs at other places, poisoned outputs. The
 * coordinator permits each one, with the seed of its inputs, after the launch before it has ended. Then it says whether
 * that launch is compared. No decision lies in this process while the candidate runs. */
#include "device/guarded.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "device/buffers.h"
#include "device/check.h"
#include "device/fill.h"
#include "device/gpu.h"
#include "device/launch.h"
#include "device/messages.h"
#include "device/techniques.h"
#include "device/variables.h"
#include "device/verify.h"

enum { CHUNK_BYTES = 8 << 20, LINE_BYTES = 128 };

/* A job while it runs. */
struct guarded {
    struct gpu *gpu;
    struct gpu_kernel *kernel;
    struct measurement *measurement;
    struct error *error;
    int code; /* of the first error */
    struct launch_message done;
    uint32_t count;               /* of launches that are permitted now */
    bool entered;                 /* a launch was prepared, and its results are not collected yet */
    bool stopped;                 /* the coordinator wants no further launch */
    bool contents;                /* of buffers are sent, because the referee cannot map them */
    cudaIpcMemHandle_t shared;    /* else: of gpu->tested */
    int64_t reload_ns, inputs_ns; /* so far: struct guard_times */
};

/* ---- The coordinator's permits ---- */

static int lost(struct error *error)
{
    return error_set(error, ERROR_WORKER, "the coordinator does not answer");
}

static int send_results(struct guarded *guarded, bool last, const struct results_message *results)
{
    struct text text = {0};
    int code = 0;
    pack_struct(&text, &results_table, results);
    if (text.failed)
        code = error_memory(guarded->error);
    else if (!message_send(guarded->gpu->socket, MESSAGE_RESULTS, last, text.bytes, text.length))
        code = lost(guarded->error);
    text_free(&text);
    return code;
}

static int send_contents(struct guarded *guarded, struct results_message part, const unsigned char *memory,
                         uint64_t bytes)
{
    struct gpu *gpu = guarded->gpu;
    unsigned char *chunk = malloc(CHUNK_BYTES);
    int code = chunk ? 0 : error_memory(guarded->error);
    for (part.bytes = chunk; bytes > 0 && !code;) {
        part.length = bytes < CHUNK_BYTES ? (size_t)bytes : CHUNK_BYTES;
        code = gpu_check(cudaMemcpyAsync(chunk, memory, part.length, cudaMemcpyDeviceToHost, gpu->stream),
                         "reading results", guarded->error);
        if (!code)
            code = gpu_check(cudaStreamSynchronize(gpu->stream), "reading results", guarded->error);
        if (!code)
            code = send_results(guarded, false, &part);
        part.at += part.length;
        memory += part.length;
        bytes -= part.length;
    }
    free(chunk);
    return code;
}

/* Sends a part of a buffer, `at` bytes from its first guard. The memory is that of the buffer at `place`. */
static int send_part(struct guarded *guarded, const struct gpu_buffer *place, size_t number, uint64_t at,
                     uint64_t bytes)
{
    const unsigned char *memory = place->data - GUARD_BYTES + at;
    struct results_message part = {.buffer = number, .at = at};
    if (guarded->contents)
        return send_contents(guarded, part, memory, bytes);
    part.bytes = &guarded->shared;
    part.length = sizeof guarded->shared;
    part.mapped = bytes;
    part.from = (uint64_t)(memory - guarded->gpu->tested);
    return send_results(guarded, false, &part);
}

/* The memory is idle until the coordinator permits another launch. */
static int share(struct guarded *guarded, bool contents)
{
    struct gpu *gpu = guarded->gpu;
    guarded->contents = contents || cudaIpcGetMemHandle(&guarded->shared, gpu->tested) != cudaSuccess;
    cudaGetLastError();
    return gpu_check(cudaStreamSynchronize(gpu->stream), "reading results", guarded->error);
}

/* Hands over each buffer's guards and, unless it is scratch, its contents, which launches may have swapped to another
 * place: guards stay. The last message has no bytes. */
static int hand_over(struct guarded *guarded, bool contents)
{
    struct gpu *gpu = guarded->gpu;
    uint32_t places[GPU_BUFFERS_MAX];
    int code = share(guarded, contents);
    gpu_places_after(gpu, guarded->kernel, places);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++) {
        const struct gpu_buffer *buffer = &gpu->buffers[i], *place = &gpu->buffers[places[i]];
        const uint64_t behind = GUARD_BYTES + buffer->bytes;
        code = send_part(guarded, buffer, i, 0, GUARD_BYTES);
        if (!code && buffer->role != BUFFER_SCRATCH)
            code = send_part(guarded, place, i, GUARD_BYTES, buffer->bytes);
        if (!code)
            code = send_part(guarded, buffer, i, behind, buffer->spare_bytes + GUARD_BYTES);
    }
    return code ? code : send_results(guarded, true, &(struct results_message){.bytes = ""});
}

/* Asks for the permit of the next launch, and hands over the results of the last one if the coordinator wants them. */
static int ask(struct guarded *guarded, struct permit_message *permit)
{
    struct gpu *gpu = guarded->gpu;
    struct text text = {0}, buffer = {0};
    struct message message;
    pack_struct(&text, &asking_table, &guarded->done);
    *permit = (struct permit_message){.permit = PERMIT_COMPARE};
    int code = text.failed ? error_memory(guarded->error) : 0;
    if (!code && !message_send(gpu->socket, MESSAGE_LAUNCH, 0, text.bytes, text.length))
        code = lost(guarded->error);
    while (!code && permit->permit == PERMIT_COMPARE) {
        if (!message_receive(gpu->socket, &buffer, &message) || message.kind != MESSAGE_LAUNCH ||
            !unpack_whole(message.bytes, message.length, &permit_table, permit))
            code = lost(guarded->error);
        else if (permit->permit == PERMIT_COMPARE)
            code = hand_over(guarded, permit->contents);
    }
    guarded->stopped = permit->permit == PERMIT_STOP;
    text_free(&buffer);
    text_free(&text);
    return code;
}

/* ---- A launch ---- */

/* True if the kernel's objects have addresses or contents of buffers, so that they are made again for each launch. */
static bool keeps_buffers(const struct launch *launch)
{
    return launch->graph || launch->texture_count || launch->tensor_map_count || launch->variable_count;
}

/* Poisons at most so many bytes of each output, at a place that the number decides. */
static cudaError_t poison_results(struct gpu *gpu, uint64_t number, uint64_t most_bytes)
{
    cudaError_t result = cudaSuccess;
    for (size_t i = 0; i < gpu->buffer_count && !result; i++) {
        const struct gpu_buffer *buffer = &gpu->buffers[i];
        const uint64_t random = random_mix(number, GPU_BUFFERS_MAX + i);
        const uint64_t bytes = buffer->bytes < most_bytes ? buffer->bytes : most_bytes;
        /* NaN differs from every right number; no byte does from every right integer, so it is a random one. */
        const int byte = buffer->type->family == FAMILY_FLOAT ? GPU_POISON_UNKNOWN : (int)(random & 0xff);
        if (buffer->role == BUFFER_OUTPUT)
            result =
                cudaMemsetAsync(buffer->data + (random >> 8) % (buffer->bytes - bytes + 1), byte, bytes, gpu->stream);
    }
    return result;
}

/* Before another launch over the same inputs, a line of each output is poisoned: a kernel that finds right results
 * there cannot leave its work out unless it reads them all. A kernel that works again once it finds many such lines
 * could end right. So all is poisoned before the last launch but one, and the last one finds a single line. */
static cudaError_t spoil_results(struct gpu *gpu, uint32_t launch, uint32_t count)
{
    const uint64_t most_bytes = launch + 2 == count ? UINT64_MAX : LINE_BYTES;
    return launch ? poison_results(gpu, random_mix(gpu->seed, launch), most_bytes) : cudaSuccess;
}

/* Undoes the settings of the last launch, and copies its results into the buffers. */
static int collect(struct guarded *guarded)
{
    struct gpu *gpu = guarded->gpu;
    struct gpu_kernel *kernel = guarded->kernel;
    const struct gpu_way *way = gpu_way_of(&kernel->launch);
    if (!guarded->entered)
        return 0;
    guarded->entered = false;
    int code = way && way->collect ? way->collect(gpu, kernel, false, guarded->error) : 0;
    if (!code)
        code = gpu_check(gpu_techniques_collect(gpu, kernel), "copying the contents of the surfaces", guarded->error);
    return code ? code : gpu_check(gpu_leave(gpu, kernel), "resetting the device", guarded->error);
}

static int prepare(struct guarded *guarded, uint64_t seed)
{
    struct gpu *gpu = guarded->gpu;
    struct gpu_kernel *kernel = guarded->kernel;
    struct error *error = guarded->error;
    const bool again = keeps_buffers(&kernel->launch);
    if (again)
        gpu_techniques_detach(kernel);
    gpu_move_buffers(gpu, seed);
    gpu->seed = seed;
    int code = gpu_fill_all(gpu, error);
    if (!code)
        code = gpu_check(gpu_set_scratch(gpu, &kernel->launch, GPU_POISON_UNKNOWN), "poisoning the scratch buffers",
                         error);
    if (!code)
        code = gpu_check(poison_results(gpu, seed, UINT64_MAX), "poisoning", error);
    if (!code && again)
        gpu_attach(gpu, kernel, guarded->measurement);
    if (!code && gpu->limits.l2_persisting_bytes > 0)
        code = gpu_check(cudaCtxResetPersistingL2Cache(), "resetting the L2 cache", error);
    return code ? code : gpu_check(cudaStreamSynchronize(gpu->stream), "preparing a launch", error);
}

/* Makes the settings of the launch, and moves data to where it begins. */
static cudaError_t enter(struct guarded *guarded)
{
    struct gpu *gpu = guarded->gpu;
    const struct gpu_way *way = gpu_way_of(&guarded->kernel->launch);
    cudaError_t result = gpu_enter(gpu, guarded->kernel);
    if (!result && way && way->prepare)
        guarded->code = way->prepare(gpu, guarded->kernel, guarded->error);
    guarded->entered = true;
    return guarded->code ? cudaErrorNotReady : result;
}

/* Prepares the next launch if it is permitted; else `stopped` or `code` is set. */
static cudaError_t renew(struct gpu *gpu, void *context)
{
    struct guarded *guarded = gpu->guarded;
    const int64_t start_ns = clock_now_ns();
    struct permit_message permit = {.count = 1};
    cudaError_t result = cudaSuccess;
    (void)context;
    guarded->code = collect(guarded);
    if (!guarded->code)
        guarded->code = ask(guarded, &permit);
    const int64_t asked_ns = clock_now_ns();
    if (!guarded->code && !guarded->stopped)
        guarded->code = prepare(guarded, permit.seed);
    guarded->inputs_ns += clock_now_ns() - asked_ns;
    if (guarded->code || guarded->stopped || guarded->measurement->status != STATUS_OK) {
        result = cudaErrorNotReady;
    } else {
        result = enter(guarded);
        guarded->done.launches++;
        guarded->count = permit.count;
    }
    gpu->aside_ns += clock_now_ns() - start_ns;
    return result;
}

/* True if no further launch is possible. */
static bool is_over(const struct guarded *guarded)
{
    return guarded->code || guarded->stopped || guarded->gpu->spoiled || guarded->measurement->status != STATUS_OK;
}

/* Says that the launches are prepared, and waits for the coordinator to read its clock. False: an error. */
static bool announce(struct guarded *guarded)
{
    struct permit_message permit;
    guarded->done.ready = true;
    guarded->code = ask(guarded, &permit);
    guarded->done.ready = false;
    return !guarded->code && !guarded->stopped;
}

/* Launches as often as permitted, untimed. */
static void launch(struct guarded *guarded, const char *when)
{
    struct gpu *gpu = guarded->gpu;
    struct gpu_kernel *kernel = guarded->kernel;
    const struct gpu_way *way = gpu_way_of(&kernel->launch);
    cudaError_t result = renew(gpu, kernel);
    if (is_over(guarded))
        return;
    if (guarded->count > 1 && !announce(guarded))
        return;
    for (uint32_t i = 0; i < guarded->count && !result; i++) {
        result = gpu_restore(gpu);
        if (!result)
            result = spoil_results(gpu, i, guarded->count);
        if (!result)
            result = gpu_techniques_restore(gpu, kernel, true);
        if (!result)
            result = way && !kernel->shared_object ? way->run(gpu, kernel, true) : gpu_launch(gpu, kernel);
    }
    gpu_note_failure(gpu, result, when, guarded->measurement);
}

/* ---- The job ---- */

/* Loads the kernel into a fresh module, so that nothing that the verified launch left in its variables remains, and
 * reads these. */
static void load_anew(struct guarded *guarded, struct text *variables)
{
    const int64_t start_ns = clock_now_ns();
    struct gpu *gpu = guarded->gpu;
    struct gpu_kernel *kernel = guarded->kernel;
    guarded->code = collect(guarded);
    if (guarded->code)
        return;
    gpu_unload(kernel);
    gpu_ready(gpu, kernel, guarded->measurement);
    if (!is_over(guarded))
        gpu_note_failure(gpu, gpu_read_variables(gpu, kernel, variables), gpu_when_repeated, guarded->measurement);
    guarded->reload_ns = clock_now_ns() - start_ns;
}

/* Compares the variables with those of the newly loaded module. */
static void check_variables(struct guarded *guarded, const struct text *before)
{
    struct text after = {0};
    if (!gpu_read_variables(guarded->gpu, guarded->kernel, &after)) {
        const char *name = gpu_changed_variable(guarded->kernel, before, &after);
        if (name)
            measurement_suspect(guarded->measurement, SUSPICION_variables, name);
    }
    text_free(&after);
}

static void time_launches(struct guarded *guarded, struct gpu_incumbent incumbent, int64_t timeout_ns)
{
    struct gpu *gpu = guarded->gpu;
    struct gpu_timed timed = gpu_timed_kernel(gpu, guarded->kernel);
    struct measurement *measurement = guarded->measurement;
    timed.renew = renew;
    cudaError_t result = gpu_sample(gpu, &timed, incumbent, timeout_ns, measurement);
    if (result && !guarded->code && !guarded->stopped && measurement->status == STATUS_OK)
        gpu_note_failure(gpu, result, gpu_when_repeated, measurement);
    else if (!result)
        gpu_note_unheld(gpu, guarded->kernel, measurement);
}

/* Launches until the coordinator has compared enough. */
static void finish(struct guarded *guarded)
{
    struct measurement *measurement = guarded->measurement;
    const enum status status = measurement->status;
    if (status != STATUS_SLOWER && status != STATUS_OK)
        return;
    guarded->done.over = true;
    guarded->done.value_ns = status == STATUS_OK ? measurement->value : 0;
    measurement->status = STATUS_OK; /* a slower kernel is judged, too */
    while (!is_over(guarded))
        launch(guarded, gpu_when_repeated);
    if (measurement->status == STATUS_OK)
        measurement->status = status;
}

int gpu_guard(struct gpu *gpu, struct gpu_kernel *kernel, struct gpu_incumbent incumbent, int64_t timeout_ns,
              struct measurement *measurement, struct error *error)
{
    struct guarded guarded = {.gpu = gpu, .kernel = kernel, .measurement = measurement, .error = error};
    struct text variables = {0};
    const int64_t start_ns = clock_now_ns(), aside_ns = gpu->aside_ns;
    gpu->guarded = &guarded;
    launch(&guarded, "");
    measurement->verified = measurement->status == STATUS_OK ? VERIFIED_FIRST : VERIFIED_NONE;
    kernel->verify_ns = clock_now_ns() - start_ns - (gpu->aside_ns - aside_ns);
    gpu->stamps = (struct gpu_stamps){0};
    if (!is_over(&guarded))
        load_anew(&guarded, &variables);
    if (!is_over(&guarded))
        launch(&guarded, gpu_when_repeated); /* the first launch waits until the device has the code */
    if (!is_over(&guarded))
        time_launches(&guarded, incumbent, timeout_ns);
    if (!guarded.code && !guarded.stopped && !gpu->spoiled)
        finish(&guarded);
    if (!guarded.code && !gpu->spoiled && status_class(measurement->status) != OUTCOME_FAILED)
        check_variables(&guarded, &variables);
    if (gpu_stamps_doubt(&gpu->stamps))
        measurement_suspect(measurement, SUSPICION_clock, "");
    text_free(&variables);
    if (guarded.entered && !gpu->spoiled)
        gpu_leave(gpu, kernel);
    measurement->guarding_ns = gpu->aside_ns - aside_ns;
    measurement->guard_times.reload_ns = guarded.reload_ns;
    measurement->guard_times.inputs_ns = guarded.inputs_ns;
    gpu->guarded = NULL;
    return guarded.code;
}

int gpu_wipe(struct gpu *gpu, struct error *error)
{
    int code = gpu_check(cudaMemsetAsync(gpu->tested, CANARY, gpu->tested_bytes, gpu->stream), "wiping", error);
    if (!code)
        code = gpu_check(cudaMemsetAsync(gpu->flush, 0, gpu->flush_bytes, gpu->stream), "wiping", error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++)
        if (gpu->buffers[i].initial)
            code = gpu_check(cudaMemsetAsync(gpu->buffers[i].initial, 0, gpu->buffers[i].bytes, gpu->stream), "wiping",
                             error);
    if (!code && gpu->limits.l2_persisting_bytes > 0)
        code = gpu_check(cudaCtxResetPersistingL2Cache(), "resetting the L2 cache", error);
    return code ? code : gpu_check(cudaStreamSynchronize(gpu->stream), "wiping", error);
}
