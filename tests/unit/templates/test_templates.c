/* Kernels of the templates and of the GPU tests have the same machine code with and without NVRTC's minimal options. */
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "../compile/section.h"
#include "../unit.h"
#include "base/clock.h"
#include "compile/pool.h"
#include "database/limits_file.h"
#include "space/space.h"

static const char plain[] = "-Dno_minimal"; /* only keeps the minimal options off */

/* Compiles the first kernel to machine code. */
static bool compile(struct compile_pool *pool, const struct space *space, const struct text *options, size_t count,
                    struct text *code)
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
    char name[256];
    size_t length = 0;
    int found;
    if (compile_pool_submit(pool, &job, NULL))
        return false;
    while ((found = compile_pool_next(pool, &result, NULL)) == 0)
        worker_wait(workers, compile_pool_workers(pool, workers, 1), INT64_MAX);
    if (found < 0 || result.status != STATUS_OK)
        return false;
    snprintf(name, sizeof name, ".text.%s", result.lowered_names);
    const char *text = section(&result, name, &length);
    text_clear(code);
    text_append(code, text, length);
    text_append(code, &result.resources[0], sizeof result.resources[0]);
    return length > 0;
}

static bool same(const struct text *a, const struct text *b)
{
    return a->length == b->length && memcmp(a->bytes, b->bytes, b->length) == 0;
}

/* Compares the default configuration. Not `strict`: the kernel need not compile, such as one whose name is made from
 * parameters. */
static void compare(const char *path, const struct device_limits *limits, bool strict)
{
    struct space *space = NULL;
    struct compile_pool *pool = NULL;
    struct text options = {0}, quick = {0}, again = {0}, slow = {0};
    struct error error = {0};
    uint32_t choices[SPACE_PARAMETERS_MAX];
    size_t count = 0;
    CU_ASSERT_EQUAL_FATAL(space_parse(&space, path, &error), 0);
    if (!space->nvcc) {
        CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, limits, &error), 0);
        CU_ASSERT_EQUAL_FATAL(compile_pool_open(&pool, 1, (int64_t)120 * 1000000000, NULL, &error), 0);
        space_default(space, choices);
        CU_ASSERT_EQUAL(space_compile_options(space, choices, &options, &count, &error), 0);
        text_append(&options, plain, sizeof plain);
        bool compiles = compile(pool, space, &options, count + 1, &slow);
        CU_ASSERT(compiles || !strict);
        if (compiles) { /* again with the state that the first has left in the process */
            CU_ASSERT(compile(pool, space, &options, count, &quick));
            CU_ASSERT(compile(pool, space, &options, count, &again));
            if (!same(&quick, &slow) || !same(&again, &slow))
                fprintf(stderr, "%s: other machine code\n", path);
            CU_ASSERT(same(&quick, &slow) && same(&again, &slow));
        }
        compile_pool_close(pool);
    }
    text_free(&options);
    text_free(&quick);
    text_free(&again);
    text_free(&slow);
    space_free(space);
}

static void minimal_options_change_no_machine_code(void)
{
    static const char *const folders[] = {"/templates/*.space", "/tests/gpu/*.space"};
    struct device_limits limits;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(limits_read(SOURCE_FOLDER "/space/devices/H200.csv", &limits, &error), 0);
    for (size_t folder = 0; folder < sizeof folders / sizeof *folders; folder++) {
        glob_t found = {0};
        char pattern[4096];
        snprintf(pattern, sizeof pattern, "%s%s", SOURCE_FOLDER, folders[folder]);
        CU_ASSERT_EQUAL_FATAL(glob(pattern, 0, NULL, &found), 0);
        for (size_t i = 0; i < found.gl_pathc; i++)
            compare(found.gl_pathv[i], &limits, folder == 0);
        CU_ASSERT(found.gl_pathc > 0);
        globfree(&found);
    }
}

CU_TestInfo tests_templates[] = {
    {BY_COMPILERS "minimal options change no machine code", minimal_options_change_no_machine_code}, CU_TEST_INFO_NULL};
