/* Demands of launches on devices: the launches that make them, and their messages. The techniques' suites test their
 * own rules. */
#include "support.h"

#define HEAD                                                                                                           \
    "space 2\nkernel k \"k.cu\"\nproblem N = 8\nparam C = 1, 2, 3\nbuffer in float[N] random\n"                        \
    "buffer out float[N] output\n"

/* of C=2 and C=3 */
static void test_who_asks(void)
{
    static const struct {
        const char *statements;
        enum launch_of of;
        const char *two, *three;
    } rows[] = {
        {"launch k args out, in block 1 grid N cluster C\nreference r args out, in block 1 grid 9\n", LAUNCH_OF_RUN, "",
         "8 blocks in x are not a multiple of the cluster's 3"},
        {"launch k args out, in block 1 grid N cluster C\nreference r args out, in block 1 grid 9\n",
         LAUNCH_OF_REFERENCE, "", ""},
        {"launch k args out, in block 1 grid N cluster C when C != 3\nlaunch k args out, in block 1 grid 1\n"
         "reference r args out, in block 1 grid 9\n",
         LAUNCH_OF_RUN, "", ""},
        {"launch k args out, in block 1 grid N cluster C repeat C % 3\nlaunch k args out, in block 1 grid 1\n"
         "reference r args out, in block 1 grid 9\n",
         LAUNCH_OF_RUN, "", ""},
        {"launch k args out, in block 1 grid N\nreference r args out, in block 1 grid 9 cluster 2\n",
         LAUNCH_OF_REFERENCE, "9 blocks in x are not a multiple of the cluster's 2",
         "9 blocks in x are not a multiple of the cluster's 2"},
        {"launch k args out, in block 1 grid N\nreference r args out, in block 1 grid 9 cluster 2\n", LAUNCH_OF_RUN, "",
         ""},
        {"launch k args out, in block 1 grid N\naccept a args out block 1 "
         "grid "
         "5 cluster 2\n",
         LAUNCH_OF_ACCEPT, "5 blocks in x are not a multiple of the cluster's 2",
         "5 blocks in x are not a multiple of the cluster's 2"},
    };
    const struct device_limits limits = h200_limits();
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct text source = {0};
        text_printf(&source, HEAD "%s", rows[i].statements);
        struct space *space = bound(text_string(&source), "a", &limits);
        CU_ASSERT_PTR_NOT_NULL_FATAL(space);
        for (uint32_t choice = 1; choice < 3; choice++) {
            char why[256] = "";
            const char *expected = choice == 1 ? rows[i].two : rows[i].three;
            CU_ASSERT_EQUAL(space_launch_fits(space, rows[i].of, &choice, why, sizeof why), !*expected);
            expect_text(rows[i].statements, why, expected);
        }
        space_free(space);
        text_free(&source);
    }
}

/* Numbers that overflow violate the rule, with constants and with parameters. */
static void test_overflow(void)
{
    static const char *const sizes[] = {"4611686018427387904", "C * 2305843009213693951"};
    const struct device_limits limits = h200_limits();
    for (size_t i = 0; i < COUNT(sizes); i++) {
        char why[256] = "";
        struct text source = {0};
        text_printf(&source,
                    HEAD "tensor_map t over in size 4, 4 stride %s box 4, 4\nlaunch k args out, t block 1 grid 1\n"
                         "reference r args out block 1 grid 9\n",
                    sizes[i]);
        struct space *space = bound(text_string(&source), "", &limits);
        CU_ASSERT_PTR_NOT_NULL_FATAL(space);
        CU_ASSERT_FALSE(space_launch_fits(space, LAUNCH_OF_RUN, (uint32_t[]){1}, why, sizeof why));
        expect_text(sizes[i], why,
                    i ? "the tensor map 't': stride[0] is 4611686018427387902 bytes, and must be a multiple of 16"
                      : "the tensor map 't': stride[0] is 4611686018427387904 bytes, and must be less than "
                        "1099511627776");
        space_free(space);
        text_free(&source);
    }
}

CU_TestInfo tests_demand[] = {{"who asks", test_who_asks}, {"overflow", test_overflow}, CU_TEST_INFO_NULL};
