/* Arguments that are refused or accepted, and the messages. */
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "compile/pool.h"
#include "evaluate/argument_types.h"

static const int64_t second_ns = 1000000000;

/* ---- Rules ---- */

enum given { BUFFER, VALUE, STRUCT, NOTHING, TEXTURE, MAP };

struct rule {
    const char *parameter;
    enum given given;
    const char *type; /* type of the buffer's elements or of the value */
    bool refused;
};

#define TYPES                                                                                                          \
    "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"                                                                 \
    "struct S { float a[3]; }; struct W { float *p; }; struct M { char c[128]; }; struct unknown;\n"                   \
    "enum E { A, B }; typedef float real;\n"

static const struct rule rules[] = {
    {"float *", BUFFER, "float", false},
    {"const float *", BUFFER, "float", false},
    {"volatile float *", BUFFER, "float", false},
    {"const float *__restrict__", BUFFER, "float", false},
    {"real *", BUFFER, "float", false},
    {"double *", BUFFER, "float", true},
    {"float *", BUFFER, "double", true},
    {"float4 *", BUFFER, "float", false},
    {"float *", BUFFER, "float4", false},
    {"float2 *", BUFFER, "float4", false},
    {"double *", BUFFER, "float4", true},
    {"double2 *", BUFFER, "float", false},
    {"int4 *", BUFFER, "double", false},
    {"uint4 *", BUFFER, "half", false},
    {"int2 *", BUFFER, "float", true},
    {"void *", BUFFER, "float", false},
    {"const void *", BUFFER, "double", false},
    {"char *", BUFFER, "double", false},
    {"unsigned char *", BUFFER, "float", false},
    {"double *", BUFFER, "uchar", false},
    {"unsigned int *", BUFFER, "float", false},
    {"unsigned int *", BUFFER, "int", false},
    {"int *", BUFFER, "uint", false},
    {"float *", BUFFER, "uint", false},
    {"int *", BUFFER, "float", true},
    {"float *", BUFFER, "int", true},
    {"long long *", BUFFER, "int", true},
    {"long *", BUFFER, "long", false},
    {"int *", BUFFER, "long", true},
    {"unsigned long long *", BUFFER, "int", true},
    {"unsigned long long *", BUFFER, "float", false},
    {"unsigned short *", BUFFER, "float", true},
    {"unsigned int *", BUFFER, "half", false},
    {"unsigned short *", BUFFER, "half", false},
    {"__half *", BUFFER, "half", false},
    {"const half2 *", BUFFER, "half", false},
    {"__half *", BUFFER, "bfloat16", true},
    {"__nv_bfloat16 *", BUFFER, "half", true},
    {"__nv_bfloat162 *", BUFFER, "bfloat16", false},
    {"float *", BUFFER, "half", true},
    {"bool *", BUFFER, "bool", false},
    {"S *", BUFFER, "float", false},
    {"unknown *", BUFFER, "float", false},
    {"E *", BUFFER, "uint", false},
    {"float **", BUFFER, "ulong", false},
    {"float **", BUFFER, "float", true},
    {"W", BUFFER, "float", false},
    {"S", BUFFER, "float", true},
    {"float", BUFFER, "float", true},
    {"int", BUFFER, "int", true},
    {"long long", BUFFER, "float", true},
    {"unsigned long long", BUFFER, "float", false},
    {"int", VALUE, "int", false},
    {"const int", VALUE, "int", false},
    {"unsigned int", VALUE, "int", false},
    {"long", VALUE, "int", true},
    {"int", VALUE, "long", true},
    {"long", VALUE, "long", false},
    {"size_t", VALUE, "size_t", false},
    {"float", VALUE, "int", true},
    {"int", VALUE, "float", true},
    {"double", VALUE, "float", true},
    {"float", VALUE, "float", false},
    {"E", VALUE, "int", false},
    {"bool", VALUE, "bool", false},
    {"__half", VALUE, "half", false},
    {"unsigned short", VALUE, "half", false},
    {"__half", VALUE, "bfloat16", true},
    {"float4", VALUE, "float4", false},
    {"int4", VALUE, "float4", true},
    {"float2", VALUE, "float4", true},
    {"float *", VALUE, "long", true},
    {"float *", VALUE, "ulong", true},
    {"S", STRUCT, NULL, false},
    {"M", STRUCT, NULL, true},
    {"float *", NOTHING, NULL, false},
    {"int", NOTHING, NULL, true},
    {"unsigned long long", TEXTURE, NULL, false},
    {"float *", TEXTURE, NULL, true},
    {"M", MAP, NULL, false},
    {"S", MAP, NULL, true},
};
enum { RULES = sizeof rules / sizeof *rules };

static const struct element_type *type_of(const char *name)
{
    for (size_t i = 0; name && i < element_type_count; i++)
        if (strcmp(element_types[i].name, name) == 0)
            return &element_types[i];
    return NULL;
}

static const struct argument_member member = {0};

static struct argument argument_of(const struct rule *rule, int buffer)
{
    const struct argument shapes[] = {
        [BUFFER] = {.buffer = buffer},
        [VALUE] = {.buffer = -1, .type = type_of(rule->type), .member_count = 1, .members = &member},
        [STRUCT] = {.buffer = -1, .bytes = 12, .is_struct = true},
        [NOTHING] = {.buffer = -1, .bytes = 8},
        [TEXTURE] = {.buffer = -1, .role = ARGUMENT_TEXTURE},
        [MAP] = {.buffer = -1, .role = ARGUMENT_TENSOR_MAP},
    };
    return shapes[rule->given];
}

static int compile(const char *source, const char *options, size_t option_count, const char *name, struct text *log)
{
    struct compile_pool *pool = NULL;
    struct compile_result result;
    struct worker *worker;
    const struct compile_job job = {.path = "k.cu",
                                    .source = source,
                                    .name_expressions = name,
                                    .name_count = 1,
                                    .cc = 90,
                                    .options = options,
                                    .option_count = option_count};
    CU_ASSERT_EQUAL_FATAL(compile_pool_open(&pool, 1, 120 * second_ns, NULL, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(compile_pool_submit(pool, &job, NULL), 0);
    while (!compile_pool_next(pool, &result, NULL))
        worker_wait(&worker, compile_pool_workers(pool, &worker, 1), INT64_MAX);
    text_printf(log, "%s", result.log);
    int status = result.status;
    compile_pool_close(pool);
    return status;
}

/* All rules in one compilation. Macros have all short names. */
static void refused_is_what_surely_is_wrong(void)
{
    static const char macros[] = "-DN=4\0-DK=3\0-DR=2\0-DBLOCK=32\0-Dvalue=1";
    struct buffer buffers[RULES] = {{0}};
    const struct space space = {.buffers = buffers, .buffer_count = RULES};
    struct argument arguments[RULES];
    struct step steps[RULES] = {{0}};
    char kernels[RULES][16];
    bool refused[RULES] = {false};
    struct text source = {0}, log = {0};
    struct type_finding finding;
    text_printf(&source, TYPES);
    for (size_t i = 0; i < RULES; i++)
        text_printf(&source, "__global__ void k%zu(%s x) {}\n", i, rules[i].parameter);
    argument_types_begin(false, &source);
    for (size_t i = 0; i < RULES; i++) {
        snprintf(kernels[i], sizeof kernels[i], "k%zu", i);
        buffers[i].type = type_of(rules[i].type);
        arguments[i] = argument_of(&rules[i], (int)i);
        steps[i] = (struct step){.kernel = kernels[i], .argument_count = 1, .arguments = &arguments[i]};
        argument_types_append(&space, &(const struct typed_arguments){.step = &steps[i]}, i, &source);
    }
    CU_ASSERT_EQUAL(compile(text_string(&source), macros, 5, "k0", &log), STATUS_COMPILE_ERROR);
    for (const char *at = text_string(&log); argument_types_next(&at, &finding);)
        if (finding.number < RULES && finding.argument == 0 && !finding.counted)
            refused[finding.number] = true;
        else
            CU_FAIL("a finding about nothing");
    for (size_t i = 0; i < RULES; i++) {
        if (refused[i] != rules[i].refused)
            fprintf(stderr, "%s for %s\n", rules[i].parameter, rules[i].type ? rules[i].type : "-");
        CU_ASSERT_EQUAL(refused[i], rules[i].refused);
    }
    text_free(&source);
    text_free(&log);
}

/* ---- Kernels of all kinds, and messages ---- */

#define HEAD                                                                                                           \
    "space 2\nparam BLOCK = 32\nbuffer in float[64] random\nbuffer made float[64] by init\n"                           \
    "buffer out float[64] output\nreference naive block 32 grid 2\ntolerance 0\n"
#define NAIVE "__global__ void naive(float *o, const float *i, int n) {}\n"
#define INIT  "__global__ void init(float *o, int n) {}\n"

static const struct {
    const char *kernel, *arguments, *source, *message, *hint;
    int line, column;
} messages[] = {
    {"k", "out, in, int 3", "extern \"C\" __global__ void k(float *o, const float *i, int n) {}\n", "", "", 0, 0},
    {"k<BLOCK>", "out, in, int 3", "template <int T> __global__ void k(float *o, const float *i, int n) {}\n", "", "",
     0, 0},
    {"a::k<BLOCK, float>", "out, in, int 3",
     "namespace a { template <int T, class U> __global__ void k(U *o, const U *i, int n) {} }\n", "", "", 0, 0},
    {"a::k<BLOCK, double>", "out, in, int 3",
     "namespace a { template <int T, class U> __global__ void k(U *o, const U *i, int n) {} }\n",
     "argument 1 of kernel 'a::k<BLOCK, double>' is the buffer 'out', `float *`, but its parameter is `double *`",
     "declare the buffer as double[...], or the parameter as `float *`; `void *` takes every buffer", 9, 6},
    {"k", "out, in, int 3", "__global__ void k(float *o, const float *i) {}\n",
     "kernel 'k' takes 2 arguments, but gets 3", "its parameters in k.cu: float *, const float *", 9, 6},
    {"k", "out, in, int 3", "__global__ void k() {}\n", "kernel 'k' takes 0 arguments, but gets 3",
     "it has no parameters in k.cu", 9, 6},
    {"k", "out, in, int 3", "__global__ void k(float *o, const float *i, long n) {}\n",
     "argument 3 of kernel 'k' is `int`, but its parameter is `long`",
     "pass it as long, or declare the parameter as `int`", 9, 15},
    {"k", "out, in, int 3", "struct S { int x; };\n__global__ void k(float *o, S **i, int n) {}\n",
     "argument 2 of kernel 'k' is the buffer 'in', `float *`, but its parameter is `S **`",
     "declare the parameter as `float *`, or as `void *`, which takes every buffer", 9, 11},
    {"k", "out, in, int 3", "__global__ void k(float *o, int i, int n) {}\n",
     "argument 2 of kernel 'k' is the buffer 'in', `float *`, but its parameter is `int`",
     "the arguments stand in the order of the kernel's parameters", 9, 11},
    {"k", "out, in, struct { int 3 }", "__global__ void k(float *o, const float *i, float n) {}\n", "", "", 0, 0},
    {"k", "out, in, struct { int 3, int 4 }", "__global__ void k(float *o, const float *i, int n) {}\n",
     "argument 3 of kernel 'k' is a struct of 8 bytes, but its parameter is `int`",
     "the arguments stand in the order of the kernel's parameters", 9, 15},
    {"k", "out, null, int 3", "__global__ void k(float *o, int i, int n) {}\n",
     "argument 2 of kernel 'k' is the null pointer, but its parameter is `int`",
     "the arguments stand in the order of the kernel's parameters", 9, 11},
};

static void mistakes_have_a_place_and_a_cure(void)
{
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        struct text file = {0}, source = {0}, log = {0};
        struct error error = {0};
        struct space *space = NULL;
        struct type_finding finding;
        text_printf(&file, HEAD "kernel %s \"k.cu\"\nargs %s\nblock BLOCK\ngrid 2\n", messages[i].kernel,
                    messages[i].arguments);
        text_printf(&source, NAIVE INIT "%s", messages[i].source);
        CU_ASSERT_EQUAL_FATAL(
            space_parse_text(&space, "k.space", text_string(&file), file.length, text_string(&source), &error), 0);
        const struct typed_arguments arguments = {.step = space->steps, .path = "k.cu"};
        argument_types_begin(false, &source);
        argument_types_append(space, &arguments, 5, &source);
        int status = compile(text_string(&source), "-DBLOCK=32", 1, messages[i].kernel, &log);
        const char *at = text_string(&log);
        bool found = argument_types_next(&at, &finding);
        CU_ASSERT_EQUAL(found, *messages[i].message != '\0');
        CU_ASSERT_EQUAL(status, found ? STATUS_COMPILE_ERROR : STATUS_OK);
        if (found) {
            CU_ASSERT_EQUAL(finding.number, 5);
            CU_ASSERT(argument_types_first(text_string(&log)));
            CU_ASSERT_EQUAL(argument_types_explain(space, &arguments, &finding, &error), ERROR_DATA);
            if (strcmp(error.message, messages[i].message) != 0 || strcmp(error.hint, messages[i].hint) != 0)
                fprintf(stderr, "row %zu: %s\n  %s\n", i, error.message, error.hint);
            CU_ASSERT_STRING_EQUAL(error.message, messages[i].message);
            CU_ASSERT_STRING_EQUAL(error.hint, messages[i].hint);
            CU_ASSERT_STRING_EQUAL(error.source, "k.space");
            CU_ASSERT_EQUAL(error.line, messages[i].line);
            CU_ASSERT_EQUAL(error.column, messages[i].column);
        }
        space_free(space);
        text_free(&file);
        text_free(&source);
        text_free(&log);
    }
}

/* The buffer and its length precede the arguments of the space file. */
static void fill_kernels_have_two_more(void)
{
    static const struct {
        const char *parameters, *message;
    } rows[] = {
        {"float *o, int n", ""},
        {"float *o, long long n", ""},
        {"float *o, unsigned long n", ""},
        {"double *o, int n",
         "argument 1 of kernel 'init' is the buffer 'made', `float *`, but its parameter is `double *`"},
        {"float *o, float n", "argument 2 of kernel 'init' is the number of elements, but its parameter is `float`"},
        {"float *o, short n", "argument 2 of kernel 'init' is the number of elements, but its parameter is `short`"},
        {"float *o", "kernel 'init' takes 1 argument, but gets 2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text source = {0}, log = {0};
        struct error error = {0};
        struct space *space = NULL;
        struct type_finding finding;
        static const char file[] = HEAD "kernel naive \"k.cu\"\nargs out, in, int 3\nblock BLOCK\ngrid 2\n";
        text_printf(&source, NAIVE "__global__ void init(%s) {}\n", rows[i].parameters);
        CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "k.space", file, sizeof file - 1, text_string(&source), &error),
                              0);
        const struct typed_arguments arguments = {
            .step = &space->buffers[1].by->step, .filled = &space->buffers[1], .path = "k.cu"};
        argument_types_begin(false, &source);
        argument_types_append(space, &arguments, 0, &source);
        compile(text_string(&source), "", 0, "init", &log);
        const char *at = text_string(&log);
        if (argument_types_next(&at, &finding))
            argument_types_explain(space, &arguments, &finding, &error);
        CU_ASSERT_STRING_EQUAL(error.message, rows[i].message);
        CU_ASSERT_EQUAL(error.line, *rows[i].message ? 4 : 0);
        space_free(space);
        text_free(&source);
        text_free(&log);
    }
}

/* The counter of faults precedes the arguments of the space file. */
static void accept_kernels_have_one_more(void)
{
    static const struct {
        const char *parameters, *message;
        int line;
    } rows[] = {
        {"unsigned long long *wrong, const float *o", "", 0},
        {"unsigned long *wrong, const float *o", "", 0},
        {"int *wrong, const float *o", "argument 1 of kernel 'judge' counts the faults, but its parameter is `int *`",
         3},
        {"unsigned long long *wrong, const double *o",
         "argument 2 of kernel 'judge' is the buffer 'out', `float *`, but its parameter is `const double *`", 3},
        {"unsigned long long *wrong", "kernel 'judge' takes 1 argument, but gets 2", 3},
    };
    static const char file[] = "space 2\nbuffer out float[64] output\naccept judge args out block 32 grid 1\n"
                               "param BLOCK = 32\nkernel k \"k.cu\"\nargs out\nblock 32\ngrid 2\n";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text source = {0}, log = {0};
        struct error error = {0};
        struct space *space = NULL;
        struct type_finding finding;
        text_printf(&source, "__global__ void k(float *o) {}\n__global__ void judge(%s) {}\n", rows[i].parameters);
        CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "k.space", file, sizeof file - 1, text_string(&source), &error),
                              0);
        const struct typed_arguments arguments = {.step = &space->accept->step, .accepts = true, .path = "k.cu"};
        argument_types_begin(false, &source);
        argument_types_append(space, &arguments, 0, &source);
        compile(text_string(&source), "", 0, "judge", &log);
        const char *at = text_string(&log);
        if (argument_types_next(&at, &finding))
            argument_types_explain(space, &arguments, &finding, &error);
        CU_ASSERT_STRING_EQUAL(error.message, rows[i].message);
        CU_ASSERT_EQUAL(error.line, rows[i].line);
        space_free(space);
        text_free(&source);
        text_free(&log);
    }
}

/* ---- Logs ---- */

static void only_assertions_are_findings(void)
{
#define FAILED(name)                                                                                                   \
    "x(3): error: static assertion failed with \"cutune " name "\"\n      static_assert(...);\n      ^\n"
#define CONTEXT "          detected during instantiation of class \"c<...> [with cutune_step=2, "
    static const struct {
        const char *log;
        size_t count;
        const char *parameter; /* of the last finding */
    } rows[] = {
        {"", 0, ""},
        {"k.cu(1): error: identifier \"x\" is undefined\n", 0, ""},
        {FAILED("argument"), 0, ""},
        {FAILED("argument") CONTEXT "cutune_number=1, cutune_parameter=int]\" at line 4\n", 1, "int"},
        {FAILED("argument") CONTEXT "cutune_number=x, cutune_types=int]\" at line 4\n", 1, "int"},
        {FAILED("argument") CONTEXT "cutune_number=1, cutune_parameter=s<int, float [3]> *]\" at line 4\n", 1,
         "s<int, float [3]> *"},
        {FAILED("count") CONTEXT "cutune_given=1, cutune_types=<int, void (*)(int, int)>]\" at line 4\n", 1,
         "<int, void (*)(int, int)>"},
        {FAILED("argument") FAILED("count") CONTEXT "cutune_given=1, cutune_types=<>]\" at line 4\n", 1, "<>"},
        {FAILED("argument") CONTEXT "cutune_number=1]\" at line 4\n", 0, ""},
        {"static assertion failed with \"cutune of the user\"\n", 0, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct type_finding finding = {0}, last = {0};
        size_t count = 0;
        for (const char *at = rows[i].log; argument_types_next(&at, &finding); count++)
            last = finding;
        CU_ASSERT_EQUAL(count, rows[i].count);
        CU_ASSERT_STRING_EQUAL(last.parameter, rows[i].parameter);
        CU_ASSERT_EQUAL(last.number, count ? 2 : 0);
    }
    CU_ASSERT_FALSE(argument_types_first("k.cu(1): error: identifier \"x\" is undefined"));
}

CU_TestInfo tests_argument_types[] = {{"refused is what surely is wrong", refused_is_what_surely_is_wrong},
                                      {"mistakes have a place and a cure", mistakes_have_a_place_and_a_cure},
                                      {"fill kernels have two more", fill_kernels_have_two_more},
                                      {"accept kernels have one more", accept_kernels_have_one_more},
                                      {"only assertions are findings", only_assertions_are_findings},
                                      CU_TEST_INFO_NULL};
