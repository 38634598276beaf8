/* All templates in templates/: documentation, a default that runs everywhere, buffers larger than the caches,
 * compilation. */
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "../unit.h"
#include "base/clock.h"
#include "base/file.h"
#include "compile/pool.h"
#include "database/limits_file.h"
#include "set/valid_set.h"

enum { VALID_LEAST = 20, VALID_MOST = 1500, SAMPLES = 3, L2_TIMES = 3, HEAD_LEAST = 150 };

struct subject {
    char name[64];
    struct space *space;
    struct valid_set *set;
};

static void complain(const char *name, const char *what)
{
    fprintf(stderr, "\n%s: %s", name, what);
    CU_FAIL("a template is not as it should be");
}

/* Opens the template at `path` for a device; false, with a failure, if it is invalid. */
static bool subject_open(struct subject *subject, const char *path, const char *const *defines, size_t define_count,
                         const struct device_limits *limits)
{
    struct error error = {0};
    char message[4096];
    const char *name = path + file_folder_length(path);
    memset(subject, 0, sizeof *subject);
    snprintf(subject->name, sizeof subject->name, "%.*s", (int)(strlen(name) - strlen(".space")), name);
    int code = space_parse(&subject->space, path, &error);
    if (!code)
        code = space_bind(subject->space, defines, define_count, limits, &error);
    if (!code)
        code = valid_set_build(&subject->set, subject->space, VALID_SET_DEFAULT_BYTES, &error);
    if (code)
        complain(subject->name, error_format(&error, message, sizeof message));
    return code == 0;
}

static void subject_close(struct subject *subject)
{
    valid_set_free(subject->set);
    space_free(subject->space);
}

static double buffer_bytes(const struct space *space)
{
    double bytes = 0;
    for (size_t i = 0; i < space->buffer_count; i++)
        bytes += (double)space->buffers[i].count * space->buffers[i].type->bytes;
    return bytes;
}

static bool load_device(const char *path, struct device_limits *limits)
{
    struct error error = {0};
    int code = limits_read(path, limits, &error);
    CU_ASSERT_EQUAL(code, 0);
    return code == 0;
}

/* Calls `check` for every template, bound to the H200. */
static void for_each(void (*check)(const struct subject *subject))
{
    struct device_limits limits;
    glob_t files = {0};
    CU_ASSERT_EQUAL_FATAL(glob(SOURCE_FOLDER "/templates/*.space", 0, NULL, &files), 0);
    CU_ASSERT_FATAL(load_device(SOURCE_FOLDER "/space/devices/H200.csv", &limits));
    for (size_t i = 0; i < files.gl_pathc; i++) {
        struct subject subject;
        if (subject_open(&subject, files.gl_pathv[i], NULL, 0, &limits))
            check(&subject);
        subject_close(&subject);
    }
    globfree(&files);
}

/* Length of the comment at the start of the source. */
static size_t head_length(const char *source)
{
    const char *at = source;
    while (strncmp(at, "//", 2) == 0) {
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    return (size_t)(at - source);
}

static bool is_part(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool names(const char *text, size_t length, const char *name)
{
    size_t size = strlen(name);
    for (size_t i = 0; i + size <= length; i++)
        if (memcmp(text + i, name, size) == 0 && (i == 0 || !is_part(text[i - 1])) && !is_part(text[i + size]))
            return true;
    return false;
}

static void check_text(const struct subject *subject)
{
    const struct space *space = subject->space;
    size_t head = head_length(space->source);
    char what[128];
    if (strcmp(space->kernel, subject->name) != 0)
        complain(subject->name, "the kernel has another name than the file");
    if (!*space->title)
        complain(subject->name, "there is no title");
    if (isnan(space->bytes) && isnan(space->flops))
        complain(subject->name, "there is no measure of its work: bytes or flops");
    if (head < HEAD_LEAST)
        complain(subject->name, "the source does not begin with a description");
    for (size_t p = 0; p < space->parameter_count; p++)
        if (space->parameters[p].in_source && !names(space->source, head, space->parameters[p].name)) {
            snprintf(what, sizeof what, "the source's first lines do not explain %s", space->parameters[p].name);
            complain(subject->name, what);
        }
}

static void check_size(const struct subject *subject)
{
    uint64_t count = valid_set_count(subject->set);
    char what[128];
    snprintf(what, sizeof what, "%llu valid configurations", (unsigned long long)count);
    if (count < VALID_LEAST || count > VALID_MOST)
        complain(subject->name, what);
    if (buffer_bytes(subject->space) < L2_TIMES * (double)subject->space->limits.l2_bytes)
        complain(subject->name, "the buffers do not exceed the L2 cache several times");
}

static void text_is_as_promised(void)
{
    for_each(check_text);
}

static void sizes_are_sensible(void)
{
    for_each(check_size);
}

static void default_is_valid_everywhere(void)
{
    glob_t templates = {0}, devices = {0};
    CU_ASSERT_EQUAL_FATAL(glob(SOURCE_FOLDER "/templates/*.space", 0, NULL, &templates), 0);
    CU_ASSERT_EQUAL_FATAL(glob(SOURCE_FOLDER "/space/devices/*.csv", 0, NULL, &devices), 0);
    for (size_t d = 0; d < devices.gl_pathc; d++) {
        struct device_limits limits;
        if (!load_device(devices.gl_pathv[d], &limits))
            continue;
        for (size_t i = 0; i < templates.gl_pathc; i++) {
            struct subject subject;
            uint32_t choices[SPACE_PARAMETERS_MAX];
            if (subject_open(&subject, templates.gl_pathv[i], NULL, 0, &limits)) {
                space_default(subject.space, choices);
                if (!valid_set_find(subject.set, choices, NULL))
                    complain(subject.name, limits.name);
            }
            subject_close(&subject);
        }
    }
    globfree(&templates);
    globfree(&devices);
}

/* From less than the L2 of some GPUs to more than 32-bit addresses: launches and arguments still fit. */
static void sizes_scale(void)
{
    static const struct {
        const char *name, *define[3];
        double least_bytes, most_bytes;
    } rows[] = {
        {"aos_soa", {"N=1 << 19"}, 16e6, 64e6},
        {"aos_soa", {"N=1 << 28"}, 8e9, 16e9},
        {"allocation", {"N=1 << 21"}, 16e6, 64e6},
        {"allocation", {"N=1 << 30"}, 8e9, 16e9},
        {"async_copy", {"N=1 << 21"}, 16e6, 64e6},
        {"async_copy", {"N=1 << 30"}, 8e9, 16e9},
        {"batched_gemm", {"BATCH=512"}, 16e6, 64e6},
        {"batched_gemm", {"BATCH=1 << 17"}, 8e9, 16e9},
        {"batched_gemm_any", {"BATCH=1"}, 16e6, 64e6},
        {"batched_gemm_any", {"M=4096", "N=4096", "K=32768"}, 4e9, 16e9},
        {"batched_gemm_any", {"M=8191", "N=16383", "K=8191"}, 4e9, 16e9},
        {"bulk_copy", {"N=1 << 21"}, 16e6, 64e6},
        {"bulk_copy", {"N=1 << 30"}, 8e9, 16e9},
        {"cache_policy", {"RECORDS=1 << 19", "HOT_MB=2"}, 16e6, 64e6},
        {"cache_policy", {"RECORDS=200000000"}, 8e9, 16e9},
        {"cluster_stencil", {"WIDTH=2048", "HEIGHT=2048"}, 16e6, 64e6},
        {"cluster_stencil", {"WIDTH=32768", "HEIGHT=32768"}, 8e9, 16e9},
        {"constant_table", {"N=1 << 21"}, 16e6, 64e6},
        {"constant_table", {"N=1 << 30"}, 8e9, 16e9},
        {"copy", {"N=1 << 21"}, 16e6, 64e6},
        {"copy", {"N=1 << 30"}, 8e9, 16e9},
        {"corner_turn", {"M=2048", "N=2048"}, 16e6, 64e6},
        {"corner_turn", {"M=32768", "N=32768"}, 4e9, 16e9},
        {"histogram", {"N=1 << 24"}, 16e6, 64e6},
        {"histogram", {"N=1 << 33"}, 8e9, 16e9},
        {"jacobi", {"WIDTH=2048", "HEIGHT=2048"}, 16e6, 64e6},
        {"jacobi", {"WIDTH=32768", "HEIGHT=32768"}, 8e9, 16e9},
        {"l2_persist", {"RECORDS=1 << 19", "HOT_MB=2"}, 16e6, 64e6},
        {"l2_persist", {"RECORDS=200000000"}, 8e9, 16e9},
        {"local_array", {"COLUMNS=1 << 15"}, 16e6, 64e6},
        {"local_array", {"COLUMNS=1 << 24"}, 8e9, 16e9},
        {"matmul", {"M=2048", "N=1024", "K=1024"}, 16e6, 64e6},
        {"matmul", {"M=32768", "N=32768", "K=8192"}, 4e9, 16e9},
        {"matmul_aat", {"M=2048"}, 16e6, 64e6},
        {"matmul_aat", {"M=32768"}, 4e9, 16e9},
        {"matmul_tensor", {"M=2048", "N=1024", "K=2048"}, 16e6, 64e6},
        {"matmul_tensor", {"M=32768", "N=32768", "K=32768"}, 4e9, 16e9},
        {"overlap", {"N=1 << 21"}, 16e6, 64e6},
        {"overlap", {"N=1 << 30"}, 8e9, 16e9},
        {"radix_sort", {"N=1 << 21"}, 16e6, 64e6},
        {"radix_sort", {"N=3 << 28"}, 8e9, 16e9},
        {"read_offset", {"N=1 << 21"}, 16e6, 64e6},
        {"read_offset", {"N=1 << 30"}, 8e9, 16e9},
        {"reduction", {"N=1 << 22"}, 16e6, 64e6},
        {"reduction", {"N=1 << 31"}, 8e9, 16e9},
        {"scan", {"N=1 << 21"}, 16e6, 64e6},
        {"scan", {"N=1 << 30"}, 8e9, 16e9},
        {"small_transfers", {"N=1 << 21"}, 16e6, 64e6},
        {"small_transfers", {"N=1 << 30"}, 8e9, 16e9},
        {"softmax", {"ROWS=256"}, 16e6, 64e6},
        {"softmax", {"ROWS=65536"}, 8e9, 16e9},
        {"spmv", {"N=1 << 18"}, 16e6, 64e6},
        {"spmv", {"N=48 << 20"}, 8e9, 16e9},
        {"stencil2d", {"WIDTH=2048", "HEIGHT=1024"}, 16e6, 64e6},
        {"stencil2d", {"WIDTH=32768", "HEIGHT=32768"}, 8e9, 16e9},
        {"stride", {"N=1 << 20"}, 16e6, 64e6},
        {"stride", {"N=1 << 29"}, 8e9, 16e9},
        {"texture_gather", {"WIDTH=2048", "HEIGHT=1024"}, 16e6, 64e6},
        {"texture_gather", {"WIDTH=32768", "HEIGHT=32768"}, 8e9, 16e9},
        {"transpose", {"ROWS=2048", "COLS=1024"}, 16e6, 64e6},
        {"transpose", {"ROWS=32768", "COLS=32768"}, 8e9, 16e9},
        {"transpose_any", {"ROWS=2047", "COLS=1025"}, 16e6, 64e6},
        {"transpose_any", {"ROWS=32767", "COLS=32769"}, 8e9, 16e9},
        {"write_offset", {"N=1 << 21"}, 16e6, 64e6},
        {"write_offset", {"N=1 << 30"}, 8e9, 16e9},
        {"zero_copy", {"N=1 << 21"}, 16e6, 64e6},
        {"zero_copy", {"N=1 << 30"}, 8e9, 16e9},
    };
    struct device_limits limits;
    CU_ASSERT_FATAL(load_device(SOURCE_FOLDER "/space/devices/H200.csv", &limits));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct subject subject;
        struct error error = {0};
        struct launch launch;
        uint32_t choices[SPACE_PARAMETERS_MAX];
        char path[512], message[4096];
        size_t defines = 0;
        while (defines < 3 && rows[i].define[defines])
            defines++;
        snprintf(path, sizeof path, "%s/templates/%s.space", SOURCE_FOLDER, rows[i].name);
        if (subject_open(&subject, path, rows[i].define, defines, &limits)) {
            double bytes = buffer_bytes(subject.space);
            if (bytes < rows[i].least_bytes || bytes > rows[i].most_bytes)
                complain(subject.name, rows[i].define[0]);
            space_default(subject.space, choices);
            if (!valid_set_find(subject.set, choices, NULL))
                complain(subject.name, "the default is not valid for this size");
            if (space_launch(subject.space, choices, &launch, &error) ||
                space_reference_launch(subject.space, 0, &launch, &error))
                complain(subject.name, error_format(&error, message, sizeof message));
        }
        subject_close(&subject);
    }
}

/* A fit chooses among the same configurations at sizes that do not differ in any requirement of a configuration. */
static void sizes_leave_the_same(void)
{
    static const struct {
        const char *name, *define;
    } rows[] = {
        {"batched_gemm_any", "M=1"}, {"batched_gemm_any", "K=8"}, {"softmax", "ROWS=1"}, {"softmax", "ROWS=8191"}};
    struct device_limits limits;
    CU_ASSERT_FATAL(load_device(SOURCE_FOLDER "/space/devices/H200.csv", &limits));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct subject own, other;
        char path[512];
        snprintf(path, sizeof path, "%s/templates/%s.space", SOURCE_FOLDER, rows[i].name);
        bool both = subject_open(&own, path, NULL, 0, &limits);
        both = subject_open(&other, path, &rows[i].define, 1, &limits) && both;
        if (both && valid_set_count(own.set) != valid_set_count(other.set))
            complain(own.name, rows[i].define);
        subject_close(&own);
        subject_close(&other);
    }
}

static struct compile_pool *pool;

static void check_compiled(const struct subject *subject, const uint32_t *choices, bool default_)
{
    const struct space *space = subject->space;
    struct error error = {0};
    struct text options = {0}, what = {0};
    struct launch launch;
    struct compile_result result = {0};
    struct compile_job job = {.path = space->source_path,
                              .source = space->source,
                              .name_expressions = space->kernel,
                              .name_count = 1,
                              .cc = space->limits.cc};
    struct worker *workers[POOL_JOBS_MAX];
    int64_t until_ns = clock_now_ns() + (int64_t)120 * 1000000000;
    int found = 0;
    int code = space_launch(space, choices, &launch, &error);
    if (!code)
        code = space_compile_options(space, choices, &options, &job.option_count, &error);
    job.options = options.bytes;
    if (!code)
        code = compile_pool_submit(pool, &job, &error);
    while (!code && (found = compile_pool_next(pool, &result, &error)) == 0 && clock_now_ns() < until_ns)
        worker_wait(workers, compile_pool_workers(pool, workers, POOL_JOBS_MAX), until_ns);
    CU_ASSERT_EQUAL(code, 0);
    CU_ASSERT_EQUAL(found, 1);
    if (found == 1 &&
        (result.status != STATUS_OK ||
         (default_ && (uint64_t)result.resources[0].shared_bytes + launch.steps[0].shared_bytes > (48 << 10)))) {
        space_config_text(space, choices, &what);
        text_printf(&what, ": %s",
                    result.status == STATUS_OK ? "the default needs more shared memory than all GPUs have"
                                               : result.message);
        complain(subject->name, text_string(&what));
    }
    text_free(&options);
    text_free(&what);
}

static void check_compiles(const struct subject *subject)
{
    struct random random;
    uint32_t choices[SPACE_PARAMETERS_MAX];
    random_seed(&random, 1);
    space_default(subject->space, choices);
    check_compiled(subject, choices, true);
    for (int i = 0; i < SAMPLES; i++) {
        valid_set_draw(subject->set, &random, choices);
        check_compiled(subject, choices, false);
    }
}

static void they_compile(void)
{
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(compile_pool_open(&pool, 1, (int64_t)120 * 1000000000, NULL, &error), 0);
    for_each(check_compiles);
    compile_pool_close(pool);
}

CU_TestInfo tests_collection[] = {{"the text describes the kernel", text_is_as_promised},
                                  {"numbers of configurations, sizes of buffers", sizes_are_sensible},
                                  {"the default is valid on every device of a file", default_is_valid_everywhere},
                                  {"small and large problems", sizes_scale},
                                  {"sizes that leave the same configurations", sizes_leave_the_same},
                                  {BY_COMPILERS "the default and some others compile", they_compile},
                                  CU_TEST_INFO_NULL};
