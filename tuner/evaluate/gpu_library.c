/* Compares the winner with a library: a device process of its own verifies both and times them in turn, so that any
 * damage by the library stays in that process. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "evaluate/gpu_evaluator.h"

enum { SOURCE_BYTES_MAX = 16 << 20 };
static const int64_t compile_timeout_ns = 600 * (int64_t)1000000000; /* some libraries' headers take a minute */

/* ---- The shared object ---- */

static void refuse(struct gpu_evaluator *gpu, const char *why)
{
    gpu->library.state = LIBRARY_READY;
    text_format(gpu->library.missing, sizeof gpu->library.missing, "%s", why);
}

static int submit(struct gpu_evaluator *gpu, const struct text *source, struct error *error)
{
    const struct space *space = gpu->setup->space;
    const struct compile_job job = {.id = gpu_library_id(gpu),
                                    .path = space->library_path,
                                    .folder = space->folder,
                                    .source = text_string(source),
                                    .name_expressions = "",
                                    .cc = gpu->limits->cc,
                                    .nvcc = true,
                                    .shared = true,
                                    .options = space->library_options,
                                    .option_count = space->library_option_count,
                                    .timeout_ns = compile_timeout_ns};
    struct error own = {0};
    gpu->library.state = LIBRARY_COMPILING;
    int code = compile_pool_submit(gpu->pool, &job, &own);
    if (code == ERROR_NOT_FOUND)
        refuse(gpu, "nvcc, which compiles it, is missing: install NVIDIA's package cuda-nvcc, or set CUDA_HOME to the "
                    "folder of a CUDA Toolkit");
    else if (code)
        return error_set(error, own.code, "%s", own.message);
    return 0;
}

int gpu_library_begin(struct gpu_evaluator *gpu, struct error *error)
{
    const struct space *space = gpu->setup->space;
    struct text source = {0};
    struct error unread = {0};
    int code = 0;
    if (!space->library_path || gpu->library.state != LIBRARY_WANTED || !gpu->setup->device_count ||
        !compile_pool_idle(gpu->pool))
        return 0;
    if (access(space->library_path, R_OK)) {
        error_errno(&unread, ERROR_IO, "cannot open %s", space->library_path);
        refuse(gpu, unread.message);
    } else if (!space->library_source) {
        gpu->library.state = LIBRARY_READY;
    } else if (file_read_regular(space->library_path, SOURCE_BYTES_MAX, &source, &unread)) {
        refuse(gpu, unread.message);
    } else {
        code = submit(gpu, &source, error);
    }
    text_free(&source);
    return code;
}

/* Explains a failed compilation. The linker's last message does not name a missing library. */
static void explain(const struct compile_result *result, char *why, size_t room)
{
    const char *unfound = strstr(result->log, "cannot find -l");
    bool missing = unfound || strstr(result->log, "No such file");
    int length = unfound ? (int)strcspn(unfound, ":\n") : (int)strlen(result->message);
    text_format(why, room, "it does not compile: %.*s%s", length, unfound ? unfound : result->message,
                missing ? "; install it, or name its folder in the options of `library`" : "");
}

bool gpu_library_take(struct gpu_evaluator *gpu, const struct compile_result *result)
{
    if (result->id != gpu_library_id(gpu))
        return false;
    gpu->library.state = LIBRARY_READY;
    if (result->status == STATUS_OK)
        text_append(&gpu->library.object, result->cubin, result->cubin_bytes);
    if (result->status != STATUS_OK)
        explain(result, gpu->library.missing, sizeof gpu->library.missing);
    else if (gpu->library.object.failed)
        refuse(gpu, "out of memory");
    return true;
}

static int make_ready(struct gpu_evaluator *gpu, struct error *error)
{
    int code = 0;
    while (!code && gpu->library.state != LIBRARY_READY) {
        if (gpu_given_up(gpu->setup))
            return error_set(error, ERROR_INTERRUPTED, "interrupted while the library was compiled");
        code = gpu_library_begin(gpu, error);
        if (!code && gpu->library.state == LIBRARY_COMPILING)
            gpu_wait_for_workers(gpu, INT64_MAX);
        if (!code)
            code = gpu_compile_take(gpu, error);
    }
    return code;
}

/* ---- The comparison ---- */

/* Describes the library, which computes the default configuration's results. */
static int describe(const struct gpu_evaluator *gpu, struct device_kernel *kernel, struct work_amounts *amounts,
                    struct error *error)
{
    const struct space *space = gpu->setup->space;
    uint32_t choices[SPACE_PARAMETERS_MAX];
    space_default(space, choices);
    int code = space_work(space, choices, amounts, error);
    *kernel = (struct device_kernel){.cubin = gpu->library.object.bytes,
                                     .cubin_bytes = gpu->library.object.length,
                                     .library = space->library_path,
                                     .work = isnan(amounts->work) ? 1 : amounts->work};
    kernel->size_count = space_library_sizes(space, kernel->sizes);
    return code;
}

enum { WINNER, LIBRARY, COMPARED };

/* Measures both in one job. ERROR_INTERRUPTED after a stop. */
static int run_job(struct gpu_evaluator *gpu, const struct device_job *job,
                   struct measurement finals[DEVICE_KERNELS_MAX], struct error *error)
{
    struct device *device = gpu->setup->devices[0];
    uint64_t id;
    int got = 0, code = device_submit(device, job, error);
    while (!code && !gpu_given_up(gpu->setup) && (got = device_next(device, &id, finals, error)) == 0)
        worker_wait((struct worker *[]){device_worker(device)}, 1, INT64_MAX);
    if (code || got < 0)
        return code ? code : ERROR_DEVICE;
    return got ? 0 : error_set(error, ERROR_INTERRUPTED, "interrupted while the library was measured");
}

/* Refers the energy to a unit of work, as measurement_per_work does it for times. */
static struct energy energy_of(const struct gpu_evaluator *gpu, size_t kernel, const struct work_amounts *amounts)
{
    struct energy energy = device_energies(gpu->setup->devices[0])[kernel];
    const double work = isnan(amounts->work) ? 1 : amounts->work;
    for (size_t i = 0; i < energy.round_count; i++) {
        energy.joules[i] /= work;
        energy.times_ns[i] /= work;
    }
    energy.work = NAN;
    return energy;
}

/* Gives the jobs to a new process, which ends after them, so that no earlier job affects the times. */
static int measure(struct gpu_evaluator *gpu, struct slot *slot, struct evaluator_library *measured,
                   struct error *error)
{
    struct device *device = gpu->setup->devices[0];
    struct device_kernel kernels[COMPARED];
    struct measurement finals[DEVICE_KERNELS_MAX];
    struct work_amounts amounts;
    struct device_job job = {.playoff = true,
                             .kernel_count = COMPARED,
                             .kernels = kernels,
                             .incumbent_ns = INFINITY,
                             .capped = gpu->members[0].capped,
                             .timeout_ns = gpu_limit_ns(gpu->setup, COMPARED * gpu->setup->timeout_ns)};
    int code = describe(gpu, &kernels[LIBRARY], &amounts, error);
    kernels[WINNER] = gpu_slots_kernel(slot);
    gpu_evidence_end(gpu);
    device_rest(device);
    if (!code)
        code = gpu_sets_tell(gpu, slot->set, device, error);
    if (!code)
        code = run_job(gpu, &job, finals, error);
    if (code)
        return code;
    measured->winner = finals[WINNER];
    measured->library = finals[LIBRARY];
    measurement_per_work(&measured->winner, &slot->amounts);
    measurement_per_work(&measured->library, &amounts);
    if (measured->energy && finals[WINNER].status == STATUS_OK && finals[LIBRARY].status == STATUS_OK) {
        job.playoff = false;
        job.energy = true;
        code = run_job(gpu, &job, finals, error);
        if (!code && finals[WINNER].status == STATUS_OK && finals[LIBRARY].status == STATUS_OK) {
            measured->winner_energy = energy_of(gpu, WINNER, &slot->amounts);
            measured->library_energy = energy_of(gpu, LIBRARY, &amounts);
        }
    }
    device_rest(device);
    return code;
}

/* Enters the winner as in a play-off. */
static int compare(struct gpu_evaluator *gpu, uint64_t index, struct evaluator_library *measured, struct error *error)
{
    struct slot *slot = NULL;
    int code = gpu_playoff_enter(gpu, index, &slot, error);
    if (!code)
        code = gpu_playoff_compile(gpu, error);
    if (!code && !gpu_given_up(gpu->setup) && slot->state == SLOT_COMPILED && !gpu_measure_refuse(gpu, slot))
        code = measure(gpu, slot, measured, error);
    else if (!code)
        measured->winner = slot->measurement;
    if (slot)
        slot->state = SLOT_FREE;
    return code;
}

int gpu_library(void *state, uint64_t index, struct evaluator_library *measured, struct error *error)
{
    struct gpu_evaluator *gpu = state;
    *measured = (struct evaluator_library){.energy = measured->energy,
                                           .library = measurement_unknown(STATUS_COMPILE_ERROR),
                                           .winner = measurement_unknown(STATUS_OK),
                                           .library_energy = energy_unknown(),
                                           .winner_energy = energy_unknown()};
    int code = gpu_start(gpu, error);
    if (!code)
        code = make_ready(gpu, error);
    if (!code && *gpu->library.missing)
        measurement_explain(&measured->library, "%s", gpu->library.missing);
    else if (!code)
        code = compare(gpu, index, measured, error);
    return code;
}
