/* The device process: greets and is set up, then verifies and times one job per message until the coordinator ends or a
 * kernel has broken the context or the buffers. */
#include "device/process.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/timeline.h"
#include "device/board_power.h"
#include "device/buffers.h"
#include "device/ceilings.h"
#include "device/check.h"
#include "device/clear_setup.h"
#include "device/clock.h"
#include "device/count.h"
#include "device/cupti.h"
#include "device/energy.h"
#include "device/energy_window.h"
#include "device/expected.h"
#include "device/fill.h"
#include "device/gpu.h"
#include "device/guarded.h"
#include "device/inputs.h"
#include "device/launch.h"
#include "device/library.h"
#include "device/measure.h"
#include "device/playoff.h"
#include "device/query.h"
#include "device/referee.h"
#include "device/roofline.h"
#include "device/stream_gate.h"
#include "device/techniques.h"
#include "device/timer.h"
#include "device/verify.h"
#include "device/verify_timed.h"

static void say_error(int socket, uint64_t id, const struct error *error)
{
    struct text text = {0};
    pack_struct(&text, &error_table, error);
    message_send(socket, MESSAGE_ERROR, id, text.bytes, text.length);
    text_free(&text);
}

/* For messages that no coordinator sends: the peer is another program. */
static int refuse_message(struct error *error)
{
    return error_set(error, ERROR_WORKER, "the device process does not understand its coordinator");
}

/* Counts the visible devices: all, or the one chosen by `name`. ERROR_NO_DEVICE with the driver's message if there are
 * none. */
static int count_devices(int *count, const char *name, struct error *error)
{
    int driver = 0;
    cudaError_t result = cudaGetDeviceCount(count);
    if (result == cudaSuccess && *count > 0)
        return 0;
    *count = 0;
    /* Without a driver, the runtime misleads: it reports a driver that is too old. */
    if (result == cudaErrorInsufficientDriver && cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0)
        return error_set(error, ERROR_NO_DEVICE, "no CUDA device: no NVIDIA driver is installed");
    const char *reason = result == cudaSuccess ? "the driver lists none" : cudaGetErrorString(result);
    if (!name || strcmp(name, "0") == 0)
        return error_set(error, ERROR_NO_DEVICE, "no CUDA device: %s", reason);
    return error_set(error, ERROR_NO_DEVICE, "no CUDA device %s: %s; `cutune devices` lists the devices", name, reason);
}

void device_count_process(int socket, void *context)
{
    struct error error = {0};
    struct text text = {0};
    int count;
    (void)context;
    if (count_devices(&count, NULL, &error)) {
        say_error(socket, 0, &error);
        return;
    }
    pack_u64(&text, (uint64_t)count);
    message_send(socket, MESSAGE_HELLO, 0, text.bytes, text.length);
    text_free(&text);
}

static int say_hello(struct gpu *gpu, const char *name, int socket, struct error *error)
{
    timeline("device", "started");
    int count, code = count_devices(&count, name, error);
    timeline("device", "driver initialised");
    if (code)
        return code;
    code = gpu_query(name, &gpu->limits, error);
    if (code)
        return code;
    struct text text = {0};
    pack_struct(&text, &device_limits_table, &gpu->limits);
    message_send(socket, MESSAGE_HELLO, 0, text.bytes, text.length);
    text_free(&text);
    timeline("device", "limits sent");
    return 0;
}

static int make_context(struct gpu *gpu, struct error *error)
{
    int code = gpu_check(cudaSetDevice(0), "opening the device", error);
    if (!code)
        code = gpu_check(cudaFree(NULL), "creating a context", error);
    timeline("device", "context created");
    if (!code)
        code = gpu_open_stream(gpu, error);
    for (size_t i = 0; i < sizeof gpu->events / sizeof *gpu->events && !code; i++)
        code = gpu_check(cudaEventCreateWithFlags(&gpu->events[i], cudaEventDefault), "creating an event", error);
    if (!code)
        code = gpu_open_gate(gpu, error);
    if (!code)
        code = gpu_open_clock(gpu, error);
    timeline("device", "clock and events made");
    return code;
}

/* Takes everything from the message, because this process may be older than the parsed space, or a restarted one. */
static void take_buffers(struct gpu *gpu, const struct setup_message *setup)
{
    gpu->seed = setup->seed;
    gpu->sampling = setup->sampling;
    gpu->notes = setup->notes;
    gpu->buffer_count = setup->buffer_count;
    snprintf(gpu->accept_name, sizeof gpu->accept_name, "%s", setup->accept_name);
    gpu->accept_command = setup->accept_command;
    gpu->accept_folder = setup->accept_folder;
    for (size_t i = 0; i < gpu->buffer_count; i++) {
        const struct setup_buffer *from = &setup->buffers[i];
        const struct element_type *type = &element_types[from->type];
        struct gpu_buffer *buffer = &gpu->buffers[i];
        buffer->type = type;
        buffer->scalar = type->scalar;
        buffer->count = from->count * type->components;
        buffer->bytes = from->count * type->bytes;
        buffer->fill = from->fill;
        buffer->range = from->range;
        buffer->offset = from->offset;
        buffer->role = from->role;
        buffer->tolerance = from->tolerance;
        buffer->ignored = from->ignored * type->components;
        buffer->accepted = from->accepted;
        buffer->path = from->path;
        buffer->expected = *from->expected ? from->expected : NULL;
        buffer->expected_offset = from->expected_offset;
        snprintf(buffer->name, sizeof buffer->name, "%s", from->name);
    }
}

static bool unpack_kernel(struct unpack *unpack, struct gpu_kernel *kernel)
{
    struct device_kernel said;
    memset(kernel, 0, sizeof *kernel);
    bool whole = message_unpack_kernel(unpack, &said, &kernel->launch);
    kernel->cubin = said.cubin_bytes ? said.cubin : NULL;
    kernel->cubin_bytes = said.cubin_bytes;
    kernel->names = said.lowered_names;
    kernel->work = said.work;
    kernel->set = said.set;
    kernel->environment = said.environment;
    kernel->environment_count = said.environment_count;
    kernel->variables = said.variables;
    kernel->variable_count = said.variable_count;
    kernel->results_checksum = said.results_checksum;
    gpu_shared_take(kernel, &said);
    return whole;
}

/* A set's kernels live as long as the set: they borrow from a copy of the message, which the set then owns. */
static char *keep_message(const struct message *message, struct unpack *unpack, struct error *error)
{
    char *bytes = malloc(message->length + 1);
    if (!bytes) {
        error_memory(error);
        return NULL;
    }
    memcpy(bytes, message->bytes, message->length);
    *unpack = unpack_start(bytes, message->length);
    return bytes;
}

static struct gpu_set *unpack_set(struct unpack *unpack, char *message)
{
    struct gpu_set *set = calloc(1, sizeof *set);
    struct set_message said;
    bool good = set && unpack_struct(unpack, &set_table, &said);
    good = good && (!said.referenced || unpack_kernel(unpack, &set->reference));
    good = good && (!said.has_accept || unpack_kernel(unpack, &set->accept));
    if (good) {
        snprintf(set->name, sizeof set->name, "%s", said.reference_name);
        set->message = message;
        return set;
    }
    free(set);
    return NULL;
}

static int unpack_setup(const struct message *message, struct setup_message *setup, struct gpu_set **set,
                        struct gpu_kernel *fillers, struct gpu_calibration *calibration, struct error *error)
{
    struct unpack unpack;
    char *kept = keep_message(message, &unpack, error);
    if (!kept)
        return ERROR_MEMORY;
    bool good = unpack_struct(&unpack, &setup_table, setup) && (*set = unpack_set(&unpack, kept));
    size_t scratch = 0, filled = 0;
    for (size_t i = 0; i < setup->fill_count && good; i++) {
        good = unpack_kernel(&unpack, &fillers[i]);
        if (!fillers[i].cubin)
            fillers[i].cubin = (*set)->reference.cubin, fillers[i].cubin_bytes = (*set)->reference.cubin_bytes;
        good = good && fillers[i].cubin;
    }
    good = good && unpack_struct(&unpack, &calibration_table, calibration) && unpack_finished(&unpack);
    for (size_t i = 0; i < setup->buffer_count && good; i++) {
        scratch += setup->buffers[i].role == BUFFER_SCRATCH;
        filled += setup->buffers[i].fill == FILL_KERNEL;
        good = setup->buffers[i].type < element_type_count && scratch <= SPACE_SCRATCH_MAX &&
               setup->buffers[i].ignored <= setup->buffers[i].count;
    }
    return good && filled == setup->fill_count ? 0 : refuse_message(error);
}

/* Measures the ceilings that no process has measured yet. */
static int measure_ceilings(struct gpu *gpu, bool transfers, struct error *error)
{
    const struct ceilings *ceilings = &gpu->calibration.ceilings;
    bool copy = isnan(ceilings->copy), link = transfers && isnan(ceilings->link_both);
    if (!copy && !link)
        return 0;
    gpu->awake_ns = clock_now_ns();
    return gpu_measure_ceilings(gpu, copy, link, error);
}

static int make_buffers(struct gpu *gpu, const struct message *message, struct setup_message *setup,
                        struct error *error)
{
    int code = unpack_setup(message, setup, &gpu->sets[0], gpu->fills, &gpu->calibration, error);
    if (code)
        return code;
    gpu->set = gpu->sets[0];
    take_buffers(gpu, setup);
    timeline("device", "set-up received");
    code = gpu_load_helpers(gpu, setup->helpers, error);
    timeline("device", "helpers loaded");
    /* First, because the driver clears freed memory in the background, which would slow down later timing. */
    if (!code && message->kind == MESSAGE_SETUP)
        code = measure_ceilings(gpu, setup->transfers, error);
    if (!code)
        code = gpu_allocate(gpu, error);
    timeline("device", "buffers allocated");
    if (!code)
        code = gpu_fill_all(gpu, error);
    timeline("device", "buffers filled");
    return code;
}

static int set_up(struct gpu *gpu, const struct message *message, struct error *error)
{
    struct setup_message setup;
    int code = make_buffers(gpu, message, &setup, error);
    if (!code && !gpu->sampling.guarding.on)
        code = message->id ? gpu_defer(gpu, error) : gpu_expect(gpu, 0, error);
    timeline("device", message->id ? "inputs summed up" : "expected results computed");
    if (!code)
        code = gpu_settle(gpu, error);
    timeline("device", "clock settled");
    if (!code)
        code = gpu_calibrate_timer(gpu, error);
    timeline("device", "timer calibrated");
    gpu->calibration.counter = gpu_counter_state(gpu);
    return code;
}

/* True if the configurations copy between host and device, so that no launches are counted. */
static bool transfers(const struct message *message)
{
    struct setup_message setup;
    struct unpack unpack = unpack_start(message->bytes, message->length);
    return unpack_struct(&unpack, &setup_table, &setup) && setup.transfers;
}

/* Sets up a process that counts: its results and times are not compared. Opens CUPTI first, because it may be
 * missing. */
static int set_up_profiler(struct gpu *gpu, const struct message *message, struct error *error)
{
    struct setup_message setup;
    int device = 0, code = gpu_check(cudaGetDevice(&device), "opening the device", error);
    if (!code && !transfers(message))
        code = cupti_open(&gpu->cupti, device, error);
    timeline("profiler", "CUPTI opened");
    return code ? code : make_buffers(gpu, message, &setup, error);
}

static int write_inputs(struct gpu *gpu, const struct message *message, struct error *error)
{
    struct setup_message setup;
    int code = make_buffers(gpu, message, &setup, error);
    return code ? code : gpu_write_inputs(gpu, &setup, error);
}

/* Computes another set of expected results, as set_up does for the first, or selects one that it has. */
static int expect(struct gpu *gpu, const struct message *message, struct error *error)
{
    struct unpack unpack;
    if (message->id >= SPACE_SETS_MAX || !gpu->sets[0] || gpu->deferred ||
        (!gpu->sets[message->id] == !message->length))
        return refuse_message(error);
    if (gpu->sets[message->id])
        return gpu_referee_expect(gpu, (uint32_t)message->id, error);
    char *kept = keep_message(message, &unpack, error);
    if (!kept)
        return ERROR_MEMORY;
    struct gpu_set *set = unpack_set(&unpack, kept);
    if (!set || !unpack_finished(&unpack))
        return refuse_message(error);
    gpu->sets[message->id] = set;
    return gpu_referee_expect(gpu, (uint32_t)message->id, error);
}

/* A job and its answer. */
struct job {
    struct device_job asked; /* without its kernels */
    struct gpu_kernel kernels[DEVICE_KERNELS_MAX];
    struct measurement measurements[DEVICE_KERNELS_MAX];
    struct energy energies[DEVICE_KERNELS_MAX]; /* if asked.energy */
};

static int load_and_verify(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement,
                           struct error *error)
{
    *measurement = measurement_unknown(STATUS_OK);
    gpu->refusal = cudaSuccess;
    if (kernel->shared_object && !gpu_shared_load(kernel, measurement))
        return 0;
    if (!gpu_ready(gpu, kernel, measurement))
        return gpu_check_memory(gpu, kernel, measurement, error);
    int code = gpu_expect(gpu, kernel->set, error);
    int64_t start_ns = clock_now_ns();
    if (!code && measurement->status == STATUS_OK)
        code = gpu_verify(gpu, kernel, measurement, error);
    kernel->verify_ns = clock_now_ns() - start_ns;
    return code ? code : gpu_check_memory(gpu, kernel, measurement, error);
}

/* Verifies and times a kernel that nobody trusts. */
static int load_and_guard(struct gpu *gpu, struct job *job, int64_t start_ns, struct error *error)
{
    struct gpu_kernel *kernel = &job->kernels[0];
    struct measurement *measurement = &job->measurements[0];
    const struct gpu_incumbent incumbent = {job->asked.incumbent_ns, job->asked.incumbent_state};
    int code = 0;
    *measurement = measurement_unknown(STATUS_OK);
    gpu->refusal = cudaSuccess;
    gpu->power.capped |= job->asked.capped;
    if (kernel->shared_object && !gpu_shared_load(kernel, measurement))
        return 0;
    if (gpu_ready(gpu, kernel, measurement) && measurement->status == STATUS_OK)
        code = gpu_guard(gpu, kernel, incumbent, job->asked.timeout_ns / 2 - (clock_now_ns() - start_ns), measurement,
                         error);
    return code || gpu->spoiled ? code : gpu_check_memory(gpu, kernel, measurement, error);
}

static int time_all(struct gpu *gpu, struct job *job, int64_t start_ns, struct error *error)
{
    /* A launch takes a small part of a play-off, which may therefore use more of the time limit. */
    int64_t timeout_ns = job->asked.playoff ? job->asked.timeout_ns / 10 * 9 : job->asked.timeout_ns / 2;
    int64_t left_ns = timeout_ns - (clock_now_ns() - start_ns);
    struct measurement *first = &job->measurements[0];
    int code = 0;
    gpu->refusal = cudaSuccess;
    gpu->power.capped |= job->asked.capped;
    if (job->asked.energy)
        return gpu_measure_energies(gpu, job->kernels, job->measurements, job->energies, job->asked.kernel_count,
                                    error);
    if (job->asked.playoff)
        code = gpu_play_off(gpu, job->kernels, job->measurements, job->asked.kernel_count, job->asked.further, left_ns,
                            error);
    else if (first->status == STATUS_OK)
        gpu_measure(gpu, &job->kernels[0], (struct gpu_incumbent){job->asked.incumbent_ns, job->asked.incumbent_state},
                    left_ns, first);
    if (!job->asked.playoff && first->status == STATUS_OK)
        gpu_measure_power(gpu, &job->kernels[0], first);
    for (size_t k = 0; k < job->asked.kernel_count && !code && !gpu->spoiled; k++)
        code = gpu_check_memory(gpu, &job->kernels[k], &job->measurements[k], error);
    if (!code && !job->asked.playoff && !gpu->spoiled)
        code = gpu_verify_timed(gpu, job->kernels, job->measurements, 1, error);
    return code;
}

static int unpack_job(const struct gpu *gpu, const struct message *message, struct job *job, struct error *error)
{
    struct unpack unpack = unpack_start(message->bytes, message->length);
    bool good = unpack_struct(&unpack, &job_table, &job->asked) && job->asked.kernel_count > 0;
    good = good && (job->asked.playoff || !gpu->deferred) && !(job->asked.playoff && gpu->sampling.guarding.on);
    good = good && (!job->asked.energy || gpu_counter_state(gpu) == 0);
    for (size_t k = 0; k < job->asked.kernel_count && good; k++) {
        good = unpack_kernel(&unpack, &job->kernels[k]) && (job->kernels[k].results_checksum || !gpu->deferred);
        job->kernels[k].finalist = job->asked.playoff;
    }
    return good && unpack_finished(&unpack) ? 0 : refuse_message(error);
}

/* True if only expected results can tell whether a kernel's results are right. */
static bool needs_expected(const struct gpu *gpu, const struct job *job)
{
    bool needs = false;
    for (size_t k = 0; k < job->asked.kernel_count; k++)
        needs |= job->kernels[k].varies;
    return needs && gpu->deferred && !gpu->spoiled;
}

static int verify_and_time(struct gpu *gpu, struct job *job, int64_t start_ns, struct error *error)
{
    int code = 0;
    for (size_t k = 0; k < job->asked.kernel_count; k++)
        if (!code && !gpu->spoiled && !needs_expected(gpu, job))
            code = load_and_verify(gpu, &job->kernels[k], &job->measurements[k], error);
        else
            job->measurements[k] = measurement_unknown(STATUS_OK); /* the fault is another kernel's */
    return code || gpu->spoiled || needs_expected(gpu, job) ? code : time_all(gpu, job, start_ns, error);
}

static int measure(struct gpu *gpu, const struct message *message, struct job *job, struct error *error)
{
    int64_t start_ns = clock_now_ns();
    int code = unpack_job(gpu, message, job, error);
    text_clear(&gpu->samples);
    if (code)
        return code;
    code = gpu->sampling.guarding.on ? load_and_guard(gpu, job, start_ns, error)
                                     : verify_and_time(gpu, job, start_ns, error);
    for (size_t k = 0; k < job->asked.kernel_count; k++) {
        struct measurement *measurement = &job->measurements[k];
        if (gpu->spoiled || status_class(measurement->status) == OUTCOME_FAILED)
            measurement->value = measurement->low = measurement->high = measurement->mean_ns = measurement->power_w =
                NAN;
        else if (job->kernels[k].shared_object)
            measurement_explain(measurement, "%s", gpu_shared_name());
        measurement->results_checksum = job->kernels[k].varies ? 0 : job->kernels[k].results_checksum;
        if (!gpu->spoiled)
            gpu_unload(&job->kernels[k]);
        measurement->measure_ns = (clock_now_ns() - start_ns) / (int64_t)job->asked.kernel_count;
    }
    return code || gpu->spoiled || !gpu->sampling.guarding.shared ? code : gpu_wipe(gpu, error);
}

/* True if the process must end after a job: a kernel spoiled it, or nobody trusts the kernel. */
static bool is_last(const struct gpu *gpu)
{
    return gpu->spoiled || (gpu->sampling.guarding.on && !gpu->sampling.guarding.shared);
}

/* The referee's part of a guarded job. */
static int judge(struct gpu *gpu, const struct message *message, struct text *answer, struct error *error)
{
    static struct gpu_kernel kernel; /* large */
    struct measurement measurement;
    struct judge_message said;
    struct unpack unpack = unpack_start(message->bytes, message->length);
    if (!unpack_struct(&unpack, &judge_table, &said) || !unpack_kernel(&unpack, &kernel) || !unpack_finished(&unpack))
        return refuse_message(error);
    int code = gpu_referee(gpu, said.seed, &kernel, &measurement, error);
    if (!code)
        message_pack_measurements(answer, &measurement, NULL, 1, "");
    return code;
}

static int measure_roofline(struct gpu *gpu, const struct message *message, struct text *answer, struct error *error)
{
    struct roofline roofline;
    if (!gpu->sets[0] || !message->length)
        return refuse_message(error);
    int code = gpu_measure_roofline(gpu, message->bytes, &roofline, error);
    if (!code)
        pack_struct(answer, &roofline_table, &roofline);
    return code;
}

static int count(struct gpu *gpu, const struct message *message, struct text *answer, struct error *error)
{
    static struct gpu_kernel kernel; /* large */
    struct evidence evidence[SPACE_LAUNCHES_MAX];
    struct unpack unpack = unpack_start(message->bytes, message->length);
    if (!unpack_kernel(&unpack, &kernel) || !unpack_finished(&unpack) || (!gpu->cupti && !gpu_way_of(&kernel.launch)))
        return refuse_message(error);
    int code = gpu_count(gpu, &kernel, evidence, error);
    for (size_t i = 0; i < kernel.launch.step_count && !code; i++)
        pack_struct(answer, &evidence_table, &evidence[i]);
    timeline("profiler", "configuration counted");
    return code;
}

static bool answer(int socket, enum device_message kind, uint64_t id, struct text *text)
{
    bool sent = !text->failed && message_send(socket, kind, id, text->bytes, text->length);
    text_free(text);
    return sent;
}

/* Handles one message. True if the process can take another. After an earlier set-up, a failed one is not reported, but
 * tried again in a new process, so that nothing of the earlier one can be the cause. */
static bool serve(struct gpu *gpu, struct job *job, int socket, const struct message *message)
{
    struct error error = {0};
    struct text text = {0};
    bool again = gpu->sets[0] && (message->kind == MESSAGE_SETUP || message->kind == MESSAGE_INPUTS);
    if (again && !gpu_clear_setup(gpu))
        return false;
    if (message->kind == MESSAGE_SETUP) {
        if (set_up(gpu, message, &error) == 0) {
            pack_struct(&text, &calibration_table, &gpu->calibration);
            return answer(socket, MESSAGE_SETUP, message->id, &text);
        }
    } else if (message->kind == MESSAGE_EXPECT) {
        if (expect(gpu, message, &error) == 0)
            return answer(socket, MESSAGE_EXPECT, message->id, &text);
    } else if (message->kind == MESSAGE_ROOFLINE) {
        if (measure_roofline(gpu, message, &text, &error) == 0)
            return answer(socket, MESSAGE_ROOFLINE, message->id, &text);
    } else if (message->kind == MESSAGE_PROFILER) {
        if (set_up_profiler(gpu, message, &error) == 0)
            return answer(socket, MESSAGE_PROFILER, message->id, &text);
    } else if (message->kind == MESSAGE_COUNT) {
        if (count(gpu, message, &text, &error) == 0)
            return answer(socket, MESSAGE_COUNT, message->id, &text);
    } else if (message->kind == MESSAGE_INPUTS) {
        if (write_inputs(gpu, message, &error) == 0)
            return answer(socket, MESSAGE_INPUTS, message->id, &text) && false;
    } else if (message->kind == MESSAGE_JUDGE) {
        if (judge(gpu, message, &text, &error) == 0)
            return answer(socket, gpu->spoiled ? MESSAGE_LAST : MESSAGE_JUDGE, message->id, &text) && !gpu->spoiled;
    } else if (measure(gpu, message, job, &error) == 0) {
        if (needs_expected(gpu, job))
            return answer(socket, MESSAGE_DIFFERS, message->id, &text) && false;
        message_pack_measurements(&text, job->measurements, job->asked.energy ? job->energies : NULL,
                                  job->asked.kernel_count, text_string(&gpu->samples));
        text.failed |= gpu->samples.failed;
        timeline("device", job->asked.playoff ? "play-off finished" : "configuration measured");
        return answer(socket, is_last(gpu) ? MESSAGE_LAST : MESSAGE_MEASURE, message->id, &text) && !is_last(gpu);
    }
    if (!again || error.code == ERROR_WORKER) /* not a failed set-up */
        say_error(socket, message->id, &error);
    return false;
}

void device_process(int socket, void *context)
{
    /* Large: in no process but this one, with whose end they go. */
    struct gpu *gpu = calloc(1, sizeof *gpu);
    struct job *job = calloc(1, sizeof *job);
    struct text buffer = {0};
    struct message message;
    struct error error = {0};
    const struct device_opening *opening = context;
    int code = gpu && job ? device_prepare(opening, &error) : error_memory(&error);
    if (!code) {
        gpu->places = opening->places;
        gpu->socket = socket;
        gpu_begin_clock(gpu);
        code = say_hello(gpu, opening->name, socket, &error);
    }
    if (!code)
        code = make_context(gpu, &error);
    if (code)
        say_error(socket, 0, &error);
    while (!code && message_receive(socket, &buffer, &message) && serve(gpu, job, socket, &message))
        gpu->idle_ns = clock_now_ns();
    text_free(&buffer);
}
