/* The statement `compiler command`, and what it leaves to the compiler. */
#include "support.h"

#include <stdlib.h>

#define TAIL "param T = 1, 2\nbuffer out float[16] output\nargs out\n"

static void errors(void)
{
    static const struct {
        const char *text, *error;
        int line, column;
    } rows[] = {
        {"kernel k\ncompiler command \"c\"\n" TAIL "block compiler\ngrid 1\nreference file(\"o.npy\")\n", "", 0, 0},
        {"kernel k\ncompiler command \"c\"\nparam T = 1\nbuffer out float[16] output\nlaunch k args out grid compiler "
         "block "
         "compiler "
         "shared compiler\nreference default\n",
         "", 0, 0},
        {"kernel k\ncompiler command \"c\"\n" TAIL "block 1\ngrid compiler 16\nshared compiler\nreference default\n",
         "", 0, 0},
        {"kernel k\ncompiler command \"c\"\noption \"-O2\"\noption \"--arch \" T\n" TAIL
         "block 1\ngrid 1\nreference default\n",
         "", 0, 0},
        {"kernel k\n" TAIL "block 1\ngrid 1\nreference default\n", "expected the kernel's source file in quotes", 2, 9},
        {"kernel k\ncompiler command\n" TAIL "block 1\ngrid 1\nreference default\n", "expected a command in quotes", 3,
         17},
        {"kernel k\ncompiler clang\n" TAIL "block 1\ngrid 1\nreference default\n",
         "expected the kernel's source file in quotes", 2, 9},
        {"kernel k \"k.cu\"\n" TAIL "block compiler\ngrid 1\nreference default\n",
         "no compiler command makes this kernel", 6, 7},
        {"kernel k \"k.cu\"\ncompiler nvcc\n" TAIL "block 1\nshared compiler\ngrid 1\nreference default\n",
         "no compiler command makes this kernel", 8, 8},
        {"kernel k\ncompiler command \"c\"\n" TAIL "block 1\ngrid 1\nreference r \"k.cu\" block compiler grid 1\n",
         "no compiler command makes this kernel", 9, 26},
        {"kernel k\ncompiler command \"c\"\n" TAIL "block 1\ngrid 1\nreference r block 1 grid 1\n",
         "the kernel 'r' has no source: the compiler command makes only launched kernels", 9, 11},
        {"kernel k\ncompiler command \"c\"\nbuffer in int[4] by fill\n" TAIL "block 1\ngrid 1\nreference default\n",
         "the kernel 'fill' has no source: the compiler command makes only launched kernels", 4, 21},
        {"kernel k\ncompiler command \"c\"\nbuffer out float[16] output\n"
         "launch k \"k.cu\" args out block 1 grid 1\nreference default\n",
         "the compiler command makes the kernel, which has no file here", 5, 10},
        /* A name of the space is no word of the language. */
        {"kernel k\ncompiler command \"c\"\nproblem compiler = 8\n" TAIL "block compiler\ngrid 1\nreference default\n",
         "", 0, 0},
        {"kernel k\ncompiler command \"c\"\nbuffer a float[4, 0] zero\n" TAIL "block 1\ngrid 1\nreference default\n",
         "the size of a buffer must be at least 1, not 0, in buffer", 4, 16},
        {"kernel k\ncompiler command \"c\"\nbuffer a float[-4, -4] zero\n" TAIL "block 1\ngrid 1\nreference default\n",
         "an extent of a buffer must be at least 1, not -4, in buffer", 4, 16},
        {"kernel k\ncompiler command \"c\"\nbuffer out float[16] output\nlaunch k args out, int 1 block 1 grid 1\n"
         "launch k args out, float 1 block 1 grid 1\nreference default\n",
         "the arguments have other types than those of the launch of 'k' in line 5", 6, 15},
        {"kernel k\ncompiler command \"c\"\nbuffer out float[16] output\nlaunch k args out, int 1 block 1 grid 1\n"
         "launch k args out block 1 grid 1\nreference default\n",
         "the arguments have other types than those of the launch of 'k' in line 5", 6, 15},
        {"kernel k\ncompiler command \"c\"\nparam T = 1\nbuffer out float[16] output\nlaunch k args out, int 1 block 1 "
         "grid 1\n"
         "launch k args out block 1 grid 1 define SECOND = 1\nreference default\n",
         "", 0, 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[2048];
        struct space *space = NULL;
        struct error error = {0};
        snprintf(text, sizeof text, "space 2\n%s", rows[i].text);
        int code = space_parse_text(&space, "t.space", text, strlen(text), "void r();", &error);
        if (!code)
            code = space_bind(space, NULL, 0, NULL, &error);
        CU_ASSERT_EQUAL(code != 0, *rows[i].error != '\0');
        if (!*rows[i].error || strncmp(error.message, rows[i].error, strlen(rows[i].error)) != 0)
            expect_text(rows[i].text, error.message, rows[i].error);
        CU_ASSERT_EQUAL(error.line, rows[i].line);
        CU_ASSERT_EQUAL(error.column, rows[i].column);
        space_free(space);
    }
}

/* All parameters may change the machine code; the compiler's sizes are undecided. */
static void launch(void)
{
    struct error error = {0};
    struct launch *launch = calloc(1, sizeof *launch);
    const uint32_t choices[] = {1};
    struct space *space = bound("space 2\nkernel k\ncompiler command \"c\"\n" TAIL
                                "block compiler\ngrid compiler 16 * T, 3\nshared compiler\nreference default\n",
                                NULL, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(space);
    CU_ASSERT_PTR_NOT_NULL_FATAL(launch);
    expect_text("command", space->compiler_command, "c");
    CU_ASSERT(space->generated && space->parameters[0].in_source);
    CU_ASSERT_EQUAL(space_check_kernels(space, &error), 0);
    CU_ASSERT_EQUAL(space_check_effects(space, &error), 0);
    CU_ASSERT_EQUAL(space_launch(space, choices, launch, &error), 0);
    const struct launch_step *step = &launch->steps[0];
    CU_ASSERT_EQUAL(step->undecided, UNDECIDED_BLOCK | UNDECIDED_SHARED | UNDECIDED_GRID);
    CU_ASSERT_EQUAL(step->block[0], 0);
    CU_ASSERT_EQUAL(step->shared_bytes, 0);
    CU_ASSERT(step->grid[0] == 32 && step->grid[1] == 3 && step->grid[2] == 1);
    free(launch);
    space_free(space);
}

/* The identity of the source covers the command. */
static void identity(void)
{
    static const char *const commands[] = {"python3 a.py", "python3 b.py"};
    char hashes[2][HASH_HEX_BYTES];
    for (size_t i = 0; i < COUNT(commands); i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "space 2\nkernel k\ncompiler command \"%s\"\n" TAIL "block 1\ngrid 1\nreference default\n",
                 commands[i]);
        struct space *space = parsed(text, NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(space);
        memcpy(hashes[i], space->source_hash, sizeof hashes[i]);
        space_free(space);
    }
    CU_ASSERT_NOT_EQUAL(strcmp(hashes[0], hashes[1]), 0);
}

CU_TestInfo tests_compiler_command[] = {
    {"errors", errors}, {"launch", launch}, {"identity", identity}, CU_TEST_INFO_NULL};
