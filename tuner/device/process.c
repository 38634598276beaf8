/* The device process: says hello, is set up, and then verifies and times one kernel per message until its coordinator
 * is gone or a kernel has broken what later ones need. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "device/gpu.h"

static void say_error(int socket, uint64_t id, const struct error *error)
{
    struct text text = {0};
    pack_u64(&text, error->code);
    pack_string(&text, error->message);
    pack_string(&text, error->hint);
    message_send(socket, MESSAGE_ERROR, id, text.bytes, text.length);
    text_free(&text);
}

/* Whether there is a device at all, in the driver's words when there is none. */
static int count_devices(int *count, struct error *error)
{
    int driver = 0;
    cudaError_t result = cudaGetDeviceCount(count);
    if (result == cudaSuccess && *count > 0)
        return 0;
    *count = 0;
    /* Without a driver the runtime says that the driver is too old, which misleads. */
    if (result == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0)
        return error_set(error, ERROR_NO_DEVICE, "no CUDA device: no NVIDIA driver is installed");
    return error_set(error, ERROR_NO_DEVICE, "no CUDA device: %s",
                     result == cudaSuccess ? "the driver lists none" : cudaGetErrorString(result));
}

void device_count_process(int socket, void *context)
{
    struct error error = {0};
    struct text text = {0};
    int count;
    (void)context;
    if (count_devices(&count, &error)) {
        say_error(socket, 0, &error);
        return;
    }
    pack_u64(&text, (uint64_t)count);
    message_send(socket, MESSAGE_HELLO, 0, text.bytes, text.length);
    text_free(&text);
}

static int say_hello(struct gpu *gpu, int ordinal, int socket, struct error *error)
{
    int count, code = count_devices(&count, error);
    if (code)
        return code;
    if (ordinal >= count)
        return error_set(error, ERROR_NO_DEVICE, "no CUDA device %d: there %s %d, numbered from 0", ordinal,
                         count == 1 ? "is" : "are", count);
    code = gpu_query(ordinal, &gpu->limits, error);
    if (!code)
        message_send(socket, MESSAGE_HELLO, 0, &gpu->limits, sizeof gpu->limits);
    return code;
}

static int make_context(struct gpu *gpu, int ordinal, struct error *error)
{
    int code = gpu_check(cudaSetDevice(ordinal), "opening the device", error);
    if (!code)
        code = gpu_check(cudaFree(NULL), "creating a context", error);
    if (!code)
        code = gpu_check(cudaStreamCreateWithFlags(&gpu->stream, cudaStreamNonBlocking), "creating a stream", error);
    for (size_t i = 0; i < 2 * GPU_BATCH_MAX && !code; i++)
        code = gpu_check(cudaEventCreateWithFlags(&gpu->events[i], cudaEventDefault), "creating an event", error);
    return code ? code : gpu_open_clock(gpu, ordinal, error);
}

/* The space was parsed after this process was forked, or in an earlier life: the message has all that is needed. */
static void unpack_buffers(struct gpu *gpu, struct unpack *unpack)
{
    gpu->seed = unpack_u64(unpack);
    gpu->sampling.warm = unpack_u64(unpack);
    gpu->sampling.samples = (uint32_t)unpack_u64(unpack);
    gpu->sampling.confidence = unpack_f64(unpack);
    gpu->sampling.target_interval = unpack_f64(unpack);
    gpu->relative = unpack_f64(unpack);
    gpu->absolute = unpack_f64(unpack);
    gpu->buffer_count = unpack_u64(unpack);
    for (size_t i = 0; i < gpu->buffer_count; i++) {
        struct gpu_buffer *buffer = &gpu->buffers[i];
        const struct element_type *type = &element_types[unpack_u64(unpack)];
        uint64_t elements = unpack_u64(unpack);
        buffer->scalar = type->scalar;
        buffer->count = elements * type->components;
        buffer->bytes = elements * type->bytes;
        buffer->fill = (enum buffer_fill)unpack_u64(unpack);
        buffer->output = unpack_u64(unpack);
        snprintf(buffer->name, sizeof buffer->name, "%s", unpack_string(unpack));
        snprintf(buffer->path, sizeof buffer->path, "%s", unpack_string(unpack));
    }
}

static void unpack_kernel(struct gpu_kernel *kernel, struct unpack *unpack)
{
    size_t cubin_bytes, launch_bytes;
    kernel->cubin = unpack_bytes(unpack, &cubin_bytes);
    kernel->name = unpack_string(unpack);
    const void *launch = unpack_bytes(unpack, &launch_bytes);
    if (launch_bytes == sizeof kernel->launch)
        memcpy(&kernel->launch, launch, sizeof kernel->launch);
}

static int attach_reference(struct gpu *gpu, struct gpu_kernel *reference, struct error *error)
{
    struct measurement measurement = measurement_unknown(STATUS_OK);
    gpu_attach(gpu, reference, &measurement);
    return measurement.status == STATUS_OK
               ? 0
               : error_set(error, ERROR_DEVICE, "the reference kernel: %s", measurement.message);
}

static int set_up(struct gpu *gpu, struct unpack unpack, struct error *error)
{
    struct gpu_kernel reference = {0};
    size_t helper_bytes;
    unpack_buffers(gpu, &unpack);
    const void *helpers = unpack_bytes(&unpack, &helper_bytes);
    unpack_kernel(&reference, &unpack);
    int code = gpu_load_helpers(gpu, helpers, error);
    if (unpack.end - unpack.at == sizeof gpu->calibration)
        memcpy(&gpu->calibration, unpack.at, sizeof gpu->calibration);
    /* First of all: the driver clears what is freed in the background, which would slow down what is timed next. */
    if (!code && isnan(gpu->calibration.ceilings.copy))
        code = gpu_measure_ceilings(gpu, error);
    if (!code)
        code = gpu_allocate(gpu, error);
    if (!code)
        code = gpu_fill_all(gpu, error);
    if (!code)
        code = gpu_check(gpu_load(&reference), "loading the reference kernel", error);
    if (!code)
        code = attach_reference(gpu, &reference, error);
    if (!code)
        code = gpu_reference(gpu, &reference, error);
    gpu_unload(&reference);
    return code ? code : gpu_settle(gpu, error);
}

/* What the runtime says of the loaded kernel; it has the last word over what was read from the cubin. */
static void note_resources(struct gpu_kernel *kernel, struct measurement *measurement)
{
    struct cudaFuncAttributes attributes;
    if (cudaFuncGetAttributes(&attributes, (const void *)kernel->function))
        return;
    measurement->registers = attributes.numRegs;
    measurement->shared_bytes = (int64_t)attributes.sharedSizeBytes + (int64_t)kernel->launch.shared_bytes;
    measurement->local_bytes = (int64_t)attributes.localSizeBytes;
}

/* What a job's message says; the measurements are its answer. */
struct job {
    bool playoff;
    double incumbent_ns;
    int64_t timeout_ns;
    size_t count;
    struct gpu_kernel kernels[DEVICE_KERNELS_MAX];
    struct measurement measurements[DEVICE_KERNELS_MAX];
};

/* Out of device memory: a kernel that would fit the device if it were alone there says nothing of itself; it is another
 * process that holds the memory. What a kernel takes beside the buffers is local memory for every thread that can be
 * resident; a pipeline takes more, which is its own affair. */
static int check_memory(struct gpu *gpu, const struct gpu_kernel *kernel, const struct measurement *measurement,
                        struct error *error)
{
    const struct device_limits *limits = &gpu->limits;
    size_t free_bytes = 0, total_bytes = 0;
    char have[32];
    if (measurement->status != STATUS_LAUNCH_ERROR || gpu->refusal != cudaErrorMemoryAllocation ||
        kernel->launch.pipeline.total)
        return 0;
    double local = measurement->local_bytes > 0 ? (double)measurement->local_bytes : 0;
    double own = (double)gpu->held_bytes + local * (double)limits->sm_count * (double)limits->max_threads_sm;
    if (cudaMemGetInfo(&free_bytes, &total_bytes) || own > 0.9 * (double)total_bytes)
        return 0;
    int code = error_set(error, ERROR_BUSY, "the device is out of memory: other processes hold most of it, %s are free",
                         format_bytes(have, sizeof have, (double)free_bytes));
    error_hint(error, "end them or wait for them; what was measured is saved, the same command goes on");
    return code;
}

static int load_and_verify(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement,
                           struct error *error)
{
    *measurement = measurement_unknown(STATUS_OK);
    gpu->refusal = cudaSuccess;
    cudaError_t result = gpu_load(kernel);
    if (result) {
        measurement->status = STATUS_LAUNCH_ERROR;
        measurement_explain(measurement, "loading: %s", cudaGetErrorString(result));
        gpu->refusal = result;
        cudaGetLastError();
        return check_memory(gpu, kernel, measurement, error);
    }
    note_resources(kernel, measurement);
    gpu_attach(gpu, kernel, measurement);
    int code = measurement->status == STATUS_OK ? gpu_verify(gpu, kernel, measurement, error) : 0;
    return code ? code : check_memory(gpu, kernel, measurement, error);
}

static int time_all(struct gpu *gpu, struct job *job, int64_t start_ns, struct error *error)
{
    /* Of a play-off a launch is a small part: it may go nearer to the time limit. */
    int64_t timeout_ns = job->playoff ? job->timeout_ns / 10 * 9 : job->timeout_ns / 2;
    int64_t left_ns = timeout_ns - (clock_now_ns() - start_ns);
    struct measurement *first = &job->measurements[0];
    int code = 0;
    gpu->refusal = cudaSuccess;
    if (job->playoff)
        gpu_play_off(gpu, job->kernels, job->measurements, job->count, left_ns);
    else if (first->status == STATUS_OK)
        gpu_measure(gpu, &job->kernels[0], job->incumbent_ns, left_ns, first);
    for (size_t k = 0; k < job->count && !code && !gpu->spoiled; k++)
        code = check_memory(gpu, &job->kernels[k], &job->measurements[k], error);
    /* After a play-off the outputs are those of the kernel that ran last: all were verified just before. */
    if (!code && !job->playoff && !gpu->spoiled && status_class(first->status) != OUTCOME_FAILED)
        code = gpu_recheck(gpu, &job->kernels[0], first, error);
    return code;
}

static int measure(struct gpu *gpu, struct unpack unpack, struct job *job, struct error *error)
{
    int64_t start_ns = clock_now_ns();
    int code = 0;
    memset(job, 0, sizeof *job);
    job->playoff = unpack_u64(&unpack);
    job->incumbent_ns = unpack_f64(&unpack);
    job->timeout_ns = (int64_t)unpack_u64(&unpack);
    job->count = unpack_u64(&unpack);
    for (size_t k = 0; k < job->count; k++) {
        unpack_kernel(&job->kernels[k], &unpack);
        if (!code && !gpu->spoiled)
            code = load_and_verify(gpu, &job->kernels[k], &job->measurements[k], error);
        else
            job->measurements[k] = measurement_unknown(STATUS_OK); /* not its fault */
    }
    if (!code && !gpu->spoiled)
        code = time_all(gpu, job, start_ns, error);
    for (size_t k = 0; k < job->count; k++) {
        struct measurement *measurement = &job->measurements[k];
        if (gpu->spoiled || status_class(measurement->status) == OUTCOME_FAILED)
            measurement->time_ns = measurement->low_ns = measurement->high_ns = NAN;
        if (!gpu->spoiled)
            gpu_unload(&job->kernels[k]);
        measurement->measure_ns = (clock_now_ns() - start_ns) / (int64_t)job->count;
    }
    return code;
}

/* One message; true when the process can take another. */
static bool serve(struct gpu *gpu, int socket, const struct message *message)
{
    static struct job job; /* large */
    struct error error = {0};
    if (message->kind == MESSAGE_SETUP) {
        if (set_up(gpu, unpack_message(message), &error) == 0)
            return message_send(socket, MESSAGE_SETUP, message->id, &gpu->calibration, sizeof gpu->calibration);
    } else if (measure(gpu, unpack_message(message), &job, &error) == 0) {
        return message_send(socket, gpu->spoiled ? MESSAGE_LAST : MESSAGE_MEASURE, message->id, job.measurements,
                            job.count * sizeof *job.measurements) &&
               !gpu->spoiled;
    }
    say_error(socket, message->id, &error);
    return false;
}

void device_process(int socket, void *context)
{
    static struct gpu gpu; /* large; one per process, and the process is this function */
    struct text buffer = {0};
    struct message message;
    struct error error = {0};
    int ordinal = *(const int *)context, code = say_hello(&gpu, ordinal, socket, &error);
    if (!code)
        code = make_context(&gpu, ordinal, &error);
    if (code)
        say_error(socket, 0, &error);
    while (!code && message_receive(socket, &buffer, &message) && serve(&gpu, socket, &message))
        ;
    text_free(&buffer);
}
