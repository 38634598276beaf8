/* What counts in a run, and what the evaluator is told of it. */
#include "scripted.h"

/* The search may stop configurations above the interval of the best early, with a play-off those above its reach. */
static void what_may_be_stopped_early(void)
{
    static const struct part parts[COUNT] = {{.value = 3000}, {.value = 1000}, {.value = 1001}};
    for (size_t finalists = 0; finalists < 5; finalists += 4) {
        struct scripted scripted = {.parts = parts, .speed = 1};
        struct run_progress progress;
        struct stage stage;
        set_up(&stage);
        session(&stage, &scripted, &(struct limits){.finalists = finalists}, &progress);
        CU_ASSERT_EQUAL(scripted.asked[0].incumbent_ns, INFINITY);
        CU_ASSERT_DOUBLE_EQUAL(scripted.asked[1].incumbent_ns, finalists ? 1.02 * 3030 + 100 : 3030, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(scripted.asked[2].incumbent_ns, finalists ? 1.02 * 1010 + 100 : 1010, 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(scripted.asked[7].incumbent_ns, finalists ? 1.02 * 1010 + 100 : 1010, 1e-6);
        clear(&stage);
    }
}

/* Duplicates are not measured and cost no budget. */
static void duplicates_are_free(void)
{
    static const struct part parts[COUNT] = {
        {.value = 1000}, {.duplicate = 1}, {.duplicate = 1}, {.value = 900}, {.duplicate = 4}};
    struct scripted scripted = {.parts = parts, .speed = 1};
    struct run_progress progress;
    struct stage stage;
    set_up(&stage);
    session(&stage, &scripted, &(struct limits){.max_evals = 3}, &progress);
    check_asked(&scripted, "A=1! A=2 A=3 A=4 A=5 A=6");
    CU_ASSERT_EQUAL(progress.counts[STATUS_DUPLICATE], 3);
    session(&stage, &scripted, &(struct limits){.max_evals = 4}, &progress);
    check_asked(&scripted, "A=4! A=7");
    clear(&stage);
}

static void samples_are_discarded(void)
{
    static const struct part parts[COUNT] = {{.value = 1000}, {.value = 1010}};
    struct scripted scripted = {.parts = parts, .speed = 1, .discarded = 3};
    struct run_progress progress;
    struct stage stage;
    set_up(&stage);
    session(&stage, &scripted, &(struct limits){.finalists = 8}, &progress);
    CU_ASSERT_EQUAL(progress.discarded, 3 * (COUNT + 2));
    clear(&stage);
}

CU_TestInfo tests_tally[] = {{"what may be stopped early", what_may_be_stopped_early},
                             {"duplicates are not charged", duplicates_are_free},
                             {"discarded samples are counted", samples_are_discarded},
                             CU_TEST_INFO_NULL};
