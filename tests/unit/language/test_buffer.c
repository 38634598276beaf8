/* The statement `buffer`: fills, roles, and the names of kernels that fill. */
#include "support.h"

#define HEAD                                                                                                           \
    "space 2\nkernel k \"k.cu\"\nargs out, b\nreference r block 1 grid 1\n" SPACE_SHAPE "buffer out int[4] output\n"

static void statements(void)
{
    static const struct {
        const char *text;
        enum buffer_role role;
        enum buffer_fill fill;
        const char *kernel, *symbol; /* of a kernel that fills */
        size_t arguments;
    } rows[] = {
        {"random", BUFFER_INPUT, FILL_RANDOM, NULL, NULL, 0},
        {"random 1..2", BUFFER_INPUT, FILL_RANDOM, NULL, NULL, 0},
        {"random inout", BUFFER_INOUT, FILL_RANDOM, NULL, NULL, 0},
        {"random 1..2 inout", BUFFER_INOUT, FILL_RANDOM, NULL, NULL, 0},
        {"iota inout", BUFFER_INOUT, FILL_IOTA, NULL, NULL, 0},
        {"file(\"x\") inout", BUFFER_INOUT, FILL_FILE, NULL, NULL, 0},
        {"output", BUFFER_OUTPUT, FILL_NONE, NULL, NULL, 0},
        {"scratch", BUFFER_SCRATCH, FILL_NONE, NULL, NULL, 0},
        {"by f", BUFFER_INPUT, FILL_KERNEL, "f", "f", 0},
        {"by f inout", BUFFER_INOUT, FILL_KERNEL, "f", "f", 0},
        {"by f()", BUFFER_INPUT, FILL_KERNEL, "f", "f", 0},
        {"by f(struct { int 1, float 2 }, a + 2, null)", BUFFER_INPUT, FILL_KERNEL, "f", "f", 3},
        {"by f(int 1, a) inout", BUFFER_INOUT, FILL_KERNEL, "f", "f", 2},
        {"by f<2, (3 > 1)>(a, a, float 2) block 1 grid 1", BUFFER_INPUT, FILL_KERNEL, "f<2, (3 > 1)>", "f", 3},
        {"by f::g block 1, 2, 3 grid 4 inout", BUFFER_INOUT, FILL_KERNEL, "f::g", "g", 0},
        {"by \"x::f_2 <int>\"(a)", BUFFER_INPUT, FILL_KERNEL, "x::f_2 <int>", "f_2", 1},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[500];
        snprintf(text, sizeof text, HEAD "param T = 1\nbuffer a int[4] zero\nbuffer b int[4] %s\n", rows[i].text);
        struct space *space = parsed(text, "f f::g f_2");
        CU_ASSERT_PTR_NOT_NULL_FATAL(space);
        const struct buffer *buffer = &space->buffers[2];
        CU_ASSERT(buffer->role == rows[i].role && buffer->fill == rows[i].fill);
        CU_ASSERT_EQUAL(buffer->low != NULL, strstr(rows[i].text, "..") != NULL);
        CU_ASSERT_EQUAL(buffer->by != NULL, rows[i].kernel != NULL);
        if (buffer->by && rows[i].kernel) {
            char symbol[16] = "";
            memcpy(symbol, buffer->by->symbol, buffer->by->symbol_length);
            expect_text(rows[i].text, buffer->by->step.kernel, rows[i].kernel);
            expect_text(rows[i].text, symbol, rows[i].symbol);
            CU_ASSERT_EQUAL(buffer->by->step.argument_count, rows[i].arguments);
            CU_ASSERT_EQUAL(buffer->by->step.block[0] != NULL, strstr(rows[i].text, "block") != NULL);
        }
        space_free(space);
    }
}

/* The kernel's name must occur as an identifier. */
static void occurrence(void)
{
    static const struct {
        const char *source;
        const char *hint; /* NULL: it occurs */
    } rows[] = {{"void make(int *);", NULL},
                {"// make", NULL},
                {"void remake(int *); makes(", "did you mean 'makes'?"},
                {"void remake(int *);", "did you mean 'remake'?"},
                {"void made(int *); int maker;", "did you mean 'made'?"},
                {"", "expected there: __global__ void make(int *data, long count, ...)"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        static const char text[] = HEAD "param T = 1\nbuffer b int[4] by make\n";
        struct space *space = NULL;
        struct error error = {0};
        int code = space_parse_text(&space, "t.space", text, strlen(text), rows[i].source, &error);
        CU_ASSERT_EQUAL(code, rows[i].hint ? ERROR_SYNTAX : 0);
        expect_text(rows[i].source, error.message, rows[i].hint ? "'make' does not occur in k.cu" : "");
        expect_text(rows[i].source, error.hint, rows[i].hint ? rows[i].hint : "");
        space_free(space);
    }
}

/* A parameter in the kernel's name is a macro. */
static void names_of_kernels(void)
{
    struct space *space = parsed(HEAD "param T = 1, 2\nparam U = 1, 2\nbuffer b int[4] by make<T>\n", "make");
    CU_ASSERT_PTR_NOT_NULL_FATAL(space);
    CU_ASSERT(space->parameters[0].in_source && !space->parameters[1].in_source);
    space_free(space);
}

CU_TestInfo tests_buffer[] = {
    {"statements", statements}, {"occurrence", occurrence}, {"names of kernels", names_of_kernels}, CU_TEST_INFO_NULL};
