/* Configurations at the evaluator: their proposers, and waiting. */
#include "scripted.h"

static int hear(void *context, const struct run_event *event, struct error *error)
{
    struct text *proposers = context;
    (void)error;
    if (event->kind == RUN_OUTCOME)
        text_printf(proposers, "%d:%d ", (int)event->index, (int)event->measurement->proposer);
    return 0;
}

/* The proposers are the default, the warm start and the strategy. */
static void outcomes_arrive(void)
{
    static const struct part parts[COUNT] = {[4] = {.status = STATUS_COMPILE_ERROR}, [6] = {.value = 1000}};
    static const uint64_t first[] = {6, 4};
    struct scripted scripted = {.parts = parts, .speed = 1};
    struct run_progress progress;
    struct text proposers = {0};
    struct stage stage;
    char expected[128];
    snprintf(expected, sizeof expected, "0:%d 6:%d 4:%d 1:%d 2:%d 3:%d 5:%d 7:%d ", PROPOSER_DEFAULT,
             PROPOSER_WARM_START, PROPOSER_WARM_START, PROPOSER_STRATEGY, PROPOSER_STRATEGY, PROPOSER_STRATEGY,
             PROPOSER_STRATEGY, PROPOSER_STRATEGY);
    set_up(&stage);
    session(&stage, &scripted, &(struct limits){.first = first, .first_count = 2, .on = hear, .seen = &proposers},
            &progress);
    CU_ASSERT_EQUAL(progress.evaluated, COUNT);
    CU_ASSERT_EQUAL(progress.counts[STATUS_COMPILE_ERROR], 1);
    CU_ASSERT_STRING_EQUAL(text_string(&proposers), expected);
    text_free(&proposers);
    clear(&stage);
}

/* A row has the samples of its measurement, with the correction of its time; a duplicate and a finalist have none. */
static void samples_are_kept(void)
{
    static const struct part parts[COUNT] = {{.samples = "1 2*4"},
                                             {.samples = "1 2*4", .correction = 1.5},
                                             {.duplicate = 1},
                                             {.status = STATUS_TIMEOUT},
                                             {.samples = "4*5", .correction = 1}};
    struct kept_samples kept = {0};
    struct scripted scripted = {.parts = parts, .speed = 1, .kept = &kept};
    struct run_progress progress;
    struct stage stage;
    struct journal *journal = NULL;
    struct text rows = {0};
    set_up(&stage);
    session(&stage, &scripted, &(struct limits){.max_evals = 5, .finalists = 2}, &progress);
    CU_ASSERT_EQUAL_FATAL(journal_read(&journal, stage.path, NULL), 0);
    for (size_t i = 0; i < journal_row_count(journal); i++) {
        const struct journal_row row = journal_get_row(journal, i);
        text_printf(&rows, "%s%s:%s ", row.values[0], playoff_name(row.measurement.playoff), row.samples);
    }
    CU_ASSERT_STRING_EQUAL(text_string(&rows), "1:1 2*4 2:1.5 3*4 3: 4: 5:4*5 6: 1leader: 2lost: ");
    CU_ASSERT_EQUAL(kept.count, 0);
    journal_close(journal, NULL);
    kept_samples_free(&kept);
    text_free(&rows);
    clear(&stage);
}

enum { PLACES = 6 };

/* An evaluator with room for PLACES. */
struct wide {
    uint64_t queue[PLACES];
    size_t rests; /* after the first outcomes, which then come all at once, it has no room so many times */
    size_t queued, before, after; /* before, after: most in flight before the first outcome, and after it */
    bool ended;
    int64_t now_ns; /* a second for each wait */
};

static size_t wide_room(void *state, bool learns_at_once)
{
    struct wide *wide = state;
    (void)learns_at_once;
    if (wide->ended && wide->rests) {
        wide->rests--;
        return 0;
    }
    return PLACES - wide->queued;
}

static int wide_submit(void *state, uint64_t index, bool exact, size_t device, struct error *error)
{
    struct wide *wide = state;
    (void)exact, (void)device, (void)error;
    wide->queue[wide->queued++] = index;
    return 0;
}

static int wide_wait(void *state, int64_t until_ns, struct evaluation *done, size_t space, size_t *count,
                     struct error *error)
{
    struct wide *wide = state;
    size_t *most = wide->ended ? &wide->after : &wide->before;
    size_t at_once = wide->rests ? space : 1;
    (void)until_ns, (void)error;
    *most = wide->queued > *most ? wide->queued : *most;
    wide->now_ns += 1000000000;
    for (*count = 0; wide->queued && *count < at_once; ++*count)
        done[*count] = (struct evaluation){.index = wide->queue[--wide->queued], .measurement = timed(1000)};
    wide->ended |= *count > 0;
    return 0;
}

/* Before the first outcome, only the opening of a learning strategy is in flight. An evaluator without room ends no
 * run. */
static void waits_for_an_outcome(void)
{
    static const struct evaluator_ops ops = {.room = wide_room,
                                             .submit = wide_submit,
                                             .wait = wide_wait,
                                             .busy_s = evaluator_busy_unknown,
                                             .incumbent = evaluator_ignore_incumbent,
                                             .now = evaluator_real_time};
    static const struct {
        const char *strategy;
        size_t before, rests;
    } rows[] = {{"surrogate:initial=3", 3, 0},
                {"surrogate:initial=3", 3, 2},
                {"surrogate:initial=20", PLACES, 0},
                {"random", PLACES, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct space *space = NULL;
        struct valid_set *set = NULL;
        struct error error = {0};
        struct run_progress progress;
        struct wide wide = {.rests = rows[i].rests};
        struct evaluator evaluator = {&ops, &wide};
        struct strategy_choice choice = {0};
        static const char text[] = "space 2\nparam A = 0..15\nparam B = 0..15\n";
        CU_ASSERT_EQUAL_FATAL(strategy_choose(&choice, rows[i].strategy, &error), 0);
        CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", text, strlen(text), "", &error), 0);
        CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, &error), 0);
        CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, space, VALID_SET_DEFAULT_BYTES, &error), 0);
        CU_ASSERT_EQUAL(run_tune(&(struct run_setup){.space = space,
                                                     .set = set,
                                                     .strategy = choice.ops,
                                                     .strategy_options = choice.options,
                                                     .evaluator = &evaluator,
                                                     .max_evals = 30},
                                 &progress, &error),
                        0);
        CU_ASSERT_EQUAL(progress.evaluated, 30);
        CU_ASSERT_EQUAL(wide.before, rows[i].before);
        CU_ASSERT_EQUAL(wide.after, PLACES);
        strategy_choice_free(&choice);
        valid_set_free(set);
        space_free(space);
    }
}

static int64_t wide_now(void *state)
{
    return ((struct wide *)state)->now_ns;
}

/* An evaluator that cannot withdraw ends everything that was submitted before the limit. */
static void ends_what_was_submitted(void)
{
    static const struct evaluator_ops ops = {.room = wide_room,
                                             .submit = wide_submit,
                                             .wait = wide_wait,
                                             .withdraw = evaluator_withdraw_nothing,
                                             .limit = evaluator_ignore_limit,
                                             .busy_s = evaluator_busy_unknown,
                                             .incumbent = evaluator_ignore_incumbent,
                                             .now = wide_now};
    struct space *space = NULL;
    struct valid_set *set = NULL;
    struct error error = {0};
    struct run_progress progress;
    struct wide wide = {0};
    struct evaluator evaluator = {&ops, &wide};
    static const char text[] = "space 2\nparam A = 0..15\nparam B = 0..15\n";
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", text, strlen(text), "", &error), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, space, VALID_SET_DEFAULT_BYTES, &error), 0);
    CU_ASSERT_EQUAL(run_tune(&(struct run_setup){.space = space,
                                                 .set = set,
                                                 .strategy = &strategy_exhaustive,
                                                 .evaluator = &evaluator,
                                                 .max_time_ns = 3000000000},
                             &progress, &error),
                    0);
    CU_ASSERT_EQUAL(progress.evaluated, 2 + PLACES); /* the room was filled twice more before the limit */
    CU_ASSERT_EQUAL(progress.withdrawn, 0);
    CU_ASSERT_EQUAL(wide.queued, 0);
    valid_set_free(set);
    space_free(space);
}

CU_TestInfo tests_in_flight[] = {{"outcomes arrive", outcomes_arrive},
                                 {"samples are kept", samples_are_kept},
                                 {"it waits for an outcome", waits_for_an_outcome},
                                 {"it ends what was submitted", ends_what_was_submitted},
                                 CU_TEST_INFO_NULL};
