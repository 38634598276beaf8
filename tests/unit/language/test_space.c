#include <math.h>

#include "set/valid_set.h"
#include "space/space.h"
#include "support.h"

static const char problems[] = SPACE_HEAD
    "problem ROWS = 8\nproblem COLS = ROWS * 2\nproblem ALPHA = 1.5\nparam TILE = 1, 2, -3\nparam MODE = row, column\n"
    "param SCALE = 0.5, 1e20\nbuffer in double[ROWS * COLS] random\nbytes ROWS * COLS\nblock TILE, 2, 3\n"
    "grid ceildiv(ROWS, TILE), 4, 5\nshared TILE * 4\nrequire TILE <= max_threads\nrequire TILE != 0\n";

static void overrides(void)
{
    static const char *const given[] = {"ROWS=2*8", "ALPHA=3"};
    struct space *space = parsed(problems, "");
    struct error error = {0};
    struct text text = {0};
    if (!space)
        return;
    CU_ASSERT_EQUAL(space_bind(space, given, COUNT(given), NULL, &error), 0);
    space_problem_text(space, &text);
    expect_text("problems", text_string(&text), "ROWS=16 COLS=32 ALPHA=3");
    CU_ASSERT_TRUE(space->problems[0].given);
    CU_ASSERT_FALSE(space->problems[1].given);
    CU_ASSERT_EQUAL(space->buffers[1].count, 512);
    CU_ASSERT_EQUAL(space->bytes, 512);
    CU_ASSERT_TRUE(space->bound);
    CU_ASSERT_EQUAL(space_bind(space, NULL, 0, NULL, &error), ERROR_USAGE);
    text_free(&text);
    space_free(space);
}

static void wrong_overrides(void)
{
    static const struct {
        const char *override, *message, *hint;
        int code;
    } rows[] = {
        {"ROW=2", "-D ROW=2: the space has no problem size of that name", "did you mean 'ROWS'?", ERROR_USAGE},
        {"zzzz=2", "-D zzzz=2: the space has no problem size of that name",
         "a problem size of test.space is set with: -D ROWS=VALUE", ERROR_USAGE},
        {"TILE=2", "-D TILE=2: the space has no problem size of that name",
         "TILE is a parameter: its values are listed in test.space", ERROR_USAGE},
        {"ROWS", "-D ROWS: expected NAME=VALUE", "for example: -D ROWS=4096", ERROR_USAGE},
        {"=4", "-D =4: expected NAME=VALUE", "for example: -D ROWS=4096", ERROR_USAGE},
        {"ROWS=", "-D ROWS=: expected a value, but the statement ends here", "", ERROR_USAGE},
        {"ROWS=4 4", "-D ROWS=4 4: expected the end of the value, not '4'", "", ERROR_USAGE},
        {"ROWS=4\n", "-D ROWS=4\n: expected the end of the value, but the statement ends here", "", ERROR_USAGE},
        {"ROWS=COLS", "-D ROWS=COLS: 'COLS' is a problem size, which cannot be used in '-D'",
         "the value must be a constant expression: -D ROWS=4096", ERROR_USAGE},
        {"ROWS=1/0", "-D ROWS=1/0: division by zero: 1 / 0", "", ERROR_USAGE},
        {"ROWS=$", "-D ROWS=$: unexpected character '$'", "", ERROR_USAGE},
        {"ROWS=1.5", "-D ROWS=1.5: the problem size must be an integer", "write it without a point or an exponent",
         ERROR_USAGE},
        {"ROWS=0", "the size of a buffer must be at least 1, not 0, in buffer", "", ERROR_VALUE},
        {"ROWS=1 << 62", "overflow of a 64-bit integer: 4611686018427387904 * 2, in problem", "", ERROR_VALUE},
        {"ROWS=1 << 30", "the buffers have more than 2^63 bytes, in buffer", "", ERROR_VALUE},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct space *space = parsed(problems, "");
        struct error error = {0};
        CU_ASSERT_EQUAL(space_bind(space, &rows[i].override, 1, NULL, &error), rows[i].code);
        expect_text(rows[i].override, error.message, rows[i].message);
        expect_text(rows[i].override, error.hint, rows[i].hint);
        CU_ASSERT_FALSE(space->bound);
        space_free(space);
    }
    const char *const twice[] = {"ROWS=1", "ROWS=2"};
    struct space *space = parsed(problems, "");
    struct error error = {0};
    CU_ASSERT_EQUAL(space_bind(space, twice, 2, NULL, &error), ERROR_USAGE);
    space_free(space);
}

static void constraints_of_the_device(void)
{
    static const struct {
        const char *name, *text;
        int line;
    } rows[] = {{"require", "TILE <= max_threads", 17},
                {"require", "TILE != 0", 18},
                {"max_block_x", "1 <= (TILE) && (TILE) <= max_block_x", 14},
                {"max_block_y", "1 <= (2) && (2) <= max_block_y", 14},
                {"max_block_z", "1 <= (3) && (3) <= max_block_z", 14},
                {"max_threads", "(TILE) * (2) * (3) <= max_threads", 14},
                {"max_grid_x", "1 <= (ceildiv(ROWS, TILE)) && (ceildiv(ROWS, TILE)) <= max_grid_x", 15},
                {"max_grid_y", "1 <= (4) && (4) <= max_grid_y", 15},
                {"max_grid_z", "1 <= (5) && (5) <= max_grid_z", 15},
                {"shared_limit", "0 <= (TILE * 4) && (TILE * 4) <= shared_limit", 16}};
    struct device_limits limits = h200_limits();
    struct space *space = bound(problems, "", &limits);
    if (!space)
        return;
    CU_ASSERT_TRUE(space->has_limits);
    CU_ASSERT_EQUAL_FATAL(space->constraint_count, COUNT(rows));
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct constraint *constraint = &space->constraints[i];
        expect_text("name", constraint->name, rows[i].name);
        expect_text(rows[i].name, constraint->text, rows[i].text);
        CU_ASSERT_EQUAL(constraint->line, rows[i].line);
        CU_ASSERT_EQUAL(constraint->device, i >= 2);
    }
    space_free(space);
    /* Without a device, constraints that name a limit are dropped. */
    space = bound(problems, "", NULL);
    if (!space)
        return;
    CU_ASSERT_FALSE(space->has_limits);
    CU_ASSERT_EQUAL(space->constraint_count, 1);
    expect_text("left", space->constraints[0].text, "TILE != 0");
    space_free(space);
}

static void sizes_that_name_limits(void)
{
    static const char *const texts[] = {"buffer x int[sm_count] zero\n", "bytes sm_count\n"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        char text[512];
        struct device_limits limits = h200_limits();
        struct error error = {0};
        snprintf(text, sizeof text, SPACE_HEAD SPACE_SHAPE "param T = 1\n%s", texts[i]);
        struct space *space = parsed(text, "");
        CU_ASSERT_EQUAL(space_bind(space, NULL, 0, NULL, &error), ERROR_NO_DEVICE);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "device limits are unknown without a device: sm_count"));
        CU_ASSERT_EQUAL(error.code, ERROR_NO_DEVICE);
        CU_ASSERT_EQUAL(error.line, 9);
        space_free(space);
        space = bound(text, "", &limits);
        CU_ASSERT(i == 0 ? space->buffers[1].count == 132 : space->bytes == 132);
        space_free(space);
    }
}

static void bytes_not_given(void)
{
    struct space *space = bound(SPACE_HEAD SPACE_SHAPE "param T = 1\n", "", NULL);
    CU_ASSERT_TRUE(isnan(space->bytes));
    space_free(space);
}

/* Parameters and constraints alone form a space; statements about launches require a kernel. */
static void no_kernel(void)
{
    static const char pure[] = "space 2\ntitle \"t\"\nproblem N = 4\nparam T = 1, 2, 4096\nrequire T <= N || T > 4\n"
                               "require T <= max_threads\ndefault T=2\n";
    static const char *const others[] = {
        "buffer out float[16] output", "args int 1",  "block 1", "grid 1", "shared 4", "option \"-G\"",
        "reference r block 1 grid 1",  "tolerance 0", "bytes 4"};
    struct device_limits limits = h200_limits();
    struct space *space = bound(pure, NULL, &limits);
    struct valid_set *set = NULL;
    struct launch launch;
    struct error error = {0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(space);
    CU_ASSERT_PTR_NULL(space->kernel);
    CU_ASSERT_EQUAL(space->constraint_count, 2);
    CU_ASSERT_EQUAL(valid_set_build(&set, space, 1 << 20, &error), 0);
    CU_ASSERT_EQUAL(valid_set_count(set), 2);
    CU_ASSERT_EQUAL(space_reference_launch(space, 0, &launch, &error), 0);
    valid_set_free(set);
    space_free(space);
    for (size_t i = 0; i < COUNT(others); i++) {
        char text[512];
        struct error wrong = {0};
        snprintf(text, sizeof text, "%s%s\n", pure, others[i]);
        CU_ASSERT_EQUAL(space_parse_text(&space, "test.space", text, strlen(text), "", &wrong), ERROR_SYNTAX);
        CU_ASSERT_PTR_NOT_NULL(strstr(wrong.message, "no 'kernel' statement"));
        CU_ASSERT_EQUAL(wrong.line, 8);
        space_free(space);
    }
}

/* Bounds of random numbers are integers, or doubles, and follow the sizes. */
static void random_ranges(void)
{
    static const char text[] = "space 2\nkernel k \"k.cu\"\nreference r block 1 grid 1\nargs b\n" SPACE_SHAPE
                               "problem N = 8\nparam T = 1\nbuffer a int[4] random -N..N - 1\nbuffer b half[4] random "
                               "0..0.5 inout\nbuffer c uint[4] random\nbuffer d float[4] random 3..3\n"
                               "buffer e double4[4] random 0..1\n";
    static const char *const sizes[] = {"N=3"};
    struct space *space = parsed(text, "");
    struct error error = {0};
    double half;
    CU_ASSERT_PTR_NOT_NULL_FATAL(space);
    CU_ASSERT_EQUAL(space_bind(space, sizes, 1, NULL, &error), 0);
    const struct buffer *buffers = space->buffers;
    CU_ASSERT(buffers[0].range.given && (int64_t)buffers[0].range.low == -3 && buffers[0].range.high == 2);
    memcpy(&half, &buffers[1].range.high, sizeof half);
    CU_ASSERT(buffers[1].range.given && buffers[1].range.low == 0 && half == 0.5 && buffers[1].role == BUFFER_INOUT);
    CU_ASSERT_FALSE(buffers[2].range.given);
    CU_ASSERT(buffers[3].range.given && buffers[3].range.low == buffers[3].range.high);
    space_free(space);
}

CU_TestInfo tests_space[] = {{"random ranges", random_ranges},
                             {"overrides", overrides},
                             {"no kernel", no_kernel},
                             {"wrong overrides", wrong_overrides},
                             {"constraints of the device", constraints_of_the_device},
                             {"sizes that name limits", sizes_that_name_limits},
                             {"bytes not given", bytes_not_given},
                             CU_TEST_INFO_NULL};
