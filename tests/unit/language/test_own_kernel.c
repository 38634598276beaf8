/* Kernels of the source that cutune itself launches: the `accept` kernel, and the walk over all of them. */
#include "language/own_kernel.h"
#include "support.h"

#define HEAD                                                                                                           \
    "space 2\nkernel k \"k.cu\"\nproblem N = 64\nparam T = 2, 4\n"                                                     \
    "buffer in float[N] by first\nbuffer a float[N] by second(in) inout\nbuffer b float[N] output\n"                   \
    "buffer c float[N] output\ntexture t = in float N point\nargs a, b, c, t\nblock 1\ngrid 1\n"
#define SOURCE "first second check ns::f"

/* Each statement with the outputs that need a reference, and the launch of the default configuration. */
static void accepts(void)
{
    static const struct {
        const char *statements, *symbol, *referenced;
        uint32_t arguments, block, grid, cooperative;
    } rows[] = {
        {"accept check args b block 32 grid 1\nreference r block 1 grid 1\n", "check", "a c ", 2, 32, 1, 0},
        {"accept check args b, int T, in, c block T grid ceildiv(N, T)\nreference r block 1 grid 1\n", "check", "a ", 5,
         2, 32, 0},
        {"accept check<T> args a, b, c, t block 1 grid resident cooperative\n", "check", "", 5, 1, 0, 1},
        {"accept \"ns::f<int>\" block 1 args c + 4, b, a grid 1\n", "f", "", 4, 1, 1, 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[1024];
        struct text referenced = {0};
        struct launch launch;
        struct error error = {0};
        snprintf(text, sizeof text, "%s%s", HEAD, rows[i].statements);
        struct space *space = bound(text, SOURCE, NULL);
        for (size_t b = 0; b < space->buffer_count; b++)
            if (space_is_referenced(&space->buffers[b]))
                text_printf(&referenced, "%s ", space->buffers[b].name);
        expect_text(rows[i].statements, text_string(&referenced), rows[i].referenced);
        CU_ASSERT_EQUAL(space->accept->symbol_length, strlen(rows[i].symbol));
        CU_ASSERT_EQUAL(strncmp(space->accept->symbol, rows[i].symbol, strlen(rows[i].symbol)), 0);
        CU_ASSERT_EQUAL(space_accept_launch(space, 0, &launch, &error), 0);
        CU_ASSERT_EQUAL(launch.step_count, 1);
        CU_ASSERT_EQUAL(launch.steps[0].argument_first, 0);
        CU_ASSERT_EQUAL(launch.steps[0].argument_count, rows[i].arguments);
        CU_ASSERT_EQUAL(launch.argument_count, rows[i].arguments);
        CU_ASSERT_EQUAL(launch.steps[0].block[0], rows[i].block);
        CU_ASSERT_EQUAL(launch.steps[0].grid[0], rows[i].grid);
        CU_ASSERT_EQUAL(launch.steps[0].cooperative, rows[i].cooperative);
        CU_ASSERT(launch.arguments[0].buffer < 0 && launch.arguments[0].bytes == 8);
        CU_ASSERT_EQUAL(launch.words[launch.arguments[0].word].bits, 0);
        CU_ASSERT_EQUAL(launch.texture_count, 1);
        text_free(&referenced);
        space_free(space);
    }
}

static void walk(void)
{
    struct space *space = parsed(HEAD "accept check args a, b, c block 1 grid 1\n", SOURCE);
    const char *const expected[] = {"first", "second", "check"};
    struct own_kernel *own;
    size_t count = 0;
    for (size_t at = 0; (own = own_kernel_next(space, &at)); count++)
        expect_text("kernel", own->step.kernel, count < COUNT(expected) ? expected[count] : "none");
    CU_ASSERT_EQUAL(count, COUNT(expected));
    space_free(space);
}

/* With the number of faults, as many arguments as any kernel. */
static void most_arguments(void)
{
    for (int count = SPACE_ARGUMENTS_MAX - 1; count <= SPACE_ARGUMENTS_MAX; count++) {
        struct text text = {0};
        struct error error = {0};
        struct space *space = NULL;
        text_printf(&text, HEAD "accept check args a, b, c");
        for (int a = 3; a < count; a++)
            text_printf(&text, ", int 0");
        text_printf(&text, " block 1 grid 1\n");
        int code = space_parse_text(&space, "k.space", text_string(&text), text.length, SOURCE, &error);
        CU_ASSERT_EQUAL(code, count < SPACE_ARGUMENTS_MAX ? 0 : ERROR_SYNTAX);
        expect_text("message", error.message, code ? "more than 63 arguments" : "");
        space_free(space);
        text_free(&text);
    }
}

CU_TestInfo tests_own_kernel[] = {
    {"accepts", accepts}, {"walk", walk}, {"most arguments", most_arguments}, CU_TEST_INFO_NULL};
