#include "evaluate/set_up.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate/compiler_errors.h"
#include "evaluate/set_code.h"

/* --timeout applies to variants. On a loaded machine these kernels may take longer than a user allows a variant. */
static const int64_t own_kernels_timeout_ns = 120 * (int64_t)1000000000;
/* for the reference's command, unless a user allows a variant more */
static const int64_t command_timeout_ns = 600 * (int64_t)1000000000;

/* Compilations, which run at once if enough compilers are idle. */
enum job_kind { JOB_HELPERS, JOB_REFERENCE, JOB_FILLS, JOB_ACCEPT = JOB_FILLS + SPACE_FILL_KERNELS_MAX, JOBS };
_Static_assert((int)JOBS == (int)SET_UP_JOBS, "set_up.h counts them");

enum job_state { JOB_UNUSED, JOB_WAITING, JOB_COMPILING, JOB_COMPILED };

struct set_up_job {
    enum job_state state;
    char what[192]; /* name in messages */
    struct set_code_texts texts;
    struct compile_job job; /* borrows from `texts` */
    struct error error;     /* of the compilation */
};

/* The kernels of one source that fill buffers. */
struct fill_source {
    const struct kernel_file *file;
    struct own_code code; /* empty if the reference's cubin has them */
    const char *next;     /* lowered name of the next buffer's kernel */
};

struct set_up {
    const struct evaluator_setup *setup;
    int64_t cc;
    uint64_t first_id;
    struct set_up_job jobs[JOBS];
    struct text helpers;
    struct set_code first; /* the default configuration's set */
    struct fill_source fills[SPACE_FILL_KERNELS_MAX];
    size_t fill_source_count;
    struct launch fill_launches[SPACE_FILL_KERNELS_MAX];
    struct device_kernel fill_kernels[SPACE_FILL_KERNELS_MAX];
    size_t fill_count;
    struct device_file expected[SPACE_ARGUMENTS_MAX];
    struct device_setup device; /* passed to each device */
};

/* ---- The compilations ---- */

static void use_helpers(struct set_up *set_up)
{
    struct set_up_job *job = &set_up->jobs[JOB_HELPERS];
    snprintf(job->what, sizeof job->what, "cutune's own kernel file");
    text_append(&job->texts.options, "", 1);
    text_append(&job->texts.expressions, device_kernels_source.names,
                text_strings_bytes(device_kernels_source.names, device_kernels_source.name_count));
    job->job = (struct compile_job){.path = "cutune_kernels.cu",
                                    .source = device_kernels_source.text,
                                    .name_count = device_kernels_source.name_count,
                                    .timeout_ns = own_kernels_timeout_ns};
    job->state = JOB_WAITING;
}

/* Appends the name expressions of the kernels of a file that fill buffers, and counts them. */
static void name_fills(const struct space *space, const struct kernel_file *file, struct set_up_job *job)
{
    for (size_t i = 0; i < space->buffer_count; i++)
        if (space->buffers[i].by && space->buffers[i].by->step.file == file) {
            const char *kernel = space->buffers[i].by->step.kernel;
            text_append(&job->texts.expressions, kernel, strlen(kernel) + 1);
            job->job.name_count++;
        }
}

/* True if the reference's cubin has the kernels of the file that fill buffers. */
static bool beside_reference(const struct space *space, const struct kernel_file *file)
{
    return space_reference_launches(space) && space->reference->file == file &&
           !((space_has_macros(space) || space->compiler_command) && space->reference_kind == REFERENCE_DEFAULT);
}

/* Compiles a part of the first set, with the kernels that fill buffers if they are in the same file. */
static int use_part(struct set_up *set_up, enum set_part part, struct set_up_job *job, struct error *error)
{
    const struct space *space = set_up->setup->space;
    if (!set_up->first.parts[part].used)
        return 0;
    job->job.cc = set_up->cc;
    int code = set_code_job(space, &set_up->first, part, set_up->setup->compiler_build, &job->texts, &job->job, error);
    size_t count = job->job.name_count;
    if (part == SET_REFERENCE && beside_reference(space, space->reference->file))
        name_fills(space, space->reference->file, job);
    snprintf(job->what, sizeof job->what, "%s%s", set_code_part_name(&set_up->first, part),
             job->job.name_count > count ? " or a kernel that fills a buffer" : "");
    job->state = JOB_WAITING;
    return code;
}

/* Returns the source of a step, which is new if the count is equal to its number. */
static size_t find_fill_source(const struct set_up *set_up, const struct step *step)
{
    size_t number = 0;
    while (number < set_up->fill_source_count && set_up->fills[number].file != step->file)
        number++;
    return number;
}

/* Compiles the kernels that fill buffers, by their sources, unless the reference's compilation has them. */
static int use_fills(struct set_up *set_up, struct error *error)
{
    const struct space *space = set_up->setup->space;
    uint32_t preset[SPACE_PARAMETERS_MAX];
    int code = 0;
    for (size_t i = 0; i < space->buffer_count && !code; i++) {
        const struct step *step = space->buffers[i].by ? &space->buffers[i].by->step : NULL;
        size_t number = step ? find_fill_source(set_up, step) : 0;
        if (!step || number < set_up->fill_source_count)
            continue;
        struct set_up_job *job = &set_up->jobs[JOB_FILLS + number];
        set_up->fills[set_up->fill_source_count++].file = step->file;
        if (beside_reference(space, step->file))
            continue;
        job->job = (struct compile_job){.path = space_step_path(space, step),
                                        .folder = space->folder,
                                        .source = space_step_source(space, step),
                                        .nvcc = space->nvcc};
        name_fills(space, step->file, job);
        snprintf(job->what, sizeof job->what, "a kernel that fills a buffer");
        job->state = JOB_WAITING;
        code = space_step_options(space, step, 0, &job->texts.options, &job->job.option_count, error);
        space_default(space, preset);
        if (!code)
            code = space_generator(space, step, preset, &job->texts.values, &job->job.generator, error);
    }
    return code;
}

int set_up_open(struct set_up **result, const struct evaluator_setup *setup, int64_t cc, uint64_t first_id,
                struct error *error)
{
    const struct space *space = setup->space;
    struct set_up *set_up = *result = calloc(1, sizeof *set_up);
    if (!set_up)
        return error_memory(error);
    set_up->setup = setup;
    set_up->cc = cc;
    set_up->first_id = first_id;
    use_helpers(set_up);
    int code = set_code_make(space, &set_up->first, error);
    if (!code)
        code = use_part(set_up, SET_REFERENCE, &set_up->jobs[JOB_REFERENCE], error);
    if (!code)
        code = use_fills(set_up, error);
    if (!code)
        code = use_part(set_up, SET_ACCEPT, &set_up->jobs[JOB_ACCEPT], error);
    for (size_t j = 0; j < JOBS && !code; j++) {
        struct set_up_job *job = &set_up->jobs[j];
        job->job.id = first_id + j;
        job->job.cc = cc;
        job->job.options = text_string(&job->texts.options);
        job->job.name_expressions = text_string(&job->texts.expressions);
        if (job->texts.options.failed || job->texts.expressions.failed)
            code = error_memory(error);
    }
    return code;
}

void set_up_close(struct set_up *set_up)
{
    if (!set_up)
        return;
    for (size_t j = 0; j < JOBS; j++)
        set_code_texts_free(&set_up->jobs[j].texts);
    text_free(&set_up->helpers);
    set_code_free(&set_up->first);
    for (size_t i = 0; i < set_up->fill_source_count; i++)
        own_code_free(&set_up->fills[i].code);
    free(set_up);
}

int set_up_start(struct set_up *set_up, struct compile_pool *pool, struct error *error)
{
    int code = 0;
    for (size_t j = 0; j < JOBS && !code && compile_pool_idle(pool); j++) {
        struct set_up_job *job = &set_up->jobs[j];
        if (job->state != JOB_WAITING)
            continue;
        code = compile_pool_submit(pool, &job->job, error);
        job->state = JOB_COMPILING;
    }
    return code;
}

static int keep(struct set_up *set_up, enum job_kind kind, const struct compile_result *result, struct error *error)
{
    if (kind == JOB_REFERENCE || kind == JOB_ACCEPT)
        return set_code_take(set_up->setup->space, &set_up->first, kind == JOB_ACCEPT ? SET_ACCEPT : SET_REFERENCE,
                             result, error);
    if (kind != JOB_HELPERS)
        return own_code_take(&set_up->fills[kind - JOB_FILLS].code, result, error);
    text_append(&set_up->helpers, result->cubin, result->cubin_bytes);
    return set_up->helpers.failed ? error_memory(error) : 0;
}

bool set_up_take(struct set_up *set_up, const struct compile_result *result)
{
    char hint[512];
    if (!set_up || result->id < set_up->first_id || result->id >= set_up->first_id + JOBS)
        return false;
    enum job_kind kind = (enum job_kind)(result->id - set_up->first_id);
    struct set_up_job *job = &set_up->jobs[kind];
    job->state = JOB_COMPILED;
    if (result->status == STATUS_OK) {
        keep(set_up, kind, result, &job->error);
        return true;
    }
    error_set(&job->error, ERROR_COMPILE, "%s does not compile: %s", job->what, result->message);
    if (generator_is_subject(result->message))
        space_put_place(&set_up->setup->space->source_place, &job->error);
    else
        error_place(&job->error, job->job.path, 0, 0);
    if (compiler_errors_hint_log(set_up->setup->space, result->log, hint, sizeof hint))
        error_hint(&job->error, "%s", hint);
    return true;
}

const char *set_up_compiling(const struct set_up *set_up)
{
    for (size_t j = 0; j < JOBS; j++)
        if (set_up->jobs[j].state == JOB_WAITING || set_up->jobs[j].state == JOB_COMPILING)
            return set_up->jobs[j].what;
    return NULL;
}

/* Returns the error of the first job with one, in the order of enum job_kind. */
static int check_jobs(const struct set_up *set_up, struct error *error)
{
    int code = 0;
    for (size_t j = 0; j < JOBS && !code; j++) {
        const struct error *own = &set_up->jobs[j].error;
        if (!own->code)
            continue;
        code = error_set(error, own->code, "%s", own->message);
        error_place(error, own->source, own->line, own->column);
        if (*own->hint)
            error_hint(error, "%s", own->hint);
    }
    return code;
}

/* ---- The devices ---- */

/* Passes the number of elements to a fill kernel as an integer of 32 bits if its parameter is one and the number
 * fits. */
static void narrow_count(const struct own_code *own, const char *name, uint64_t elements, struct launch *launch)
{
    enum { COUNT = 1, NARROW_BYTES = 4 };
    struct kernel_parameters parameters;
    if (!cubin_parameters(own->cubin.bytes, own->cubin.length, name, &parameters, NULL) && parameters.known &&
        parameters.count > COUNT && parameters.bytes[COUNT] == NARROW_BYTES && elements <= INT32_MAX)
        launch->arguments[COUNT].bytes = NARROW_BYTES;
}

/* Finds the compiled kernels of a source. *own: they are not in the reference's cubin. */
static const struct own_code *fill_code(struct set_up *set_up, struct fill_source *source, bool *own)
{
    const struct set_part_code *reference = &set_up->first.parts[SET_REFERENCE];
    *own = !beside_reference(set_up->setup->space, source->file);
    const struct own_code *code = *own ? &source->code : &reference->own;
    if (!source->next) {
        source->next = text_string(&code->names);
        if (!*own)
            source->next += text_strings_bytes(source->next, reference->launch.kernel_count);
    }
    return code;
}

static int make_fills(struct set_up *set_up, struct error *error)
{
    const struct space *space = set_up->setup->space;
    int code = 0;
    for (size_t i = 0; i < space->buffer_count && !code; i++) {
        bool own;
        if (!space->buffers[i].by)
            continue;
        const struct step *step = &space->buffers[i].by->step;
        struct fill_source *source = &set_up->fills[find_fill_source(set_up, step)];
        const struct own_code *from = fill_code(set_up, source, &own);
        struct launch *launch = &set_up->fill_launches[set_up->fill_count];
        code = space_fill_launch(space, i, launch, error);
        if (!code)
            narrow_count(from, source->next, space->buffers[i].count, launch);
        if (!code)
            code = own_code_check(from, source->next, launch, launch->steps, step->kernel, step, error);
        set_up->fill_kernels[set_up->fill_count++] = (struct device_kernel){.cubin = own ? from->cubin.bytes : NULL,
                                                                            .cubin_bytes = own ? from->cubin.length : 0,
                                                                            .lowered_names = source->next,
                                                                            .name_count = 1,
                                                                            .launch = launch};
        source->next += strlen(source->next) + 1;
    }
    return code;
}

static void find_expected(const struct space *space, struct device_file *expected)
{
    for (size_t i = 0; i < space->buffer_count && i < SPACE_ARGUMENTS_MAX; i++) /* device_setup refuses more */
        expected[i] = (struct device_file){space->buffers[i].expected_path, space->buffers[i].expected_offset};
}

static int run_command(struct set_up *set_up, struct command *command, struct error *error)
{
    const struct evaluator_setup *setup = set_up->setup;
    uint32_t choices[SPACE_PARAMETERS_MAX];
    int64_t timeout_ns = setup->timeout_ns > command_timeout_ns ? setup->timeout_ns : command_timeout_ns;
    int code = command_open(command, setup->space, error);
    if (!code)
        code = device_write_inputs(setup->devices[0], &set_up->device, command->folder.path, error);
    space_default(setup->space, choices);
    return code ? code : command_run(command, setup->space, choices, timeout_ns, setup->stop, set_up->expected, error);
}

int set_up_finish(struct set_up *set_up, struct command *command, struct error *error)
{
    const struct evaluator_setup *setup = set_up->setup;
    int code = check_jobs(set_up, error);
    if (!code)
        code = set_code_check(setup->space, &set_up->first, error);
    if (!code)
        code = make_fills(set_up, error);
    if (code)
        return code;
    double in_bytes, out_bytes;
    space_transfers(setup->space, &in_bytes, &out_bytes);
    find_expected(setup->space, set_up->expected);
    set_up->device =
        (struct device_setup){.space = setup->space,
                              .sampling = setup->sampling,
                              .streams = space_uses_streams(setup->space),
                              .transfers = in_bytes > 0 || out_bytes > 0,
                              .first = set_code_expected(&set_up->first),
                              .expected = set_up->expected,
                              .accept_name = setup->space->accept ? setup->space->accept->step.kernel : NULL,
                              .accept_command = setup->space->accept_command,
                              .accept_folder = setup->space->accept_folder,
                              .fills = set_up->fill_kernels,
                              .fill_count = set_up->fill_count,
                              .helpers = {.cubin = set_up->helpers.bytes, .cubin_bytes = set_up->helpers.length},
                              .stop = setup->stop,
                              .seed = setup->seed};
    return setup->space->reference_kind == REFERENCE_COMMAND ? run_command(set_up, command, error) : 0;
}

bool set_up_transfers(const struct set_up *set_up)
{
    return set_up->device.transfers;
}

int set_up_device(const struct set_up *set_up, struct device *device, struct error *error)
{
    return device_begin_setup(device, &set_up->device, error);
}
