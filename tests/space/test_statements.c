#include "same.h"

static void named_expressions(void)
{
    expect_same("param A = 1..8\nparam B = 1..8\nlet QUOTIENT = A / B\nrequire QUOTIENT in {2, 3} && A % B == 0",
                "param A = 1..8\nparam B = 1..8\nrequire (A / B == 2 || A / B == 3) && A % B == 0");
    /* usable as an operand, whatever its expression */
    expect_same("param A = 1..8\nlet SUM = A + 1\nrequire SUM * 2 > 9 && -SUM < -5",
                "param A = 1..8\nrequire (A + 1) * 2 > 9 && -(A + 1) < -5");
    expect_same("param A = 1..8\nlet PICK = A > 3 ? 10 : 20\nrequire 1 + PICK == 21 || PICK + A > 17",
                "param A = 1..8\nrequire 1 + (A > 3 ? 10 : 20) == 21 || (A > 3 ? 10 : 20) + A > 17");
    expect_same("param A = 1..8\nlet BOTH = A > 2 && A < 7\nlet ODD = A % 2 == 1\nrequire BOTH => ODD",
                "param A = 1..8\nrequire !(A > 2 && A < 7) || A % 2 == 1");
    expect_same("param W = red, blue\nparam A = 1..3\nlet WANTED = A == 2 ? blue : red\nrequire W == WANTED",
                "param W = red, blue\nparam A = 1..3\nrequire A == 2 ? W == blue : W == red");
    expect_same("let KILO = 1024\nproblem N = 4 * KILO\nlet HALF = N / 2\nparam A = 512, 2048, 4096\n"
                "require A <= HALF && A <= 2 * warp * warp",
                "param A = 512, 2048, 4096\nrequire A <= 2048");
    /* uses names, where these are known */
    const char *text =
        SPACE_HEAD "let KILO = 1024\nproblem N = KILO\nlet BYTES = N * sizeof(float)\nparam T = 32, 64\n"
                   "let THREADS = T * 2\nbuffer b float[BYTES] zero\nblock THREADS\ngrid 1\nshared BYTES\n"
                   "bytes BYTES * 2\ntolerance rel 1.0 / KILO\n";
    const char *const given[] = {"N=2048"};
    struct space *space = parsed(text, "THREADS KILO");
    struct device_limits limits = h200_limits();
    struct error error = {0};
    if (!space)
        return;
    CU_ASSERT_EQUAL(space_bind(space, given, 1, &limits, &error), 0);
    CU_ASSERT_EQUAL(space->buffers[1].count, 8192);
    CU_ASSERT_EQUAL(space->bytes, 16384);
    CU_ASSERT_EQUAL(space->tolerance_relative, 1.0 / 1024);
    struct launch launch;
    const uint32_t choices[] = {1};
    CU_ASSERT_EQUAL(space_launch(space, choices, &launch, &error), 0);
    CU_ASSERT_EQUAL(launch.block[0], 128);
    CU_ASSERT_EQUAL(launch.shared_bytes, 8192);
    /* not a macro of the source */
    struct text options = {0};
    size_t count = 7;
    CU_ASSERT_EQUAL(space_compile_options(space, choices, &options, &count, &error), 0);
    CU_ASSERT_EQUAL(count, 0);
    text_free(&options);
    space_free(space);
}

CU_TestInfo tests_statements[] = {{"named expressions", named_expressions}, CU_TEST_INFO_NULL};
