#include "device/referee.h"

#include <string.h>

#include "device/accept_command.h"
#include "device/buffers.h"
#include "device/check.h"
#include "device/expected.h"
#include "device/fill.h"
#include "device/gpu.h"
#include "device/messages.h"
#include "device/verdict.h"
#include "device/verify.h"

/* Empties buffers and guards, so that a part that never comes is wrong. */
static int wipe(struct gpu *gpu, struct error *error)
{
    return gpu_check(cudaMemsetAsync(gpu->tested, CANARY, gpu->tested_bytes, gpu->stream), "erasing", error);
}

static int compute(struct gpu *gpu, uint64_t seed, struct gpu_kernel *kernel, struct error *error)
{
    gpu->seed = seed;
    gpu->set = NULL;
    if (gpu->sets[kernel->set])
        gpu->sets[kernel->set]->computed = false;
    int code = gpu_fill_all(gpu, error);
    if (!code)
        code = gpu_expect(gpu, kernel->set, error);
    if (!code)
        code = wipe(gpu, error);
    return code ? code
                : gpu_check(gpu_set_scratch(gpu, &kernel->launch, GPU_POISON_UNKNOWN), "poisoning the scratch buffers",
                            error);
}

/* Memory of the process that ran the kernel, while its results are copied. */
struct shared {
    void *memory; /* NULL: none yet */
    bool refused; /* it cannot be mapped here */
};

static int copy(struct gpu *gpu, const struct gpu_buffer *buffer, const struct results_message *part, const void *from,
                enum cudaMemcpyKind kind, struct error *error)
{
    const size_t bytes = part->mapped ? (size_t)part->mapped : part->length;
    int code = gpu_check(cudaMemcpyAsync(buffer->data - GUARD_BYTES + part->at, from, bytes, kind, gpu->stream),
                         "copying results", error);
    return code ? code : gpu_check(cudaStreamSynchronize(gpu->stream), "copying results", error);
}

static void map(struct shared *shared, const struct results_message *part)
{
    cudaIpcMemHandle_t handle;
    void *memory;
    if (shared->memory || shared->refused)
        return;
    shared->refused = part->length != sizeof handle;
    if (shared->refused)
        return;
    memcpy(&handle, part->bytes, sizeof handle);
    shared->refused = cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess) != cudaSuccess;
    if (shared->refused)
        cudaGetLastError();
    else
        shared->memory = memory;
}

static int take_part(struct gpu *gpu, const struct message *message, struct shared *shared, struct error *error)
{
    struct results_message part;
    if (message->kind != MESSAGE_RESULTS || !unpack_whole(message->bytes, message->length, &results_table, &part) ||
        part.buffer >= gpu->buffer_count)
        return error_set(error, ERROR_WORKER, "the referee does not understand the results");
    const struct gpu_buffer *buffer = &gpu->buffers[part.buffer];
    const uint64_t whole = GUARD_BYTES + buffer->bytes + buffer->spare_bytes + GUARD_BYTES;
    const uint64_t bytes = part.mapped ? part.mapped : part.length;
    if (part.at > whole || bytes > whole - part.at)
        return error_set(error, ERROR_WORKER, "the results of %s are larger than the buffer", buffer->name);
    if (!part.mapped)
        return copy(gpu, buffer, &part, part.bytes, cudaMemcpyHostToDevice, error);
    map(shared, &part);
    return shared->refused
               ? 0
               : copy(gpu, buffer, &part, (const char *)shared->memory + part.from, cudaMemcpyDeviceToDevice, error);
}

/* Takes parts until the last one. */
static int take_parts(struct gpu *gpu, struct shared *shared, struct text *buffer, struct error *error)
{
    struct message message;
    int code = 0;
    do {
        if (!message_receive(gpu->socket, buffer, &message))
            code = error_set(error, ERROR_WORKER, "the referee received no results");
        else if (message.length && !message.id)
            code = take_part(gpu, &message, shared, error);
    } while (!code && !message.id);
    if (shared->memory) {
        int closed = gpu_check(cudaIpcCloseMemHandle(shared->memory), "copying results", code ? NULL : error);
        code = code ? code : closed;
    }
    return code;
}

static int receive(struct gpu *gpu, struct error *error)
{
    struct text buffer = {0};
    struct shared shared = {0};
    int code = take_parts(gpu, &shared, &buffer, error);
    if (!code && shared.refused) {
        if (!message_send(gpu->socket, MESSAGE_RESULTS, 0, "", 0))
            code = error_set(error, ERROR_WORKER, "the referee received no results");
        shared = (struct shared){0};
        if (!code)
            code = take_parts(gpu, &shared, &buffer, error);
        if (!code && shared.refused)
            code = error_set(error, ERROR_WORKER, "the referee does not understand the results");
    }
    text_free(&buffer);
    return code;
}

static int judge(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement, struct error *error)
{
    uint32_t places[GPU_BUFFERS_MAX];
    for (uint32_t i = 0; i < GPU_BUFFERS_MAX; i++)
        places[i] = i; /* the other process sends contents by name */
    int code = gpu_judge(gpu, places, measurement, error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++)
        if (gpu->buffers[i].role == BUFFER_INPUT && gpu->judged[i].checksum != gpu->buffers[i].checksum)
            measurement->suspicions |= 1u << SUSPICION_input_changed;
    gpu->spoiled = false; /* these are copies of the memory that the kernel damaged */
    if (!code)
        code = gpu_judge_accepted(gpu, places, measurement, error);
    return code ? code : gpu_judge_by_command(gpu, kernel, places, measurement, error);
}

static int erase(struct gpu *gpu, struct error *error)
{
    int code = wipe(gpu, error);
    if (!code && gpu->set->memory && gpu->set_bytes)
        code = gpu_check(cudaMemsetAsync(gpu->set->memory, 0, gpu->set_bytes, gpu->stream), "erasing", error);
    gpu->set->computed = false;
    gpu->erased = true;
    return code ? code : gpu_check(cudaStreamSynchronize(gpu->stream), "erasing", error);
}

int gpu_referee_expect(struct gpu *gpu, uint32_t set, struct error *error)
{
    int code = gpu->erased ? gpu_fill_all(gpu, error) : 0;
    if (!code)
        code = gpu_expect(gpu, set, error);
    return code || !gpu->erased ? code : erase(gpu, error);
}

int gpu_referee(struct gpu *gpu, uint64_t seed, struct gpu_kernel *kernel, struct measurement *measurement,
                struct error *error)
{
    *measurement = measurement_unknown(STATUS_OK);
    int code = compute(gpu, seed, kernel, error);
    if (!code)
        code = receive(gpu, error);
    if (!code)
        code = judge(gpu, kernel, measurement, error);
    return code || gpu->spoiled ? code : erase(gpu, error);
}
