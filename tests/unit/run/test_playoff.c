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
static int asked(void *context, const uint64_t *indices, size_t count, struct measurement *finals, struct error *error)
{
    uint64_t *seen = context;
    for (size_t i = 0; i < count; i++) {
        seen[0]++;
        seen[1] += indices[i];
        finals[i].efficiency_other_devices = indices[i] == 2 ? 0.5 : NAN;
        finals[i].efficiency_other_sizes = 0.25;
    }
    return error ? 0 : 1;
}

static void asks_elsewhere(void)
{
    static const struct part parts[COUNT] = {{.value = 3000},
                                             {.value = 1000, .final_ns = 1001, .registers = 30, .tied = true},
                                             {.value = 1005, .final_ns = 1000, .registers = 40}};
    struct scripted scripted = {.parts = parts, .speed = 1};
    struct run_progress progress;
    struct stage stage;
    uint64_t seen[2] = {0};
    set_up(&stage);
    session(&stage, &scripted, &(struct limits){.finalists = 8, .elsewhere = asked, .seen = seen}, &progress);
    CU_ASSERT(seen[0] == 3 && seen[1] == 3); /* both finalists and the default, once */
    CU_ASSERT_EQUAL(progress.tied, 2);
    CU_ASSERT_EQUAL(progress.best_index, 2);
    CU_ASSERT_EQUAL(progress.best.efficiency_other_devices, 0.5);
    CU_ASSERT(isnan(progress.default_.efficiency_other_devices));
    /* the journal knows it, so that nobody is asked again */
    session(&stage, &scripted, &(struct limits){.finalists = 8, .elsewhere = asked, .seen = seen}, &progress);
    CU_ASSERT(seen[0] == 3 && progress.best_index == 2 && progress.best.efficiency_other_devices == 0.5 &&
              progress.best.efficiency_other_sizes == 0.25);
    clear(&stage);
    set_up(&stage);
    session(&stage, &scripted, &(struct limits){.finalists = 8}, &progress);
    CU_ASSERT(progress.best_index == 1 && isnan(progress.best.efficiency_other_devices));
    clear(&stage);
}

/* The incumbent A=8 plays, in reach or not, and wins its ties; a journal that knows it is not played again. */
static void defends_the_incumbent(void)
{
    static const uint64_t incumbent = 7;
    static const struct {
        struct part eighth;
        uint64_t best; /* A */
        enum incumbent_verdict verdict;
        double ratio;
        size_t played;
    } cases[] = {
        {{.value = 1500, .final_ns = 1500}, 2, INCUMBENT_REPLACED, 1.5, 4},
        {{.value = 1500, .final_ns = 1005, .tied = true, .registers = 90}, 8, INCUMBENT_TIED, 1.005, 4},
        {{.value = 1500, .final_ns = 900}, 8, INCUMBENT_HOLDS, 0.9, 4},
        {{.value = 1000, .duplicate = 2, .final_ns = 1000}, 8, INCUMBENT_HOLDS, 0.995, 3}, /* in place of A=2 */
        {{.status = STATUS_WRONG_RESULT}, 2, INCUMBENT_NONE, NAN, 3},
        {{.value = 1000, .final = STATUS_WRONG_RESULT}, 2, INCUMBENT_NONE, NAN, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct part parts[COUNT] = {{.value = 3000}, {.value = 1000}, {.value = 1005}};
        struct scripted scripted = {.parts = parts, .speed = 1};
        struct run_progress progress;
        struct stage stage;
        struct limits limits = {.finalists = 8, .incumbent = &incumbent};
        parts[7] = cases[i].eighth;
        set_up(&stage);
        session(&stage, &scripted, &limits, &progress);
        CU_ASSERT(scripted.asked[0].index == 0 && scripted.asked[1].index == 7 && scripted.asked[1].exact);
        for (int again = 0; again < 3; again++) {
            CU_ASSERT_EQUAL(progress.best_index + 1, cases[i].best);
            CU_ASSERT_EQUAL(progress.verdict, cases[i].verdict);
            if (progress.verdict)
                CU_ASSERT_DOUBLE_EQUAL(progress.incumbent_ratio, cases[i].ratio, 1e-3);
            CU_ASSERT_EQUAL(scripted.played_count, cases[i].played);
            CU_ASSERT_EQUAL(progress.played, again != 1);
            limits.confirms = again == 1; /* plays again */
            session(&stage, &scripted, &limits, &progress);
            CU_ASSERT_EQUAL(scripted.playoffs > 0, again == 1);
        }
        clear(&stage);
    }
}

/* A finalist that fails has no efficiencies elsewhere. */
static void failures_elsewhere(void)
{
    static const struct part parts[COUNT] = {
        {.value = 3000}, {.value = 1000, .final = STATUS_WRONG_RESULT}, {.value = 1005}};
    struct scripted scripted = {.parts = parts, .speed = 1};
    struct run_progress progress;
    struct stage stage;
    struct journal *journal = NULL;
    uint64_t seen[2] = {0};
    set_up(&stage);
    session(&stage, &scripted, &(struct limits){.finalists = 8, .elsewhere = asked, .seen = seen}, &progress);
    CU_ASSERT_EQUAL_FATAL(journal_read(&journal, stage.path, NULL), 0);
    CU_ASSERT_FATAL(journal_row_count(journal) > COUNT);
    const struct measurement failed = journal_get_row(journal, COUNT).measurement;
    CU_ASSERT_EQUAL(failed.status, STATUS_WRONG_RESULT);
    CU_ASSERT(isnan(failed.efficiency_other_devices) && isnan(failed.efficiency_other_sizes));
    journal_close(journal, NULL);
    clear(&stage);
}

/* Lists the rows of a play-off: A, after d for the default, s for the strategy's, i for the incumbent, and w for a warm
 * start's. */
static int list_roles(void *context, const struct run_event *event, struct error *error)
{
    static const char letters[] = {
        [PROPOSER_DEFAULT] = 'd', [PROPOSER_STRATEGY] = 's', [PROPOSER_INCUMBENT] = 'i', [PROPOSER_WARM_START] = 'w'};
    const struct measurement *measurement = event->measurement;
    (void)error;
    if (event->kind == RUN_OUTCOME && measurement->playoff != PLAYOFF_NONE)
        text_printf(context, "%c%d ", letters[measurement->proposer], (int)event->index + 1);
    return 0;
}

/* A later incumbent is played against; the earlier one is then a finalist like others, found by a warm start, and the
 * journal decides alone. */
static void changes_the_incumbent(void)
{
    static const struct part parts[COUNT] = {{.value = 3000},
                                             {.value = 1000, .tied = true, .registers = 20},
                                             {.value = 1001, .tied = true, .registers = 10},
                                             {.value = 1002, .tied = true, .registers = 30}};
    static const uint64_t second = 1, third = 2, fourth = 3;
    static const struct {
        const uint64_t *incumbent;
        uint64_t best; /* A */
        const char *roles;
    } sessions[] = {{&third, 3, "s2 i3 s4 d1 "},
                    {&second, 2, "i2 w3 s4 d1 "},
                    {NULL, 2, ""},
                    {&fourth, 4, "s2 w3 i4 d1 "},
                    {NULL, 4, ""},
                    {&second, 2, "i2 w3 s4 d1 "}};
    struct scripted scripted = {.parts = parts, .speed = 1};
    struct run_progress progress;
    struct stage stage;
    set_up(&stage);
    for (size_t i = 0; i < sizeof sessions / sizeof *sessions; i++) {
        struct text roles = {0};
        session(&stage, &scripted,
                &(struct limits){.finalists = 8, .incumbent = sessions[i].incumbent, .on = list_roles, .seen = &roles},
                &progress);
        CU_ASSERT_EQUAL(progress.best_index + 1, sessions[i].best);
        CU_ASSERT_EQUAL(scripted.playoffs, *sessions[i].roles != '\0');
        CU_ASSERT_STRING_EQUAL(text_string(&roles), sessions[i].roles);
        text_free(&roles);
    }
    clear(&stage);
}

/* Without a new play-off, nothing is confirmed. */
static void confirms_by_playing(void)
{
    static const struct part parts[COUNT] = {{.value = 3000}, {.value = 1000}, {.value = 1005}};
    static const uint64_t incumbent = 1;
    struct scripted scripted = {.parts = parts, .speed = 1};
    struct run_progress progress;
    struct stage stage;
    struct limits limits = {.finalists = 8, .incumbent = &incumbent};
    set_up(&stage);
    session(&stage, &scripted, &limits, &progress);
    CU_ASSERT_EQUAL(progress.verdict, INCUMBENT_HOLDS);
    limits.confirms = true;
    scripted.unplayed = 2;
    session(&stage, &scripted, &limits, &progress);
    CU_ASSERT(scripted.playoffs == 2 && !progress.played && progress.verdict == INCUMBENT_NONE);
    CU_ASSERT_STRING_EQUAL(progress.unplayed, "not finished");
    session(&stage, &scripted, &limits, &progress);
    CU_ASSERT(scripted.playoffs == 1 && progress.played && progress.verdict == INCUMBENT_HOLDS);
    clear(&stage);
}

/* The play-off of an open run is held again with a newcomer, and the journal tells the same. */
static void plays_again(void)
{
    static const struct part parts[COUNT] = {{.value = 3000},
                                             {.value = 1000, .tied = true, .registers = 10},
                                             {.value = 1001, .tied = true, .registers = 20},
                                             {.value = 1500},
                                             {.value = 1200, .final_ns = 900},
                                             {.status = STATUS_COMPILE_ERROR}};
    static const uint64_t second = 1, third = 2, fourth = 3, fifth = 4, sixth = 5;
    static const struct {
        const char *name;
        const uint64_t *incumbent, *newcomer;
        const char *roles, *asked;
        uint64_t best; /* A */
        enum incumbent_verdict verdict;
        size_t playoffs;
    } rows[] = {
        {"tied", NULL, &third, "s2 s3 d1 s2 i3 d1 ", "A=1! A=2 A=3 A=4", 3, INCUMBENT_TIED, 2},
        {"the best", NULL, &second, "s2 s3 d1 ", "A=1! A=2 A=3 A=4", 2, INCUMBENT_TIED, 1},
        {"beaten", NULL, &fourth, "s2 s3 d1 s2 s3 i4 d1 ", "A=1! A=2 A=3 A=4 A=4!", 2, INCUMBENT_REPLACED, 2},
        {"unknown", NULL, &fifth, "s2 s3 d1 s2 s3 i5 d1 ", "A=1! A=2 A=3 A=4 A=5!", 5, INCUMBENT_HOLDS, 2},
        {"in place of another", &third, &second, "s2 i3 d1 i2 w3 d1 ", "A=1! A=3! A=2 A=4", 2, INCUMBENT_TIED, 2},
        {"one that fails", NULL, &sixth, "s2 s3 d1 ", "A=1! A=2 A=3 A=4 A=6!", 2, INCUMBENT_NONE, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct scripted scripted = {.parts = parts, .speed = 1};
        struct limits limits = {.finalists = 8,
                                .max_evals = 4,
                                .incumbent = rows[i].incumbent,
                                .newcomer = rows[i].newcomer,
                                .on = list_roles};
        struct run_progress progress;
        struct text roles = {0};
        struct stage stage;
        set_up(&stage);
        limits.seen = &roles;
        session(&stage, &scripted, &limits, &progress);
        if (strcmp(text_string(&roles), rows[i].roles) != 0)
            fprintf(stderr, "\n%s: %s\n", rows[i].name, text_string(&roles));
        CU_ASSERT_STRING_EQUAL(text_string(&roles), rows[i].roles);
        check_asked(&scripted, rows[i].asked);
        CU_ASSERT_EQUAL(progress.best_index + 1, rows[i].best);
        CU_ASSERT_EQUAL(progress.verdict, rows[i].verdict);
        CU_ASSERT_EQUAL(scripted.playoffs, rows[i].playoffs);
        limits.incumbent = progress.verdict ? limits.newcomer : limits.incumbent;
        limits.newcomer = NULL;
        limits.max_evals = 0;
        session(&stage, &scripted, &limits, &progress);
        CU_ASSERT_EQUAL(progress.best_index + 1, rows[i].best);
        text_free(&roles);
        clear(&stage);
    }
}

CU_TestInfo tests_playoff[] = {{"who is measured, and wins", decides},
                               {"a play-off that comes to nothing", is_tried_twice},
                               {"efficiency elsewhere", asks_elsewhere},
                               {"failures have none", failures_elsewhere},
                               {"the incumbent", defends_the_incumbent},
                               {"another incumbent", changes_the_incumbent},
                               {"confirming", confirms_by_playing},
                               {"a newcomer", plays_again},
                               CU_TEST_INFO_NULL};
