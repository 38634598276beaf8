/* Graphs in a configuration's launch, and the limit on their launches. */
#include "technique.h"

static void meaning(void)
{
    static const struct {
        const char *statement;
        int graph; /* -1: an error */
    } rows[] = {{"graph 0", 0}, {"graph 1", 1}, {"graph A - 1", 0}, {"graph A", 1}, {"graph A + 1", -1}, {"", 0}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const uint32_t choices[SPACE_PARAMETERS_MAX] = {0};
        struct error error = {0};
        struct launch launch;
        struct space *space = make(rows[i].statement, "", NULL);
        int code = space_launch(space, choices, &launch, &error);
        CU_ASSERT_EQUAL(code ? -1 : launch.graph, rows[i].graph);
        if (code)
            expect_text(rows[i].statement, error.message,
                        "`graph` must be from 0 to 1, not 2, in graph at A=1 R=0.25 HOST=pageable WHEN=before");
        space_free(space);
    }
}

static void fits(void)
{
    static const struct {
        const char *repeat, *graph, *expected;
    } rows[] = {{"65536", "1", ""}, {"65537", "1", "a graph of 65537 launches, more than 65536"}, {"65537", "0", ""}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char file[512], why[256] = "";
        const uint32_t choices[SPACE_PARAMETERS_MAX] = {0};
        struct error error = {0};
        struct launch launch;
        struct device_limits limits = h200_limits();
        snprintf(file, sizeof file,
                 "space 2\nkernel k \"k.cu\"\nparam T = 1\nbuffer out float[16] output\n"
                 "launch f args out block 1 grid 1 repeat %s\ngraph %s\nreference r block 1 grid 1\n",
                 rows[i].repeat, rows[i].graph);
        struct space *space = bound(file, "", &limits);
        CU_ASSERT_EQUAL(space_launch(space, choices, &launch, &error), 0);
        CU_ASSERT_EQUAL(space_launch_fits(space, LAUNCH_OF_RUN, choices, why, sizeof why), !*rows[i].expected);
        expect_text(rows[i].repeat, why, rows[i].expected);
        space_free(space);
    }
}

CU_TestInfo tests_technique_graph[] = {{"meaning", meaning}, {"fits", fits}, CU_TEST_INFO_NULL};
