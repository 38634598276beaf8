#include "commands/check_compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cores.h"
#include "base/file.h"
#include "base/generator.h"
#include "commands/check_command.h"
#include "commands/check_errors.h"
#include "commands/check_members.h"
#include "commands/check_usage.h"
#include "compile/cache.h"
#include "compile/pool.h"
#include "evaluate/argument_types.h"
#include "evaluate/assemble.h"
#include "evaluate/command_request.h"
#include "evaluate/compiler_errors.h"
#include "evaluate/compiler_source.h"
#include "evaluate/prune.h"
#include "terminal/output.h"
#include "terminal/stop.h"

static const int64_t timeout_ns = 300 * (int64_t)1000000000;
static const struct launch none; /* large */

enum row_kind { ROW_REFERENCE, ROW_FILL, ROW_ACCEPT, ROW_CONFIGURATION };

struct row {
    enum row_kind kind;
    size_t buffer; /* ROW_FILL */
    uint32_t choices[SPACE_PARAMETERS_MAX];
    bool plain; /* compiled without the assertions: with them, compilation failed for another reason */
    bool debug; /* compiled again, for the members of structs */
    bool miscounted;
    struct measurement measurement;
    size_t usage_count;
    struct check_usage *usages; /* by launch */
};

struct compiling {
    const struct check_compile *wanted;
    struct row *rows;
    size_t count;
    struct compile_pool *pool;
    struct nvrtc_version compiler; /* of a compiler command */
    struct check_errors errors;    /* by row */
    struct arena arena;
    bool lists;                    /* instructions can be listed, as far as known */
    bool compared;                 /* the members of the launches' structs; one configuration stands for all */
    size_t taken;                  /* rows that are done */
    uint64_t counts[STATUS_COUNT]; /* of these */
};

/* ---- Rows ---- */

/* Adds a kernel with the configuration of a set of expected results, unless it was added before. */
static void add_set(struct compiling *all, enum row_kind kind, uint32_t set)
{
    const struct space *space = all->wanted->space;
    for (size_t i = 0; i < all->count; i++)
        if (all->rows[i].kind == kind && space_set(space, all->rows[i].choices) == set)
            return;
    all->rows[all->count].kind = kind;
    space_set_choices(space, set, all->rows[all->count++].choices);
}

/* Adds the sets of the default and of all configurations. */
static void add_sets(struct compiling *all, enum row_kind kind)
{
    const struct space *space = all->wanted->space;
    if (kind == ROW_REFERENCE ? space->reference_kind != REFERENCE_KERNEL : !space->accept)
        return;
    add_set(all, kind, 0);
    for (size_t i = 0; i < all->wanted->count; i++)
        add_set(all, kind, space_set(space, all->wanted->choices[i]));
}

static int make_rows(struct compiling *all, struct error *error)
{
    const struct space *space = all->wanted->space;
    size_t filled = 0;
    for (size_t i = 0; i < space->buffer_count; i++)
        filled += space->buffers[i].by != NULL;
    if (!(all->rows = calloc(2 + filled + 3 * all->wanted->count, sizeof *all->rows)))
        return error_memory(error);
    add_sets(all, ROW_REFERENCE);
    for (size_t i = 0; i < space->buffer_count; i++)
        if (space->buffers[i].by) {
            all->rows[all->count] = (struct row){.kind = ROW_FILL, .buffer = i};
            space_default(space, all->rows[all->count++].choices);
        }
    add_sets(all, ROW_ACCEPT);
    for (size_t i = 0; i < all->wanted->count; i++) {
        struct row *row = &all->rows[all->count++];
        row->kind = ROW_CONFIGURATION;
        memcpy(row->choices, all->wanted->choices[i], sizeof row->choices);
    }
    /* A command is of any language. */
    for (size_t i = 0; i < all->count; i++)
        all->rows[i].plain = space->compiler_command && all->rows[i].kind == ROW_CONFIGURATION;
    return 0;
}

static void describe(const struct compiling *all, const struct row *row, struct text *what)
{
    const struct space *space = all->wanted->space;
    text_clear(what);
    if (row->kind == ROW_REFERENCE)
        for (size_t k = 0; k < space->reference_kernel_count; k++)
            text_printf(what, "%s%s", k ? ", " : "reference ", space->reference_kernels[k]);
    else if (row->kind == ROW_FILL)
        text_printf(what, "%s fills %s", space->buffers[row->buffer].by->step.kernel, space->buffers[row->buffer].name);
    else if (row->kind == ROW_ACCEPT)
        text_printf(what, "accept %s", space->accept->step.kernel);
    else
        space_config_text(space, row->choices, what);
    if (space->per_count && (row->kind == ROW_REFERENCE || row->kind == ROW_ACCEPT)) {
        text_printf(what, " at ");
        space_set_text(space, space_set(space, row->choices), what);
    }
}

/* Evaluates the launch of a reference or a configuration. */
static int launch_of(const struct compiling *all, const struct row *row, struct launch *launch, struct error *error)
{
    return row->kind == ROW_REFERENCE
               ? space_reference_launch(all->wanted->space, space_set(all->wanted->space, row->choices), launch, error)
               : space_launch(all->wanted->space, row->choices, launch, error);
}

/* Returns the first launch of a row that is not a configuration, whose file has the others'; NULL: it is one. */
static const struct step *own_step(const struct compiling *all, const struct row *row)
{
    const struct space *space = all->wanted->space;
    return row->kind == ROW_REFERENCE ? space->reference
           : row->kind == ROW_FILL    ? &space->buffers[row->buffer].by->step
           : row->kind == ROW_ACCEPT  ? &space->accept->step
                                      : NULL;
}

/* Finds the kernel with that number among those of the row; false: the configuration does not launch it. */
static bool typed(const struct compiling *all, const struct row *row, const struct launch *launch, size_t number,
                  struct typed_arguments *arguments)
{
    const struct space *space = all->wanted->space;
    *arguments = (struct typed_arguments){.path = space->source_path};
    arguments->step = own_step(all, row);
    if (arguments->step) {
        arguments->step += row->kind == ROW_REFERENCE ? number : 0;
        arguments->path = space_step_path(space, arguments->step);
        arguments->filled = row->kind == ROW_FILL ? &space->buffers[row->buffer] : NULL;
        arguments->accepts = row->kind == ROW_ACCEPT;
        return true;
    }
    arguments->step = &space->steps[number];
    for (size_t i = 0; i < launch->step_count; i++)
        if (launch->steps[i].from == number)
            return true;
    return false;
}

static size_t typed_count(const struct compiling *all, const struct row *row)
{
    const struct space *space = all->wanted->space;
    return row->kind == ROW_CONFIGURATION ? space->step_count : row->kind == ROW_REFERENCE ? space->reference_count : 1;
}

/* ---- Compiling ---- */

/* An option behind those of the space; NULL: none. */
static const char *further_option(const struct compiling *all, const struct row *row)
{
    return row->debug ? CHECK_MEMBERS_OPTION : row->plain || all->wanted->space->nvcc ? NULL : SPILLS_OPTION;
}

/* Makes the source with assertions about the arguments, and the names of the kernels. */
static int make_source(const struct compiling *all, const struct row *row, struct compile_job *job, struct text *source,
                       struct text *names, struct text *options, struct text *request, struct error *error)
{
    const struct space *space = all->wanted->space;
    struct launch *launch = calloc(1, sizeof *launch); /* large */
    const struct step *own = own_step(all, row);
    int code = !launch ? error_memory(error) : row->kind == ROW_CONFIGURATION ? launch_of(all, row, launch, error) : 0;
    job->path = own ? space_step_path(space, own) : space->source_path;
    text_printf(source, "%s", own ? space_step_source(space, own) : space->source);
    /* A kernel may exist only in the compilation with its launch's own macros: no assertion can name all kernels. */
    const bool asserts = !row->plain && !row->debug && !(row->kind == ROW_CONFIGURATION && space_has_macros(space));
    if (asserts)
        argument_types_begin(space->nvcc, source);
    for (size_t i = 0; i < typed_count(all, row) && !code; i++) {
        struct typed_arguments arguments;
        if (!typed(all, row, launch, i, &arguments))
            continue;
        if (asserts)
            argument_types_append(space, &arguments, i, source);
    }
    const char *const *kernels = row->kind == ROW_REFERENCE ? space->reference_kernels : own ? &own->kernel : NULL;
    job->name_count = row->kind == ROW_REFERENCE ? space->reference_kernel_count : own ? 1 : 0;
    for (size_t k = 0; k < job->name_count; k++)
        text_append(names, kernels[k], strlen(kernels[k]) + 1);
    if (!code && row->kind == ROW_CONFIGURATION) {
        space_launch_kernels(space, launch, names);
        job->name_count = launch->kernel_count;
        code = space_launch_options(space, launch, row->choices, further_option(all, row), options, &job->plan, error);
        job->option_count = bundle_option_count(&job->plan);
        if (!code)
            code = command_job(space, row->choices, launch, all->compiler.build, request, job, error);
    }
    free(launch);
    return code ? code : source->failed || names->failed ? error_memory(error) : 0;
}

static int submit(const struct compiling *all, size_t number, struct error *error)
{
    const struct space *space = all->wanted->space;
    const struct row *row = &all->rows[number];
    struct text source = {0}, options = {0}, names = {0}, values = {0}, request = {0};
    struct compile_job job = {.id = number,
                              .folder = space->folder,
                              .nvcc = space->nvcc,
                              .wants_ptx = all->wanted->notes && row->kind == ROW_CONFIGURATION && !row->debug,
                              .cc = all->wanted->cc};
    int code = make_source(all, row, &job, &source, &names, &options, &request, error);
    const struct step *own = own_step(all, row);
    if (!code && own)
        code = space_step_options(space, own, space_set(space, row->choices), &options, &job.option_count, error);
    if (!code)
        code = space_generator(space, own, row->choices, &values, &job.generator, error);
    const char *further = own ? further_option(all, row) : NULL;
    if (further) {
        text_append(&options, further, strlen(further) + 1);
        job.option_count++;
    }
    job.source = text_string(&source);
    job.name_expressions = text_string(&names);
    job.options = text_string(&options);
    if (!code && options.failed)
        code = error_memory(error);
    if (!code)
        code = compile_pool_submit(all->pool, &job, error);
    text_free(&source);
    text_free(&names);
    text_free(&options);
    text_free(&values);
    text_free(&request);
    return code;
}

/* ---- Errors ---- */

static void add_error(struct compiling *all, const struct row *row, const struct error *error)
{
    check_errors_add(&all->errors, (size_t)(row - all->rows), row->kind == ROW_CONFIGURATION, error);
}

/* Adds the mismatched arguments; false: the compilation failed for another reason. */
static bool add_findings(struct compiling *all, struct row *row, const struct compile_result *result)
{
    const char *log = result->log;
    struct type_finding finding;
    bool counted[SPACE_LAUNCHES_MAX] = {false}, some = false;
    /* Any other error is about the source, whose errors come first. */
    if (result->status != STATUS_COMPILE_ERROR || !argument_types_first(result->message))
        return false;
    while (argument_types_next(&log, &finding)) {
        struct typed_arguments arguments;
        struct error error = {0};
        if (finding.number >= typed_count(all, row) || counted[finding.number])
            continue;
        counted[finding.number] = finding.counted; /* then the other types are meaningless */
        row->miscounted |= finding.counted;
        struct row any = *row;
        typed(all, &any, &none, finding.number, &arguments);
        argument_types_explain(all->wanted->space, &arguments, &finding, &error);
        if (!some)
            measurement_explain(&row->measurement, "%s", error.message);
        some = true;
        add_error(all, row, &error);
    }
    return some;
}

/* ---- Members ---- */

struct row_of {
    struct compiling *all;
    struct row *row;
};

static void add_member_error(void *context, const struct error *error)
{
    const struct row_of *of = context;
    if (of->row->measurement.status == STATUS_OK)
        measurement_explain(&of->row->measurement, "%s", error->message);
    of->row->measurement.status = STATUS_COMPILE_ERROR;
    add_error(of->all, of->row, error);
}

static int compare_members(struct compiling *all, struct row *row, const struct compile_result *result,
                           struct error *error)
{
    const struct space *space = all->wanted->space;
    struct row_of of = {all, row};
    struct launch *launch = calloc(1, sizeof *launch); /* large */
    int code = !launch ? error_memory(error) : row->kind == ROW_CONFIGURATION ? launch_of(all, row, launch, error) : 0;
    if (result->status != STATUS_OK)
        output_note("%s: the members of structs are not compared: with " CHECK_MEMBERS_OPTION ", %s", space->path,
                    result->message);
    for (size_t i = 0; i < typed_count(all, row) && !code && result->status == STATUS_OK; i++) {
        struct typed_arguments arguments;
        if (!typed(all, row, launch, i, &arguments))
            continue;
        size_t kernel = row->kind == ROW_CONFIGURATION ? 0 : arguments.step->number;
        while (row->kind == ROW_CONFIGURATION && launch->kernels[kernel] != arguments.step->number)
            kernel++;
        check_members_of_kernel(space, &arguments, result, kernel, add_member_error, &of);
    }
    if (!code && result->status == STATUS_OK)
        check_members_of_variables(space, result, add_member_error, &of);
    free(launch);
    return code;
}

/* True if the row has a struct to compare; for configurations, once. */
static bool has_members(struct compiling *all, const struct row *row)
{
    const struct space *space = all->wanted->space;
    const struct step *own = own_step(all, row);
    const struct step *steps = own ? own : space->steps;
    bool wanted = false;
    if (space->compiler_command && !own)
        return false;
    for (size_t s = 0; (own || !all->compared) && s < typed_count(all, row); s++)
        wanted |= check_members_wanted(space, &steps[s]);
    all->compared |= !own && wanted;
    return wanted;
}

/* Returns the kernel that a compiler message names, else the first of the row. */
static const struct step *blamed_step(const struct compiling *all, const struct row *row, const char *message)
{
    const struct space *space = all->wanted->space;
    const struct step *steps = row->kind == ROW_CONFIGURATION ? space->steps : space->reference;
    struct typed_arguments arguments;
    const bool several = row->kind == ROW_CONFIGURATION || row->kind == ROW_REFERENCE;
    for (size_t i = 0; several && i < typed_count(all, row); i++) {
        size_t length = strlen(steps[i].kernel);
        if (strncmp(message, steps[i].kernel, length) == 0 && message[length] == '\'')
            return &steps[i];
    }
    typed(all, row, &none, 0, &arguments);
    return arguments.step;
}

/* Adds an error with that message, and a hint. */
static void add_message(struct compiling *all, const struct row *row, const char *message, struct error *error)
{
    struct compiler_error found = {.line = 0};
    char hint[512];
    snprintf(found.message, sizeof found.message, "%s", message);
    if (compiler_errors_hint(all->wanted->space, &found, hint, sizeof hint))
        error_hint(error, "%s", hint);
    add_error(all, row, error);
}

/* Adds all errors with a place in the log, or the error of the message. */
static void add_failure(struct compiling *all, const struct row *row, const struct compile_result *result)
{
    static const char of_kernel[] = "kernel '";
    const struct space *space = all->wanted->space;
    const char *log = result->log;
    struct compiler_error found;
    char hint[512];
    bool some = false;
    if (strncmp(result->message, of_kernel, sizeof of_kernel - 1) == 0) {
        struct error error = {0};
        error_set(&error, ERROR_COMPILE, "%s", result->message);
        space_put_place(&blamed_step(all, row, result->message + sizeof of_kernel - 1)->kernel_place, &error);
        add_message(all, row, result->message, &error);
        return;
    }
    while (compiler_errors_next(space->folder, &log, &found)) {
        struct error error = {0};
        compiler_source_restore(space, &found);
        error_set(&error, ERROR_COMPILE, "%s", found.message);
        error_place(&error, found.path, found.line, found.column);
        snprintf(error.excerpt, sizeof error.excerpt, "%s", found.excerpt);
        if (compiler_errors_hint(space, &found, hint, sizeof hint))
            error_hint(&error, "%s", hint);
        if (space->source_command && strcmp(found.path, file_below(space->folder, space->source_path)) == 0)
            check_command_hint(space, own_step(all, row), row->choices, &error);
        add_error(all, row, &error);
        some = true;
    }
    if (!some) {
        struct error error = {0};
        error_set(&error, ERROR_COMPILE, "%s", result->message);
        if (generator_is_subject(result->message))
            space_put_place(&space->source_place, &error);
        else if (space->nvcc || (space->compiler_command && row->kind == ROW_CONFIGURATION))
            space_put_place(&space->compiler_place, &error);
        else
            error_place(&error, space->path, 0, 0);
        check_command_hint(space, own_step(all, row), row->choices, &error);
        add_message(all, row, result->message, &error);
    }
}

/* ---- Results ---- */

static bool take_answer(struct compiling *all, struct row *row, const struct compile_result *result,
                        struct launch *launch)
{
    struct error error = {0};
    if (assemble_checked(all->wanted->space, row->choices, launch, result, &error) == 0)
        return true;
    row->measurement.status = STATUS_COMPILE_ERROR;
    measurement_explain(&row->measurement, "%s", error.message);
    add_error(all, row, &error);
    return false;
}

static int keep_configuration(struct compiling *all, struct row *row, const struct compile_result *result,
                              struct error *error)
{
    struct launch *launch = calloc(1, sizeof *launch); /* large */
    int code = launch ? launch_of(all, row, launch, error) : error_memory(error);
    if (!code && !take_answer(all, row, result, launch)) {
        free(launch);
        return 0;
    }
    if (!code && all->wanted->limits)
        prune_compiled(all->wanted->space, all->wanted->limits, launch, result, 0, &row->measurement);
    if (!code)
        code = check_usages(all->wanted, launch, result, &all->lists, &all->arena, &row->usages, error);
    row->usage_count = code ? 0 : launch->step_count;
    if (!code && all->wanted->notes)
        check_notes_take(all->wanted->notes, all->wanted->space, (size_t)(row - all->rows), row->choices, launch,
                         result);
    free(launch);
    return code;
}

/* Checks that the device and the buffers support the launches of a configuration, as a run does before it compiles. */
static int refuse_launch(struct compiling *all, struct row *row, bool *refused, struct error *error)
{
    struct launch *launch = calloc(1, sizeof *launch); /* large */
    char why[256];
    int code = launch ? 0 : error_memory(error);
    *refused = false;
    if (!code && row->kind == ROW_CONFIGURATION && all->wanted->limits) {
        code = launch_of(all, row, launch, error);
        *refused = !code && !space_launch_fits(all->wanted->space, LAUNCH_OF_RUN, row->choices, why, sizeof why);
    }
    if (*refused) {
        row->measurement = measurement_unknown(STATUS_PRUNED_LIMIT);
        measurement_explain(&row->measurement, "%s", why);
    }
    free(launch);
    return code;
}

/* again: compile the row without the assertions, or for the members of structs. */
static int keep(struct compiling *all, const struct compile_result *result, bool *again, struct error *error)
{
    struct row *row = &all->rows[result->id];
    *again = false;
    if (row->debug)
        return compare_members(all, row, result, error);
    row->measurement = measurement_unknown(result->status);
    if (result->status == STATUS_OK) {
        int code = row->kind == ROW_CONFIGURATION ? keep_configuration(all, row, result, error) : 0;
        *again = row->debug = !code && row->measurement.status == STATUS_OK && has_members(all, row);
        return code;
    }
    if (!row->plain && add_findings(all, row, result)) {
        *again = row->debug = !row->miscounted && has_members(all, row); /* they may say what makes a size differ */
        return 0;
    }
    *again = !row->plain && !generator_is_subject(result->message);
    if (*again)
        return 0;
    measurement_explain(&row->measurement, "%s", result->message);
    if (result->status != STATUS_PRUNED_LIMIT || row->kind != ROW_CONFIGURATION)
        add_failure(all, row, result);
    return 0;
}

static void end_row(struct compiling *all, const struct row *row)
{
    all->taken++;
    all->counts[row->measurement.status]++;
    work_step(all->wanted->work, 1);
}

static int compile_all(struct compiling *all, struct error *error)
{
    struct worker *workers[POOL_JOBS_MAX];
    struct compile_result result;
    size_t submitted = 0;
    int code = 0, got = 0;
    while (!code && all->taken < all->count) {
        if (*stop_requests)
            return error_set(error, ERROR_INTERRUPTED, "interrupted after %zu of %zu compilations for sm_%lld",
                             all->taken, all->count, (long long)all->wanted->cc);
        while (!code && submitted < all->count && compile_pool_idle(all->pool)) {
            bool refused;
            code = refuse_launch(all, &all->rows[submitted], &refused, error);
            if (!code && !refused)
                code = submit(all, submitted, error);
            if (refused)
                end_row(all, &all->rows[submitted]);
            submitted++;
        }
        got = 0;
        if (!code && all->taken < all->count && (got = compile_pool_next(all->pool, &result, error)) == 0)
            worker_wait(workers, compile_pool_workers(all->pool, workers, POOL_JOBS_MAX), INT64_MAX);
        if (!code && got < 0)
            code = ERROR_WORKER;
        if (!code && got > 0 && result.fatal) {
            code = error_set(error, ERROR_COMPILE, "%s", result.message);
            space_put_place(&all->wanted->space->compiler_place, error);
        } else if (!code && got > 0) {
            bool again = false;
            size_t number = result.id;
            code = keep(all, &result, &again, error);
            if (!code && again) { /* the process that answered is idle */
                all->rows[number].plain |= !all->rows[number].debug;
                code = submit(all, number, error);
            } else {
                end_row(all, &all->rows[number]);
            }
        }
    }
    return code;
}

static int report(const struct compiling *all, check_compile_take *take, void *context, struct error *error)
{
    struct text what = {0};
    for (size_t i = 0; i < all->count; i++) {
        const struct row *row = &all->rows[i];
        const char *status = status_name(row->measurement.status);
        describe(all, row, &what);
        if (row->usage_count == 0)
            take(context, text_string(&what), status, row->measurement.message, NULL);
        for (size_t u = 0; u < row->usage_count; u++)
            take(context, text_string(&what), status, row->measurement.message, &row->usages[u]);
    }
    bool failed = what.failed;
    text_free(&what);
    return failed ? error_memory(error) : 0;
}

int check_compile(const struct check_compile *wanted, check_compile_take *take, void *context,
                  struct error_list *errors, struct error *error)
{
    struct compiling *all = calloc(1, sizeof *all); /* large */
    struct compile_cache cache;
    char doing[64];
    size_t cores = cores_usable("");
    bool cached = !compile_cache_find(&cache, NULL) && !compile_cache_open(&cache, NULL);
    if (!all)
        return error_memory(error);
    all->wanted = wanted;
    all->lists = true;
    int code = make_rows(all, error);
    if (!code && wanted->space->compiler_command)
        code = check_command_version(wanted->space, cached ? &cache : NULL, &all->compiler, error);
    size_t jobs = cores < all->count ? cores : all->count;
    if (!code && all->count)
        code = compile_pool_open(&all->pool, jobs > POOL_JOBS_MAX ? POOL_JOBS_MAX : jobs, timeout_ns,
                                 cached ? &cache : NULL, error);
    snprintf(doing, sizeof doing, "compiled for sm_%lld", (long long)wanted->cc);
    wanted->work->counts = all->counts;
    work_begin(wanted->work, doing, all->count);
    stop_in_order();
    if (!code)
        code = compile_all(all, error);
    compile_pool_close(all->pool);
    stop_at_once();
    wanted->work->counts = NULL;
    if (!code && all->wanted->notes)
        check_notes_say(all->wanted->notes, all->wanted->space, all->count);
    if (!code)
        code = report(all, take, context, error);
    if (!code)
        check_errors_give(&all->errors, all->count, errors);
    arena_free(&all->arena);
    free(all->rows);
    free(all);
    return code;
}
