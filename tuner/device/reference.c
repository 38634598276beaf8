/* The expected results of a set, which the reference computes or files contain, and the check of the accept kernel. */
#include "device/reference.h"

#include <stdio.h>

#include "device/buffers.h"
#include "device/check.h"
#include "device/gpu.h"
#include "device/launch.h"
#include "device/precision.h"
#include "device/verdict.h"
#include "device/verify.h"

/* ---- The reference ---- */

/* The reference runs over both poisons, so that elements that it leaves unwritten differ. Both are numbers in every
 * type, not NaN. */
enum { POISON = 0x00, POISON_AGAIN = 0x55 };

static int run_reference(struct gpu *gpu, struct gpu_kernel *reference, int poison, const char *who,
                         struct error *error)
{
    struct measurement measurement = measurement_unknown(STATUS_OK);
    int code = gpu_check(gpu_restore(gpu), "restoring the buffers", error);
    if (!code)
        code = gpu_check(gpu_set_scratch(gpu, &reference->launch, poison), "poisoning the scratch buffers", error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++) {
        struct gpu_buffer *buffer = &gpu->buffers[i];
        if (buffer->role == BUFFER_OUTPUT)
            code = gpu_check(cudaMemsetAsync(buffer->data, poison, buffer->bytes, gpu->stream), "poisoning", error);
    }
    if (!code)
        code = gpu_fp64_prepare(gpu, error);
    if (!code)
        code = gpu_run_verified(gpu, reference, &measurement, error);
    if (!code && measurement.status != STATUS_OK)
        code = error_set(error, ERROR_DEVICE, "%s %s: %s",
                         measurement.status == STATUS_CRASHED ? "running" : "launching", who, measurement.message);
    return code;
}

static int read_expected(struct gpu *gpu, struct error *error)
{
    int code = 0;
    for (size_t i = 0; i < gpu->buffer_count && !code; i++) {
        struct gpu_buffer *buffer = &gpu->buffers[i];
        if (buffer->expected)
            code = gpu_read_file(gpu, buffer, buffer->expected, buffer->expected_offset, gpu_judged_bytes(buffer),
                                 buffer->reference, error);
    }
    return code;
}

static int keep_outputs(struct gpu *gpu, const uint32_t *places, struct error *error)
{
    int code = 0;
    for (size_t i = 0; i < gpu->buffer_count && !code; i++) {
        struct gpu_buffer *buffer = &gpu->buffers[i];
        if (gpu_is_compared(buffer) && !buffer->expected)
            code = gpu_check(cudaMemcpyAsync(buffer->reference, gpu->buffers[places[i]].data, buffer->bytes,
                                             cudaMemcpyDeviceToDevice, gpu->stream),
                             "keeping the reference's output", error);
    }
    return code;
}

/* Sets the error that makes a buffer's expected results unusable. */
static int refuse_expected(const struct gpu_buffer *buffer, const struct gpu_verdict *verdict, const char *who,
                           struct error *error)
{
    char what[512];
    if (buffer->expected)
        snprintf(what, sizeof what, "the expected results of %s in %.400s", buffer->name, buffer->expected);
    else
        snprintf(what, sizeof what, "the output %s of %s", buffer->name, who);
    int code = error_set(error, ERROR_VALUE, "%s %s in %llu of %llu values, the first at %llu", what,
                         buffer->expected ? "are NaN"
                         : verdict->nan   ? "is NaN"
                                          : "is not the same on two runs",
                         verdict->nan ? verdict->nan : verdict->different,
                         (unsigned long long)(buffer->count - buffer->ignored), ~verdict->first_complement);
    error_hint(error, verdict->nan
                          ? "nothing can be compared with NaN: change the buffers or the reference"
                          : "it leaves values unwritten (then write `buffer ... zero inout`), is not "
                            "deterministic (then give a tolerance), or keeps a __device__ variable from launch "
                            "to launch (then set it by `device_variable`)");
    return code;
}

/* Compares the run in the buffers with the kept one. Files are compared with themselves, because NaN equals nothing. */
static int check_expected(struct gpu *gpu, const uint32_t *places, const char *who, struct error *error)
{
    int code = gpu_clear_verdicts(gpu, error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++) {
        struct gpu_buffer *buffer = &gpu->buffers[i];
        const struct gpu_buffer itself = {.data = buffer->reference};
        if (gpu_is_compared(buffer))
            code = gpu_queue_compare(gpu, buffer, buffer->expected ? &itself : &gpu->buffers[places[i]], false, error);
    }
    if (!code)
        code = gpu_read_verdicts(gpu, error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++)
        if (gpu->judged[i].different)
            code = refuse_expected(&gpu->buffers[i], &gpu->judged[i], who, error);
    return code ? code : gpu_fp64_keep(gpu, who, error);
}

/* The places are those of the second run. */
static int run_twice(struct gpu *gpu, struct gpu_kernel *reference, uint32_t *places, const char *who,
                     struct error *error)
{
    int code = run_reference(gpu, reference, POISON, who, error);
    gpu_places_after(gpu, reference, places);
    if (!code)
        code = keep_outputs(gpu, places, error);
    if (!code)
        code = run_reference(gpu, reference, POISON_AGAIN, who, error);
    gpu_places_after(gpu, reference, places);
    return code;
}

int gpu_reference(struct gpu *gpu, struct gpu_kernel *reference, const char *who, struct error *error)
{
    struct measurement measurement = measurement_unknown(STATUS_OK);
    uint32_t places[GPU_BUFFERS_MAX] = {0};
    int code = gpu_checksum_all(gpu, false, error);
    if (!code)
        code = read_expected(gpu, error);
    if (!code && reference)
        code = run_twice(gpu, reference, places, who, error);
    if (!code)
        code = check_expected(gpu, places, who, error);
    if (!code)
        code = gpu_checksum_all(gpu, true, error);
    if (!code && reference)
        code = gpu_judge(gpu, NULL, &measurement, error);
    if (!code && measurement.status != STATUS_OK)
        code = error_set(error, ERROR_VALUE, "%s %s", who, measurement.message);
    return code;
}

/* ---- The accept kernel ---- */

/* Judges unwritten outputs. `again`: the accept kernel has already found faults in them. */
static int expect_faults(struct gpu *gpu, const uint32_t *places, bool again, struct error *error)
{
    struct measurement measurement = measurement_unknown(STATUS_OK);
    int code = gpu_judge_accepted(gpu, places, &measurement, error);
    if (code || measurement.status == STATUS_WRONG_RESULT)
        return code;
    if (measurement.status != STATUS_OK)
        return error_set(error, ERROR_DEVICE, "%s, over outputs that nobody has written", measurement.message);
    code =
        error_set(error, ERROR_VALUE, "the accept kernel %s counts nothing wrong in outputs that nobody has written%s",
                  gpu->accept_name, again ? ", when it is launched for the second time" : "");
    if (again)
        error_hint(error, "it keeps something from launch to launch: set its __device__ variables back in each, or by "
                          "`device_variable`");
    else
        error_hint(error,
                   "before the run, all bytes of an output are 255, and an inout buffer is as it is filled: count "
                   "the faults in such contents");
    return code;
}

/* Launches the accept kernel twice over unwritten outputs: one that accepts them, or finds faults only in its first
 * launch, verifies nothing. */
static int check_accept(struct gpu *gpu, struct error *error)
{
    uint32_t places[GPU_BUFFERS_MAX];
    uint64_t before = 0, after = 0;
    space_launch_places(&gpu->accept->launch, gpu->buffer_count, places);
    int code = gpu_prepare_buffers(gpu, &gpu->accept->launch, places, GPU_POISON_UNKNOWN, error);
    if (!code)
        code = gpu_sum_results(gpu, places, &before, error);
    for (int launch = 0; launch < 2 && !code; launch++) {
        code = expect_faults(gpu, places, launch > 0, error);
        if (!code)
            code = gpu_sum_results(gpu, places, &after, error);
        if (!code && before != after)
            code = error_set(error, ERROR_VALUE, "the accept kernel %s writes to an output that it judges",
                             gpu->accept_name);
    }
    return code;
}

int gpu_open_accept(struct gpu *gpu, struct error *error)
{
    struct measurement measurement = measurement_unknown(STATUS_OK);
    if (!gpu->accept || !gpu->accept->cubin)
        return 0;
    int code = gpu_check(gpu_load(gpu->accept), "loading the accept kernel", error);
    if (code)
        return code;
    gpu_attach(gpu, gpu->accept, &measurement);
    return measurement.status == STATUS_OK
               ? check_accept(gpu, error)
               : error_set(error, ERROR_DEVICE, "the accept kernel: %s", measurement.message);
}
