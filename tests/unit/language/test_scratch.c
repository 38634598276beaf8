/* Sizes of scratch buffers: the largest over all configurations, and that of one. */
#include "language/scratch.h"

#include "support.h"

#define HEAD                                                                                                           \
    "space 2\nkernel k \"k.cu\"\nargs out, s\nreference r block 1 grid 1\n" SPACE_SHAPE "buffer out int[4] output\n"

/* The allocated size. */
static void largest(void)
{
    static const struct {
        const char *statements, *size;
        const char *set; /* space_narrow; NULL: none */
        uint64_t count;
    } rows[] = {
        {"param A = 1..4\nparam B = 1..4\n", "A * B", NULL, 16},
        {"param A = 1..4\nparam B = 1..4\nrequire A * B <= 6\n", "A * B", NULL, 6},
        {"param A = 1..4\nparam B = 1..4\nrequire A * B <= 6\n", "A", NULL, 4},
        /* constraints on other parameters do not count */
        {"param A = 1..4\nparam B = 1..4\nrequire A < B && B < 3\n", "A", NULL, 4},
        {"param A = 1..4\nparam B = 1, 2 when A > 3 else 9\n", "A * B", NULL, 27},
        {"param A = 1..4\n", "A > 2 ? 0 : A * 100", NULL, 200},
        {"param A = 1..4\n", "A > 5 ? 7 : 0", NULL, 0},
        {"param A = 1..4\n", "16 / (A - 1)", NULL, 16}, /* none for A=1 */
        {"param A = 1..4\n", "A - 3", NULL, 1},         /* negative ones do not count */
        {"param A = 1..4\n", "100 * A", "A=1,3", 300},
        {"param A = 1..4\nparam W = few, many\nrequire W == few\n", "W == many ? 50 : A", NULL, 4},
        {"param A = 1..4\nproblem N = 10\n", "N", NULL, 10},
        {"param A = 1..4\nlet L = 3 * A\n", "L + sm_count", NULL, 144},
        /* the default is the reference's */
        {"param A = 1..4\nrequire A < 3\ndefault A=4\n", "A", NULL, 4},
        /* as many combinations as are tried, and more: the bound ignores constraints */
        {"param A = 1..256\nparam B = 1..256\nrequire A * B <= 1000\n", "A * B", NULL, 1000},
        {"param A = 1..256\nparam B = 1..257\nrequire A * B <= 1000\n", "A * B", NULL, 256 * 257},
        {"param A = 1..256\nparam B = 1..257\nrequire A * B <= 1000\n", "min(A * B, 1000) + 1", NULL, 1001},
        {"param A = 1..256\nparam B = 1..257\n", "A == 1 ? 3 : ceildiv(B, A) * 2 - 1", NULL, 513},
        /* far too many combinations to try */
        {"param A = 1..65536\nparam B = 1..65536\nparam C = 1..65536\n", "A + B + C", NULL, 3 * 65536},
    };
    struct device_limits limits = h200_limits();
    limits.memory_bytes = (int64_t)1 << 40;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[1000];
        struct error error = {0};
        snprintf(text, sizeof text, HEAD "%sbuffer s float[%s] scratch\n", rows[i].statements, rows[i].size);
        struct space *space = parsed(text, "");
        CU_ASSERT_PTR_NOT_NULL_FATAL(space);
        if (rows[i].set)
            CU_ASSERT_EQUAL(space_narrow(space, rows[i].set, &error), 0);
        CU_ASSERT_EQUAL(space_bind(space, NULL, 0, &limits, &error), 0);
        expect_text(rows[i].size, error.message, "");
        if (space->buffers[1].count != rows[i].count)
            fprintf(stderr, "\n%s: %llu", text, (unsigned long long)space->buffers[1].count);
        CU_ASSERT_EQUAL(space->buffers[1].count, rows[i].count);
        space_free(space);
    }
}

/* A size beyond the memory, or without a value, makes a configuration invalid. */
static void valid(void)
{
    struct device_limits limits = h200_limits();
    struct space *space;
    limits.memory_bytes = 4000;
    struct valid_set *set =
        built(HEAD "param A = -1..4\nbuffer s float[A * 400] scratch\ndefault A=0\n", &space, &limits);
    CU_ASSERT_EQUAL(valid_set_count(set), 3); /* 0, 1, 2 */
    CU_ASSERT_EQUAL(space->buffers[1].count, 800);
    expect_text("constraint", space->constraints[space->constraint_count - 1].name, "memory_bytes");
    valid_set_free(set);
    space_free(space);
}

static void of_a_configuration(void)
{
    struct space *space = bound("space 2\nkernel k \"k.cu\"\nargs out, a, b\nreference r block 1 grid 1\n" SPACE_SHAPE
                                "buffer a double2[T * 3] scratch\nbuffer out int[4] output\nparam T = 2, 5\n"
                                "buffer b char[T - 2] scratch\n",
                                "", NULL);
    static const uint64_t expected[][3] = {{96, 16, 0}, {240, 16, 3}};
    CU_ASSERT_PTR_NOT_NULL_FATAL(space);
    for (uint32_t choice = 0; choice < 3; choice++) {
        struct launch launch;
        struct error error = {0};
        CU_ASSERT_EQUAL(choice < 2 ? space_launch(space, &choice, &launch, &error)
                                   : space_reference_launch(space, 0, &launch, &error),
                        0);
        for (size_t b = 0; b < space->buffer_count; b++)
            CU_ASSERT_EQUAL(space_buffer_bytes(space, &launch, b), expected[choice % 2][b]);
        CU_ASSERT(launch.scratch_bytes[0] == expected[choice % 2][0] &&
                  launch.scratch_bytes[1] == expected[choice % 2][2]);
    }
    space_free(space);
}

/* The launch of an invalid configuration may be requested, too. */
static void larger_than_all(void)
{
    struct space *space = bound(HEAD "param A = 1..4\nrequire A < 3\nbuffer s float[A] scratch\n", "", NULL);
    const uint32_t choice = 3;
    struct launch launch;
    struct error error = {0};
    CU_ASSERT_EQUAL(space_launch(space, &choice, &launch, &error), ERROR_VALUE);
    expect_text("message", error.message,
                "the scratch buffer 's' has 4 elements, more than the 2 of any valid configuration, in buffer at A=4");
    space_free(space);
}

CU_TestInfo tests_scratch[] = {{"largest", largest},
                               {"valid", valid},
                               {"of a configuration", of_a_configuration},
                               {"larger than all", larger_than_all},
                               CU_TEST_INFO_NULL};
