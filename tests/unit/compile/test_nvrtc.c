/* The options for NVRTC, and the interpretation of its answers, through the pool. */
#include "pool_kit.h"

/* ---- Errors ---- */

struct refusal {
    const char *source, *name_expression;
    int64_t cc;
    const char *options;
    size_t option_count;
    enum status status;
    const char *message; /* beginning of the message */
};

#define SHARED(bytes)                                                                                                  \
    "extern \"C\" __global__ void k(char *o) { __shared__ char s[" bytes "]; s[threadIdx.x] = o[0];\n"                 \
    "  __syncthreads(); o[0] = s[threadIdx.x + 1]; }\n"

static const struct refusal refusals[] = {
    {"extern \"C\" __global__ void k(float *o) { o[0] = x; }", "k", 90, "", 0, STATUS_COMPILE_ERROR,
     "kernels.cu(1): error: identifier \"x\" is undefined"},
    /* A warning that mentions errors comes first. */
    {"extern \"C\" __global__ void k(float *o) { int error; }\n#error \"TILE: is wrong\"", "k", 90, "", 0,
     STATUS_COMPILE_ERROR, "kernels.cu(2): catastrophic error: #error directive: \"TILE: is wrong\""},
    {"extern \"C\" __global__ void k(float *o) { int error;\n o[0] = y; }", "k", 90, "", 0, STATUS_COMPILE_ERROR,
     "kernels.cu(2): error: identifier \"y\" is undefined"},
    {"#include \"missing.h\"", "k", 90, "", 0, STATUS_COMPILE_ERROR,
     "kernels.cu(1): catastrophic error: cannot open source file \"missing.h\""},
    {KERNEL, "other", 90, "", 0, STATUS_COMPILE_ERROR,
     "kernel 'other' in kernels.cu: identifier \"other\" is undefined"},
    {KERNEL, "k<4>", 90, "", 0, STATUS_COMPILE_ERROR, "kernel 'k<4>' in kernels.cu: "},
    {KERNEL "__device__ void f() {}", "f", 90, "", 0, STATUS_COMPILE_ERROR, "kernel 'f' in kernels.cu: "},
    {KERNEL, "", 90, "", 0, STATUS_COMPILE_ERROR, ""},
    {KERNEL, "k; int z", 90, "", 0, STATUS_COMPILE_ERROR, ""},
    {KERNEL, "k\n#error no", 90, "", 0, STATUS_COMPILE_ERROR, ""},
    {"", "k", 90, "", 0, STATUS_COMPILE_ERROR, "kernel 'k' in kernels.cu: "},
    {KERNEL, "k", 90, "-bogus", 1, STATUS_COMPILE_ERROR, "unrecognized option -bogus found"},
    {KERNEL, "k", 90, "", 1, STATUS_COMPILE_ERROR, ""},
    {KERNEL, "k", 90, "--ptxas-options=-bogus", 1, STATUS_COMPILE_ERROR, "Unknown option 'bogus'"},
    {KERNEL, "k", 10000, "", 0, STATUS_COMPILE_ERROR, "this NVRTC ("},
    {KERNEL, "k", 10, "", 0, STATUS_COMPILE_ERROR, "this NVRTC ("},
    {KERNEL, "k", -90, "", 0, STATUS_COMPILE_ERROR, "this NVRTC ("},
    {"extern \"C\" __device__ int away(); extern \"C\" __global__ void k(int *o) { o[0] = away(); }", "k", 90, "", 0,
     STATUS_COMPILE_ERROR, "Unresolved extern function 'away'"},
    {"extern \"C\" __global__ void k(int *o) { asm(\"bogus.u32 %0;\" :: \"r\"(1)); }", "k", 90, "", 0,
     STATUS_COMPILE_ERROR, "ptxas application ptx input, line "},
    {SHARED("80000"), "k", 89, "", 0, STATUS_PRUNED_LIMIT,
     "Entry function 'k' uses too much shared data (0x13880 bytes, 0xc000 max)"},
    /* The device's own feature set has all of its shared memory. */
    {SHARED("240000"), "k", 90, "", 0, STATUS_PRUNED_LIMIT,
     "Entry function 'k' uses too much shared data (0x3a980 bytes, 0x38c00 max)"},
    {SHARED("50000"), "k", 75, "--ptxas-options=-O1", 1, STATUS_PRUNED_LIMIT,
     "Entry function 'k' uses too much shared data (0xc350 bytes, 0xc000 max)"},
    {SHARED("240000"), "k", 90, "--ptxas-options=-v", 1, STATUS_COMPILE_ERROR, "NVRTC gives no reason (-v among "},
    {"struct S { char b[40000]; }; extern \"C\" __global__ void k(char *o, S s) { o[0] = s.b[threadIdx.x]; }", "k", 90,
     "", 0, STATUS_PRUNED_LIMIT, "kernels.cu(1): Error: Formal parameter space overflowed (40008 bytes required"},
    {"__constant__ char c[80000]; extern \"C\" __global__ void k(char *o) { o[0] = c[threadIdx.x]; }", "k", 90, "", 0,
     STATUS_PRUNED_LIMIT, "File uses too much global constant data (0x13880 bytes, 0x10000 max)"},
    /* Only the assembler's message counts. */
    {KERNEL "#error \"uses too much shared data\"", "k", 90, "", 0, STATUS_COMPILE_ERROR, "kernels.cu(2): "},
};

static void refusals_have_reasons(void)
{
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const struct refusal *row = &refusals[i];
        struct compile_job job = job_of(row->source, row->name_expression);
        job.cc = row->cc;
        job.options = row->options;
        job.option_count = row->option_count;
        struct compile_result result = compile_one(pool, &job);
        bool good = result.status == row->status && strncmp(result.message, row->message, strlen(row->message)) == 0 &&
                    result.message[0] && !strchr(result.message, '\n') && !result.cubin && result.cubin_bytes == 0;
        if (!good)
            fprintf(stderr, "row %zu: status %d, '%s'\n%s\n", i, result.status, result.message, result.log);
        CU_ASSERT(good);
    }
    compile_pool_close(pool);
}

/* NVRTC lists the expressions in its own order; the message names the one that failed. */
static void the_failing_kernel_is_named(void)
{
    static const struct {
        const char *names;
        size_t count;
        const char *message;
    } rows[] = {
        {"k\0other\0t<1>", 3, "kernel 'other' in kernels.cu: identifier \"other\" is undefined"},
        {"t<N>\0k\0t<1>", 3, "kernel 't<N>' in kernels.cu: identifier \"N\" is undefined"},
        {"k\0a b\0t<1>", 3, "kernel 'a b' in kernels.cu: "},
        {"k\0"
         "f",
         2, "kernel 'f' in kernels.cu: "},
        /* A macro. */
        {"k\0BAD", 2, "kernel 'BAD' in kernels.cu: "},
    };
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct compile_job job = job_of(KERNEL "template <int T> __global__ void t() {}\n__device__ void f() {}\n"
                                               "#define BAD worse\n",
                                        rows[i].names);
        job.name_count = rows[i].count;
        struct compile_result result = compile_one(pool, &job);
        bool good = result.status == STATUS_COMPILE_ERROR && result.name_count == 0 &&
                    strncmp(result.message, rows[i].message, strlen(rows[i].message)) == 0;
        if (!good)
            fprintf(stderr, "row %zu: status %d, '%s'\n%s\n", i, result.status, result.message, result.log);
        CU_ASSERT(good);
    }
    compile_pool_close(pool);
}

static void an_unknown_device_asks_for_a_newer_toolkit(void)
{
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    struct compile_job job = job_of(KERNEL, "k");
    job.cc = 999;
    struct compile_result result = compile_one(pool, &job);
    CU_ASSERT_EQUAL(result.status, STATUS_COMPILE_ERROR);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.message, "does not know sm_999"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.message, "a newer CUDA Toolkit"));
    compile_pool_close(pool);
}

static void the_log_is_whole(void)
{
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    struct text source = {0};
    for (int i = 0; i < 2000; i++)
        text_printf(&source, "#warning \"number %d\"\n", i);
    text_printf(&source, KERNEL);
    struct compile_job job = job_of(text_string(&source), "k");
    struct compile_result result = compile_one(pool, &job);
    CU_ASSERT_EQUAL(result.status, STATUS_OK);
    CU_ASSERT_STRING_EQUAL(result.message, "");
    CU_ASSERT_PTR_NOT_NULL(strstr(result.log, "number 0"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.log, "number 1999"));
    text_free(&source);
    compile_pool_close(pool);
}

/* ---- Options and folders ---- */

static void the_standard_can_be_chosen(void)
{
    static const struct {
        const char *option, *source;
    } rows[] = {
        {"-DNONE", KERNEL "static_assert(__cplusplus == 201703L);"},
        {"-std=c++20", KERNEL "static_assert(__cplusplus == 202002L);"},
        {"--std=c++14", KERNEL "static_assert(__cplusplus == 201402L, \"\");"},
    };
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct compile_job job = job_of(rows[i].source, "k");
        job.options = rows[i].option;
        job.option_count = 1;
        expect_ok(pool, &job);
    }
    compile_pool_close(pool);
}

static void includes_are_found(void)
{
    char folder[] = "/tmp/cutune compile XXXXXX", path[128], header[128];
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/with space.cu", folder);
    snprintf(header, sizeof header, "%s/tile.h", folder);
    FILE *file = fopen(header, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs("#define TILE 32\n", file);
    fclose(file);
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    struct compile_job job = job_of("#include \"tile.h\"\n" KERNEL "static_assert(TILE == 32);", "k");
    job.path = path;
    expect_ok(pool, &job);
    /* An error in the header names the header. */
    file = fopen(header, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs("#define TILE 32\nint bad = ;\n", file);
    fclose(file);
    struct compile_result result = compile_one(pool, &job);
    CU_ASSERT_EQUAL(result.status, STATUS_COMPILE_ERROR);
    CU_ASSERT_EQUAL(strncmp(result.message, header, strlen(header)), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.message, "tile.h(2): error: "));
    compile_pool_close(pool);
    unlink(header);
    rmdir(folder);
}

/* The built-in toolkit is found with any environment. */
static void toolkit_headers_are_found(void)
{
    static const char *const homes[] = {NULL, "", "/nonexistent"};
    const char *now = getenv("CUDA_HOME");
    char *before = now ? strdup(now) : NULL;
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) {
        if (homes[i])
            setenv("CUDA_HOME", homes[i], 1);
        else
            unsetenv("CUDA_HOME");
        struct compile_pool *pool = open_pool(1, 120 * second_ns);
        struct compile_job job = job_of("#include <cuda_pipeline.h>\n#include <cuda/std/array>\n" KERNEL, "k");
        expect_ok(pool, &job);
        compile_pool_close(pool);
    }
    if (before)
        setenv("CUDA_HOME", before, 1);
    else
        unsetenv("CUDA_HOME");
    free(before);
}

/* A warp-group instruction assembles only for sm_90a; the macro distinguishes the feature sets. */
static void a_device_has_its_own_features(void)
{
    static const char group[] = "extern \"C\" __global__ void k() { asm volatile(\"wgmma.fence.sync.aligned;\"); }";
    static const char other[] =
        "#if defined(__CUDA_ARCH_FEAT_SM90_ALL) || defined(__CUDA_ARCH_SPECIFIC__)\n#error own\n"
        "#endif\nextern \"C\" __global__ void k() {}";
    static const struct {
        const char *source;
        int64_t cc;
        enum status status;
    } rows[] = {{group, 90, STATUS_OK}, {group, 80, STATUS_COMPILE_ERROR}, {other, 80, STATUS_OK},
                {other, 89, STATUS_OK}, {other, 90, STATUS_COMPILE_ERROR}, {other, 100, STATUS_COMPILE_ERROR}};
    struct compile_pool *pool = open_pool(1, 120 * second_ns);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct compile_job job = job_of(rows[i].source, "k");
        job.cc = rows[i].cc;
        struct compile_result result = compile_one(pool, &job);
        if (result.status != rows[i].status)
            fprintf(stderr, "row %zu: status %d, '%s'\n", i, result.status, result.message);
        CU_ASSERT_EQUAL(result.status, rows[i].status);
    }
    compile_pool_close(pool);
}

CU_TestInfo tests_nvrtc[] = {{"a device has its own features", a_device_has_its_own_features},
                             {"refusals have reasons", refusals_have_reasons},
                             {"the failing kernel is named", the_failing_kernel_is_named},
                             {"an unknown device asks for a newer toolkit", an_unknown_device_asks_for_a_newer_toolkit},
                             {"the log is whole", the_log_is_whole},
                             {"the standard can be chosen", the_standard_can_be_chosen},
                             {"includes are found", includes_are_found},
                             {"toolkit headers are found", toolkit_headers_are_found},
                             CU_TEST_INFO_NULL};
