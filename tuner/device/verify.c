/* Verifies a run. Its results are compared with the reference's output, which stays on the GPU, or judged by the accept
 * kernel. */
#include "device/verify.h"

#include <stdio.h>
#include <string.h>

#include "device/accept_command.h"
#include "device/buffers.h"
#include "device/check.h"
#include "device/gpu.h"
#include "device/launch.h"
#include "device/library.h"
#include "device/techniques.h"
#include "device/verdict.h"

static int poison_unknown(struct gpu *gpu, const struct gpu_buffer *buffer, struct error *error)
{
    return gpu_check(cudaMemsetAsync(buffer->data, GPU_POISON_UNKNOWN, buffer->bytes, gpu->stream), "poisoning", error);
}

int gpu_prepare_buffers(struct gpu *gpu, const struct launch *launch, const uint32_t *places, int scratch,
                        struct error *error)
{
    int code = gpu_check(gpu_restore(gpu), "restoring the buffers", error);
    if (!code)
        code = gpu_check(gpu_set_scratch(gpu, launch, scratch), "poisoning the scratch buffers", error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++) {
        struct gpu_buffer *buffer = &gpu->buffers[i], *place = &gpu->buffers[places[i]];
        if (!gpu_is_result(buffer) || place->role == BUFFER_INOUT)
            continue;
        code = buffer->reference ? gpu_poison(gpu, buffer, place->data, buffer->reference, error)
                                 : poison_unknown(gpu, place, error);
    }
    return code;
}

static void explain_endless(const struct gpu *gpu, const char *when, struct measurement *measurement)
{
    const struct launch_until *until = gpu->endless.until;
    const struct element_type *type = &element_types[until->type];
    const char *sign = until_signs[until->sign], *name = gpu->buffers[until->buffer].name;
    double number, wanted;
    memcpy(&number, &gpu->endless.bits, sizeof number);
    memcpy(&wanted, &until->bits, sizeof wanted);
    if (type->family == FAMILY_FLOAT)
        measurement_explain(measurement, "%s'%s' is %.9g after the last round of the loop until %s %s %.9g", when, name,
                            number, name, sign, wanted);
    else
        measurement_explain(measurement, "%s'%s' is %lld after the last round of the loop until %s %s %lld", when, name,
                            (long long)gpu->endless.bits, name, sign, (long long)until->bits);
}

void gpu_note_failure(struct gpu *gpu, cudaError_t result, const char *when, struct measurement *measurement)
{
    cudaGetLastError();
    cudaError_t finished = cudaDeviceSynchronize(); /* an error here is sticky: the context is lost */
    gpu->spoiled |= finished != cudaSuccess;
    if (finished || result) {
        measurement->status = finished             ? STATUS_CRASHED
                              : gpu->endless.until ? STATUS_WRONG_RESULT
                                                   : STATUS_LAUNCH_ERROR;
        gpu->refusal = result;
        if (gpu->endless.until && !finished)
            explain_endless(gpu, when, measurement);
        else if (gpu_shared_error() && !finished)
            measurement_explain(measurement, "%srun returns the error %d", when, gpu_shared_error());
        else
            measurement_explain(measurement, "%s%s", when, cudaGetErrorString(finished ? finished : result));
    }
}

int gpu_run_verified(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement, struct error *error)
{
    const struct gpu_way *way = gpu_way_of(&kernel->launch);
    cudaError_t result = gpu_techniques_restore(gpu, kernel, true);
    if (!result)
        result = gpu_enter(gpu, kernel);
    if (result) {
        gpu_note_failure(gpu, result, "", measurement);
        gpu_leave(gpu, kernel);
        cudaGetLastError();
        return 0;
    }
    int code = way && way->prepare ? way->prepare(gpu, kernel, error) : 0;
    if (code)
        return code;
    result = way ? way->run(gpu, kernel, true) : gpu_launch(gpu, kernel);
    gpu_note_failure(gpu, result, "", measurement);
    if (gpu->spoiled)
        return 0;
    code = way && way->collect ? way->collect(gpu, kernel, result != cudaSuccess, error) : 0;
    if (!code && !result)
        code = gpu_check(gpu_techniques_collect(gpu, kernel), "copying the contents of the surfaces", error);
    return code ? code : gpu_check(gpu_leave(gpu, kernel), "resetting the device", error);
}

/* Launches the accept kernel over the results at `places` and reads its count. Its crash is the fault of the verified
 * kernel, whose results may be wrong indices. */
static int run_accept(struct gpu *gpu, const uint32_t *places, struct measurement *measurement, struct error *error)
{
    struct gpu_kernel *accept = gpu->accept;
    const struct gpu_places own = gpu_own_places(gpu);
    struct gpu_places given = own;
    char when[SPACE_KERNEL_NAME_MAX + 32];
    for (size_t i = 0; i < gpu->buffer_count; i++)
        given.data[i] = own.data[places[i]];
    accept->launch.words[accept->launch.arguments[0].word].bits = (uintptr_t)&gpu_accept_verdict(gpu)->different;
    snprintf(when, sizeof when, "accept %s: ", gpu->accept_name);
    int code = gpu_clear_verdicts(gpu, error);
    if (!code)
        code = gpu_check(gpu_techniques_restore(gpu, accept, true),
                         "setting the variables and surfaces of the accept kernel", error);
    if (!code)
        gpu_note_failure(gpu, gpu_launch_steps(gpu, accept, given), when, measurement);
    return code || measurement->status != STATUS_OK ? code : gpu_read_verdicts(gpu, error);
}

int gpu_judge_accepted(struct gpu *gpu, const uint32_t *places, struct measurement *measurement, struct error *error)
{
    struct measurement own = measurement_unknown(STATUS_OK);
    if (!gpu->accept || !gpu->accept->cubin || measurement->status != STATUS_OK)
        return 0;
    int code = run_accept(gpu, places, measurement, error);
    if (code || measurement->status != STATUS_OK)
        return code;
    unsigned long long wrong = gpu->judged[gpu->buffer_count].different;
    if (wrong) {
        measurement->status = STATUS_WRONG_RESULT;
        measurement_explain(measurement, "accept %s counts %llu wrong", gpu->accept_name, wrong);
    }
    code = gpu_judge(gpu, NULL, &own, error);
    return code || own.status == STATUS_OK
               ? code
               : error_set(error, ERROR_VALUE, "the accept kernel %s %s", gpu->accept_name, own.message);
}

/* Compares the checksum of a finalist's results with that of its earlier ones. */
static int sum_up(struct gpu *gpu, struct gpu_kernel *kernel, const uint32_t *places, struct error *error)
{
    uint64_t sum = 0;
    int code = gpu_sum_results(gpu, places, &sum, error);
    if (code)
        return code;
    if (!kernel->results_checksum)
        kernel->results_checksum = sum;
    kernel->varies |= kernel->results_checksum != sum;
    return 0;
}

int gpu_judge_run(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement, struct error *error)
{
    uint32_t places[GPU_BUFFERS_MAX];
    gpu_places_after(gpu, kernel, places);
    int code = gpu_judge(gpu, places, measurement, error);
    if (!code)
        code = gpu_judge_accepted(gpu, places, measurement, error);
    if (!code)
        code = gpu_judge_by_command(gpu, kernel, places, measurement, error);
    return code || !kernel->finalist || measurement->status != STATUS_OK ? code : sum_up(gpu, kernel, places, error);
}

int gpu_verify_once(struct gpu *gpu, struct gpu_kernel *kernel, int scratch, struct measurement *measurement,
                    struct error *error)
{
    uint32_t places[GPU_BUFFERS_MAX];
    gpu_places_after(gpu, kernel, places);
    int code = gpu_prepare_buffers(gpu, &kernel->launch, places, scratch, error);
    if (!code)
        code = gpu_run_verified(gpu, kernel, measurement, error);
    return code || measurement->status != STATUS_OK ? code : gpu_judge_run(gpu, kernel, measurement, error);
}

bool gpu_ready(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement)
{
    cudaError_t result = gpu_load(kernel);
    if (result) {
        measurement->status = STATUS_LAUNCH_ERROR;
        measurement_explain(measurement, "loading: %s", cudaGetErrorString(result));
        gpu->refusal = result;
        cudaGetLastError();
        return false;
    }
    if (kernel->launch.kernel_count)
        measurement->local_bytes = kernel->local_bytes;
    gpu_attach(gpu, kernel, measurement);
    return true;
}

int gpu_verify(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement, struct error *error)
{
    int code = gpu_verify_once(gpu, kernel, GPU_POISON_UNKNOWN, measurement, error);
    measurement->verified = measurement->status == STATUS_OK ? VERIFIED_FIRST : VERIFIED_NONE;
    return code;
}
