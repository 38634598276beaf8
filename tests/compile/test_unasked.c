/* Kernels that nobody asks for: which are found, and that leaving them out changes nothing of the others. */
#include "compile/unasked.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "compile_one.h"

#define K "__global__ void k(float *a) { a[0] = 1; }\n"

/* The names whose kernels become templates, separated by blanks. */
static void expect_names(const char *source, const char *asked, size_t asked_count, const char *options,
                         size_t option_count, const char *expected)
{
    struct text packed = {0}, names = {0};
    const struct compile_job job = {.source = source,
                                    .name_expressions = asked,
                                    .name_count = asked_count,
                                    .options = options,
                                    .option_count = option_count};
    const char *at;
    text_append(&packed, "-DX", 4);
    size_t count = unasked_options(&job, &packed);
    at = packed.bytes + 4;
    for (size_t i = 0; i < count; i++, at += strlen(at) + 1) {
        int length = (int)strcspn(at + 2, "(");
        char option[256];
        snprintf(option, sizeof option,
                 "-D%.*s(...)=cutune_unasked_%.*s(); template <int> __global__ void %.*s(__VA_ARGS__)", length, at + 2,
                 length, at + 2, length, at + 2);
        CU_ASSERT_STRING_EQUAL(at, option);
        text_printf(&names, "%s%.*s", i ? " " : "", length, at + 2);
    }
    CU_ASSERT_PTR_EQUAL(at, packed.bytes + packed.length);
    if (strcmp(text_string(&names), expected) != 0)
        fprintf(stderr, "%s\n  '%s', expected '%s'\n", source, text_string(&names), expected);
    CU_ASSERT_STRING_EQUAL(text_string(&names), expected);
    text_free(&packed);
    text_free(&names);
}

static void kernels_are_found(void)
{
    static const struct {
        const char *source, *names;
    } rows[] = {
        {"", ""},
        {K, ""},
        {K "extern \"C\" __global__ void other(float *a) {}", "other"},
        {K "__global__ void a(int) {} __global__ void b ( int ) {}", "a b"},
        {K "void __global__ a(int) {}\n__global__\nvoid\nb(int)\n{}", "a b"},
        {K "__global__ void __launch_bounds__(N * (2 + 1), 1) a(int) {}", "a"},
        {K "__launch_bounds__(256) __global__ void a(int) {}", "a"},
        {K "__global__ __cluster_dims__(2, 1, 1) void a(int) {} __global__ alignas(8) void b(int) {}", "a b"},
        {K "__global__ void a(int); __global__ void a(int) {}", "a"},
        {K "__global__ /* void x(int) */ void // y(\na(int) {}", "a"},
        {K "namespace n { inline __global__ void a(int) {} }", "a"},
        {K "extern \"C\" __device__ int x; extern int y; __global__ void a(int) {}", "a"},
        {K "__device__ int f(int); // __global__ void a(int)\n/* __global__ void b(int) */", ""},
        {K "const char *s = \"__global__ void a(int)\", c = '\"', d = '\\'', *t = \"\\\"__global__ void b(int)\";", ""},
        {K "int x = 1'000; \n__global__ void a(int) {}", "a"},
        {K "const char *s = \"not ended\n; __global__ void a(int) {}", "a"},
        {K "__global__ void a(int) {} /* not ended", "a"},
        {K "/*/ __global__ void a(int) {} */ __global__ void b(int) {}", "b"},
        {K "const int x = 6 / 2; __global__ void a(int) {}", "a"},
        {K "int *p, y = x *2; __global__ void a(int) {}", "a"},
        {K "__global__ void a", ""},
        {K "__global__ void", ""},
        {K "__global__ void __launch_bounds__(2", ""},
        {K "__global__ (int) {}", ""},
        /* what a template cannot stand for */
        {K "template <int N> __global__ void a(int) {} __global__ void b(int) {}", "b"},
        {K "template <> __global__ void a<3>(int) {}", ""},
        {K "template __global__ void a<3>(int);", ""},
        {K "__global__ void a<3>(int);", ""},
        {K "static __global__ void a(int) {} __global__ static void b(int) {}", "b"},
        {K "extern \"C\" { __global__ void a(int) {} }", ""},
        {K "__global__ void a(int) {} extern \"C\"\n{ }", ""},
        /* names that macros stand for */
        {K "#define A b\n__global__ void A(int) {} __global__ void c(int) {}", "c"},
        {K "#  undef a\n__global__ void a(int) {} __global__ void c(int) {}", "c"},
        {K "#define KERNEL(name) __global__ void name(int)\nKERNEL(a) {} __global__ void c(int) {}", "c"},
        {K "#define BOTH \\\n __global__ void a(int) \n#ifdef c\n#endif\n__global__ void c(int) {}", "c"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_names(rows[i].source, "k", 1, NULL, 0, rows[i].names);
}

static void asked_for(void)
{
    static const char source[] =
        K "namespace n { __global__ void a(int) {} } __global__ void ab(int) {} __global__ void b(int) {}";
    static const struct {
        const char *asked;
        size_t count;
        const char *options;
        size_t option_count;
        const char *names;
    } rows[] = {
        {"k", 1, NULL, 0, "a ab b"},
        {"a", 1, NULL, 0, "k ab b"},
        {"n::a", 1, NULL, 0, "k ab b"},
        {"ab<3>", 1, NULL, 0, "k a b"},
        {"ab <3>", 1, NULL, 0, "k a b"},
        {"(void (*)(int))b", 1, NULL, 0, "k a ab"},
        {"n::a<sizeof(b)>\0k", 2, NULL, 0, "ab b"},
        {"a\0b\0ab\0k", 4, NULL, 0, ""},
        {"k", 1, "-DTILE=3", 1, "a ab b"},
        {"k", 1, "-DTILE=3\0-Dab=x", 2, "a"}, /* the b of ab counts, too */
        {"k", 1, "-Da", 1, "ab b"},
        {"k", 1, "-DX\0-DY\0-Da", 3, "ab b"},
        {"k", 1, "-DKERNEL=ab(3)", 1, "a"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_names(source, rows[i].asked, rows[i].count, rows[i].options, rows[i].option_count, rows[i].names);
}

/* As many as there is room for. */
static void many(void)
{
    struct text source = {0}, options = {0};
    for (int i = 0; i < 70; i++)
        text_printf(&source, "__global__ void k%d(int) {}\n", i);
    const struct compile_job job = {.source = text_string(&source), .name_expressions = "k0", .name_count = 1};
    CU_ASSERT_EQUAL(unasked_options(&job, &options), 64);
    text_free(&source);
    text_free(&options);
}

/* ---- Compilations ---- */

#define HEAD                                                                                                           \
    "__constant__ float table[TILE]; __device__ int kept;\n"                                                           \
    "template <typename T> __device__ T twice(T x) { return x + x; }\n"                                                \
    "static __device__ float sum(const float *a) { float s = 0; for (int i = 0; i < TILE; i++) s += a[i] * "           \
    "table[i];\n"                                                                                                      \
    "  return s; }\n"                                                                                                  \
    "extern \"C\" __global__ void k(float *o, const float *i) { __shared__ float s[TILE]; s[threadIdx.x] = sum(i);\n"  \
    "  __syncthreads(); o[threadIdx.x] = twice(s[TILE - 1 - threadIdx.x]) + __LINE__; }\n"

static const struct {
    const char *rest;
    bool alone; /* the cubin comes to have no other kernel */
} sources[] = {
    {"", true},
    {"extern \"C\" __global__ void other(float *o, const float *i) { o[0] = sum(i) + kept; }\n", true},
    {"__global__ void a(float *o); __global__ void a(float *o) { o[0] = twice(table[1]); }\n"
     "namespace n { __global__ void __launch_bounds__(64) b(const __grid_constant__ int x, float *o) { o[x] = 1; } }\n"
     "template <int N> __global__ void c(float *o) { o[N] = 2; }\n",
     true},
    /* what --minimal leaves out */
    {"__device__ float f(cudaTextureObject_t t) { return tex2D<float>(t, 1.0f, 2.0f); }\n"
     "extern \"C\" __global__ void other(float *o) { o[0] = 1; }\n",
     true},
    /* the name means something else, too: it is compiled */
    {"__device__ float norm(float x) { return x; } __device__ float g(float x) { return norm(x); }\n"
     "__global__ void norm(float *o) { o[0] = g(o[1]); }\n",
     false},
    {"struct s { __device__ int f(int x) { return x; } }; __global__ void f(int *o) { o[0] = s().f(o[1]); }\n", false},
    {"extern \"C\" { __global__ void other(float *o) { o[0] = 1; } }\n", false},
};

/* A section of an ELF file; NULL: there is none. */
static const char *section(const struct compile_result *result, const char *name, size_t *length)
{
    const char *bytes = result->cubin;
    Elf64_Ehdr header;
    Elf64_Shdr names, found;
    memcpy(&header, bytes, sizeof header);
    memcpy(&names, bytes + header.e_shoff + header.e_shstrndx * sizeof names, sizeof names);
    for (size_t i = 0; i < header.e_shnum; i++) {
        memcpy(&found, bytes + header.e_shoff + i * sizeof found, sizeof found);
        if (strcmp(bytes + names.sh_offset + found.sh_name, name) == 0) {
            *length = found.sh_size;
            return bytes + found.sh_offset;
        }
    }
    return NULL;
}

static size_t kernels_of(const struct compile_result *result)
{
    static const char *const names[] = {".text.k",           ".text.other",     ".text._Z1aPf",
                                        ".text._ZN1n1bEiPf", ".text._Z4normPf", ".text._Z1fPi"};
    size_t count = 0, length;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        count += section(result, names[i], &length) != NULL;
    return count;
}

/* What the process learns from failures decides the third time. An option that mentions the minimal options keeps them
 * off. */
static void the_machine_code_is_the_same(void)
{
    struct compile_pool *pool = NULL;
    struct text source = {0}, code = {0};
    CU_ASSERT_EQUAL_FATAL(compile_pool_open(&pool, 1, (int64_t)120 * 1000000000, NULL, NULL), 0);
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        struct kernel_resources resources = {0};
        text_clear(&source);
        text_printf(&source, "%s%s", HEAD, sources[i].rest);
        for (size_t time = 0; time < 4; time++) {
            bool plain = time == 3;
            const struct compile_job job = {.path = "kernels.cu",
                                            .source = text_string(&source),
                                            .name_expressions = "k",
                                            .name_count = 1,
                                            .cc = 90,
                                            .options = "-DTILE=32\0-Dno_minimal",
                                            .option_count = plain ? 2 : 1};
            const struct compile_result result = compile_one(pool, &job);
            size_t length = 0;
            CU_ASSERT_EQUAL_FATAL(result.status, STATUS_OK);
            CU_ASSERT_STRING_EQUAL(result.log, "");
            const char *text = section(&result, ".text.k", &length);
            CU_ASSERT_PTR_NOT_NULL_FATAL(text);
            if (!plain) {
                CU_ASSERT(time < 2 || (kernels_of(&result) == 1) == sources[i].alone);
                text_clear(&code);
                text_append(&code, text, length);
                resources = result.resources[0];
            } else {
                CU_ASSERT_EQUAL(length, code.length);
                CU_ASSERT(memcmp(text, code.bytes, code.length) == 0);
                CU_ASSERT(memcmp(&resources, &result.resources[0], sizeof resources) == 0);
            }
        }
    }
    text_free(&source);
    text_free(&code);
    compile_pool_close(pool);
}

CU_TestInfo tests_unasked[] = {{"kernels are found", kernels_are_found},
                               {"asked for", asked_for},
                               {"many", many},
                               {"the machine code is the same", the_machine_code_is_the_same},
                               CU_TEST_INFO_NULL};
