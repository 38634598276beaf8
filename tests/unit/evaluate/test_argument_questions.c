/* Types of parameters by the compiler's log, also of a source with other errors. */
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "compile/pool.h"
#include "evaluate/argument_questions.h"

static const int64_t second_ns = 1000000000;

struct expected {
    const char *parameter, *element; /* NULL: no number */
    bool points, constant;
    size_t bytes;
};
static const struct expected rows[] = {
    {"float *", "float", true, false, 8},
    {"const float *__restrict__", "float", true, true, 8},
    {"const volatile double *", "double", true, true, 8},
    {"real *", "float", true, false, 8},
    {"const real", "float", false, false, 4},
    {"vec", "float4", false, false, 16},
    {"int", "int", false, false, 4},
    {"unsigned", "uint", false, false, 4},
    {"long", "long", false, false, 8},
    {"size_t", "size_t", false, false, 8},
    {"bool", "bool", false, false, 1},
    {"const unsigned char *", "uchar", true, true, 8},
    {"__half *", "half", true, false, 8},
    {"__nv_bfloat16 *", "bfloat16", true, false, 8},
    {"const float3 *", "float3", true, true, 8},
    {"E", "uint", false, false, 4},
    {"void *", NULL, true, false, 8},
    {"S", NULL, false, false, 28},
    {"const S *", NULL, true, true, 8},
    {"float **", NULL, true, false, 8},
    {"cudaTextureObject_t", "ulong", false, false, 8},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void put_source(struct text *source)
{
    text_printf(source, "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
                        "typedef float real; using vec = float4; enum E { A, B };\n"
                        "struct S { int w; real scale; float m[4]; short last; };\n"
                        "__global__ void k(");
    for (size_t i = 0; i < ROWS; i++)
        text_printf(source, "%s%s x%zu", i ? ", " : "", rows[i].parameter, i);
    text_printf(source, ")\n{\n    int i = BLOCK * threadIdx.x;\n}\n");
    argument_questions_begin(false, source);
}

static void compile(const struct text *source, struct text *log)
{
    struct compile_pool *pool = NULL;
    struct compile_result result;
    struct worker *worker;
    const struct compile_job job = {
        .path = "k.cu", .source = text_string(source), .name_expressions = "k", .name_count = 1, .cc = 90};
    CU_ASSERT_EQUAL_FATAL(compile_pool_open(&pool, 1, 120 * second_ns, NULL, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(compile_pool_submit(pool, &job, NULL), 0);
    while (!compile_pool_next(pool, &result, NULL))
        worker_wait(&worker, compile_pool_workers(pool, &worker, 1), INT64_MAX);
    text_printf(log, "%s", result.log);
    CU_ASSERT_EQUAL(result.status, STATUS_COMPILE_ERROR);
    compile_pool_close(pool);
}

static void expect(const struct argument_answer *answer, const struct expected *row)
{
    const char *element = answer->element ? answer->element->name : "-", *wanted = row->element ? row->element : "-";
    if (strcmp(element, wanted) != 0 || answer->points != row->points || answer->constant != row->constant ||
        answer->bytes != row->bytes)
        fprintf(stderr, "\n%s: %s, %zu bytes", row->parameter, element, answer->bytes);
    CU_ASSERT_STRING_EQUAL(element, wanted);
    CU_ASSERT_EQUAL(answer->points, row->points);
    CU_ASSERT_EQUAL(answer->constant, row->constant);
    CU_ASSERT_EQUAL(answer->bytes, row->bytes);
}

static void parameters(void)
{
    struct text source = {0}, log = {0};
    struct argument_answer answer;
    bool seen[ROWS] = {false};
    put_source(&source);
    argument_questions_types("k", &source);
    compile(&source, &log);
    CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&log), "identifier \"BLOCK\" is undefined"));
    for (const char *at = text_string(&log); argument_questions_next(&at, &answer);) {
        CU_ASSERT_FATAL(answer.number < ROWS);
        seen[answer.number] = true;
        expect(&answer, &rows[answer.number]);
    }
    for (size_t i = 0; i < ROWS; i++)
        CU_ASSERT(seen[i]);
    text_free(&source);
    text_free(&log);
}

/* A log may hold anything. */
static void damaged(void)
{
#define FAILED "x(1): error: static assertion failed with \"cutune named\"\n"
    static const char *const logs[] = {
        "",
        FAILED,
        FAILED " [with cutune_number=",
        FAILED " [with cutune_number=1, cutune_points=1]\n",
        FAILED " [with cutune_number=x, cutune_points=1, cutune_family=1, cutune_element=1, cutune_count=1, "
               "cutune_bytes=1, cutune_parameter=int]\n",
    };
    struct argument_answer answer;
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
        const char *at = logs[i];
        CU_ASSERT(!argument_questions_next(&at, &answer));
    }
}

CU_TestInfo tests_argument_questions[] = {{"parameters", parameters}, {"damaged logs", damaged}, CU_TEST_INFO_NULL};
