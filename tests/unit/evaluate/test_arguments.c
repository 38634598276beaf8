/* Compares the arguments of a launch with the parameters of the machine code. */
#include <string.h>

#include <CUnit/Basic.h>

#include "evaluate/arguments.h"

static void agreement(void)
{
    static const struct {
        struct kernel_parameters parameters;
        size_t count; /* number of arguments: a pointer, an int, a double, a texture, a tensor map */
        const char *why;
    } rows[] = {
        {{true, 4, {8, 4, 8, 8}}, 4, ""},
        {{true, 5, {8, 4, 8, 8, 128}}, 5, ""},
        {{true, 5, {8, 4, 8, 8, 64}}, 5, "argument 5 of kernel 'k' has 128 bytes, but its parameter has 64"},
        {{true, 3, {8, 4, 8}}, 3, ""},
        {{true, 1, {8}}, 1, ""},
        {{false, 0, {0}}, 4, ""}, /* unknown */
        {{false, 2, {1, 1}}, 4, ""},
        {{true, 5, {8, 4, 8, 8, 1}}, 4, "kernel 'k' takes 5 arguments, but gets 4"},
        {{true, 3, {8, 4, 8}}, 4, "kernel 'k' takes 3 arguments, but gets 4"},
        {{true, 1, {8}}, 0, "kernel 'k' takes 1 argument, but gets 0"},
        {{true, 4, {8, 8, 8, 8}}, 4, "argument 2 of kernel 'k' has 4 bytes, but its parameter has 8"},
        {{true, 4, {8, 4, 4, 8}}, 4, "argument 3 of kernel 'k' has 8 bytes, but its parameter has 4"},
        {{true, 4, {4, 4, 8, 8}}, 4, "argument 1 of kernel 'k' has 8 bytes, but its parameter has 4"},
        {{true, 4, {8, 4, 8, 128}}, 4, "argument 4 of kernel 'k' has 8 bytes, but its parameter has 128"},
    };
    static const struct launch_argument arguments[] = {{.buffer = 0},
                                                       {.buffer = -1, .role = ARGUMENT_PLAIN, .bytes = 4},
                                                       {.buffer = -1, .role = ARGUMENT_PLAIN, .bytes = 8},
                                                       {.buffer = -1, .role = ARGUMENT_TEXTURE},
                                                       {.buffer = -1, .role = ARGUMENT_TENSOR_MAP}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char why[256] = "";
        CU_ASSERT_EQUAL(arguments_agree(&rows[i].parameters, arguments, rows[i].count, "k", why, sizeof why),
                        !*rows[i].why);
        CU_ASSERT_STRING_EQUAL(why, rows[i].why);
    }
}

CU_TestInfo tests_arguments[] = {{"agreement", agreement}, CU_TEST_INFO_NULL};
