/* Kernels in texts: their names, parameters and uses. */
#include "base/text.h"
#include "scanned.h"

static void put_parameters(struct text *out, const struct scan_parameter *parameters, size_t count)
{
    for (size_t i = 0; i < count; i++)
        text_printf(out, "%s%s|%s%s%s", i ? ", " : "", parameters[i].type, parameters[i].name,
                    *parameters[i].value ? "=" : "", parameters[i].value);
}

/* Each kernel as "name<template>(parameters)", with [bounds] and ; for a declaration. */
static void kernels(void)
{
    static const struct {
        const char *text, *wanted, *expected;
    } rows[] = {
        {"__global__ void k(float *a, int n) {}", NULL, "k(float *|a, int|n)"},
        {"extern \"C\" __global__ void k() { }", NULL, "k()"},
        {"extern \"C\" { __global__ void k(void) {} }", NULL, "k()"},
        {"static __global__ void __launch_bounds__(256, 2) k(const float *__restrict__ a) {}", NULL,
         "k(const float *__restrict__|a)[256]"},
        {"__global__ __launch_bounds__(X * Y) void k(float a[4], float (&b)[2]) {}", NULL,
         "k(float|a, float (&|b)[X * Y]"},
        {"__global__ void k(float *, int = 3, unsigned, S, n::S, std::pair<int, int> p) {}", NULL,
         "k(float *|, int|=3, unsigned|, S|, n::S|, std::pair<int, int>|p)"},
        {"namespace a { namespace b { __global__ void k(int x) {} } inline namespace c { __global__ void l(int x) {} } "
         "}",
         NULL, "a::b::k(int|x) a::c::l(int|x)"},
        {"namespace { __global__ void k(int x) {} }", NULL, "k(int|x)"},
        {"template <int N, class T = float, bool B = (3 > 2)> __global__ void k(T *a) {}", NULL,
         "k<int|N, class|T=float, bool|B=(3 > 2)>(T *|a)"},
        {"template <typename T> __global__ void k(T *a) {} template __global__ void k<float>(float *a); template <> "
         "__global__ void k<int>(int *a) {}",
         NULL, "k<typename|T>(T *|a)"},
        {"__global__ void k(int x); __global__ void k(int y) {} __global__ void k(long z) {}", NULL,
         "k(int|y) k(long|z)"},
        {"__global__ void k(int x);", NULL, "k(int|x);"},
        {"struct S { int a; }; void host() { k<<<1, 2>>>(3); } __global__ void k(S s) { { } }", NULL, "k(S|s)"},
        {"// __global__ void a() {}\n/* __global__ void b() {} */ const char *s = \"__global__ void c() {}\";", NULL,
         ""},
        {"#define G __global__ void\nG k(int a) {}", NULL, ""},
        {"#define G __global__ void\nG k(int a) { k(3); }", "k", "k(int|a)"},
        {"__global__", NULL, ""},
        {"__global__ void k(", NULL, ""},
        {"__global__ void k(int a", NULL, ""},
        {"template <__global__ void k(int a) {", NULL, "k<__global__ void|k>(int|a)"},
        {"}}} __global__ void k(int a) {}", NULL, "k(int|a)"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct scanned scanned;
        struct text text = {0};
        scan_it(&scanned, rows[i].text, rows[i].wanted);
        for (size_t k = 0; k < scanned.kernels.count; k++) {
            const struct scan_kernel *kernel = &scanned.kernels.items[k];
            text_printf(&text, "%s%s", k ? " " : "", kernel->name);
            text_printf(&text, kernel->template_count ? "<" : "");
            put_parameters(&text, kernel->templates, kernel->template_count);
            text_printf(&text, kernel->template_count ? ">(" : "(");
            put_parameters(&text, kernel->parameters, kernel->parameter_count);
            text_printf(&text, ")");
            if (*kernel->launch_bounds)
                text_printf(&text, "[%s]", kernel->launch_bounds);
            if (kernel->body.begin == kernel->body.end)
                text_printf(&text, ";");
        }
        expect_text(rows[i].text, text_string(&text), rows[i].expected);
        text_free(&text);
        arena_free(&scanned.arena);
    }
}

static void uses(void)
{
    static const struct {
        const char *text;
        unsigned threads, blocks, sizes;
        bool grid_sync, cluster;
        const char *shared;
    } rows[] = {
        {"__global__ void k() { int i = threadIdx.x + blockIdx.y * blockDim.z; }", 1, 2, 4, false, false, ""},
        {"__global__ void k() { use(threadIdx); }", 7, 0, 0, false, false, ""},
        {"__device__ int at() { return threadIdx.y; } __global__ void k() {}", 2, 0, 0, false, false, ""},
        {"__global__ void other() { threadIdx.y; } __global__ void k() { threadIdx.x; }", 1, 0, 0, false, false, ""},
        {"__global__ void k() { extern __shared__ __align__(16) float tile[]; }", 0, 0, 0, false, false, "tile"},
        {"__global__ void k() { __shared__ float tile[4]; extern int x; }", 0, 0, 0, false, false, ""},
        {"extern __shared__ int words[]; __global__ void k() { cg::this_grid().sync(); }", 0, 0, 0, true, false,
         "words"},
        {"__global__ void k() { auto c = cg::this_cluster(); }", 0, 0, 0, false, true, ""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct scanned scanned;
        struct scan_uses found;
        struct error error = {0};
        scan_it(&scanned, rows[i].text, NULL);
        CU_ASSERT_EQUAL(scan_uses(&scanned.scan, &scanned.arena, &scanned.kernels, "k", &found, &error), 0);
        CU_ASSERT_EQUAL(found.threads, rows[i].threads);
        CU_ASSERT_EQUAL(found.blocks, rows[i].blocks);
        CU_ASSERT_EQUAL(found.sizes, rows[i].sizes);
        CU_ASSERT_EQUAL(found.grid_sync, rows[i].grid_sync);
        CU_ASSERT_EQUAL(found.cluster, rows[i].cluster);
        expect_text(rows[i].text, found.dynamic_shared, rows[i].shared);
        arena_free(&scanned.arena);
    }
}

CU_TestInfo tests_scan[] = {{"kernels of a text", kernels}, {"uses of a kernel", uses}, CU_TEST_INFO_NULL};
