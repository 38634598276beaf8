#include "device/precision.h"

#include <math.h>

#include "device/buffers.h"
#include "device/gpu.h"

/* A reference whose error is half of the largest result computes something else, or its results are in no format that
 * cutune knows: even numbers with one bit behind the point are nearer. */
static const double unlike = 0.5;

uint64_t gpu_fp64_bytes(const struct gpu_buffer *buffer)
{
    return gpu_is_compared(buffer) && buffer->tolerance.fp64 > 0 ? buffer->count * sizeof(double) : 0;
}

struct gpu_places gpu_fp64_places(const struct gpu *gpu, const struct gpu_places *places)
{
    struct gpu_places wide = *places;
    for (size_t i = 0; i < gpu->buffer_count; i++)
        if (gpu->buffers[i].fp64)
            wide.data[i] = gpu->buffers[i].fp64;
    return wide;
}

int gpu_fp64_prepare(struct gpu *gpu, struct error *error)
{
    int code = 0;
    for (size_t i = 0; i < gpu->buffer_count && !code; i++) {
        struct gpu_buffer *buffer = &gpu->buffers[i];
        unsigned long long count = buffer->count;
        int scalar = (int)buffer->scalar, poison = buffer->role != BUFFER_INOUT;
        void *arguments[] = {&buffer->fp64, &buffer->data, &count, &scalar, &poison};
        if (buffer->fp64)
            code = gpu_helper(gpu, HELPER_WIDEN, count, arguments, error);
    }
    return code;
}

int gpu_fp64_measure(struct gpu *gpu, const struct gpu_buffer *buffer, const unsigned char *data,
                     struct gpu_verdict *verdict, struct error *error)
{
    unsigned long long count = buffer->count - buffer->ignored;
    int scalar = (int)buffer->scalar;
    void *arguments[] = {&data, (void *)&buffer->reference, (void *)&buffer->fp64, &count, &scalar, &verdict};
    return buffer->fp64 ? gpu_helper(gpu, HELPER_ERROR, count, arguments, error) : 0;
}

/* Results of which all are 0 have absolute errors. */
static struct gpu_errors errors_of(const struct gpu_verdict *verdict)
{
    return (struct gpu_errors){verdict->largest_error / (verdict->largest > 0 ? verdict->largest : 1),
                               sqrt(verdict->squared_error / (verdict->squares > 0 ? verdict->squares : 1))};
}

int gpu_fp64_keep(struct gpu *gpu, const char *who, struct error *error)
{
    for (size_t i = 0; i < gpu->buffer_count; i++) {
        const struct gpu_buffer *buffer = &gpu->buffers[i];
        const struct gpu_verdict *verdict = &gpu->judged[i];
        if (!buffer->fp64)
            continue;
        gpu->set->errors[i] = errors_of(verdict);
        const double most = fmax(gpu->set->errors[i].maximum, gpu->set->errors[i].euclidean);
        int code = 0;
        if (verdict->unusable)
            code = error_set(error, ERROR_VALUE,
                             "the double-precision output %s of %s is no number in %llu of %llu values", buffer->name,
                             who, verdict->unusable, (unsigned long long)(buffer->count - buffer->ignored));
        else if (most > unlike)
            code = error_set(error, ERROR_VALUE,
                             "the output %s of %s differs from its double-precision results by %.2g of their size",
                             buffer->name, who, most);
        if (code)
            return error_hint(error,
                              "`reference fp64` writes each value of %s as a double, and computes the same as the "
                              "reference",
                              buffer->name),
                   code;
    }
    return 0;
}

static bool explain(const char *norm, double error, double of_reference, const struct gpu_buffer *buffer,
                    struct measurement *measurement)
{
    const double roundoff = ldexp(1, -buffer->type->bits), base = fmax(of_reference, roundoff);
    if (error <= buffer->tolerance.fp64 * base)
        return false;
    measurement_explain(
        measurement,
        "%s: less precise than allowed: its %s error against fp64 is %.3g, %.3g times the %.3g of %s; the "
        "tolerance is %g times",
        buffer->name, norm, error, error / base, base, of_reference < roundoff ? "one rounding" : "the reference",
        buffer->tolerance.fp64);
    return true;
}

bool gpu_fp64_explain(const struct gpu *gpu, const struct gpu_buffer *buffer, const struct gpu_verdict *verdict,
                      struct measurement *measurement)
{
    if (!buffer->fp64)
        return false;
    const struct gpu_errors errors = errors_of(verdict), *reference = &gpu->set->errors[buffer - gpu->buffers];
    return explain("largest", errors.maximum, reference->maximum, buffer, measurement) ||
           explain("root-mean-square", errors.euclidean, reference->euclidean, buffer, measurement);
}
