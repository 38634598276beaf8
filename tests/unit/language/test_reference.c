/* Sources of the expected results: the statement `reference`. */
#include "support.h"

#define HEAD                                                                                                           \
    "space 2\nkernel k \"k.cu\"\nparam T = 1, 2\nbuffer in float[8] random\nbuffer a float[8] output\n"                \
    "buffer b float[8] iota inout\nargs a, b, in\nblock 1\ngrid 1\n"

static void kinds(void)
{
    static const struct {
        const char *statements;
        enum reference_kind kind;
        size_t arguments;
    } rows[] = {
        {"reference r block 1 grid 1\n", REFERENCE_KERNEL, 3},
        {"reference r args b, a block 1 grid 1\n", REFERENCE_KERNEL, 2},
        {"reference r \"r.cu\" args b, a block 1 grid 1\n", REFERENCE_KERNEL, 2},
        {"reference default\n", REFERENCE_DEFAULT, 0},
        {"reference default note\n", REFERENCE_DEFAULT, 0},
        {"reference default\nreference a file(\"a.npy\")\n", REFERENCE_DEFAULT, 0},
        {"reference b file(\"b.npy\")\nreference r block 1 grid 1\n", REFERENCE_KERNEL, 3},
        {"reference b file(\"b.npy\")\nreference r args a, in block 1 grid 1\n", REFERENCE_KERNEL, 2},
        {"reference b file(\"b.npy\")\nreference a file(\"a.bin\")\n", REFERENCE_NONE, 0},
        {"reference command \"python3 ref.py\"\n", REFERENCE_COMMAND, 0},
        {"reference command \"python3 ref.py\"\nreference a file(\"a.npy\")\n", REFERENCE_COMMAND, 0},
        {"reference command \"r.cu\" block 1 grid 1\n", REFERENCE_KERNEL, 3},
        {"reference command block 1 grid 1\n", REFERENCE_KERNEL, 3},
        {"reference file block 1 grid 1\n", REFERENCE_KERNEL, 3}, /* a kernel of that name */
        {"reference file \"file\" block 1 grid 1\n", REFERENCE_KERNEL, 3},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[1024];
        snprintf(text, sizeof text, "%s%s", HEAD, rows[i].statements);
        struct space *space = parsed(text, "");
        CU_ASSERT_EQUAL(space->reference_kind, rows[i].kind);
        CU_ASSERT_EQUAL(space->reference_notes, strstr(rows[i].statements, "note") != NULL);
        CU_ASSERT_EQUAL(space->reference->argument_count, rows[i].arguments);
        space_free(space);
    }
}

/* The launches in double precision stand among those of the reference, and do not need `args` of their own. */
static void in_fp64(void)
{
    uint32_t choices[SPACE_PARAMETERS_MAX] = {0};
    struct launch launch;
    struct error error = {0};
    struct space *space = parsed(HEAD "tolerance fp64 4\nreference r block 1 grid 1\n"
                                      "reference fp64 r64 args a, in block 1 grid 1\n"
                                      "reference fp64 s64 args b block 1 grid 1\n",
                                 "");
    CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, &error), 0);
    CU_ASSERT_EQUAL(space_reference_launch(space, 0, &launch, &error), 0);
    CU_ASSERT_EQUAL_FATAL(launch.step_count, 3);
    for (size_t s = 0; s < launch.step_count; s++)
        CU_ASSERT_EQUAL(launch.steps[s].fp64, s > 0);
    CU_ASSERT_EQUAL(space_launch(space, choices, &launch, &error), 0);
    CU_ASSERT_EQUAL(launch.steps[0].fp64, 0);
    space_free(space);
}

CU_TestInfo tests_reference[] = {{"kinds", kinds}, {"in_fp64", in_fp64}, CU_TEST_INFO_NULL};
