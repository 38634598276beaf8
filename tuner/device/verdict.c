/* Checks memory on the GPU with cutune's own kernels. Outputs must not differ from expected results, contain NaN, or
 * stay unwritten (they are poisoned before the run). Guards detect writes outside buffers; checksums detect changes of
 * inputs, of the reference's results and of initial contents. */
#include "device/verdict.h"
#include "device/buffers.h"
#include "device/check.h"
#include "device/gpu.h"
#include "device/precision.h"

static struct gpu_verdict *verdict_of(struct gpu *gpu, const struct gpu_buffer *buffer)
{
    return &gpu->verdicts[buffer - gpu->buffers];
}

struct gpu_verdict *gpu_accept_verdict(struct gpu *gpu)
{
    return &gpu->verdicts[gpu->buffer_count];
}

int gpu_clear_verdicts(struct gpu *gpu, struct error *error)
{
    size_t bytes = (gpu->buffer_count + 1) * sizeof *gpu->verdicts;
    return gpu_check(cudaMemsetAsync(gpu->verdicts, 0, bytes, gpu->stream), "clearing results", error);
}

int gpu_read_verdicts(struct gpu *gpu, struct error *error)
{
    size_t bytes = (gpu->buffer_count + 1) * sizeof *gpu->verdicts;
    int code = gpu_check(cudaMemcpyAsync(gpu->judged, gpu->verdicts, bytes, cudaMemcpyDeviceToHost, gpu->stream),
                         "checking", error);
    return code ? code : gpu_check(cudaStreamSynchronize(gpu->stream), "checking", error);
}

int gpu_queue_compare(struct gpu *gpu, struct gpu_buffer *buffer, const struct gpu_buffer *place, int poisoned,
                      struct error *error)
{
    unsigned long long count = buffer->count - buffer->ignored;
    int scalar = (int)buffer->scalar;
    struct gpu_verdict *verdict = verdict_of(gpu, buffer);
    const unsigned char *data = place->data;
    struct tolerance *tolerance = &buffer->tolerance;
    int nan = gpu->sampling.special;
    void *arguments[] = {
        &data,   &buffer->reference, &count, &scalar, &tolerance->relative, &tolerance->absolute, &poisoned, &nan,
        &verdict};
    int code = gpu_helper(gpu, HELPER_COMPARE, count, arguments, error);
    return code ? code : gpu_fp64_measure(gpu, buffer, data, verdict, error);
}

static int queue_guards(struct gpu *gpu, struct gpu_buffer *buffer, struct error *error)
{
    return gpu_check(gpu_queue_guards(gpu, buffer, verdict_of(gpu, buffer)), "checking the guards", error);
}

/* Adds the checksum of memory to the buffer's verdict. */
static int queue_sum(struct gpu *gpu, struct gpu_buffer *buffer, const unsigned char *data, unsigned long long bytes,
                     struct error *error)
{
    struct gpu_verdict *verdict = verdict_of(gpu, buffer);
    void *arguments[] = {&data, &bytes, &verdict};
    return gpu_helper(gpu, HELPER_CHECKSUM, bytes / 16, arguments, error);
}

/* Sums up the data that must not change: inputs, the reference's results and the initial contents. */
static int queue_checksum(struct gpu *gpu, struct gpu_buffer *buffer, struct error *error)
{
    int code = buffer->role == BUFFER_INPUT ? queue_sum(gpu, buffer, buffer->data, buffer->bytes, error) : 0;
    if (!code && buffer->reference)
        code = queue_sum(gpu, buffer, buffer->reference, buffer->bytes, error);
    if (!code && buffer->fp64)
        code = queue_sum(gpu, buffer, buffer->fp64, gpu_fp64_bytes(buffer), error);
    return !code && buffer->initial ? queue_sum(gpu, buffer, buffer->initial, buffer->bytes, error) : code;
}

int gpu_sum_results(struct gpu *gpu, const uint32_t *places, uint64_t *sum, struct error *error)
{
    int code = gpu_clear_verdicts(gpu, error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++)
        if (gpu_is_result(&gpu->buffers[i]))
            code = queue_sum(gpu, &gpu->buffers[i], gpu->buffers[places[i]].data, gpu_judged_bytes(&gpu->buffers[i]),
                             error);
    if (!code)
        code = gpu_read_verdicts(gpu, error);
    *sum = 0;
    for (size_t i = 0; i < gpu->buffer_count; i++)
        *sum = *sum * 31 + gpu->judged[i].checksum;
    return code;
}

int gpu_checksum_all(struct gpu *gpu, bool outputs, struct error *error)
{
    int code = gpu_clear_verdicts(gpu, error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++)
        if (gpu_is_result(&gpu->buffers[i]) == outputs)
            code = queue_checksum(gpu, &gpu->buffers[i], error);
    if (!code)
        code = gpu_read_verdicts(gpu, error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++)
        if (gpu_is_result(&gpu->buffers[i]) == outputs)
            gpu->buffers[i].checksum = gpu->judged[i].checksum;
    return code;
}

/* Sets the measurement's message if the output differs and, unless differences are notes, its status. */
static void judge_output(const struct gpu *gpu, const struct gpu_buffer *buffer, const struct gpu_verdict *verdict,
                         struct measurement *measurement)
{
    if (!verdict->different && gpu_fp64_explain(gpu, buffer, verdict, measurement))
        measurement->status = STATUS_WRONG_RESULT;
    if (!verdict->different || (gpu->notes && *measurement->message)) /* the first note is kept */
        return;
    if (!gpu->notes)
        measurement->status = STATUS_WRONG_RESULT;
    measurement_explain(measurement, "%s: %llu of %llu values differ from the reference%s, the first at %llu",
                        buffer->name, verdict->different, (unsigned long long)(buffer->count - buffer->ignored),
                        verdict->unwritten == verdict->different ? ", none of them was written"
                        : verdict->nan == verdict->different     ? ", all of them NaN"
                        : verdict->nan                           ? ", some of them NaN"
                                                                 : "",
                        ~verdict->first_complement);
}

/* Checks guards and checksums. A write to either is the kernel's fault, and spoils the buffers (`spoiled`). */
static void judge_memory(struct gpu *gpu, const struct gpu_buffer *buffer, const struct gpu_verdict *verdict,
                         struct measurement *measurement)
{
    if (verdict->touched == 0 && verdict->checksum == buffer->checksum)
        return;
    gpu->spoiled = true;
    if (measurement->status == STATUS_WRONG_RESULT)
        return; /* the first reason is the better one */
    measurement->status = STATUS_WRONG_RESULT;
    if (verdict->touched)
        measurement_explain(measurement, "writes outside a buffer: %llu bytes beside %s", verdict->touched,
                            buffer->name);
    else
        measurement_explain(measurement, "writes to %s, which is not an output", buffer->name);
}

int gpu_judge(struct gpu *gpu, const uint32_t *places, struct measurement *measurement, struct error *error)
{
    int code = gpu_clear_verdicts(gpu, error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++) {
        struct gpu_buffer *buffer = &gpu->buffers[i];
        code = queue_guards(gpu, buffer, error);
        if (!code)
            code = queue_checksum(gpu, buffer, error);
        if (!code && places && buffer->reference)
            code = gpu_queue_compare(gpu, buffer, &gpu->buffers[places[i]],
                                     gpu->buffers[places[i]].role != BUFFER_INOUT, error);
    }
    if (!code)
        code = gpu_read_verdicts(gpu, error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++)
        judge_memory(gpu, &gpu->buffers[i], &gpu->judged[i], measurement);
    for (size_t i = 0; i < gpu->buffer_count && !code && measurement->status == STATUS_OK; i++)
        judge_output(gpu, &gpu->buffers[i], &gpu->judged[i], measurement);
    return code;
}

int gpu_check_guards(struct gpu *gpu, const char *who, struct error *error)
{
    int code = gpu_clear_verdicts(gpu, error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++)
        code = queue_guards(gpu, &gpu->buffers[i], error);
    if (!code)
        code = gpu_read_verdicts(gpu, error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++)
        if (gpu->judged[i].touched)
            code = error_set(error, ERROR_VALUE, "%s writes outside a buffer: %llu bytes beside %s", who,
                             gpu->judged[i].touched, gpu->buffers[i].name);
    return code;
}
