/* Verification: on the GPU, against the reference's output, which stays there.
 *
 * What is caught: an output that differs, has a NaN or was not written (outputs hold the complement of the right bits
 * before the run), a write beside any buffer (guards), a change of an input or of the reference's results (checksums).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/gpu.h"

/* The reference runs over these two: what it leaves unwritten differs, and is a number in every type, so it is not
 * taken for a NaN of its own. */
enum { POISON = 0x00, POISON_AGAIN = 0x55 };

static int clear_verdict(struct gpu *gpu, struct error *error)
{
    int code =
        gpu_check(cudaMemsetAsync(gpu->verdict, 0, sizeof *gpu->verdict, gpu->stream), "clearing a result", error);
    if (!code) /* `first` is a minimum */
        code = gpu_check(cudaMemsetAsync(&gpu->verdict->first, 0xff, sizeof gpu->verdict->first, gpu->stream),
                         "clearing a result", error);
    return code;
}

static int read_verdict(struct gpu *gpu, struct gpu_verdict *verdict, struct error *error)
{
    int code = gpu_check(cudaMemcpyAsync(verdict, gpu->verdict, sizeof *verdict, cudaMemcpyDeviceToHost, gpu->stream),
                         "checking", error);
    return code ? code : gpu_check(cudaStreamSynchronize(gpu->stream), "checking", error);
}

static int queue_compare(struct gpu *gpu, struct gpu_buffer *buffer, struct error *error)
{
    unsigned long long count = buffer->count;
    int kind = (int)buffer->kind;
    void *arguments[] = {&buffer->data,  &buffer->reference, &count,       &kind,
                         &gpu->relative, &gpu->absolute,     &gpu->verdict};
    return gpu_helper(gpu, HELPER_COMPARE, count, arguments, error);
}

static int queue_guards(struct gpu *gpu, struct gpu_buffer *buffer, struct error *error)
{
    unsigned long long bytes = GUARD_BYTES;
    unsigned canary = CANARY;
    unsigned char *before = buffer->data - GUARD_BYTES, *behind = buffer->data + buffer->bytes;
    void *arguments[] = {&before, &bytes, &canary, &gpu->verdict};
    void *arguments_behind[] = {&behind, &bytes, &canary, &gpu->verdict};
    int code = gpu_helper(gpu, HELPER_GUARD, GUARD_BYTES, arguments, error);
    return code ? code : gpu_helper(gpu, HELPER_GUARD, GUARD_BYTES, arguments_behind, error);
}

static int queue_checksum(struct gpu *gpu, const unsigned char *data, uint64_t size, struct error *error)
{
    unsigned long long bytes = size;
    void *arguments[] = {&data, &bytes, &gpu->verdict};
    return gpu_helper(gpu, HELPER_CHECKSUM, size / 16, arguments, error);
}

/* What must never change: inputs, and the reference's results. */
static const unsigned char *constant_part(const struct gpu_buffer *buffer)
{
    return buffer->output ? buffer->reference : buffer->data;
}

/* Of the inputs before the reference runs, so that it may not write them either, and of its results behind it. */
static int checksum_all(struct gpu *gpu, bool outputs, struct error *error)
{
    int code = 0;
    for (size_t i = 0; i < gpu->buffer_count && !code; i++) {
        struct gpu_verdict verdict = {0};
        struct gpu_buffer *buffer = &gpu->buffers[i];
        if (buffer->output != outputs)
            continue;
        code = clear_verdict(gpu, error);
        if (!code)
            code = queue_checksum(gpu, constant_part(buffer), buffer->bytes, error);
        if (!code)
            code = read_verdict(gpu, &verdict, error);
        buffer->checksum = verdict.checksum;
    }
    return code;
}

/* Outputs: the complement of what is right, or what the space fills them with. */
static int prepare_outputs(struct gpu *gpu, struct error *error)
{
    int code = 0;
    for (size_t i = 0; i < gpu->buffer_count && !code; i++) {
        struct gpu_buffer *buffer = &gpu->buffers[i];
        unsigned long long bytes = buffer->bytes;
        void *arguments[] = {&buffer->data, &buffer->reference, &bytes};
        if (buffer->output && buffer->fill == FILL_NONE)
            code = gpu_helper(gpu, HELPER_POISON, bytes / 16, arguments, error);
        else if (buffer->output)
            code = gpu_fill(gpu, buffer, error);
    }
    return code;
}

/* Compares one output; a difference is written as the measurement's status and message. */
static int judge_output(struct gpu *gpu, struct gpu_buffer *buffer, struct measurement *measurement,
                        struct error *error)
{
    struct gpu_verdict verdict;
    int code = clear_verdict(gpu, error);
    if (!code)
        code = queue_compare(gpu, buffer, error);
    if (!code)
        code = read_verdict(gpu, &verdict, error);
    if (code || !verdict.different)
        return code;
    measurement->status = STATUS_WRONG_RESULT;
    measurement_explain(measurement, "%s: %llu of %llu values differ from the reference%s, the first at %llu",
                        buffer->name, verdict.different, (unsigned long long)buffer->count,
                        verdict.nan == verdict.different ? ", all of them NaN"
                        : verdict.nan                    ? ", some of them NaN"
                                                         : "",
                        verdict.first);
    return 0;
}

/* Guards and checksums; a write to either is the kernel's fault and spoils the buffers: `spoiled`. */
static int judge_memory(struct gpu *gpu, struct gpu_buffer *buffer, struct measurement *measurement,
                        struct error *error)
{
    struct gpu_verdict verdict;
    int code = clear_verdict(gpu, error);
    if (!code)
        code = queue_guards(gpu, buffer, error);
    if (!code)
        code = queue_checksum(gpu, constant_part(buffer), buffer->bytes, error);
    if (!code)
        code = read_verdict(gpu, &verdict, error);
    if (code || (verdict.touched == 0 && verdict.checksum == buffer->checksum))
        return code;
    gpu->spoiled = true;
    if (measurement->status == STATUS_WRONG_RESULT)
        return 0; /* the reason that was found first is the better one */
    measurement->status = STATUS_WRONG_RESULT;
    if (verdict.touched)
        measurement_explain(measurement, "writes outside a buffer: %llu bytes beside %s", verdict.touched,
                            buffer->name);
    else
        measurement_explain(measurement, "writes to %s, which is not an output", buffer->name);
    return 0;
}

static int judge(struct gpu *gpu, bool with_filled, struct measurement *measurement, struct error *error)
{
    int code = 0;
    for (size_t i = 0; i < gpu->buffer_count && !code; i++)
        code = judge_memory(gpu, &gpu->buffers[i], measurement, error);
    for (size_t i = 0; i < gpu->buffer_count && !code && measurement->status == STATUS_OK; i++)
        if (gpu->buffers[i].output && (with_filled || gpu->buffers[i].fill == FILL_NONE))
            code = judge_output(gpu, &gpu->buffers[i], measurement, error);
    return code;
}

int gpu_verify(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement, struct error *error)
{
    int code = prepare_outputs(gpu, error);
    if (code)
        return code;
    cudaError_t result = gpu_launch(gpu, kernel);
    if (result) {
        cudaGetLastError();
        measurement->status = STATUS_LAUNCH_ERROR;
        measurement_explain(measurement, "%s", cudaGetErrorString(result));
        return 0;
    }
    result = cudaStreamSynchronize(gpu->stream);
    if (result) {
        measurement->status = STATUS_CRASHED;
        measurement_explain(measurement, "%s", cudaGetErrorString(result));
        gpu->spoiled = true;
        return 0;
    }
    return judge(gpu, true, measurement, error);
}

int gpu_recheck(struct gpu *gpu, struct measurement *measurement, struct error *error)
{
    enum status status = measurement->status;
    struct measurement fresh = measurement_unknown(STATUS_OK);
    int code = judge(gpu, false, &fresh, error);
    measurement->status = status;
    if (!code && fresh.status != STATUS_OK) {
        measurement->status = fresh.status;
        measurement_explain(measurement, "right once, then wrong when repeated: %s", fresh.message);
    }
    return code;
}

/* ---- The reference ---- */

static int run_reference(struct gpu *gpu, struct gpu_kernel *reference, int poison, struct error *error)
{
    int code = 0;
    for (size_t i = 0; i < gpu->buffer_count && !code; i++) {
        struct gpu_buffer *buffer = &gpu->buffers[i];
        if (!buffer->output)
            continue;
        code = buffer->fill == FILL_NONE
                   ? gpu_check(cudaMemsetAsync(buffer->data, poison, buffer->bytes, gpu->stream), "poisoning", error)
                   : gpu_fill(gpu, buffer, error);
    }
    if (!code)
        code = gpu_check(gpu_launch(gpu, reference), "launching the reference kernel", error);
    return code ? code : gpu_check(cudaStreamSynchronize(gpu->stream), "running the reference kernel", error);
}

/* Whether the run that is in the buffers equals the one that was kept. */
static int compare_references(struct gpu *gpu, struct error *error)
{
    int code = 0;
    for (size_t i = 0; i < gpu->buffer_count && !code; i++) {
        struct gpu_verdict verdict = {0};
        struct gpu_buffer *buffer = &gpu->buffers[i];
        if (!buffer->output)
            continue;
        code = clear_verdict(gpu, error);
        if (!code)
            code = queue_compare(gpu, buffer, error);
        if (!code)
            code = read_verdict(gpu, &verdict, error);
        if (!code && verdict.different) {
            code = error_set(
                error, ERROR_VALUE, "the reference's output %s %s in %llu of %llu values, the first at %llu",
                buffer->name, verdict.nan ? "is NaN" : "is not the same on two runs",
                verdict.nan ? verdict.nan : verdict.different, (unsigned long long)buffer->count, verdict.first);
            error_hint(error, verdict.nan
                                  ? "nothing can be compared with NaN: change the buffers or the reference"
                                  : "it leaves values unwritten (then write `buffer ... zero output`) or is not "
                                    "deterministic (then give a tolerance)");
        }
    }
    return code;
}

int gpu_reference(struct gpu *gpu, struct gpu_kernel *reference, struct error *error)
{
    int code = checksum_all(gpu, false, error);
    if (!code)
        code = run_reference(gpu, reference, POISON, error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++) {
        struct gpu_buffer *buffer = &gpu->buffers[i];
        if (buffer->output)
            code = gpu_check(
                cudaMemcpyAsync(buffer->reference, buffer->data, buffer->bytes, cudaMemcpyDeviceToDevice, gpu->stream),
                "keeping the reference's output", error);
    }
    if (!code)
        code = run_reference(gpu, reference, POISON_AGAIN, error);
    if (!code)
        code = compare_references(gpu, error);
    if (!code)
        code = checksum_all(gpu, true, error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++) {
        struct measurement measurement = measurement_unknown(STATUS_OK);
        code = judge_memory(gpu, &gpu->buffers[i], &measurement, error);
        if (!code && measurement.status != STATUS_OK)
            code = error_set(error, ERROR_VALUE, "the reference kernel %s", measurement.message);
    }
    return code;
}
