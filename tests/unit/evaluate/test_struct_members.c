/* Structs of a space against those of the compiler. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "compile/pool.h"
#include "evaluate/struct_members.h"

static const struct row {
    const char *members, *argument, *message; /* behind "it " */
} rows[] = {
    {"int n;", "struct { int 3 }", ""},
    {"int n;", "struct { uint 3 }", ""},
    {"unsigned n;", "struct { int 3 }", ""},
    {"int n;", "struct { float 3 }", "has `float` at byte 0, but `n` at byte 0 is `int`"},
    {"float f;", "struct { int 3 }", "has `int` at byte 0, but `f` at byte 0 is `float`"},
    {"unsigned bits;", "struct { float 3 }", ""},
    {"float f;", "struct { uint 3 }", ""},
    {"enum { A, B } e; bool b;", "struct { int 1, bool true }", ""},
    {"long long a, b;", "struct { long 1, int 2, int 3 }", "has `int` at byte 8, but `b` at byte 8 is `long long`"},
    {"int a, b; long long c;", "struct { long 1, long 3 }", "has `long long` at byte 0, but `a` at byte 0 is `int`"},
    {"char a, b; int c;", "struct { char 1, char 2, int 3 }", ""},
    {"char a, b; int c;", "struct { char 1, int 3 }", "has no value for `b` at byte 1, `char`"},
    {"char a; int c;", "struct { char 1, char 2, int 3 }", "has `char` at byte 1, where the struct has no member"},
    {"char a; int c;", "struct { char 1, char[3] { }, int 3 }", ""}, /* explicit padding */
    {"const float *p; float *q;", "struct { in, out }", ""},
    {"const float *p; int *q;", "struct { in, out }",
     "has the buffer 'out', `float *` at byte 8, but `q` at byte 8 is `int *`"},
    {"void *p; char *q; unsigned *r; float4 *s; struct none *t;", "struct { in, in, in, in, in }", ""},
    {"double *p;", "struct { bytes }", ""},
    {"float *p;", "struct { null }", ""},
    {"float *p;", "struct { ulong 1 }", "has `unsigned long long` at byte 0, but `p` at byte 0 is `float *`"},
    {"unsigned long long p;", "struct { in }", ""},
    {"long long p;", "struct { in }", "has the buffer 'in', `float *` at byte 0, but `p` at byte 0 is `long long`"},
    {"float *p; long long n;", "struct { long 1, in }", "has `long long` at byte 0, but `p` at byte 0 is `float *`"},
    {"cudaTextureObject_t t;", "struct { t }", ""},
    {"float *t;", "struct { t }", "has a texture at byte 0, but `t` at byte 0 is `float *`"},
    {"alignas(64) unsigned long long map[16]; int n;", "struct { m, int 1 }", ""},
    {"alignas(64) float map[32]; int n;", "struct { m, int 1 }",
     "has a tensor map at byte 0, but `map[0]` at byte 0 is `float`"},
    {"int d[4];", "struct { int[4] { 1, 2 } }", ""},
    {"int d[4];", "struct { int 1, int 2, int 3, int 4 }", ""},
    {"int d[2]; float e[2];", "struct { int[4] { 1, 2, 3 } }", "has `int` at byte 8, but `e[0]` at byte 8 is `float`"},
    {"float4 v; int2 w;", "struct { float4 { 1, 2, 3, 4 }, int2 { 1, 2 } }", ""},
    {"float4 v; int2 w;", "struct { float4 { 1, 2, 3, 4 }, float2 { 1, 2 } }",
     "has `float` at byte 16, but `w.x` at byte 16 is `int`"},
    {"struct { int a; struct { double b; } c; } d; char e;", "struct { struct { int 1, struct { double 2 } }, char 3 }",
     ""},
    {"struct { int a; struct { double b; } c; } d; char e;", "struct { int 1, struct { long 2 }, char 3 }",
     "has `long long` at byte 8, but `d.c.b` at byte 8 is `double`"},
    {"union { int u; float f; } u; int some : 3, more : 5; struct {} e; short s;",
     "struct { float 1, uchar 2, uchar 0, short 3 }", ""},
    {"unsigned short h; struct { unsigned short bits; } b;", "struct { half 1, bfloat16 1 }", ""},
    {"short h;", "struct { half 1 }", "has `__half` at byte 0, but `h` at byte 0 is `short`"},
};
enum { ROWS = sizeof rows / sizeof *rows, BATCH = 32 /* the most kernels of a compilation */ };

/* A space whose last argument is the row's. */
static struct space *make_space(const struct row *row)
{
    struct text text = {0};
    struct error error = {0};
    struct space *space = NULL;
    text_printf(&text,
                "space 2\nkernel k \"k.cu\"\nparam B = 32\nbuffer in float[64] random\nbuffer bytes uchar[64] zero\n"
                "buffer out float[64] output\ntexture t = in float 64\ntensor_map m over in size 64 box 32\n"
                "reference k block 32 grid 1\nblock B\ngrid 1\nargs out, t, m, %s\n",
                row->argument);
    if (space_parse_text(&space, "k.space", text_string(&text), text.length, "k", &error))
        fprintf(stderr, "%s: %s\n", row->argument, error.message);
    text_free(&text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(space);
    return space;
}

static struct compile_result compile(struct compile_pool *pool, size_t first, size_t count)
{
    struct text source = {0}, names = {0};
    struct compile_result result;
    struct worker *workers[1];
    struct error error = {0};
    int got;
    for (size_t i = first; i < first + count; i++) {
        text_printf(&source, "struct data%zu { %s };\nextern \"C\" __global__ void k%zu(data%zu d) {}\n", i,
                    rows[i].members, i, i);
        text_printf(&names, "k%zu", i);
        text_append(&names, "", 1);
    }
    const struct compile_job job = {.path = "k.cu",
                                    .source = text_string(&source),
                                    .name_expressions = text_string(&names),
                                    .name_count = count,
                                    .cc = 90,
                                    .options = "-G",
                                    .option_count = 1};
    CU_ASSERT_EQUAL_FATAL(compile_pool_submit(pool, &job, &error), 0);
    while ((got = compile_pool_next(pool, &result, &error)) == 0)
        worker_wait(workers, compile_pool_workers(pool, workers, 1), INT64_MAX);
    CU_ASSERT_EQUAL_FATAL(result.status, STATUS_OK);
    text_free(&source);
    text_free(&names);
    return result;
}

static void members_are_compared(void)
{
    struct compile_pool *pool = NULL;
    CU_ASSERT_EQUAL_FATAL(compile_pool_open(&pool, 1, 120000000000, NULL, NULL), 0);
    struct compile_result result;
    const char *name = NULL;
    for (size_t i = 0; i < ROWS; i++, name += strlen(name) + 1) {
        if (i % BATCH == 0) {
            result = compile(pool, i, ROWS - i < BATCH ? ROWS - i : BATCH);
            name = result.lowered_names;
        }
        struct space *space = make_space(&rows[i]);
        const struct step *step = &space->steps[0];
        struct debug_member *members = NULL;
        struct error error = {0};
        size_t count = debug_parameter(result.cubin, result.cubin_bytes, name, 0, &members);
        CU_ASSERT(count > 0);
        bool agree =
            struct_members_agree(space, &step->arguments[step->argument_count - 1], members, count, "it", &error);
        const char *message = agree ? "" : error.message + strlen("it ");
        if (strcmp(message, rows[i].message) != 0)
            fprintf(stderr, "\n%s: %s", rows[i].argument, message);
        CU_ASSERT_STRING_EQUAL(message, rows[i].message);
        CU_ASSERT(agree || (error.code == ERROR_DATA && error.line == 12 && error.column == 17 && *error.hint));
        free(members);
        space_free(space);
    }
    compile_pool_close(pool);
}

/* A variable may also be an address or a number. */
static void values_are_compared(void)
{
    static const struct {
        const char *argument, *message;
        struct debug_member member;
    } values[] = {
        {"int 3", "", {.bytes = 4, .kind = DEBUG_SIGNED, .type = "int"}},
        {"int 3", "it is `float`, but gets `int`", {.bytes = 4, .kind = DEBUG_FLOAT, .type = "float"}},
        {"in", "", {.bytes = 8, .kind = DEBUG_POINTER, .pointed = DEBUG_FLOAT, .pointed_bytes = 4, .type = "float *"}},
        {"in",
         "it is `int *`, but gets the buffer 'in', `float *`",
         {.bytes = 8, .kind = DEBUG_POINTER, .pointed = DEBUG_SIGNED, .pointed_bytes = 4, .type = "int *"}},
        {"null", "", {.bytes = 8, .kind = DEBUG_POINTER, .type = "int *"}},
        {"t", "it is `long`, but gets a texture", {.bytes = 8, .kind = DEBUG_SIGNED, .type = "long"}},
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const struct row row = {"", values[i].argument, ""};
        struct space *space = make_space(&row);
        struct error error = {0};
        CU_ASSERT_EQUAL(struct_members_agree(space, &space->steps[0].arguments[3], &values[i].member, 1, "it", &error),
                        !*values[i].message);
        CU_ASSERT_STRING_EQUAL(error.message, values[i].message);
        space_free(space);
    }
}

CU_TestInfo tests_struct_members[] = {
    {"members are compared", members_are_compared}, {"values are compared", values_are_compared}, CU_TEST_INFO_NULL};
