/* Play-offs of a run. tests/unit/journal/test_winner.c tests finalists and winners, test_remeasure.c the consequences
 * of a failure. */
#include "scripted.h"

/* A run's play-off: its finalists, and the result; "default" is A=1. */
static void decides(void)
{
    static const struct {
        struct part parts[COUNT];
        size_t finalists;
        uint64_t best; /* A */
        double value;
        size_t played, of_playoff;
    } cases[] = {
        /* the default takes part, too, and is not a finalist when it is out of reach */
        {{{.value = 3000}, {.value = 1000, .final_ns = 1010}, {.value = 1005, .final_ns = 1001}}, 8, 3, 1001, 3, 2},
        {{{.value = 1008, .final_ns = 1000}, {.value = 1000, .final_ns = 1010}, {.value = 1005, .final_ns = 1001}},
         8,
         1,
         1000,
         3,
         3},
        {{{.value = 3000}, {.value = 1000, .final_ns = 1010}, {.value = 1005, .final_ns = 1001}}, 1, 2, 1010, 2, 1},
        {{{.value = 3000}, {.value = 1000, .final_ns = 1010}, {.value = 1005, .final_ns = 1001}}, 0, 2, 1000, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scripted scripted = {.parts = cases[i].parts, .speed = 1};
        struct run_progress progress;
        struct stage stage;
        set_up(&stage);
        session(&stage, &scripted, &(struct limits){.finalists = cases[i].finalists}, &progress);
        CU_ASSERT_EQUAL(progress.best_index + 1, cases[i].best);
        CU_ASSERT_EQUAL(progress.best.value, cases[i].value);
        CU_ASSERT_EQUAL(progress.finalists, cases[i].of_playoff);
        CU_ASSERT_EQUAL(scripted.playoffs ? scripted.played_count : 0, cases[i].played);
        /* a run that measures nothing finds the same winner in the journal, with a play-off or without */
        for (size_t finalists = 0; finalists <= cases[i].finalists; finalists += 8) {
            session(&stage, &scripted, &(struct limits){.finalists = finalists}, &progress);
            CU_ASSERT_EQUAL(scripted.count + scripted.playoffs, 0);
            CU_ASSERT_EQUAL(progress.best_index + 1, cases[i].best);
            CU_ASSERT_EQUAL(progress.best.value, cases[i].value);
        }
        clear(&stage);
    }
}

/* A play-off without a result is repeated; then the search decides, and the run says why. */
static void is_tried_twice(void)
{
    static const struct part parts[COUNT] = {
        {.value = 3000}, {.value = 1000, .final_ns = 1010}, {.value = 1005, .final_ns = 1001}};
    static const struct {
        size_t unplayed, playoffs;
        double value;
        const char *why;
    } cases[] = {{0, 1, 1001, ""}, {1, 2, 1001, ""}, {2, 2, 1000, "not finished"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scripted scripted = {.parts = parts, .speed = 1, .unplayed = cases[i].unplayed};
        struct run_progress progress;
        struct stage stage;
        set_up(&stage);
        session(&stage, &scripted, &(struct limits){.finalists = 8}, &progress);
        CU_ASSERT_EQUAL(scripted.playoffs, cases[i].playoffs);
        CU_ASSERT_EQUAL(progress.best.value, cases[i].value);
        CU_ASSERT_STRING_EQUAL(progress.unplayed, cases[i].why);
        clear(&stage);
    }
}

/* Records the configurations in question; the answers decide and are recorded. */
static int asked(void *context, const uint64_t *indices, size_t count, double *efficiencies, struct error *error)
{
    uint64_t *seen = context;
    for (size_t i = 0; i < count; i++) {
        seen[0]++;
        seen[1] += indices[i];
        efficiencies[i] = indices[i] == 2 ? 0.5 : NAN;
    }
    return error ? 0 : 1;
}

static void asks_other_devices(void)
{
    static const struct part parts[COUNT] = {{.value = 3000},
                                             {.value = 1000, .final_ns = 1001, .registers = 30, .tied = true},
                                             {.value = 1005, .final_ns = 1000, .registers = 40}};
    struct scripted scripted = {.parts = parts, .speed = 1};
    struct run_progress progress;
    struct stage stage;
    uint64_t seen[2] = {0};
    set_up(&stage);
    session(&stage, &scripted, &(struct limits){.finalists = 8, .other_devices = asked, .seen = seen}, &progress);
    CU_ASSERT(seen[0] == 3 && seen[1] == 3); /* both finalists and the default, once */
    CU_ASSERT_EQUAL(progress.tied, 2);
    CU_ASSERT_EQUAL(progress.best_index, 2);
    CU_ASSERT_EQUAL(progress.best.efficiency_other_devices, 0.5);
    CU_ASSERT(isnan(progress.default_.efficiency_other_devices));
    /* the journal knows it, so that nobody is asked again */
    session(&stage, &scripted, &(struct limits){.finalists = 8, .other_devices = asked, .seen = seen}, &progress);
    CU_ASSERT(seen[0] == 3 && progress.best_index == 2 && progress.best.efficiency_other_devices == 0.5);
    clear(&stage);
    set_up(&stage);
    session(&stage, &scripted, &(struct limits){.finalists = 8}, &progress);
    CU_ASSERT(progress.best_index == 1 && isnan(progress.best.efficiency_other_devices));
    clear(&stage);
}

CU_TestInfo tests_playoff[] = {{"who is measured, and wins", decides},
                               {"a play-off that comes to nothing", is_tried_twice},
                               {"efficiency on other devices", asks_other_devices},
                               CU_TEST_INFO_NULL};
