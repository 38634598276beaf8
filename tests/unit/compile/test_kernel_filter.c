/* Kernels that a job does not request: the ones found, and the unchanged machine code of the others. */
#include "compile/kernel_filter.h"

#include "../base/root.h"
#include "../unit.h"
#include "cache_scratch.h"
#include "pool_kit.h"
#include "section.h"

#define K "__global__ void k(float *p) { p[0] = 1; }\n"

/* A source that may include `included`; NULL: nothing. */
struct question {
    const char *source, *included, *asked;
    size_t asked_count;
    const char *options;
    size_t option_count;
};

/* Checks the names whose kernels become functions, in the order of their definitions, separated by blanks. The rest
 * of the source stays unchanged. */
static void expect_names(const struct question *question, const char *expected)
{
    static const char begin[] = "cutune_left_out_", middle[] = " static __device__ __attribute__((unused)) void ";
    struct text alone = {0}, names = {0}, rest = {0};
    const struct compile_job job = {.source = question->source,
                                    .name_expressions = question->asked,
                                    .name_count = question->asked_count,
                                    .options = question->options,
                                    .option_count = question->option_count};
    size_t count = kernel_filter_source(&job, question->included, question->included != NULL, &alone), found = 0;
    const char *at = text_string(&alone), *insertion;
    for (; (insertion = strstr(at, begin)); at = strstr(insertion, middle) + strlen(middle)) {
        const char *name = strstr(insertion, middle) + strlen(middle), *stub = insertion + strlen(begin);
        stub += strspn(stub, "0123456789");
        bool empty = strncmp(stub, "() {} ", 6) == 0, defined = name[strcspn(name, ";{")] == '{';
        CU_ASSERT_FATAL(stub + (empty ? 5 : 3) == name - strlen(middle));
        CU_ASSERT(!empty || defined);
        text_append(&rest, at, (size_t)(insertion - at));
        if (defined)
            text_printf(&names, "%s%.*s", found++ ? " " : "", (int)strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789"),
                        name);
    }
    text_printf(&rest, "%s", at);
    if (strcmp(text_string(&names), expected) != 0)
        fprintf(stderr, "%s\n  '%s', expected '%s'\n", question->source, text_string(&names), expected);
    CU_ASSERT_STRING_EQUAL(text_string(&names), expected);
    CU_ASSERT_EQUAL(found > 0, count > 0);
    CU_ASSERT_STRING_EQUAL(text_string(&rest), count ? question->source : "");
    text_free(&alone);
    text_free(&names);
    text_free(&rest);
}

/* An empty kernel keeps the order of the requested ones. */
static void empty_kernels(void)
{
#define FIVE                                                                                                           \
    "__global__ void a(int) {}\n__global__ void k(int) {}\n__global__ void b(int) {}\n__global__ void l(int) {}\n"     \
    "__global__ void c(int) {}\n"
#define CALLED "__device__ int f() { return 1; }\n"
    static const struct {
        const char *source, *asked, *kept, *dropped;
    } rows[] = {
        {FIVE CALLED, "k", "0", "123"},
        {FIVE CALLED, "l", "012", "3"},
        {CALLED FIVE, "c", "0123", ""},
        {FIVE CALLED, "a", "", "0123"},
        /* functions that kernels may call */
        {FIVE, "c", "", "0123"},
        {"enum { E = 3 };\n" FIVE, "c", "", "0123"},
        {"enum class E : int { F };\n" FIVE, "c", "0123", ""},
        {"struct S { int f() { return 1; } };\n" FIVE, "c", "0123", ""},
        {"#include <f.h>\n" FIVE, "c", "0123", ""},
        {"#define INCLUDE 1\n" FIVE, "c", "", "0123"},
        {FIVE "__global__ void m(int) { auto f = [](int x) { return x; }; f(1); }\n", "m", "0123", ""},
        {FIVE "__global__ void m(int) { auto f = [] { return 1; }; f(); }\n", "m", "0123", ""},
        {FIVE "__global__ void m(int) { struct { int operator()() { return 1; } } f; f(); }\n", "m", "0123", ""},
        {FIVE "template <int N> __global__ void m(int) { int s[3]; s[1] = 3; }\n", "m<3>", "", "0123"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text alone = {0};
        const struct compile_job job = {.source = rows[i].source, .name_expressions = rows[i].asked, .name_count = 1};
        CU_ASSERT(kernel_filter_source(&job, NULL, 0, &alone) >= 4);
        for (const char *number = rows[i].kept; *number; number++) {
            char stub[] = "cutune_left_out_0() {} static";
            stub[sizeof "cutune_left_out_" - 1] = *number;
            CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&alone), stub));
        }
        for (const char *number = rows[i].dropped; *number; number++) {
            char stub[] = "cutune_left_out_0(); static";
            stub[sizeof "cutune_left_out_" - 1] = *number;
            CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&alone), stub));
        }
        text_free(&alone);
    }
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
        /* properties that a function cannot have */
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
        {K "#define BOTH \\\n __global__ void a(int) \n#ifdef c\n#endif\n__global__ void c(int) {} __global__ void "
           "d(int) {}",
         "d"},
        /* names that are mentioned elsewhere */
        {K "#if !defined(a)\n#endif\n__global__ void a(int) {} __global__ void b(int) {}", "b"},
        {K "#  if X \\\n || a\n#endif\n__global__ void a(int) {} __global__ void b(int) {}", "b"},
        {K "#pragma push_macro(\"a\")\n__global__ void a(int) {}", "a"},
        {K "__global__ void a(int) {} struct a {}; __global__ void b(int) {}", "b"},
        {K "__global__ void a(int) {} __device__ void f(float a) {} __global__ void b(int) {}", "b"},
        {K "__global__ void a(int n) { if (n) a<<<1, 1>>>(n - 1); } __global__ void b(int) {}", "b"},
        {K "__global__ void a(int) { int b; } __global__ void b(int) {} __global__ void c(int) {}", "c"},
        {K "namespace n { __global__ void a(int) {} }\nusing n::a; __global__ void b(int) {}", "b"},
        {K "__global__ void a(int), b(int); __global__ void a(int) {} __global__ void c(int) {}", "c"},
        {K "__global__ void a(int) = delete; __global__ void b(int) {}", "b"},
        {K "__global__ void a(int); __global__ void b(int) {}", "b"},
        {K "MACRO(__global__ void a(int) {}) __global__ void b(int) {}", ""},
        {K "__global__ void a(int) {} __global__ void a(float) {}", "a a"},
        /* names that other code may use, too */
        {K "__device__ int f(int x) { return x; } __global__ void a(int n) { f(n); } __global__ void b(int n) {}", "b"},
        {K "__device__ int f(int x) { return x; } __global__ void a(int x) { int y = x; }", "a"},
        {K "__device__ float t[4], u; __global__ void a(float *x) { *x = u; } __global__ void b(float *x) {}", "b"},
        {K "struct s { int x; }; __global__ void a(s *x) {} __global__ void b(float4 *x, size_t n) {}", "b"},
        {K "enum e { one, two }; __global__ void a(int *x) { *x = two; } __global__ void b(int x[one]) {}", "a b"},
        {K "namespace n { int f(); namespace m { int g(); } } __global__ void a(int) { f(); } __global__ void b(int) { "
           "g(); }",
         ""},
        {K "using t = int; typedef float u; __global__ void a(t) {} __global__ void b(u) {} __global__ void c(int) {}",
         "c"},
        {K "template <class T> T f(T x); __global__ void a(int x) { f(x); } __global__ void b(int) {}", "b"},
        {K "float4 operator+(float4, float4); __global__ void a(float4 *x) { x[0] = x[1] + x[2]; }", ""},
        {K "int x = (3 + f({1})); __global__ void a(int) {}", ""},
        {K "int x[] = {1, 2}; __global__ void a(int) { x; } __global__ void b(int) {}", "b"},
        {K "using namespace n; __global__ void a(int) {}", ""},
        {K "__global__ void a(float *o) { *o = std::sqrt(*o); } __global__ void b(int x) { x ? 1 : 2; }", "b"},
        {K "__global__ void a(int) { printf(\"\"); } __global__ void b(char *x) { *x = '\"'; } __global__ void c(int) "
           "{ f(__func__); }",
         "b"},
        {K "__global__ void a(int) { assert(1); } __global__ void b(int) { using c = d; } __global__ void c(int) {}",
         ""},
        {K
         "__global__ void a(int)\n{\n#include \"x.h\"\n}\n__global__ void b(int)\n{\n#pragma unroll\n#if X\n#endif\n}",
         "b"},
        {K "typedef int t; __global__ void a(t x); __global__ void a(int x) {} __global__ void b(int) {}", "b"},
        {K "typedef int t; __global__ void a(int x); __global__ void a(t x) {} __global__ void b(int) {}", "b"},
        {K "__global__ void a(int);", ""},
        {K "__global__ void a(int) = delete; __global__ void a(int *) {} __global__ void b(int) {}", "b"},
        {K "__global__ void a(int)\n{\n#embed \"x\"\n}\n__global__ void b(int) {}", "b"},
        {K "int x[3]; __global__ void a(int *y) { y[3] = 0; }", "a"},
        {K "#define N 4\nint x[N]; __global__ void a(int *y) { y[N] = 0; }", "a"},
        {K "#define N f\nint N(int); __global__ void a(int y) { f(y); } __global__ void b(int) {}", "b"},
        /* by macros */
        {K "int f();\n#define F f\n#define G(x) (F() + x)\n__global__ void a(int) { G(1); } __global__ void b(int) {}",
         "b"},
        {K "int f();\n#define N 32\n#define M(x) (N + x)\n__global__ void a(int x) { M(x); }", "a"},
        {K "#define S(x) #x\n__global__ void a(int x) { S(x); } __global__ void b(int) {}", "b"},
        {K "#define P(x) x##1\n__global__ void a(int) { P(f); } __global__ void b(int) {}", "b"},
        {K "#define D(n) int n() {\\\n}\nD(f) __global__ void a(int) {}", ""},
        {K "#define C(x, y) x##y\n#define D(n) int C(n, _one)();\nD(f) __global__ void a(int) {}", ""},
        {K "#define D(n) int n() { }\n__device__ int g() { D(f) } __global__ void a(int) {}", "a"},
        {K "#define D(m) int m();\nD(f) __global__ void a(int) {} __global__ void b(int) { f(); } __global__ void "
           "c(int m) {}",
         "a"},
        /* unreadable code */
        {K "__device__ void f() {\n#if X\n{\n#else\n#endif\n} __global__ void a(int) {}", ""},
        {K "} __global__ void a(int) {}", ""},
        {K "} namespace n { __global__ void a(int) {}", ""},
        {K "__global__ void a(int) {} int f(;", ""},
        {K "namespace n { __global__ void a(int) {}", ""},
        {K "int f(; __global__ void a(int) {}", ""},
        {K ") ( __global__ void a(int) {}", ""},
        {K "__global__ void a(int) {", ""},
        {K "__global__ void a(int {}", ""},
        {K "const char *s = R\"(\n__global__ void a(int) {}\n)\"; __global__ void b(int) {}", ""},
        {K "const char *s = LR\"()\"; __global__ void b(int) {}", ""},
        {K "int ab\\\nc; __global__ void a(int) {}", ""},
        {K "int x = 1'0 + 0xf'f; __global__ void a(int) {}", "a"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_names(&(struct question){.source = rows[i].source, .asked = "k", .asked_count = 1}, rows[i].names);
}

/* Included files count like the source, but their kernels are compiled. */
static void included_files(void)
{
    static const char source[] = K "__global__ void a(int x) { f(x); } __global__ void b(int) {}";
    static const struct {
        const char *included, *names;
    } rows[] = {
        {"", "a b"},
        {"#ifndef a\n#endif\n", "b"},
        {"// a\n", "a b"},
        {"extern \"C\" { __global__ void b(int); }", "a"},
        {"extern \"C\" { int f(int); }", "b"},
        {"__device__ int f(int);", "b"},
        {"int g();\n#define f(x) g() + x\n", "b"},
        {"__global__ void c(int) {}", "a b"},
        {"namespace n {", ""},
        {"using namespace n;", ""},
        {"struct s { s operator+(s); };", "a b"},
        {"s operator+(s, s);", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_names(&(struct question){.source = source, .included = rows[i].included, .asked = "k", .asked_count = 1},
                     rows[i].names);
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
        {"k", 1, "-D", 1, ""},
        {"k", 1, "--define-macro", 1, ""},
        {"k", 1, "-DTYPE=f", 1, "a ab b"},
        {"k", 1, "-Dfloat=std::vector", 1, "a ab b"},
        {"k", 1, "-Dint=std::vector", 1, ""},
        {"k", 1, "--define-macro=int=\"x\"", 1, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_names(
            &(struct question){source, NULL, rows[i].asked, rows[i].count, rows[i].options, rows[i].option_count},
            rows[i].names);
}

/* As many kernels as fit. */
static void many(void)
{
    struct text source = {0}, alone = {0};
    for (int i = 0; i < 70; i++)
        text_printf(&source, "__global__ void k%d(int) {}\n", i);
    const struct compile_job job = {.source = text_string(&source), .name_expressions = "k0", .name_count = 1};
    CU_ASSERT_EQUAL(kernel_filter_source(&job, NULL, 0, &alone), 64);
    text_free(&source);
    text_free(&alone);
}

/* ---- Compilations ---- */

#define HEAD                                                                                                           \
    "__constant__ float table[TILE]; __device__ int kept;\n"                                                           \
    "static __device__ float sum(const float *a) { float s = 0; for (int i = 0; i < TILE; i++) s += a[i] * "           \
    "table[i];\n"                                                                                                      \
    "  return s; }\n"

#define BODY                                                                                                           \
    "#ifndef STEP\n#define STEP 1\n#endif\n"                                                                           \
    "extern \"C\" __global__ void k(float *o, const float *i) { __shared__ float s[TILE]; s[threadIdx.x] = sum(i);\n"  \
    "  __syncthreads(); o[threadIdx.x] = s[TILE - 1 - threadIdx.x] + __LINE__ + STEP; }\n"

#define OTHER(body) "extern \"C\" __global__ void other(float *o, const float *i) { " body " }\n"
#define TEXTS       "#define TEXT(x) #x\n#define TEXT_OF(x) TEXT(x)\n#define PASTE(a, b) a##b\n"

/* The text before and behind kernel k, which uses STEP. */
static const struct {
    const char *before, *behind;
    bool alone;           /* the cubin has no other kernel */
    const char *included; /* the text of names.h */
} sources[] = {
    {"", "", false, NULL},
    {OTHER("o[0] = i[1];"), "", true, NULL},
    {OTHER("o[0] = i[1];"), "__global__ void last(float *o) { o[0] = 2; }\n", true, NULL},
    {"", OTHER("o[0] = sqrtf(i[1]) + TILE;"), true, NULL},
    {"", OTHER("o[0] = sum(i);"), false, NULL},
    {"", OTHER("o[0] = kept;"), false, NULL},
    {"__global__ void first(float *o); namespace n { __global__ void __launch_bounds__(64) b(float *o) { o[TILE] = 1; "
     "} }\n"
     "__global__ void first(float *o) { o[0] = 2; }\n",
     "template <int N> __global__ void c(float *o) { o[N] = 2; }\n", true, NULL},
    {"__global__ void v(float *o) { o[1] = 2; } __global__ void v(int *o) { o[0] = 2; }\n", "", true, NULL},
    /* the order of shared variables, instances and strings */
    {OTHER("__shared__ float s[TILE]; s[threadIdx.x] = i[1]; __syncthreads(); o[0] = s[3];"), "", true, NULL},
    {"template <class T> __device__ T turn(T x) { __shared__ T s[TILE]; s[threadIdx.x] = x; __syncthreads();\n"
     "  return s[TILE - 1 - threadIdx.x]; }\n" OTHER(
         "o[0] = turn(o[1]) + turn((int)o[2]);") "#define STEP turn(i[3]) + turn((double)i[4])\n",
     "", false, NULL},
    {OTHER("printf(\"one\"); printf(\"two\");") "#define STEP printf(\"three\")\n", "", false, NULL},
    {OTHER("o[1] = sin((double)i[0]) + pow((double)i[2], 3.1);") "#define STEP cos((double)i[1]) + pow((double)i[2], "
                                                                 "1.3)\n",
     "", true, NULL},
    /* names that other code asks for */
    {"#include \"names.h\"\n", OTHER("o[0] = 1;"), false,
     "#ifndef other\n#define STEP 5\n#else\n#define STEP i[7]\n#endif\n"},
    {"#include \"names.h\"\n", OTHER("o[0] = 1;"), true, "#ifndef another\n#define STEP 5\n#endif\n"},
    {"#if defined(other)\n#define STEP i[5] * i[6]\n#endif\n", OTHER("o[0] = 1;"), false, NULL},
    {TEXTS "#define STEP sizeof TEXT_OF(other(3))\n", OTHER("o[0] = 1;"), false, NULL},
    {TEXTS "#define STEP sizeof TEXT_OF(PASTE(oth, er)(3))\n", OTHER("o[0] = 1;"), true, NULL},
    {"#define STEP __LINE__\n" OTHER("o[0] = __LINE__;"), "", true, NULL},
    {OTHER("o[0] = 1;") "template <class T, class = decltype(T(other))> __device__ constexpr int f(int) { return 1; }\n"
                        "template <class T> __device__ constexpr int f(long) { return 2; }\n"
                        "#define STEP f<void (*)(float *, const float *)>(0)\n",
     "", false, NULL},
    {"namespace n { __global__ void other(float *o) { o[0] = 1; } }\nusing n::other;\n", "", false, NULL},
    {OTHER("o[0] = 1;") "__device__ float other(double x) { return x + 1; }\n#define STEP other(i[3])\n", "", false,
     NULL},
    {"struct other { int x; };\n#define STEP sizeof(struct other)\n", OTHER("o[0] = 1;"), false, NULL},
    {"#define DEFINE(n) __device__ float n(float x) { __shared__ float s[TILE]; s[threadIdx.x] = x; "
     "__syncthreads();\\\n"
     "  return s[3]; }\nDEFINE(f) DEFINE(g)\n" OTHER("o[0] = f(o[1]) + g(o[2]);") "#define STEP g(i[1]) + f(i[2])\n",
     "", false, NULL},
    {"__device__ const char *text() { return R\"(\n" OTHER("o[0] = 1;") ")\"; }\n#define STEP text()[threadIdx.x]\n",
     "", false, NULL},
    {"#if 0\n" OTHER("o[0] = 1;") "#else\n" OTHER("o[0] = 2;") "#endif\n", "", true, NULL},
    {"extern \"C\" { __global__ void other(float *o) { o[0] = 1; } }\n", "", false, NULL},
    /* features that --minimal omits */
    {"__device__ float f(cudaTextureObject_t t) { return tex2D<float>(t, 1.0f, 2.0f); }\n", OTHER("o[0] = 1;"), true,
     NULL},
    {"#ifdef cudaHostAllocDefault\n#define STEP i[9]\n#endif\n", "", false, NULL},
    {"#include \"names.h\"\n", "", false, "#ifdef __CUDACC_RTC_MINIMAL__\n#define STEP i[9]\n#endif\n"},
    {"template <class T> __device__ constexpr int f(T, ...) { return 3; }\n"
     "template <class T> __device__ constexpr auto f(T x, int) -> decltype(tex1Dfetch<float>(x, 3), int()) { return 4; "
     "}\n"
     "#define STEP f(1ull, 2)\n",
     "", false, NULL},
    /* the log shows the unchanged line */
    {"__global__ void other(float *o) { int unused; o[0] = 1; }\n#warning \"a word\"\n", "", false, NULL},
};

/* True if the cubin has kernels besides k and the empty ones. */
static bool has_others(const struct compile_result *result)
{
    static const char *const names[] = {".text.other", ".text._Z5first", ".text._Z1v", ".text._ZN1n1b",
                                        ".text._Z4last"};
    bool has = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        has = has || has_section(result, names[i]);
    return has;
}

struct answered {
    struct text code, log;
    struct kernel_resources resources;
    bool others;
};

static void ask(struct compile_pool *pool, const char *source, bool plain, struct answered *answered)
{
    const struct compile_job job = {.path = "kernels.cu",
                                    .source = source,
                                    .name_expressions = "k",
                                    .name_count = 1,
                                    .cc = 90,
                                    .options = "-DTILE=32\0-Dno_minimal",
                                    .option_count = plain ? 2 : 1};
    const struct compile_result result = compile_one(pool, &job);
    size_t length = 0;
    if (result.status != STATUS_OK)
        fprintf(stderr, "%s\n%s\n", source, result.log);
    CU_ASSERT_EQUAL_FATAL(result.status, STATUS_OK);
    const char *text = section(&result, ".text.k", &length);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    text_clear(&answered->code);
    text_clear(&answered->log);
    text_append(&answered->code, text, length);
    text_printf(&answered->log, "%s", result.log);
    answered->resources = result.resources[0];
    answered->others = has_others(&result);
}

/* Failures decide the options of the third compilation. An option that mentions the minimal options disables them. */
static void the_machine_code_is_the_same(void)
{
    struct text source = {0};
    struct answered quick = {0}, plain = {0};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        const char *names = sources[i].included ? sources[i].included : "";
        root_enter(NULL, 0);
        write_bytes("names.h", names, strlen(names));
        struct compile_pool *pool = open_pool(1, 120 * second_ns);
        text_clear(&source);
        text_printf(&source, "%s%s%s%s", HEAD, sources[i].before, BODY, sources[i].behind);
        ask(pool, text_string(&source), true, &plain);
        for (size_t time = 0; time < 3; time++) {
            ask(pool, text_string(&source), false, &quick);
            bool same = quick.code.length == plain.code.length &&
                        memcmp(quick.code.bytes, plain.code.bytes, plain.code.length) == 0 &&
                        memcmp(&quick.resources, &plain.resources, sizeof plain.resources) == 0;
            bool alone = plain.others && !quick.others;
            if (!same || (time == 2 && alone != sources[i].alone))
                fprintf(stderr, "source %zu, time %zu: %s, %s\n%s%s\n", i, time, same ? "same" : "other machine code",
                        alone ? "alone" : "with the others", sources[i].before, sources[i].behind);
            CU_ASSERT(same);
            CU_ASSERT_STRING_EQUAL(text_string(&quick.log), text_string(&plain.log));
            CU_ASSERT(time < 2 || alone == sources[i].alone);
        }
        compile_pool_close(pool);
        root_leave();
    }
    text_free(&source);
    text_free(&quick.code);
    text_free(&quick.log);
    text_free(&plain.code);
    text_free(&plain.log);
}

CU_TestInfo tests_kernel_filter[] = {{"kernels are found", kernels_are_found},
                                     {"empty kernels", empty_kernels},
                                     {"included files", included_files},
                                     {"requested kernels", asked_for},
                                     {"many", many},
                                     {BY_COMPILERS "the machine code is the same", the_machine_code_is_the_same},
                                     CU_TEST_INFO_NULL};
