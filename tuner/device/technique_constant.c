/* constant: fills a __constant__ variable from its buffer once the kernel is loaded. */
#include "device/check.h"
#include "device/gpu.h"
#include "device/techniques.h"

static bool used(const struct launch *launch)
{
    return launch->constant_count > 0;
}

/* A missing symbol is not an error: the preprocessor removed it from this variant, or no code reads it. */
static void attach(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement)
{
    for (size_t i = 0; i < kernel->launch.constant_count; i++) {
        const struct launch_constant *constant = &kernel->launch.constants[i];
        const struct gpu_buffer *buffer = &gpu->buffers[constant->buffer];
        void *symbol = NULL;
        size_t bytes = 0;
        cudaError_t result = cudaLibraryGetGlobal(&symbol, &bytes, kernel->library, constant->symbol);
        if (result == cudaErrorSymbolNotFound) {
            cudaGetLastError();
            continue;
        }
        if (!result && bytes < buffer->bytes) {
            measurement->status = STATUS_LAUNCH_ERROR;
            measurement_explain(measurement, "%s has %zu bytes, '%s' has %llu", constant->symbol, bytes, buffer->name,
                                (unsigned long long)buffer->bytes);
            return;
        }
        if (!result)
            result = cudaMemcpyAsync(symbol, buffer->data, buffer->bytes, cudaMemcpyDeviceToDevice, gpu->stream);
        if (!result)
            result = cudaStreamSynchronize(gpu->stream);
        if (result) {
            gpu_refuse(gpu, result, measurement, "filling %s", constant->symbol);
            return;
        }
    }
}

const struct gpu_technique gpu_technique_constant = {.used = used, .attach = attach};
