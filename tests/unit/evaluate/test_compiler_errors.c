/* Errors in a compiler's log, and the advice on them. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "evaluate/compiler_errors.h"

static void errors_are_read(void)
{
    static const struct {
        const char *log;
        size_t count;
        struct compiler_error last;
    } rows[] = {
        {"", 0, {"", 0, "", "", 0}},
        {"k.cu(2): error: expected an identifier\n    int TILE = 4;\n        ^\n",
         1,
         {"k.cu", 2, "expected an identifier", "  int TILE = 4;", 7}},
        {"k.cu(2): error: one\n  a\n  ^\n\nt.h(31): catastrophic error: two\n", 2, {"t.h", 31, "two", "", 0}},
        {"k.cu(2): warning: error: one\n", 0, {"", 0, "", "", 0}},
        {"k (1).cu(2): error: x\n", 1, {"k (1).cu", 2, "x", "", 0}},
        {"ptxas error   : Unresolved\n", 0, {"", 0, "", "", 0}},
        {"k.cu(): error: x\n(3): error: x\n3): error: x\nk.cu(3): error: \n", 0, {"", 0, "", "", 0}},
        {"  k.cu(3): error: quoted\n", 0, {"", 0, "", "", 0}},
        {"k.cu(3): error: x\n  y\n", 1, {"k.cu", 3, "x", "y", 0}},
        {"k.cu(3): error: x\n  y\n ^\n", 1, {"k.cu", 3, "x", "y", 0}},
        {"k.cu(99999999999999999999): error: x\n", 1, {"k.cu", INT_MAX, "x", "", 0}},
        {"k.cu(3): error: x", 1, {"k.cu", 3, "x", "", 0}},
        {"k.cu(3): error: x\ty\n", 1, {"k.cu", 3, "x y", "", 0}},
        /* of a host compiler */
        {"k.cu:1:10: fatal error: a.h: No such file or directory\n    1 | #include \"a.h\"\n      |          ^~~~~\n",
         1,
         {"k.cu", 1, "a.h: No such file or directory", "#include \"a.h\"", 10}},
        {"In file included from k.cu:1:\nsub/a.h:12:2: error: #error \"x\"\n   12 | #error \"x\"\n",
         1,
         {"sub/a.h", 12, "#error \"x\"", "#error \"x\"", 2}},
        {"k.cu:1:2: error: x\n", 1, {"k.cu", 1, "x", "", 0}},
        {"k.cu:1: error: x\nk.cu:1:2: warning: x\n:1:2: error: x\nk.cu:: error: x\nk.cu:1:: error: x\n1:2: error: x\n",
         0,
         {"", 0, "", "", 0}},
        {"k.cu:1:2: error: \n", 0, {"", 0, "", "", 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct compiler_error found, last = {0};
        size_t count = 0;
        for (const char *at = rows[i].log; compiler_errors_next("", &at, &found); count++)
            last = found;
        CU_ASSERT_EQUAL(count, rows[i].count);
        CU_ASSERT_STRING_EQUAL(last.path, rows[i].last.path);
        CU_ASSERT_EQUAL(last.line, rows[i].last.line);
        CU_ASSERT_STRING_EQUAL(last.message, rows[i].last.message);
        CU_ASSERT_STRING_EQUAL(last.excerpt, rows[i].last.excerpt);
        CU_ASSERT_EQUAL(last.column, rows[i].last.column);
    }
}

#define NVCC            "; `compiler nvcc` in the space file allows it in code of the host"
#define MACRO(what)     what "; to keep both names, rename one of them"
#define PARAMETER(what) MACRO(what) ", or the macro alone: param TILE as \"MACRO\" = ..."

static const struct {
    const char *message, *excerpt;
    int column;
    const char *hint;
} hints[] = {
    {"identifier \"M\" is undefined", "", 0,
     "`M` is a let, line 4 of k.space, and no macro: write `define M` below it"},
    {"identifier \"N\" is undefined", "", 0,
     "`N` is a problem, line 3 of k.space, and no macro: write `define N` below it"},
    {"identifier \"FLT_MAX\" is undefined", "", 0, "`FLT_MAX` needs #include <cfloat>"},
    {"identifier \"FLT_MAXIMUM\" is undefined", "", 0, ""},
    {"identifier \"half\" is undefined", "", 0, "`half` needs #include <cuda_fp16.h>"},
    {"namespace \"std\" has no member \"min\"", "", 0, "`min` needs #include <algorithm>"},
    {"namespace \"std\" has no member \"vector\"", "", 0,
     "kernels cannot use `vector` of the host's library: use an array in shared or local memory" NVCC},
    {"namespace \"std\" has no member \"vectors\"", "", 0, ""},
    {"name must be a namespace name", "namespace cg = cooperative_groups;", 16,
     "`cooperative_groups` needs #include <cooperative_groups.h>"},
    {"name must be a namespace name", "", 0, ""},
    {"name followed by \"::\" must be a class or namespace name", "nvcuda::wmma::f x;", 1,
     "`nvcuda` needs #include <mma.h>"},
    {"could not open source file \"vector\" (no directories in search list)", "", 0,
     "kernels cannot use `vector` of the host's library: use an array in shared or local memory" NVCC},
    {"cannot open source file \"thrust/sort.h\"", "", 0,
     "kernels cannot use `thrust/sort.h` of the host's library: kernels are launched by the space file" NVCC},
    {"identifier \"pair\" is undefined", "pair.x", 1, ""},
    {"A function explicitly marked as a __host__ function is not allowed in JIT mode", "", 0, ""},
    {"A function without execution space annotations (...)", "void f()", 6,
     "if kernels use `f`, write __device__ before it; else put it between #ifndef __CUDACC_RTC__ and #endif, or write "
     "`compiler nvcc` in the space file"},
    {"calling a __host__ function(\"std::vector<int, ::std::allocator<int> > ::size() const\") from a __global__ "
     "function",
     "", 0, "kernels cannot call the host's library, which has `vector`"},
    {"calling a __host__ function(\"rand\") from a __global__ function", "", 0, ""},
    {"calling a __host__ function(\"lambda [](float)->float::operator ()(float) const\") from a __global__ function",
     "", 0, "define the lambda in device code"},
    {"static assertion failed with \"TILE is small\"", "static_assert(TILE > 4, \"TILE is small\");", 15, ""},
    {"identifier \"fast\" is undefined", "x = TILE;", 5,
     PARAMETER("`TILE` is a macro here: param TILE, line 2 of k.space")},
    {"kernel launch from __device__ or __global__ functions requires separate compilation mode", "", 0,
     "kernels that launch kernels are not supported: launch each from the space file, with `launch`"},
    {"texture is not a template", "texture<float, 1> t;", 1,
     "CUDA 12 and newer have no texture references: pass a cudaTextureObject_t, which `texture` in the space file "
     "makes"},
    {"surface is not a template", "surface<void, 2> s;", 1,
     "CUDA 12 and newer have no surface references: pass a cudaSurfaceObject_t, which `surface` in the space file "
     "makes"},
    {"__host__ or __device__ annotation on lambda requires --extended-lambda nvcc flag", "", 0, ""},
    {"cannot open source file \"tile.h\"", "", 0,
     "cutune looks in the folder of the source, in the toolkit's, and in those of: option \"-IFOLDER\""},
    {"user-defined literal operator not found", "x = 3.5h;", 5,
     "C++ has no literals of half precision: write __float2half(3.5), with cuda_fp16.h"},
    {"user-defined literal operator not found", "x = 3.5hz;", 5, ""},
    {"user-defined literal operator not found", "x = 3.5q;", 5, ""},
    {"user-defined literal operator not found", "3h", 0, ""},
    /* at the name, behind it, and behind a blank after it */
    {"expected an identifier", "  int TILE = 4;", 7,
     PARAMETER("`TILE` is a macro here: param TILE, line 2 of k.space")},
    {"expected a \")\"", "void k(int *TILE)", 17, PARAMETER("`TILE` is a macro here: param TILE, line 2 of k.space")},
    {"expected a \")\"", "void k(int *TILE )", 18, PARAMETER("`TILE` is a macro here: param TILE, line 2 of k.space")},
    {"expected a \")\"", "void k(int *TILE  )", 19, ""},
    {"expected a \")\"", "void k(int *TILES)", 18, ""},
    {"expected an identifier", "int OWN;", 5, MACRO("`OWN` is a macro here: define OWN, line 5 of k.space")},
    {"expected an identifier", "int SHOWN;", 5, MACRO("`SHOWN` is a macro here: let SHOWN, line 6 of k.space")},
    {"expected an identifier", "int N;", 5, ""},
    {"expression must be a modifiable lvalue", "TILE = 3;", 1,
     PARAMETER("`TILE` is a macro here: param TILE, line 2 of k.space")},
    {"type name is not allowed", "TILE x", 6, ""},
    {"expected an identifier", "int TILE", 60, ""},
    {"anything", "", 0, ""},
};

/* A space whose kernel has parameters and sizes. The tests replace its source. */
static struct space *open_space(void)
{
    static const char text[] = "space 2\nparam TILE = 16\nbuffer out float[4] output\nkernel k \"k.cu\"\nargs out\n"
                               "block TILE\ngrid 1\nreference k block 4 grid 1\ntolerance 0\n";
    static const char source[] = "extern \"C\" __global__ void k(float *out) { out[threadIdx.x % TILE] = 1; }\n";
    struct space *space = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "k.space", text, strlen(text), source, &error), 0);
    return space;
}

/* The source around an error shows its cause. */
static void sources_are_evidence(void)
{
    struct space *parsed = open_space();
    static const char unmarked[] = "A function without execution space annotations (...)",
                      marked[] = "A function explicitly marked as a __host__ function is not allowed in JIT mode",
                      variable[] = "A namespace scope variable without memory space annotations (...)";
#define HOST(name)                                                                                                     \
    "`" name "` is code of the host, which NVRTC does not compile: put it between #ifndef __CUDACC_RTC__ "             \
    "and #endif, or write `compiler nvcc` in the space file"
    static const struct {
        const char *source, *message, *excerpt;
        int line, column;
        const char *hint;
    } rows[] = {
        {"void go() { k<<<1, 1>>>(); }", unmarked, "void go()", 1, 6, HOST("go")},
        {"float f(float x) { return x; }\n__global__ void k(float *o) { *o = f(1); }", unmarked, "float f(float x)", 1,
         7, "device code uses `f`: write __device__ before it"},
        {"float f(float x) { return x; }\n__global__ void k(float *o) { *o = f(1); }", marked, "float f(float x)", 1, 7,
         "device code uses `f`: write __host__ __device__ before it"},
        {"float t[3];\n__device__ float f() { return t[1]; }", variable, "float t[3];", 1, 7,
         "device code uses `t`: write __device__ or __constant__ before it"},
        {"auto t = [](float x) {};\n__device__ float f() { return t(1); }", variable, "auto t = [](float x) {};", 1, 6,
         ""},
        {"float t[3];\nvoid f() { t[1] = 0; }", variable, "float t[3];", 1, 7, ""},
        {"float f(float x) { return x; }\n__global__ void k() { f(1); }",
         "calling a __host__ function(\"f(float)\") from a __global__ function(\"k\") is not allowed", "", 2, 0,
         "device code uses `f`: write __device__ before it"},
        {"#include <utility>\n", "identifier \"swap\" is undefined", "", 2, 0,
         "`swap` is in namespace std: write std::swap"},
        {"using namespace std;\n", "identifier \"swap\" is undefined", "", 2, 0, "`swap` needs #include <utility>"},
        {"#include <mma.h>\n", "name followed by \"::\" must be a class or namespace name", "wmma::f x;", 2, 1, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct space space = *parsed;
        space.source = rows[i].source;
        space.source_path = "k.cu";
        space.folder = "";
        struct compiler_error found = {.path = "k.cu", .line = rows[i].line, .column = rows[i].column};
        char hint[512] = "";
        snprintf(found.message, sizeof found.message, "%s", rows[i].message);
        snprintf(found.excerpt, sizeof found.excerpt, "%s", rows[i].excerpt);
        CU_ASSERT_EQUAL(compiler_errors_hint(&space, &found, hint, sizeof hint), *rows[i].hint != '\0');
        if (strcmp(hint, rows[i].hint) != 0)
            fprintf(stderr, "row %zu: %s\n", i, hint);
        CU_ASSERT_STRING_EQUAL(hint, rows[i].hint);
    }
    space_free(parsed);
}

static const char file[] = "space 2\nparam TILE = 16\nproblem N = 4\nlet M = N + 1\ndefine OWN = N\nlet SHOWN = 2\n"
                           "define SHOWN\nbuffer out float[4] output\nkernel k \"k.cu\"\nargs out\nblock TILE\ngrid 1\n"
                           "reference k block 4 grid 1\ntolerance 0\n";

static struct space *parsed(void)
{
    struct space *space = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "k.space", file, sizeof file - 1, "k TILE", &error), 0);
    return space;
}

static void hints_name_the_cause(void)
{
    struct space *space = parsed();
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        struct compiler_error found = {.column = hints[i].column};
        char hint[512] = "";
        snprintf(found.message, sizeof found.message, "%s", hints[i].message);
        snprintf(found.excerpt, sizeof found.excerpt, "%s", hints[i].excerpt);
        bool some = compiler_errors_hint(space, &found, hint, sizeof hint);
        if (some != (*hints[i].hint != '\0') || strcmp(hint, hints[i].hint) != 0)
            fprintf(stderr, "%s: %s\n", hints[i].message, hint);
        CU_ASSERT_EQUAL(some, *hints[i].hint != '\0');
        CU_ASSERT_STRING_EQUAL(hint, hints[i].hint);
    }
    space_free(space);
}

static void a_log_has_the_first_hint(void)
{
    struct space *space = parsed();
    char hint[512] = "";
    CU_ASSERT_FALSE(compiler_errors_hint_log(space, "k.cu(1): error: x\n", hint, sizeof hint));
    CU_ASSERT(compiler_errors_hint_log(
        space,
        "k.cu(1): error: x\nk.cu(2): error: identifier \"M\" is undefined\nk.cu(3): error: identifier \"half\" is "
        "undefined\n",
        hint, sizeof hint));
    CU_ASSERT_STRING_EQUAL(hint, "`M` is a let, line 4 of k.space, and no macro: write `define M` below it");
    space_free(space);
}

/* Errors that only nvcc has. */
static void nvcc_has_other_errors(void)
{
    static const char text[] =
        "space 2\nkernel k \"k.cu\"\ncompiler nvcc\nparam T = 1\nbuffer out float[4] output\nargs out\n"
        "block T\ngrid 1\nreference k block 4 grid 1\n";
    static const char source[] = "float twice(float x) { return 2 * x; }\nconst float values[2] = {1, 2};\n"
                                 "__global__ void k(float *o) { *o = twice(values[1]); T; }\n";
    static const struct {
        const char *message, *hint;
    } rows[] = {
        {"identifier \"values\" is undefined in device code",
         "device code uses `values`: write __device__ or __constant__ before it"},
        {"identifier \"twice\" is undefined in device code", "device code uses `twice`: write __device__ before it"},
        {"identifier \"others\" is undefined in device code", ""},
        {"identifier \"std::cout\" is undefined in device code",
         "kernels cannot use `cout` of the host's library: use printf of cstdio"},
        {"identifier \"std::vector<int, ::std::allocator<int> > ::~vector\" is undefined in device code",
         "kernels cannot call the host's library, which has `vector`"},
        {"calling a constexpr __host__ function(\"max\") from a __global__ function(\"k\") is not allowed. The "
         "experimental flag '--expt-relaxed-constexpr' can be used to allow this.",
         "write: compiler nvcc \"--expt-relaxed-constexpr\""},
        {"calling a constexpr __host__ function(\"operator()\") from a __global__ function(\"k\") is not allowed. The "
         "experimental flag '--expt-relaxed-constexpr' can be used to allow this.",
         ""},
        {"a.h: No such file or directory",
         "cutune looks in the folder of the source, in the toolkit's, and in those of: option \"-IFOLDER\""},
    };
    struct space *space = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "k.space", text, sizeof text - 1, source, &error), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct compiler_error found = {.path = "k.cu", .line = 3};
        char hint[512] = "";
        snprintf(found.message, sizeof found.message, "%s", rows[i].message);
        CU_ASSERT_EQUAL(compiler_errors_hint(space, &found, hint, sizeof hint), *rows[i].hint != '\0');
        if (strcmp(hint, rows[i].hint) != 0)
            fprintf(stderr, "%s: %s\n", rows[i].message, hint);
        CU_ASSERT_STRING_EQUAL(hint, rows[i].hint);
    }
    space_free(space);
}

/* A space that uses nvcc gets no advice to use it. */
static void nvcc_is_not_advised_twice(void)
{
    static const char text[] =
        "space 2\nkernel k \"k.cu\"\ncompiler nvcc\nparam T = 1\nbuffer out float[4] output\nargs out\n"
        "block T\ngrid 1\nreference k block 4 grid 1\n";
    const struct compiler_error found = {.message = "namespace \"std\" has no member \"map\""};
    struct space *space = NULL;
    struct error error = {0};
    char hint[512] = "";
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "k.space", text, sizeof text - 1, "k", &error), 0);
    CU_ASSERT(compiler_errors_hint(space, &found, hint, sizeof hint));
    CU_ASSERT_STRING_EQUAL(hint, "kernels cannot use `map` of the host's library: use arrays");
    space_free(space);
}

CU_TestInfo tests_compiler_errors[] = {{"errors are read", errors_are_read},
                                       {"hints name the cause", hints_name_the_cause},
                                       {"sources are evidence", sources_are_evidence},
                                       {"a log has the first hint", a_log_has_the_first_hint},
                                       {"nvcc is not advised twice", nvcc_is_not_advised_twice},
                                       {"nvcc has other errors", nvcc_has_other_errors},
                                       CU_TEST_INFO_NULL};
