/* Verifies results on the GPU, by comparison with the reference's output, which stays there, or by the accept kernel.
 * Outputs must not differ, contain NaN, or stay unwritten (they are poisoned before the run), nor have faults that the
 * accept kernel counts. Guards detect writes outside buffers; checksums detect changes of inputs, of the reference's
 * results and of initial contents. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/techniques.h"

static const char wrong_later[] = "right on the first launch, wrong on a later one: ";

/* The reference runs over both poisons, so that elements that it leaves unwritten differ. Both are numbers in every
 * type, not NaN. Memory without expected contents is NaN or -1 before a configuration runs: scratch, and the outputs
 * that the accept kernel judges. */
enum { POISON = 0x00, POISON_AGAIN = 0x55, POISON_UNKNOWN = 0xff };

static struct gpu_verdict *verdict_of(struct gpu *gpu, const struct gpu_buffer *buffer)
{
    return &gpu->verdicts[buffer - gpu->buffers];
}

/* Returns the verdict behind those of the buffers. */
static struct gpu_verdict *accept_verdict(struct gpu *gpu)
{
    return &gpu->verdicts[gpu->buffer_count];
}

static int clear_verdicts(struct gpu *gpu, struct error *error)
{
    size_t bytes = (gpu->buffer_count + 1) * sizeof *gpu->verdicts;
    return gpu_check(cudaMemsetAsync(gpu->verdicts, 0, bytes, gpu->stream), "clearing results", error);
}

/* Waits for the queued checks and reads gpu->judged. */
static int read_verdicts(struct gpu *gpu, struct error *error)
{
    size_t bytes = (gpu->buffer_count + 1) * sizeof *gpu->verdicts;
    int code = gpu_check(cudaMemcpyAsync(gpu->judged, gpu->verdicts, bytes, cudaMemcpyDeviceToHost, gpu->stream),
                         "checking", error);
    return code ? code : gpu_check(cudaStreamSynchronize(gpu->stream), "checking", error);
}

/* Compares an output, whose contents are at `place`. `poisoned`: that memory was poisoned before the run. */
static int queue_compare(struct gpu *gpu, struct gpu_buffer *buffer, const struct gpu_buffer *place, int poisoned,
                         struct error *error)
{
    unsigned long long count = buffer->count - buffer->ignored;
    int scalar = (int)buffer->scalar;
    struct gpu_verdict *verdict = verdict_of(gpu, buffer);
    const unsigned char *data = place->data;
    struct tolerance *tolerance = &buffer->tolerance;
    void *arguments[] = {
        &data, &buffer->reference, &count, &scalar, &tolerance->relative, &tolerance->absolute, &poisoned, &verdict};
    return gpu_helper(gpu, HELPER_COMPARE, count, arguments, error);
}

static int queue_guards(struct gpu *gpu, struct gpu_buffer *buffer, struct error *error)
{
    unsigned long long bytes = GUARD_BYTES, bytes_behind = buffer->spare_bytes + GUARD_BYTES;
    unsigned canary = CANARY;
    unsigned char *before = buffer->data - GUARD_BYTES, *behind = buffer->data + buffer->bytes;
    struct gpu_verdict *verdict = verdict_of(gpu, buffer);
    void *arguments[] = {&before, &bytes, &canary, &verdict};
    void *arguments_behind[] = {&behind, &bytes_behind, &canary, &verdict};
    int code = gpu_helper(gpu, HELPER_GUARD, GUARD_BYTES, arguments, error);
    return code ? code : gpu_helper(gpu, HELPER_GUARD, bytes_behind, arguments_behind, error);
}

/* Adds the memory's checksum to the buffer's verdict. */
static int queue_sum(struct gpu *gpu, struct gpu_buffer *buffer, const unsigned char *data, struct error *error)
{
    unsigned long long bytes = buffer->bytes;
    struct gpu_verdict *verdict = verdict_of(gpu, buffer);
    void *arguments[] = {&data, &bytes, &verdict};
    return gpu_helper(gpu, HELPER_CHECKSUM, bytes / 16, arguments, error);
}

/* Sums up the data that must not change: inputs, the reference's results and the initial contents. */
static int queue_checksum(struct gpu *gpu, struct gpu_buffer *buffer, struct error *error)
{
    int code = buffer->role == BUFFER_INPUT ? queue_sum(gpu, buffer, buffer->data, error) : 0;
    if (!code && buffer->reference)
        code = queue_sum(gpu, buffer, buffer->reference, error);
    return !code && buffer->initial ? queue_sum(gpu, buffer, buffer->initial, error) : code;
}

/* Computes the checksums of the inputs before the reference runs, which must not write them either, or those of its
 * results afterwards. */
static int checksum_all(struct gpu *gpu, bool outputs, struct error *error)
{
    int code = clear_verdicts(gpu, error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++)
        if (gpu_is_result(&gpu->buffers[i]) == outputs)
            code = queue_checksum(gpu, &gpu->buffers[i], error);
    if (!code)
        code = read_verdicts(gpu, error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++)
        if (gpu_is_result(&gpu->buffers[i]) == outputs)
            gpu->buffers[i].checksum = gpu->judged[i].checksum;
    return code;
}

static int poison_unknown(struct gpu *gpu, const struct gpu_buffer *buffer, struct error *error)
{
    return gpu_check(cudaMemsetAsync(buffer->data, POISON_UNKNOWN, buffer->bytes, gpu->stream), "poisoning", error);
}

/* Restores inout buffers to their initial contents, and poisons the memory of all other outputs, in a way that their
 * references determine. Fills scratch with `scratch` as gpu_set_scratch does. */
static int prepare_buffers(struct gpu *gpu, const struct launch *launch, const uint32_t *places, int scratch,
                           struct error *error)
{
    int code = gpu_check(gpu_restore(gpu), "restoring the buffers", error);
    if (!code)
        code = gpu_check(gpu_set_scratch(gpu, launch, scratch), "poisoning the scratch buffers", error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++) {
        struct gpu_buffer *buffer = &gpu->buffers[i], *place = &gpu->buffers[places[i]];
        if (!gpu_is_result(buffer) || place->role == BUFFER_INOUT)
            continue;
        code = buffer->accepted ? poison_unknown(gpu, place, error)
                                : gpu_poison(gpu, buffer, place->data, buffer->reference, error);
    }
    return code;
}

/* Sets the measurement's status and message if the output differs. */
static void judge_output(const struct gpu_buffer *buffer, const struct gpu_verdict *verdict,
                         struct measurement *measurement)
{
    if (!verdict->different)
        return;
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

/* Queues all checks and waits only once, because this runs twice for each configuration. `places` NULL: does not check
 * outputs. */
static int judge(struct gpu *gpu, const uint32_t *places, struct measurement *measurement, struct error *error)
{
    int code = clear_verdicts(gpu, error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++) {
        struct gpu_buffer *buffer = &gpu->buffers[i];
        code = queue_guards(gpu, buffer, error);
        if (!code)
            code = queue_checksum(gpu, buffer, error);
        if (!code && places && gpu_is_compared(buffer))
            code = queue_compare(gpu, buffer, &gpu->buffers[places[i]], gpu->buffers[places[i]].role != BUFFER_INOUT,
                                 error);
    }
    if (!code)
        code = read_verdicts(gpu, error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++)
        judge_memory(gpu, &gpu->buffers[i], &gpu->judged[i], measurement);
    for (size_t i = 0; i < gpu->buffer_count && !code && measurement->status == STATUS_OK; i++)
        judge_output(&gpu->buffers[i], &gpu->judged[i], measurement);
    return code;
}

int gpu_check_guards(struct gpu *gpu, const char *who, struct error *error)
{
    int code = clear_verdicts(gpu, error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++)
        code = queue_guards(gpu, &gpu->buffers[i], error);
    if (!code)
        code = read_verdicts(gpu, error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++)
        if (gpu->judged[i].touched)
            code = error_set(error, ERROR_VALUE, "%s writes outside a buffer: %llu bytes beside %s", who,
                             gpu->judged[i].touched, gpu->buffers[i].name);
    return code;
}

void gpu_note_failure(struct gpu *gpu, cudaError_t result, const char *when, struct measurement *measurement)
{
    cudaGetLastError();
    cudaError_t finished = cudaDeviceSynchronize(); /* an error here is sticky: the context is lost */
    gpu->spoiled |= finished != cudaSuccess;
    if (finished || result) {
        measurement->status = finished ? STATUS_CRASHED : STATUS_LAUNCH_ERROR;
        gpu->refusal = result;
        if (gpu_shared_error() && !finished)
            measurement_explain(measurement, "%srun returns the error %d", when, gpu_shared_error());
        else
            measurement_explain(measurement, "%s%s", when, cudaGetErrorString(finished ? finished : result));
    }
}

/* Runs once and leaves the results in the buffers if the measurement's status stays OK. */
static int run_verified(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement,
                        struct error *error)
{
    const struct gpu_way *way = gpu_way_of(&kernel->launch);
    cudaError_t result = gpu_enter(gpu, kernel);
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
    accept->launch.words[accept->launch.arguments[0].word].bits = (uintptr_t)&accept_verdict(gpu)->different;
    snprintf(when, sizeof when, "accept %s: ", gpu->accept_name);
    int code = clear_verdicts(gpu, error);
    if (!code)
        gpu_note_failure(gpu, gpu_launch_steps(gpu, accept, given), when, measurement);
    return code || measurement->status != STATUS_OK ? code : read_verdicts(gpu, error);
}

/* Call after `judge`, so that writes of the accept kernel are not attributed to the verified kernel. */
static int judge_accepted(struct gpu *gpu, const uint32_t *places, struct measurement *measurement, struct error *error)
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
    code = judge(gpu, NULL, &own, error);
    return code || own.status == STATUS_OK
               ? code
               : error_set(error, ERROR_VALUE, "the accept kernel %s %s", gpu->accept_name, own.message);
}

/* Judges the results of a run. */
static int judge_run(struct gpu *gpu, const struct gpu_kernel *kernel, struct measurement *measurement,
                     struct error *error)
{
    uint32_t places[GPU_BUFFERS_MAX];
    space_launch_places(&kernel->launch, gpu->buffer_count, places);
    int code = judge(gpu, places, measurement, error);
    return code ? code : judge_accepted(gpu, places, measurement, error);
}

static int verify(struct gpu *gpu, struct gpu_kernel *kernel, int scratch, struct measurement *measurement,
                  struct error *error)
{
    uint32_t places[GPU_BUFFERS_MAX];
    space_launch_places(&kernel->launch, gpu->buffer_count, places);
    int code = prepare_buffers(gpu, &kernel->launch, places, scratch, error);
    if (!code)
        code = run_verified(gpu, kernel, measurement, error);
    return code || measurement->status != STATUS_OK ? code : judge_run(gpu, kernel, measurement, error);
}

int gpu_verify(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement, struct error *error)
{
    int code = verify(gpu, kernel, POISON_UNKNOWN, measurement, error);
    measurement->verified = measurement->status == STATUS_OK ? VERIFIED_FIRST : VERIFIED_NONE;
    return code;
}

/* ---- After timing ---- */

/* Copies the results that the timed runs left outside the buffers into them. */
static int collect_timed(struct gpu *gpu, struct gpu_kernel *kernel, struct error *error)
{
    const struct gpu_way *way = gpu_way_of(&kernel->launch);
    return way && way->collect ? way->collect(gpu, kernel, false, error) : 0;
}

/* Adds the spare bytes to the scratch buffers, because any of the timed kernels may have written there. */
static void widen_scratch(struct gpu *gpu)
{
    for (size_t i = 0; i < gpu->buffer_count; i++) {
        gpu->buffers[i].bytes += gpu->buffers[i].spare_bytes;
        gpu->buffers[i].spare_bytes = 0;
    }
}

/* Checks the memory that several kernels must not write. A fault concerns all of them, because any may have caused
 * it. */
static int check_shared_damage(struct gpu *gpu, struct measurement *measurements, size_t count, struct error *error)
{
    struct measurement left = measurement_unknown(STATUS_OK);
    widen_scratch(gpu);
    int code = judge(gpu, NULL, &left, error);
    for (size_t k = 0; k < count && !code && left.status != STATUS_OK; k++)
        if (status_class(measurements[k].status) != OUTCOME_FAILED) {
            measurements[k].status = STATUS_CRASHED;
            measurement_explain(&measurements[k], "correct at first, then one of those timed together %s",
                                left.message);
        }
    return code;
}

static bool has_scratch(const struct gpu *gpu)
{
    bool found = false;
    for (size_t i = 0; i < gpu->buffer_count; i++)
        found |= gpu->buffers[i].role == BUFFER_SCRATCH;
    return found;
}

/* Verifies with two contents of scratch, because a kernel may rely on results of earlier launches there. Kept contents
 * expose a kernel that finds its work already done; poison exposes a launch that no longer writes data for the next. */
static int launch_again(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *again, struct error *error)
{
    int code = verify(gpu, kernel, GPU_SCRATCH_KEPT, again, error);
    return code || again->status != STATUS_OK || !has_scratch(gpu) ? code
                                                                   : verify(gpu, kernel, POISON_UNKNOWN, again, error);
}

/* A kernel that was stopped early cannot win, so its last results are judged without another launch. */
static int verify_timed(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement,
                        struct error *error)
{
    struct measurement again = measurement_unknown(STATUS_OK);
    bool whole = measurement->status == STATUS_OK;
    int code = gpu->set == gpu->sets[kernel->set] ? 0 : gpu_expect(gpu, kernel->set, error);
    if (!code)
        code = whole ? launch_again(gpu, kernel, &again, error) : judge_run(gpu, kernel, &again, error);
    if (code)
        return code;
    if (again.status == STATUS_OK) {
        measurement->verified = whole ? VERIFIED_TIMED : measurement->verified;
        return 0;
    }
    measurement->status = again.status;
    measurement_explain(measurement, "%s%s", again.status == STATUS_WRONG_RESULT ? wrong_later : gpu_when_repeated,
                        again.message);
    return 0;
}

int gpu_verify_timed(struct gpu *gpu, struct gpu_kernel *kernels, struct measurement *measurements, size_t count,
                     struct error *error)
{
    int code = 0;
    for (size_t k = 0; k < count && !code; k++)
        if (status_class(measurements[k].status) != OUTCOME_FAILED)
            code = collect_timed(gpu, &kernels[k], error);
    if (!code && count > 1)
        code = check_shared_damage(gpu, measurements, count, error);
    for (size_t k = 0; k < count && !code && !gpu->spoiled; k++)
        if (status_class(measurements[k].status) != OUTCOME_FAILED)
            code = verify_timed(gpu, &kernels[k], &measurements[k], error);
    return code;
}

/* ---- The reference ---- */

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
        code = run_verified(gpu, reference, &measurement, error);
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
            code = gpu_read_file(gpu, buffer, buffer->expected, buffer->expected_offset,
                                 buffer->bytes / buffer->count * (buffer->count - buffer->ignored), buffer->reference,
                                 error);
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
                            "to launch (then set it back)");
    return code;
}

/* Compares the run in the buffers with the kept one. Files are compared with themselves, because NaN equals nothing. */
static int check_expected(struct gpu *gpu, const uint32_t *places, const char *who, struct error *error)
{
    int code = clear_verdicts(gpu, error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++) {
        struct gpu_buffer *buffer = &gpu->buffers[i];
        const struct gpu_buffer itself = {.data = buffer->reference};
        if (gpu_is_compared(buffer))
            code = queue_compare(gpu, buffer, buffer->expected ? &itself : &gpu->buffers[places[i]], false, error);
    }
    if (!code)
        code = read_verdicts(gpu, error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++)
        if (gpu->judged[i].different)
            code = refuse_expected(&gpu->buffers[i], &gpu->judged[i], who, error);
    return code;
}

static int run_twice(struct gpu *gpu, struct gpu_kernel *reference, const uint32_t *places, const char *who,
                     struct error *error)
{
    int code = run_reference(gpu, reference, POISON, who, error);
    if (!code)
        code = keep_outputs(gpu, places, error);
    return code ? code : run_reference(gpu, reference, POISON_AGAIN, who, error);
}

int gpu_reference(struct gpu *gpu, struct gpu_kernel *reference, const char *who, struct error *error)
{
    struct measurement measurement = measurement_unknown(STATUS_OK);
    uint32_t places[GPU_BUFFERS_MAX] = {0};
    int code = checksum_all(gpu, false, error);
    if (!code)
        code = read_expected(gpu, error);
    if (reference)
        space_launch_places(&reference->launch, gpu->buffer_count, places);
    if (!code && reference)
        code = run_twice(gpu, reference, places, who, error);
    if (!code)
        code = check_expected(gpu, places, who, error);
    if (!code)
        code = checksum_all(gpu, true, error);
    if (!code && reference)
        code = judge(gpu, NULL, &measurement, error);
    if (!code && measurement.status != STATUS_OK)
        code = error_set(error, ERROR_VALUE, "%s %s", who, measurement.message);
    return code;
}

/* ---- The accept kernel ---- */

/* Returns the checksum of all outputs that the accept kernel judges. */
static int sum_accepted(struct gpu *gpu, unsigned long long *sum, struct error *error)
{
    int code = clear_verdicts(gpu, error);
    for (size_t i = 0; i < gpu->buffer_count && !code; i++)
        if (gpu->buffers[i].accepted)
            code = queue_sum(gpu, &gpu->buffers[i], gpu->buffers[i].data, error);
    if (!code)
        code = read_verdicts(gpu, error);
    *sum = 0;
    for (size_t i = 0; i < gpu->buffer_count; i++)
        *sum = *sum * 31 + gpu->judged[i].checksum;
    return code;
}

/* Judges unwritten outputs. `again`: the accept kernel has already found faults in them. */
static int expect_faults(struct gpu *gpu, const uint32_t *places, bool again, struct error *error)
{
    struct measurement measurement = measurement_unknown(STATUS_OK);
    int code = judge_accepted(gpu, places, &measurement, error);
    if (code || measurement.status == STATUS_WRONG_RESULT)
        return code;
    if (measurement.status != STATUS_OK)
        return error_set(error, ERROR_DEVICE, "%s, over outputs that nobody has written", measurement.message);
    code =
        error_set(error, ERROR_VALUE, "the accept kernel %s counts nothing wrong in outputs that nobody has written%s",
                  gpu->accept_name, again ? ", when it is launched for the second time" : "");
    if (again)
        error_hint(error, "it keeps something from launch to launch: set its __device__ variables back in each");
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
    unsigned long long before = 0, after = 0;
    space_launch_places(&gpu->accept->launch, gpu->buffer_count, places);
    int code = prepare_buffers(gpu, &gpu->accept->launch, places, POISON_UNKNOWN, error);
    if (!code)
        code = sum_accepted(gpu, &before, error);
    for (int launch = 0; launch < 2 && !code; launch++) {
        code = expect_faults(gpu, places, launch > 0, error);
        if (!code)
            code = sum_accepted(gpu, &after, error);
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
