#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "compile/cubin.h"
#include "compile_one.h"

/* One module whose kernels need different resources. */
static const char source[] =
    "__constant__ float coeff[100];\n"
    "extern \"C\" __global__ void empty() {}\n"
    "extern \"C\" __global__ void plain(float *o) { o[threadIdx.x] = 1; }\n"
    "extern \"C\" __global__ void st(float *o) { __shared__ float s[256]; s[threadIdx.x] = o[threadIdx.x];\n"
    "  __syncthreads(); o[threadIdx.x] = s[255 - threadIdx.x] * coeff[threadIdx.x]; }\n"
    "extern \"C\" __global__ void odd(float *o) { __shared__ char s[17]; s[threadIdx.x] = (char)o[threadIdx.x];\n"
    "  __syncthreads(); o[threadIdx.x] = s[16 - threadIdx.x]; }\n"
    "extern \"C\" __global__ void aligned(float *o) { __shared__ __align__(2048) float s[300];\n"
    "  s[threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = s[255 - threadIdx.x]; }\n"
    "extern \"C\" __global__ void dyn(float *o) { extern __shared__ float d[]; d[threadIdx.x] = o[threadIdx.x];\n"
    "  __syncthreads(); o[threadIdx.x] = d[255 - threadIdx.x]; }\n"
    "extern \"C\" __global__ void both(float *o) { extern __shared__ float d[]; __shared__ char q[1000];\n"
    "  q[threadIdx.x] = (char)o[5]; d[threadIdx.x] = o[threadIdx.x]; __syncthreads();\n"
    "  o[threadIdx.x] = d[255 - threadIdx.x] + q[threadIdx.x ^ 5]; }\n"
    "extern \"C\" __global__ void __launch_bounds__(128, 2) local(float *o, int k) { float a[64];\n"
    "  for (int i = 0; i < 64; i++) a[i] = o[i];\n"
    "  for (int i = 0; i < k; i++) a[(i * k) & 63] += a[i & 63]; o[threadIdx.x] = a[k & 63]; }\n"
    "extern \"C\" __global__ void __launch_bounds__(1024) spill(float *o) { float a[120];\n"
    "#pragma unroll\n"
    "  for (int i = 0; i < 120; i++) a[i] = o[i * 1024 + threadIdx.x]; __syncthreads();\n"
    "#pragma unroll\n"
    "  for (int i = 0; i < 120; i++) o[i * 1024 + threadIdx.x] = a[i] * a[119 - i]; }\n"
    "__device__ __noinline__ float callee(float *o, int k) { float a[32]; for (int i = 0; i < 32; i++) a[i] = o[i + "
    "k];\n"
    "  for (int i = 0; i < k; i++) a[(i * k) & 31] *= 3; return a[k & 31]; }\n"
    "extern \"C\" __global__ void calls(float *o, int k) { o[0] = callee(o, k) + callee(o + 1, k); }\n"
    "#if __CUDA_ARCH__ < 900\n" /* older architectures lack __block_size__, which is equivalent for a single block */
    "extern \"C\" __global__ void __launch_bounds__(256) fixed(float *o) { o[threadIdx.x] = 1; }\n"
    "#else\n"
    "extern \"C\" __global__ void __block_size__((32, 4, 2)) fixed(float *o) { o[threadIdx.x] = 1; }\n"
    "#endif\n"
    "template <int T> __global__ void tile(float *o) { __shared__ float s[T][T + 1];\n"
    "  s[threadIdx.y][threadIdx.x] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = s[threadIdx.x][threadIdx.y]; "
    "}\n";

static const struct {
    const char *name;
    int64_t shared_bytes, max_threads; /* -1: rounded up by the assembler */
} kernels[] = {
    {"empty", 0, 0},      {"plain", 0, 0}, {"st", 1024, 0},   {"odd", -1, 0},
    {"aligned", 1200, 0}, {"dyn", 0, 0},   {"both", -1, 0},   {"local", 0, 128},
    {"spill", 0, 1024},   {"calls", 0, 0}, {"fixed", 0, 256}, {"_Z4tileILi32EEvPf", 4224, 0},
};
static const int64_t architectures[] = {75, 80, 86, 89, 90, 100, 120};

enum { KERNELS = sizeof kernels / sizeof *kernels, ARCHITECTURES = sizeof architectures / sizeof *architectures };

static struct compile_pool *open_pool(void)
{
    struct compile_pool *pool = NULL;
    CU_ASSERT_EQUAL_FATAL(compile_pool_open(&pool, 1, (int64_t)120 * 1000000000, NULL, NULL), 0);
    return pool;
}

static struct compile_job job_for(int64_t cc)
{
    return (struct compile_job){.id = (uint64_t)cc,
                                .path = "kernels.cu",
                                .source = source,
                                .name_expressions =
                                    "tile<32>\0empty\0plain\0st\0odd\0aligned\0dyn\0both\0local\0spill\0"
                                    "calls\0fixed",
                                .name_count = KERNELS,
                                .cc = cc,
                                .options = "--ptxas-options=-v",
                                .option_count = 1};
}

/* The number before `unit` in the assembler's message about a kernel; 0 without one. */
static int64_t said(const char *log, const char *kernel, const char *unit)
{
    char head[128];
    snprintf(head, sizeof head, "Compiling entry function '%s'", kernel);
    const char *start = strstr(log, head);
    CU_ASSERT_PTR_NOT_NULL_FATAL(start);
    const char *stop = strstr(start + 1, "Compiling entry function"), *at = strstr(start, unit);
    if (!at || (stop && at > stop))
        return 0;
    while (at > start && (at[-1] == ' ' || (at[-1] >= '0' && at[-1] <= '9')))
        at--;
    return strtoll(at, NULL, 10);
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void numbers_are_the_assemblers(void)
{
    struct compile_pool *pool = open_pool();
    for (size_t i = 0; i < ARCHITECTURES; i++) {
        struct compile_job job = job_for(architectures[i]);
        struct compile_result result = compile_one(pool, &job);
        CU_ASSERT_EQUAL_FATAL(result.status, STATUS_OK);
        CU_ASSERT_EQUAL(cubin_capability(result.cubin, result.cubin_bytes), architectures[i]);
        int64_t spilled = 0;
        for (size_t j = 0; j < KERNELS; j++) {
            const char *name = kernels[j].name;
            struct kernel_resources found;
            struct error error = {0};
            CU_ASSERT_EQUAL_FATAL(cubin_resources(result.cubin, result.cubin_bytes, name, &found, &error), 0);
            CU_ASSERT_EQUAL(found.registers, said(result.log, name, " registers"));
            CU_ASSERT_EQUAL(found.shared_bytes, said(result.log, name, " bytes smem"));
            CU_ASSERT_EQUAL(found.local_bytes, most(said(result.log, name, " bytes stack frame"),
                                                    said(result.log, name, " bytes cumulative stack size")));
            CU_ASSERT(found.registers > 0);
            CU_ASSERT(kernels[j].shared_bytes < 0 || found.shared_bytes == kernels[j].shared_bytes);
            CU_ASSERT_EQUAL(found.max_threads, kernels[j].max_threads);
            CU_ASSERT_EQUAL(found.constant_bytes, 400);
            if (strcmp(name, "spill") == 0)
                spilled = said(result.log, name, " bytes spill stores");
            if (strcmp(name, "local") == 0)
                CU_ASSERT(found.local_bytes >= 256);
            if (strcmp(name, result.lowered_names) == 0)
                CU_ASSERT_EQUAL(memcmp(&found, result.resources, sizeof found), 0);
        }
        CU_ASSERT(spilled > 0); /* otherwise the row tests nothing */
    }
    compile_pool_close(pool);
}

/* ---- Parameters ---- */

static const char parameters_source[] =
    "struct mixed { char a; double b; float c[3]; }; struct alignas(64) map { char bytes[128]; }; struct none {};\n"
    "struct large { char bytes[20000]; };\n"
    "extern \"C\" __global__ void k(float *o, int n, char c, mixed s, const __grid_constant__ map m, bool b, none e,\n"
    "                             long long l) { if (n == 3) o[0] = m.bytes[n]; }\n"
    "extern \"C\" __global__ void unused(int a, short b) {}\n"
    "extern \"C\" __global__ void empty() {}\n"
    "extern \"C\" __global__ void big(float *o, large b, int z) { o[0] = b.bytes[z]; }\n";

static void parameters_are_the_sources(void)
{
    static const struct {
        const char *kernel;
        size_t count;
        uint32_t bytes[8];
    } rows[] = {
        {"k", 8, {8, 4, 1, 32, 128, 1, 1, 8}}, {"unused", 2, {4, 2}}, {"empty", 0, {0}}, {"big", 3, {8, 20000, 4}}};
    struct compile_pool *pool = open_pool();
    for (size_t i = 0; i < ARCHITECTURES; i++) {
        struct compile_job job = job_for(architectures[i]);
        job.source = parameters_source;
        job.name_expressions = "k\0unused\0empty\0big";
        job.name_count = sizeof rows / sizeof *rows;
        struct compile_result result = compile_one(pool, &job);
        CU_ASSERT_EQUAL_FATAL(result.status, STATUS_OK);
        for (size_t j = 0; j < sizeof rows / sizeof *rows; j++) {
            struct kernel_parameters found;
            CU_ASSERT_EQUAL(cubin_parameters(result.cubin, result.cubin_bytes, rows[j].kernel, &found, NULL), 0);
            CU_ASSERT_EQUAL(found.known, rows[j].count > 0);
            CU_ASSERT_EQUAL(found.count, rows[j].count);
            CU_ASSERT_EQUAL(memcmp(found.bytes, rows[j].bytes, rows[j].count * sizeof *rows[j].bytes), 0);
        }
    }
    compile_pool_close(pool);
}

/* Missing, repeated or unknown records are not taken for parameters. */
static void incomplete_lists_are_unknown(void)
{
    struct compile_pool *pool = open_pool();
    struct compile_job job = job_for(90);
    struct kernel_parameters found;
    job.source = parameters_source;
    job.name_expressions = "unused";
    job.name_count = 1;
    struct compile_result result = compile_one(pool, &job);
    CU_ASSERT_EQUAL_FATAL(result.status, STATUS_OK);
    static const unsigned char second[] = {4, 0x17, 12, 0, 0, 0, 0, 0, 1, 0}; /* up to the ordinal */
    char *cubin = malloc(result.cubin_bytes), *record;
    CU_ASSERT_PTR_NOT_NULL_FATAL(cubin);
    memcpy(cubin, result.cubin, result.cubin_bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(record = memmem(cubin, result.cubin_bytes, second, sizeof second));
    CU_ASSERT(cubin_parameters(cubin, result.cubin_bytes, "unused", &found, NULL) == 0 && found.known);
    record[8] = 0;
    CU_ASSERT(cubin_parameters(cubin, result.cubin_bytes, "unused", &found, NULL) == 0 && !found.known);
    record[8] = (char)200;
    CU_ASSERT(cubin_parameters(cubin, result.cubin_bytes, "unused", &found, NULL) == 0 && !found.known);
    record[8] = 1;
    CU_ASSERT_EQUAL(cubin_parameters(cubin, result.cubin_bytes, "other", &found, NULL), ERROR_DATA);
    CU_ASSERT_EQUAL(cubin_parameters(cubin, 20, "unused", &found, NULL), ERROR_DATA);
    free(cubin);
    compile_pool_close(pool);
}

/* ---- Damage ---- */

/* A cubin in its own allocation, so that reads beyond its end are detected. */
static char *take_cubin(size_t *bytes)
{
    struct compile_pool *pool = open_pool();
    struct compile_job job = job_for(90);
    struct compile_result result = compile_one(pool, &job);
    CU_ASSERT_EQUAL_FATAL(result.status, STATUS_OK);
    char *cubin = malloc(result.cubin_bytes);
    CU_ASSERT_PTR_NOT_NULL_FATAL(cubin);
    *bytes = result.cubin_bytes;
    memcpy(cubin, result.cubin, *bytes);
    compile_pool_close(pool);
    return cubin;
}

static void what_is_no_kernel_is_refused(void)
{
    size_t bytes;
    char *cubin = take_cubin(&bytes);
    static const char *const names[] = {"",    "nothing", "tile",  "callee",    "_Z6calleePfi",
                                        "st ", "s",       "coeff", "reserved.0"};
    struct kernel_resources found;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct error error = {0};
        CU_ASSERT_EQUAL(cubin_resources(cubin, bytes, names[i], &found, &error), ERROR_DATA);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, names[i]));
        CU_ASSERT_EQUAL(found.registers, 0);
    }
    CU_ASSERT_EQUAL(cubin_resources("", 0, "st", &found, NULL), ERROR_DATA);
    CU_ASSERT_EQUAL(cubin_resources("\177ELF", 4, "st", &found, NULL), ERROR_DATA);
    CU_ASSERT_EQUAL(cubin_resources(source, sizeof source, "st", &found, NULL), ERROR_DATA);
    free(cubin);
}

/* Truncated cubins and cubins with wrong bytes, mostly in the header and in the tables at both ends. */
static void damage_is_survived(void)
{
    size_t bytes;
    char *cubin = take_cubin(&bytes);
    struct random random;
    size_t refused = 0, read = 0;
    random_seed(&random, 1);
    for (int i = 0; i < 20000; i++) {
        size_t length = random_below(&random, 4) ? bytes : (size_t)random_below(&random, bytes + 1);
        size_t shift = i % 2; /* also misaligned */
        char *damaged = malloc(length + shift + (length == 0));
        CU_ASSERT_PTR_NOT_NULL_FATAL(damaged);
        char *start = damaged + shift;
        memcpy(start, cubin, length);
        for (uint64_t flips = random_below(&random, 8); length && flips; flips--) {
            uint64_t where = random_below(&random, 3), span = where == 0 ? 64 : where == 1 ? 4096 : length;
            size_t at = (size_t)random_below(&random, span < length ? span : length);
            if (random_below(&random, 2))
                at = length - 1 - at;
            start[at] = (char)(random_below(&random, 2) ? random_u64(&random) : 0xff);
        }
        struct kernel_resources found;
        struct error error = {0};
        int code = cubin_resources(start, length, kernels[i % KERNELS].name, &found, &error);
        if (code)
            refused++;
        else
            read++;
        struct kernel_parameters parameters;
        int listed = cubin_parameters(start, length, kernels[i % KERNELS].name, &parameters, NULL);
        if ((listed != 0 && listed != ERROR_DATA) || (parameters.known && !parameters.bytes[parameters.count - 1]))
            CU_FAIL("parameters of a damaged cubin");
        char names[32];
        cubin_variables(start, length, names, sizeof names);
        if (strlen(names) >= sizeof names)
            CU_FAIL("variables of a damaged cubin");
        if (cubin_variable_bytes(start, length, "coeff") < -1)
            CU_FAIL("a variable of a damaged cubin");
        if ((code != 0 && code != ERROR_DATA) || (code == 0 && (found.registers <= 0 || found.shared_bytes < 0)))
            CU_FAIL("damaged cubin");
        free(damaged);
    }
    CU_ASSERT(refused > 1000 && read > 1000);
    free(cubin);
}

/* The variables that one launch can leave to the next; constants of the compiler and __constant__ variables are not
 * among them. */
static void variables_are_the_sources(void)
{
    static const struct {
        const char *source, *names;
        size_t room, count;
    } rows[] = {
        {"extern \"C\" __global__ void k() {}", "", 96, 0},
        {"__constant__ float c[9]; extern \"C\" __global__ void k(float *o) { o[0] = c[threadIdx.x]; }", "", 96, 0},
        {"__device__ unsigned next_tile; extern \"C\" __global__ void k() { atomicAdd(&next_tile, 1); }", "next_tile",
         96, 1},
        {"__device__ int begun = 1; namespace a { static __device__ int inner[4]; }\n"
         "extern \"C\" __global__ void k(int i) { a::inner[i]++; begun++; }",
         "inner, begun", 96, 2},
        {"template <int N> __device__ int each;\n"
         "extern \"C\" __global__ void k() { static __device__ int calls; each<3>++; calls++; }",
         "each, calls", 96, 2},
        {"__device__ int first, second; extern \"C\" __global__ void k() { first++; second++; }", "first", 10, 2},
    };
    struct compile_pool *pool = open_pool();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct compile_job job = job_for(90);
        job.source = rows[i].source;
        job.name_expressions = "k";
        job.name_count = 1;
        struct compile_result result = compile_one(pool, &job);
        char names[96];
        CU_ASSERT_EQUAL_FATAL(result.status, STATUS_OK);
        CU_ASSERT_EQUAL(cubin_variables(result.cubin, result.cubin_bytes, names, rows[i].room), rows[i].count);
        CU_ASSERT_STRING_EQUAL(names, rows[i].names);
        if (strcmp(names, rows[i].names) != 0)
            fprintf(stderr, "'%s'\n", names);
        CU_ASSERT_EQUAL(cubin_variables(result.cubin, result.cubin_bytes / 2, names, sizeof names), 0);
    }
    compile_pool_close(pool);
}

/* Sizes by the name in the machine code: of initialised, static, constant and managed variables, and in namespaces. */
static void variables_have_sizes(void)
{
    static const char text[] =
        "__device__ int zero[3]; __device__ double begun = 1; static __constant__ float table[5]; __managed__ char "
        "c[7];\n"
        "struct data { char a; double b; }; namespace n { __device__ data inner; } namespace { __device__ short "
        "hidden; }\n"
        "extern \"C\" __global__ void k(int i) { zero[i]++; begun += table[i] + c[i]; n::inner.a = i; hidden++; }";
    static const struct {
        const char *name;
        int64_t bytes;
    } rows[] = {{"zero", 12},     {"begun", 8},  {"table", 20}, {"c", 7},
                {"n::inner", 16}, {"hidden", 2}, {"none", -1},  {"k", -1 /* a kernel */},
                {"inner", -1},    {"", -1}};
    struct compile_pool *pool = open_pool();
    struct compile_job job = job_for(90);
    job.source = text;
    job.name_expressions = "k";
    job.name_count = 1;
    struct compile_result result = compile_one(pool, &job);
    CU_ASSERT_EQUAL_FATAL(result.status, STATUS_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CU_ASSERT_EQUAL(cubin_variable_bytes(result.cubin, result.cubin_bytes, rows[i].name), rows[i].bytes);
        CU_ASSERT_EQUAL(cubin_variable_bytes(result.cubin, result.cubin_bytes / 2, rows[i].name), -1);
    }
    compile_pool_close(pool);
}

CU_TestInfo tests_cubin[] = {
    {"variables have sizes", variables_have_sizes},
    {"variables are the source's", variables_are_the_sources},
    {"numbers are the assembler's, on every architecture", numbers_are_the_assemblers},
    {"parameters are the source's, on every architecture", parameters_are_the_sources},
    {"incomplete lists are unknown", incomplete_lists_are_unknown},
    {"other symbols than kernels are refused", what_is_no_kernel_is_refused},
    {"damage is survived", damage_is_survived},
    CU_TEST_INFO_NULL,
};
