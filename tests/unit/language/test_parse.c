#include <math.h>

#include "base/hash.h"
#include "base/text.h"
#include "expression/expr.h"
#include "support.h"

static const char transpose[] =
    "\n"
    "space 2                                  # version of the language\r\n"
    "kernel transpose<TILE> \"sub/transpose.cu\"\n"
    "title  \"matrix transpose, out = in^T # no comment\"\n"
    "\n"
    "problem ROWS = 8192\n"
    "problem COLS = 2 * ROWS\n"
    "problem ALPHA = 0.5\n"
    "param TILE       = 16, 32, 64\n"
    "param BLOCK_ROWS = 2..16 times 2, 32     # a mixture\n"
    "param PAD        = 0..1\n"
    "param STEPS      = 1..10 step 4\n"
    "param SCALE      = 0.5, -1.5, 2\n"
    "param ORDER      = row, column, 7, float\n"
    "require TILE % BLOCK_ROWS == 0\n"
    "require ORDER == row || TILE < \\\n"
    "   64 && warp == 32\n"
    "buffer in  float[ROWS * COLS] random\n"
    "buffer acc double2[16] zero inout\n"
    "buffer img uchar[ROWS] file(\"image.bin\")\n"
    "buffer abs_ int[8] file(\"/data/abs.bin\") inout\n"
    "buffer ramp int[8] iota\n"
    "buffer out float[COLS * ROWS] output\n"
    "args   out, in, acc, abs_, int ROWS, float ALPHA * 2\n"
    "block  TILE, BLOCK_ROWS\n"
    "grid   ceildiv(COLS, TILE), ceildiv(ROWS, TILE), 1\n"
    "shared TILE * 4\n"
    "option \"-lineinfo\"\n"
    "option \"--maxrregcount=\" PAD * 32 + 32\n"
    "reference \"ns::naive<int>\" block 32, 8 grid ceildiv(COLS, 32), ceildiv(ROWS, 8) shared 64\n"
    "tolerance rel 1e-5 abs 1e-6\n"
    "bytes  2 * sizeof(float) * ROWS * COLS\n"
    "default TILE=32 BLOCK_ROWS=8 PAD=1 STEPS=5 SCALE=-1.5 ORDER=column\n";

static void check_parameters(const struct space *space)
{
    static const struct {
        const char *name, *values;
        uint32_t default_;
    } rows[] = {{"TILE", "16 32 64 ", 1}, {"BLOCK_ROWS", "2 4 8 16 32 ", 2}, {"PAD", "0 1 ", 1},
                {"STEPS", "1 5 9 ", 1},   {"SCALE", "0.5 -1.5 2 ", 1},       {"ORDER", "row column 7 float ", 1}};
    CU_ASSERT_EQUAL_FATAL(space->parameter_count, COUNT(rows));
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct parameter *parameter = &space->parameters[i];
        struct text text = {0};
        char value[VALUE_TEXT_BYTES];
        for (size_t v = 0; v < parameter->value_count; v++)
            text_printf(&text, "%s ", value_text(&parameter->values[v], value, sizeof value));
        expect_text("name", parameter->name, rows[i].name);
        expect_text(rows[i].name, text_string(&text), rows[i].values);
        CU_ASSERT_EQUAL(parameter->default_, rows[i].default_);
        CU_ASSERT_EQUAL(parameter->line, 9 + (int)i);
        text_free(&text);
    }
}

static void check_buffers(const struct space *space)
{
    static const struct {
        const char *name, *type, *path;
        enum buffer_fill fill;
        enum buffer_role role;
    } rows[] = {{"in", "float", NULL, FILL_RANDOM, BUFFER_INPUT},
                {"acc", "double2", NULL, FILL_ZERO, BUFFER_INOUT},
                {"img", "uchar", "dir/image.bin", FILL_FILE, BUFFER_INPUT},
                {"abs_", "int", "/data/abs.bin", FILL_FILE, BUFFER_INOUT},
                {"ramp", "int", NULL, FILL_IOTA, BUFFER_INPUT},
                {"out", "float", NULL, FILL_NONE, BUFFER_OUTPUT}};
    CU_ASSERT_EQUAL_FATAL(space->buffer_count, COUNT(rows));
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct buffer *buffer = &space->buffers[i];
        expect_text("buffer", buffer->name, rows[i].name);
        expect_text(rows[i].name, buffer->type->name, rows[i].type);
        CU_ASSERT_EQUAL(buffer->fill, rows[i].fill);
        CU_ASSERT_EQUAL(buffer->role, rows[i].role);
        CU_ASSERT_EQUAL(buffer->path != NULL, rows[i].path != NULL);
        if (buffer->path && rows[i].path)
            expect_text(rows[i].name, buffer->path, rows[i].path);
    }
}

static void everything(void)
{
    struct space *space = NULL;
    struct error error = {0};
    char hash[HASH_HEX_BYTES];
    int code = space_parse_text(&space, "dir/t.space", transpose, strlen(transpose), "int TILE;", &error);
    expect_text("message", error.message, "");
    CU_ASSERT_EQUAL_FATAL(code, 0);
    expect_text("path", space->path, "dir/t.space");
    expect_text("kernel", space->kernel, "transpose<TILE>");
    expect_text("name", space->name, "transpose_TILE_");
    expect_text("title", space->title, "matrix transpose, out = in^T # no comment");
    expect_text("source path", space->source_path, "dir/sub/transpose.cu");
    expect_text("source", space->source, "int TILE;");
    CU_ASSERT_EQUAL(space->source_length, 9);
    hash_hex(transpose, strlen(transpose), hash);
    expect_text("hash", space->text_hash, hash);
    check_parameters(space);
    check_buffers(space);
    CU_ASSERT_EQUAL(space->problem_count, 3);
    CU_ASSERT_EQUAL(space->problems[1].value.integer, 16384);
    CU_ASSERT_EQUAL(space->problems[2].value.real, 0.5);
    CU_ASSERT_EQUAL(space->problems[2].line, 8);
    CU_ASSERT_EQUAL(space->constraint_count, 2);
    expect_text("constraint", space->constraints[0].text, "TILE % BLOCK_ROWS == 0");
    expect_text("constraint", space->constraints[1].text, "ORDER == row || TILE < 64 && warp == 32");
    expect_text("constraint", space->constraints[1].name, "require");
    CU_ASSERT_FALSE(space->constraints[1].device);
    CU_ASSERT_EQUAL(space->constraints[1].line, 16);
    CU_ASSERT_EQUAL(space->steps[0].argument_count, 6);
    CU_ASSERT_EQUAL(space->steps[0].arguments[0].buffer, 5);
    CU_ASSERT_EQUAL(space->steps[0].arguments[4].buffer, -1);
    expect_text("argument", space->steps[0].arguments[5].members[0].value->text, "ALPHA * 2");
    CU_ASSERT_PTR_NOT_NULL(space->steps[0].block[1]);
    CU_ASSERT_PTR_NULL(space->steps[0].block[2]);
    CU_ASSERT_PTR_NOT_NULL(space->steps[0].grid[2]);
    CU_ASSERT_PTR_NOT_NULL(space->steps[0].shared);
    CU_ASSERT_EQUAL(space->option_count, 2);
    CU_ASSERT_PTR_NULL(space->options[0].value);
    expect_text("option", space->options[1].prefix, "--maxrregcount=");
    expect_text("reference", space->reference->kernel, "ns::naive<int>");
    expect_text("reference", space->reference->grid[1]->text, "ceildiv(ROWS, 8)");
    expect_text("reference", space->reference->shared->text, "64");
    CU_ASSERT_PTR_EQUAL(space->reference->arguments, space->steps[0].arguments);
    CU_ASSERT_EQUAL(space->buffers[5].tolerance.relative, 1e-5);
    CU_ASSERT_EQUAL(space->buffers[5].tolerance.absolute, 1e-6);
    expect_text("bytes", space->bytes_expr->text, "2 * sizeof(float) * ROWS * COLS");
    CU_ASSERT_FALSE(space->bound);
    space_free(space);
}

/* Optional parts, and the order of statements. */
static void least(void)
{
    struct space *space = parsed("space 2\nreference r block T grid T\nblock T\ngrid T\nargs o\n"
                                 "buffer o int[T2] output\nproblem T2 = 2\nparam T = 3, 4\nkernel k \"k.cu\"",
                                 "");
    uint32_t choice = 7;
    if (!space)
        return;
    expect_text("title", space->title, "");
    expect_text("source path", space->source_path, "k.cu");
    space_default(space, &choice);
    CU_ASSERT_EQUAL(choice, 0);
    CU_ASSERT_EQUAL(space->buffers[0].tolerance.relative, 0);
    CU_ASSERT_EQUAL(space->buffers[0].tolerance.absolute, 0);
    CU_ASSERT_PTR_NULL(space->bytes_expr);
    CU_ASSERT_EQUAL(space->constraint_count, 0);
    space_free(space);
}

/* A path is relative to the folder of the file that names it. */
static void paths(void)
{
    static const struct {
        const char *file, *path, *resolved;
    } rows[] = {{"a.space", "k.cu", "k.cu"},
                {"sub/a.space", "k.cu", "sub/k.cu"},
                {"/x/y/a.space", "../k.cu", "/x/y/../k.cu"},
                {"sub/a.space", "/abs/k.cu", "/abs/k.cu"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct space *space = NULL;
        struct error error = {0};
        char text[512];
        snprintf(text, sizeof text,
                 "space 2\nkernel k \"%s\"\nbuffer out float[16] output\nargs out\nreference r block 1 grid 1\n"
                 "block 1\ngrid 1\nparam A = 1, 2\n",
                 rows[i].path);
        CU_ASSERT_EQUAL(space_parse_text(&space, rows[i].file, text, strlen(text), "A", &error), 0);
        expect_text("message", error.message, "");
        if (space)
            expect_text(rows[i].file, space->source_path, rows[i].resolved);
        space_free(space);
    }
}

static void titles(void)
{
    static const struct {
        const char *text, *title, *message;
    } rows[] = {{"title \"a b\"", "a b", ""},
                {"title \"\"", "", ""},
                {"title name", NULL, "expected a text in quotes, not 'name'"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct space *space = NULL;
        struct error error = {0};
        char text[512];
        snprintf(text, sizeof text, SPACE_HEAD SPACE_SHAPE "param A = 1, 2\n%s\n", rows[i].text);
        CU_ASSERT_EQUAL(space_parse_text(&space, "t.space", text, strlen(text), "A", &error),
                        rows[i].title ? 0 : ERROR_SYNTAX);
        expect_text(rows[i].text, error.message, rows[i].message);
        if (space && rows[i].title)
            expect_text(rows[i].text, space->title, rows[i].title);
        space_free(space);
    }
}

static void kernel_names(void)
{
    static const struct {
        const char *written, *kernel, *name;
    } rows[] = {{"f", "f", "f"},
                {"f<1>", "f<1>", "f_1_"},
                {"f<g<2>, float>", "f<g<2>, float>", "f_g_2___float_"},
                {"f<(A > B)>", "f<(A > B)>", "f__A___B__"},
                {"ns::deep::f<T>", "ns::deep::f<T>", "ns__deep__f_T_"},
                {"\"f<'a'>\"", "f<'a'>", "f__a__"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "space 2\nkernel %s \"k.cu\"\nparam T = 1\nbuffer o int[1] output\nargs o\nblock 1\ngrid 1\n"
                 "reference %s block 1 grid 1\n",
                 rows[i].written, rows[i].written);
        struct space *space = parsed(text, "");
        if (!space)
            continue;
        expect_text("kernel", space->kernel, rows[i].kernel);
        expect_text("reference", space->reference->kernel, rows[i].kernel);
        expect_text("name", space->name, rows[i].name);
        space_free(space);
    }
}

static void tolerances(void)
{
    static const struct {
        const char *written;
        double relative, absolute;
    } rows[] = {
        {"0", 0, 0}, {"rel 1e-3", 1e-3, 0}, {"abs 2", 0, 2}, {"abs 1 rel 0.5", 0.5, 1}, {"rel 1.0 / 4 abs 0", 0.25, 0}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[512];
        snprintf(text, sizeof text, SPACE_HEAD SPACE_SHAPE "param T = 1\ntolerance %s\n", rows[i].written);
        struct space *space = parsed(text, "");
        if (!space)
            continue;
        CU_ASSERT_EQUAL(space->buffers[0].tolerance.relative, rows[i].relative);
        CU_ASSERT_EQUAL(space->buffers[0].tolerance.absolute, rows[i].absolute);
        space_free(space);
    }
}

/* Tolerances of three outputs, in any order of the statements. */
static void own_tolerances(void)
{
    enum { OUTPUTS = 3 };
    static const struct {
        const char *written;
        struct tolerance expected[OUTPUTS]; /* of out, sum and acc */
    } rows[] = {
        {"tolerance sum rel 1e-3\n", {{0, 0, 0}, {1e-3, 0, 0}, {0, 0, 0}}},
        {"tolerance acc 0\ntolerance abs 2\n", {{0, 2, 0}, {0, 2, 0}, {0, 0, 0}}},
        {"tolerance abs 2\ntolerance acc 0\n", {{0, 2, 0}, {0, 2, 0}, {0, 0, 0}}},
        {"tolerance rel 1\ntolerance out abs 2 rel 3\ntolerance acc abs 4\n", {{3, 2, 0}, {1, 0, 0}, {0, 4, 0}}},
        {"tolerance out abs 1\ntolerance sum abs 2\ntolerance acc abs 3\ntolerance abs 4\n",
         {{0, 1, 0}, {0, 2, 0}, {0, 3, 0}}},
        {"tolerance fp64 4\ntolerance acc rel 1 fp64 2.5\ntolerance sum 0\nreference fp64 r64 block 1 grid 1\n",
         {{0, INFINITY, 4}, {0, 0, 0}, {1, 0, 2.5}}},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[512];
        snprintf(
            text, sizeof text,
            "space 2\nkernel k \"k.cu\"\n%sreference r block 1 grid 1\nargs out, sum, acc\n" SPACE_SHAPE
            "param T = 1\nbuffer out float[1] output\nbuffer sum float[1] output\nbuffer acc float[1] zero inout\n",
            rows[i].written);
        struct space *space = parsed(text, "");
        for (size_t b = 0; b < OUTPUTS && space; b++) {
            CU_ASSERT_EQUAL(space->buffers[b].tolerance.relative, rows[i].expected[b].relative);
            CU_ASSERT_EQUAL(space->buffers[b].tolerance.absolute, rows[i].expected[b].absolute);
            CU_ASSERT_EQUAL(space->buffers[b].tolerance.fp64, rows[i].expected[b].fp64);
        }
        space_free(space);
    }
}

/* The number of elements left out of the comparison. */
static void compared(void)
{
    static const struct {
        const char *written;
        uint64_t out, sum; /* ignored */
    } rows[] = {{"", 0, 0},
                {"compare out first N / 2\n", 4, 0},
                {"compare sum first 0\n", 0, 3},
                {"compare sum first 3\ncompare out first 1\n", 7, 0}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[512];
        struct error error = {0};
        snprintf(text, sizeof text,
                 "space 2\nkernel k \"k.cu\"\nproblem N = 8\n%sreference r block 1 grid 1\nargs out, sum\n" SPACE_SHAPE
                 "param T = 1\nbuffer out float[N] output\nbuffer sum float[3] zero inout\n",
                 rows[i].written);
        struct space *space = parsed(text, "");
        CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, &error), 0);
        CU_ASSERT_EQUAL(space->buffers[0].ignored, rows[i].out);
        CU_ASSERT_EQUAL(space->buffers[1].ignored, rows[i].sum);
        space_free(space);
    }
}

/* A reference needs no argument for an output without compared elements, whatever the sizes. */
static void uncompared(void)
{
    static const struct {
        const char *written;
        bool right;
    } rows[] = {{"compare sum first 0\nreference r args out block 1 grid 1\n", true},
                {"compare sum first 4 - 4\nreference r args out block 1 grid 1\n", true},
                {"compare sum first 0\nreference out file(\"out.npy\")\n", true},
                {"compare sum first 0\nreference r args sum block 1 grid 1\n", false},
                {"compare sum first 1\nreference r args out block 1 grid 1\n", false},
                {"compare sum first N - 8\nreference r args out block 1 grid 1\n", false},
                {"compare sum first 0\nreference out file(\"out.npy\")\nreference r args sum block 1 grid 1\n", false},
                {"reference r args out block 1 grid 1\n", false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[512];
        struct space *space = NULL;
        struct error error = {0};
        snprintf(text, sizeof text,
                 "space 2\nkernel k \"k.cu\"\nproblem N = 8\n%sargs out, sum\n" SPACE_SHAPE
                 "param T = 1\nbuffer out float[N] output\nbuffer sum float[3] output\n",
                 rows[i].written);
        int code = space_parse_text(&space, "t.space", text, strlen(text), "k r", &error);
        if (!code != rows[i].right)
            fprintf(stderr, "\n%s: %s\n", rows[i].written, error.message);
        CU_ASSERT_EQUAL(!code, rows[i].right);
        space_free(space);
    }
}

/* The longest name; tests/unit/language/errors/name_long.space has a longer one. */
static void longest_name(void)
{
    char name[SPACE_WORD_MAX + 1], text[512];
    memset(name, 'n', SPACE_WORD_MAX);
    name[SPACE_WORD_MAX] = '\0';
    snprintf(text, sizeof text, SPACE_HEAD SPACE_SHAPE "param %s = 1, 2\n", name);
    struct space *space = parsed(text, name);
    if (space)
        expect_text("name", space->parameters[0].name, name);
    space_free(space);
}

/* The longest list, and ranges at the limits of 64 bits. */
static void ranges(void)
{
    struct space *space =
        parsed(SPACE_HEAD SPACE_SHAPE "param A = 1..65536\nparam B = 9223372036854775806..9223372036854775807\n"
                                      "param C = 1..9223372036854775807 times 2\n"
                                      "param D = -9223372036854775808..9223372036854775807 step 9223372036854775807\n"
                                      "param E = -3..-1, 5\n",
               "");
    if (!space)
        return;
    CU_ASSERT_EQUAL(space->parameters[0].value_count, 65536);
    CU_ASSERT_EQUAL(space->parameters[1].value_count, 2);
    CU_ASSERT_EQUAL(space->parameters[1].values[1].integer, INT64_MAX);
    CU_ASSERT_EQUAL(space->parameters[2].value_count, 63);
    CU_ASSERT_EQUAL(space->parameters[3].value_count, 3);
    CU_ASSERT_EQUAL(space->parameters[3].values[2].integer, INT64_MAX - 1);
    CU_ASSERT_EQUAL(space->parameters[4].value_count, 4);
    CU_ASSERT_EQUAL(space->parameters[4].values[2].integer, -1);
    space_free(space);
}

CU_TestInfo tests_parse[] = {{"everything", everything},
                             {"the least", least},
                             {"paths", paths},
                             {"titles", titles},
                             {"kernel names", kernel_names},
                             {"tolerances", tolerances},
                             {"own tolerances", own_tolerances},
                             {"compared", compared},
                             {"outputs that are not compared", uncompared},
                             {"longest name", longest_name},
                             {"ranges", ranges},
                             CU_TEST_INFO_NULL};
