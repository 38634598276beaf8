#include "commands/check_compile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compile/cache.h"
#include "compile/pool.h"
#include "evaluate/arguments.h"
#include "evaluate/prune.h"

static const int64_t timeout_ns = 300 * (int64_t)1000000000;

/* The first two with the default configuration. */
enum compiled { COMPILED_REFERENCE, COMPILED_ACCEPT, COMPILED_CONFIGURATION };

struct check_compiled {
    enum compiled what;
    uint32_t choices[SPACE_PARAMETERS_MAX];
    struct measurement measurement;
};

struct compiling {
    const struct space *space;
    const struct device_limits *limits;
    struct check_compiled *rows;
    size_t count;
    struct compile_pool *pool;
};

/* Of a row; errors name its configuration. */
static int launch_of(const struct compiling *all, const struct check_compiled *row, struct launch *launch,
                     struct error *error)
{
    return row->what == COMPILED_REFERENCE ? space_reference_launch(all->space, launch, error)
           : row->what == COMPILED_ACCEPT  ? space_accept_launch(all->space, launch, error)
                                           : space_launch(all->space, row->choices, launch, error);
}

/* The kernel of a row that has one. */
static const char *kernel_of(const struct compiling *all, const struct check_compiled *row)
{
    return row->what == COMPILED_ACCEPT ? all->space->accept->step.kernel : all->space->reference.kernel;
}

static int submit(const struct compiling *all, size_t number, struct error *error)
{
    const struct space *space = all->space;
    const struct check_compiled *row = &all->rows[number];
    struct text options = {0}, names = {0};
    struct launch launch;
    struct compile_job job = {.id = number,
                              .path = space->source_path,
                              .source = space->source,
                              .nvcc = space->nvcc,
                              .name_count = 1,
                              .cc = all->limits->cc};
    int code = launch_of(all, row, &launch, error);
    if (row->what == COMPILED_REFERENCE && space->reference_path) {
        job.path = space->reference_path;
        job.source = space->reference_source;
    }
    if (!code)
        code = row->what == COMPILED_REFERENCE
                   ? space_reference_options(space, &options, &job.option_count, error)
                   : space_compile_options(space, row->choices, &options, &job.option_count, error);
    if (row->what != COMPILED_CONFIGURATION) {
        job.name_expressions = kernel_of(all, row);
    } else if (!code) {
        space_launch_kernels(space, &launch, &names);
        job.name_expressions = text_string(&names);
        job.name_count = launch.kernel_count;
    }
    job.options = text_string(&options);
    if (!code && (options.failed || names.failed))
        code = error_memory(error);
    if (!code)
        code = compile_pool_submit(all->pool, &job, error);
    text_free(&names);
    text_free(&options);
    return code;
}

static int keep(const struct compiling *all, const struct compile_result *result, struct error *error)
{
    struct check_compiled *row = &all->rows[result->id];
    struct launch launch;
    char why[256];
    int code = launch_of(all, row, &launch, error);
    if (code)
        return code;
    const struct device_kernel machine_code = {.cubin = result->cubin,
                                               .cubin_bytes = result->cubin_bytes,
                                               .lowered_names = result->lowered_names,
                                               .launch = &launch};
    row->measurement = measurement_unknown(result->status);
    if (row->what == COMPILED_CONFIGURATION) {
        prune_compiled(all->space, all->limits, &launch, result, 0, &row->measurement);
    } else if (result->status != STATUS_OK) {
        measurement_explain(&row->measurement, "%s", result->message);
    } else if (!arguments_suit(&machine_code, launch.steps, kernel_of(all, row), why, sizeof why)) {
        row->measurement.status = STATUS_COMPILE_ERROR;
        measurement_explain(&row->measurement, "%s", why);
    }
    return 0;
}

static int compile_all(const struct compiling *all, struct error *error)
{
    struct worker *workers[POOL_JOBS_MAX];
    struct compile_result result;
    size_t submitted = 0, taken = 0;
    int code = 0, got = 0;
    while (!code && taken < all->count) {
        while (!code && submitted < all->count && compile_pool_idle(all->pool))
            code = submit(all, submitted++, error);
        if (!code && (got = compile_pool_next(all->pool, &result, error)) == 0)
            worker_wait(workers, compile_pool_workers(all->pool, workers, POOL_JOBS_MAX), INT64_MAX);
        if (!code && got < 0)
            code = ERROR_WORKER;
        if (!code && got > 0) {
            code = keep(all, &result, error);
            taken++;
        }
    }
    return code;
}

static void describe(const struct compiling *all, size_t number, struct text *what, struct text *about)
{
    const struct check_compiled *row = &all->rows[number];
    const struct measurement *measurement = &row->measurement;
    text_clear(what);
    text_clear(about);
    if (row->what != COMPILED_CONFIGURATION)
        text_printf(what, "%s %s", row->what == COMPILED_ACCEPT ? "accept" : "reference", kernel_of(all, row));
    else
        space_config_text(all->space, row->choices, what);
    text_printf(about, "%s", measurement->message);
    if (measurement->status == STATUS_OK && row->what == COMPILED_CONFIGURATION)
        text_printf(about, "%lld registers, %lld bytes of shared memory, %lld bytes of local memory, occupancy %.3g",
                    (long long)measurement->registers, (long long)measurement->shared_bytes,
                    (long long)measurement->local_bytes, measurement->occupancy);
}

/* Returns the error of the first row that does not compile. */
static int report(const struct compiling *all, check_compile_take *take, void *context, struct error *error)
{
    struct text what = {0}, about = {0};
    int code = 0;
    for (size_t i = 0; i < all->count; i++) {
        enum status status = all->rows[i].measurement.status;
        describe(all, i, &what, &about);
        take(context, text_string(&what), status_name(status), text_string(&about));
        if (!code && status != STATUS_OK && status != STATUS_PRUNED_LIMIT) {
            code = error_set(error, ERROR_COMPILE, "%s: %s", text_string(&what), text_string(&about));
            error_place(error, all->space->path, 0, 0);
        }
    }
    if (what.failed || about.failed)
        code = error_memory(error);
    text_free(&what);
    text_free(&about);
    return code;
}

int check_compile(const struct space *space, const struct device_limits *limits,
                  const uint32_t (*choices)[SPACE_PARAMETERS_MAX], size_t count, check_compile_take *take,
                  void *context, struct error *error)
{
    struct compiling all = {.space = space, .limits = limits};
    struct compile_cache cache;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    bool cached = !compile_cache_find(&cache, NULL) && !compile_cache_open(&cache, NULL);
    if (!(all.rows = calloc(count + 2, sizeof *all.rows)))
        return error_memory(error);
    if (space->reference_kind == REFERENCE_KERNEL)
        space_default(space, all.rows[all.count++].choices);
    if (space->accept) {
        all.rows[all.count].what = COMPILED_ACCEPT;
        space_default(space, all.rows[all.count++].choices);
    }
    for (size_t i = 0; i < count; i++) {
        all.rows[all.count].what = COMPILED_CONFIGURATION;
        memcpy(all.rows[all.count++].choices, choices[i], sizeof *choices);
    }
    size_t jobs = cores < 1 ? 1 : (size_t)cores < all.count ? (size_t)cores : all.count;
    int code = compile_pool_open(&all.pool, jobs, timeout_ns, cached ? &cache : NULL, error);
    if (!code)
        code = compile_all(&all, error);
    if (!code)
        code = report(&all, take, context, error);
    compile_pool_close(all.pool);
    free(all.rows);
    return code;
}
