/* The templates' kernels need the same with and without NVRTC's minimal options. If the compiler leaves out other
 * kernels, it may number registers differently, and shared variables may be in another order with other gaps. */
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "../unit.h"
#include "base/clock.h"
#include "compile/pool.h"
#include "db/limits_file.h"
#include "space/space.h"

static const char plain[] = "-Dno_minimal"; /* has no effect but to keep the minimal options off */

static bool compile(struct compile_pool *pool, const struct space *space, const struct text *options, size_t count,
                    struct kernel_resources *resources)
{
    struct compile_job job = {.path = space->source_path,
                              .source = space->source,
                              .name_expressions = space->kernel,
                              .name_count = 1,
                              .cc = 90,
                              .options = text_string(options),
                              .option_count = count};
    struct compile_result result = {.log = ""};
    struct worker *workers[1];
    int found;
    if (compile_pool_submit(pool, &job, NULL))
        return false;
    while ((found = compile_pool_next(pool, &result, NULL)) == 0)
        worker_wait(workers, compile_pool_workers(pool, workers, 1), INT64_MAX);
    if (found < 0 || result.status != STATUS_OK) {
        fprintf(stderr, "%s: %s\n%s\n", space->path, result.message, result.log);
        return false;
    }
    *resources = result.resources[0];
    return true;
}

static bool same(const struct kernel_resources *a, const struct kernel_resources *b)
{
    enum { ALIGN = 16 };
    return a->registers > 0 && a->registers == b->registers && a->local_bytes == b->local_bytes &&
           a->constant_bytes == b->constant_bytes && a->max_threads == b->max_threads &&
           (a->shared_bytes + ALIGN - 1) / ALIGN == (b->shared_bytes + ALIGN - 1) / ALIGN;
}

/* The default configuration. */
static void compare(const char *path, const struct device_limits *limits)
{
    struct space *space = NULL;
    struct compile_pool *pool = NULL;
    struct text options = {0};
    struct kernel_resources quick = {0}, again = {0}, slow = {0};
    struct error error = {0};
    uint32_t choices[SPACE_PARAMETERS_MAX];
    size_t count = 0;
    CU_ASSERT_EQUAL_FATAL(space_parse(&space, path, &error), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, limits, &error), 0);
    CU_ASSERT_EQUAL_FATAL(compile_pool_open(&pool, 1, (int64_t)120 * 1000000000, NULL, &error), 0);
    space_default(space, choices);
    CU_ASSERT_EQUAL(space_compile_options(space, choices, &options, &count, &error), 0);
    CU_ASSERT(compile(pool, space, &options, count, &quick));
    CU_ASSERT(compile(pool, space, &options, count, &again)); /* with what the first left in the process */
    text_append(&options, plain, sizeof plain);
    CU_ASSERT(compile(pool, space, &options, count + 1, &slow));
    CU_ASSERT(same(&quick, &slow) && same(&again, &slow));
    text_free(&options);
    compile_pool_close(pool);
    space_free(space);
}

static void minimal_change_no_resources(void)
{
    glob_t found = {0};
    struct device_limits limits;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(limits_read(SOURCE_FOLDER "/space/devices/H200.csv", &limits, &error), 0);
    CU_ASSERT_EQUAL_FATAL(glob(SOURCE_FOLDER "/templates/*.space", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++)
        compare(found.gl_pathv[i], &limits);
    CU_ASSERT(found.gl_pathc > 0);
    globfree(&found);
}

CU_TestInfo tests_templates[] = {{BY_COMPILERS "minimal options change no resources", minimal_change_no_resources},
                                 CU_TEST_INFO_NULL};
