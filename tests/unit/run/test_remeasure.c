/* Wrong or old times in a run: measured again. */
#include "scripted.h"

/* Keeps only the first `rows` rows of the journal. */
static void cut_journal(const struct stage *stage, size_t rows)
{
    struct text text = {0};
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(file_read(stage->path, 1 << 20, &text, &error), 0);
    char *at = strstr(text_string(&text), "\nA,");
    for (size_t i = 0; i <= rows && at; i++)
        at = strchr(at + 1, '\n');
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    CU_ASSERT_EQUAL_FATAL(truncate(stage->path, at + 1 - text.bytes), 0);
    text_free(&text);
}

/* ---- The cases ---- */

/* A=2 leads the search and fails in the play-off. Configurations stopped early because of it are measured again, in the
 * same run or in the next one, wherever this one ended. */
static void undoes_a_wrong_best(void)
{
    static const struct part parts[COUNT] = {{.value = 5000},
                                             {.value = 100, .final = STATUS_WRONG_RESULT},
                                             {.value = 3000},
                                             {.value = 2500, .final_ns = 2600},
                                             {.value = 9000},
                                             {.value = 2510, .final_ns = 2550},
                                             {.value = 100, .duplicate = 2},
                                             {.status = STATUS_CRASHED}};
    static const struct limits limits = {.finalists = 8};
    struct scripted scripted = {.parts = parts, .speed = 1};
    struct run_progress progress;
    /* The rows of the whole run: 8 of the search, 1 that failed, 2 measured again, 3 of the play-off. A=5 is slower
     * than the default, and A=3 than A=4. */
    for (size_t rows = 0; rows <= 14; rows++) {
        struct stage stage;
        set_up(&stage);
        session(&stage, &scripted, &limits, &progress);
        if (rows == 0)
            check_asked(&scripted, "A=1! A=2 A=3 A=4 A=5 A=6 A=7 A=8 A=4 A=6");
        if (rows > 0) {
            cut_journal(&stage, rows);
            session(&stage, &scripted, &limits, &progress);
        }
        if (rows == 14)
            CU_ASSERT_EQUAL(scripted.count + scripted.playoffs, 0);
        CU_ASSERT(progress.has_best);
        CU_ASSERT_EQUAL(progress.best_index, 5);
        CU_ASSERT_EQUAL(progress.best.value, 2550);
        CU_ASSERT_EQUAL(progress.evaluated, COUNT);
        CU_ASSERT_EQUAL(progress.finalists, 2);
        CU_ASSERT_EQUAL(progress.default_.value, 5000);
        CU_ASSERT_EQUAL(progress.counts[STATUS_WRONG_RESULT], 2);
        CU_ASSERT_EQUAL(progress.counts[STATUS_DUPLICATE], 0);
        CU_ASSERT_EQUAL(progress.counts[STATUS_CRASHED], 1);
        CU_ASSERT_EQUAL(progress.counts[STATUS_OK] + progress.counts[STATUS_SLOWER], 5);
        if (scripted.playoffs)
            CU_ASSERT_EQUAL(scripted.played_count, 3); /* including the default */
        clear(&stage);
    }
}

/* Configurations stopped early because of a valid best are not measured again when another one fails. */
static void leaves_the_rest_alone(void)
{
    static const struct part parts[COUNT] = {{.value = 1000}, {.value = 1005, .final = STATUS_CRASHED}};
    struct scripted scripted = {.parts = parts, .speed = 1};
    struct run_progress progress;
    struct stage stage;
    set_up(&stage);
    session(&stage, &scripted, &(struct limits){.finalists = 8}, &progress);
    check_asked(&scripted, "A=1! A=2 A=3 A=4 A=5 A=6 A=7 A=8");
    CU_ASSERT_EQUAL(progress.counts[STATUS_SLOWER], 6);
    CU_ASSERT_EQUAL(progress.counts[STATUS_CRASHED], 1);
    CU_ASSERT_EQUAL(progress.best_index, 0);
    CU_ASSERT_EQUAL(progress.default_.value, progress.best.value);
    clear(&stage);
}

static void nobody_is_left(void)
{
    static const struct part parts[COUNT] = {
        {.final = STATUS_CRASHED}, {.final = STATUS_CRASHED}, {.final = STATUS_TIMEOUT}, {.final = STATUS_CRASHED},
        {.final = STATUS_CRASHED}, {.final = STATUS_CRASHED}, {.final = STATUS_CRASHED}, {.final = STATUS_CRASHED}};
    struct scripted scripted = {.parts = parts, .speed = 1};
    struct run_progress progress;
    struct stage stage;
    set_up(&stage);
    for (int again = 0; again < 2; again++) {
        session(&stage, &scripted, &(struct limits){.finalists = 3}, &progress);
        CU_ASSERT(!progress.has_best && !progress.has_default);
        CU_ASSERT_EQUAL(progress.counts[STATUS_CRASHED], 7);
        CU_ASSERT_EQUAL(progress.counts[STATUS_TIMEOUT], 1);
        CU_ASSERT_EQUAL(scripted.count, again ? 0 : COUNT);
    }
    clear(&stage);
}

/* A default that fails in the play-off has no time, so that no speed-up is known. */
static void the_default_fails(void)
{
    static const struct part parts[COUNT] = {{.value = 4000, .final = STATUS_WRONG_RESULT}, {.value = 1000}};
    struct scripted scripted = {.parts = parts, .speed = 1};
    struct run_progress progress;
    struct stage stage;
    set_up(&stage);
    session(&stage, &scripted, &(struct limits){.finalists = 2}, &progress);
    CU_ASSERT(progress.has_best && !progress.has_default);
    CU_ASSERT_EQUAL(progress.best_index, 1);
    CU_ASSERT_EQUAL(scripted.playoffs, 2);
    clear(&stage);
}

/* A duplicate is a finalist if its original is outside the set; of several duplicates, one. A default with a finalist's
 * code has its time. */
static void duplicates_play(void)
{
    static const struct part parts[COUNT] = {{.duplicate = 2}, {.value = 1000, .final_ns = 1003},
                                             {.value = 1010},  {.value = 1000, .final_ns = 1005, .duplicate = 2},
                                             {.value = 5000},  {.value = 1000, .final_ns = 1005, .duplicate = 2},
                                             {.value = 5000},  {.value = 5000}};
    struct scripted scripted = {.parts = parts, .speed = 1};
    struct run_progress progress;
    struct stage stage;
    set_up(&stage);
    session(&stage, &scripted, &(struct limits){.finalists = 8}, &progress);
    CU_ASSERT_EQUAL(progress.best_index, 1);
    CU_ASSERT_EQUAL(progress.best.value, 1003);
    CU_ASSERT(progress.has_default);
    CU_ASSERT_EQUAL(progress.default_.value / progress.best.value, 1);
    CU_ASSERT_EQUAL(scripted.played_count, 2);
    /* without A=2, it has the code of A=4 */
    static const struct part narrowed[] = {
        {.value = 1010}, {.value = 1000, .final_ns = 1005}, {.value = 5000}, {.value = 1000}};
    scripted.parts = narrowed;
    session(&stage, &scripted, &(struct limits){.finalists = 8, .values = "A=3,4,5,6"}, &progress);
    CU_ASSERT_EQUAL(scripted.count, 0);
    CU_ASSERT_EQUAL(progress.best_index, 1);
    CU_ASSERT_EQUAL(progress.best.value, 1005);
    CU_ASSERT_EQUAL(progress.finalists, 2);
    CU_ASSERT_EQUAL(scripted.played_count, 2);
    clear(&stage);
}

/* A default with the code of a configuration that is not a finalist plays, too. */
static void the_default_is_a_duplicate(void)
{
    static const struct part parts[COUNT] = {{.duplicate = 2, .final_ns = 4100}, {.value = 4000}, {.value = 1000}};
    struct scripted scripted = {.parts = parts, .speed = 1};
    struct run_progress progress;
    struct stage stage;
    set_up(&stage);
    session(&stage, &scripted, &(struct limits){.finalists = 1}, &progress);
    CU_ASSERT_EQUAL(scripted.played_count, 2);
    CU_ASSERT_EQUAL(scripted.played[1], 0);
    CU_ASSERT_EQUAL(progress.default_.value, 4100);
    clear(&stage);
}

/* The device is as fast as before, slower or faster. The recorded best is measured again first and becomes the
 * reference, so that times of both sessions are comparable. */
static void the_device_has_changed(void)
{
    static const struct part parts[COUNT] = {{.value = 5000}, {.value = 1000}, {.value = 1100}, {.value = 4000},
                                             {.value = 980},  {.value = 1300}, {.value = 990}};
    static const struct {
        double speed;
        const char *asked;
    } cases[] = {{1, "A=2! A=5 A=6 A=7 A=8"},
                 {1.01, "A=2! A=5 A=6 A=7 A=8"},
                 {1.6, "A=2! A=1! A=5 A=6 A=7 A=8"},
                 {0.5, "A=2! A=1! A=5 A=6 A=7 A=8"}};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        struct scripted scripted = {.parts = parts, .speed = 1};
        struct run_progress progress;
        struct stage stage;
        double speed = cases[i / 2].speed;
        size_t finalists = i % 2 ? 4 : 0;
        set_up(&stage);
        session(&stage, &scripted, &(struct limits){.finalists = finalists, .max_evals = 4}, &progress);
        CU_ASSERT_EQUAL(progress.best_index, 1);
        CU_ASSERT_EQUAL(progress.fresh, 4);
        scripted.speed = speed;
        for (int again = 0; again < 2; again++) {
            session(&stage, &scripted, &(struct limits){.finalists = finalists}, &progress);
            check_asked(&scripted, again ? "" : cases[i / 2].asked);
            CU_ASSERT_EQUAL(scripted.playoffs, finalists && !again);
            CU_ASSERT_EQUAL(progress.fresh, again ? 0 : 4);
            CU_ASSERT_EQUAL(progress.evaluated, COUNT);
            CU_ASSERT_EQUAL(progress.best_index, 4);
            CU_ASSERT_DOUBLE_EQUAL(progress.best.value, 980 * speed, 1e-6);
            if (speed > 1.1 || speed < 0.9 || finalists)
                CU_ASSERT_DOUBLE_EQUAL(progress.default_.value, 5000 * speed, 1e-6);
        }
        clear(&stage);
    }
}

/* Half of the set is recorded: its best is the default, or none is feasible. */
static void the_rest_follows(void)
{
    static const struct {
        struct part parts[COUNT];
        const char *asked;
        uint64_t best;
        double value;
    } cases[] = {{{{.value = 1000}}, "A=1! A=5 A=6 A=7 A=8", 0, 1600},
                 {{{.status = STATUS_CRASHED},
                   {.status = STATUS_CRASHED},
                   {.status = STATUS_CRASHED},
                   {.status = STATUS_CRASHED}},
                  "A=5 A=6 A=7 A=8",
                  4,
                  3200}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scripted scripted = {.parts = cases[i].parts, .speed = 1};
        struct run_progress progress;
        struct stage stage;
        set_up(&stage);
        session(&stage, &scripted, &(struct limits){.max_evals = 4}, &progress);
        scripted.speed = 1.6;
        session(&stage, &scripted, &(struct limits){0}, &progress);
        check_asked(&scripted, cases[i].asked);
        CU_ASSERT_EQUAL(progress.best_index, cases[i].best);
        CU_ASSERT_EQUAL(progress.best.value, cases[i].value);
        clear(&stage);
    }
}

/* The recorded best now fails: the next one replaces it. */
static void the_best_fails_now(void)
{
    static const struct part then[COUNT] = {{.value = 5000}, {.value = 1000}, {.value = 1100}};
    static const struct part now[COUNT] = {{.value = 5000}, {.status = STATUS_WRONG_RESULT}, {.value = 1100}};
    struct scripted scripted = {.parts = then, .speed = 1};
    struct run_progress progress;
    struct stage stage;
    set_up(&stage);
    session(&stage, &scripted, &(struct limits){.max_evals = 3}, &progress);
    scripted.parts = now;
    session(&stage, &scripted, &(struct limits){.max_evals = 5}, &progress);
    /* A=3 was stopped early because of A=2. */
    check_asked(&scripted, "A=2! A=1! A=3 A=4 A=5");
    CU_ASSERT_EQUAL(progress.best_index, 2);
    CU_ASSERT_EQUAL(progress.counts[STATUS_WRONG_RESULT], 1);
    clear(&stage);
}

/* Configurations that a session measures again, with a journal of all eight. A set without A=2, the best of them, lacks
 * the configuration that the others were slower than; the script of a narrower set uses its own numbers. */
static void what_was_stopped_early(void)
{
    static const struct part all[COUNT] = {{.value = 5000}, {.value = 1000},  {.value = 3000}, {.value = 2000},
                                           {.value = 2030}, {.duplicate = 3}, {.value = 9000}, {.value = 1010}};
    static const struct {
        struct limits limits;
        struct part parts[COUNT];
        const char *asked;
        uint64_t best, unsettled, fresh;
    } cases[] = {
        /* Nothing is left to do. */
        {{.finalists = 4}, {{.value = 5000}, {.value = 1000}}, "", 1, 0, 0},
        /* The most promising first, to its end, because it may show that the device has changed. The next may be as
         * fast. */
        {{.values = "A=3,4,5,7"},
         {{.value = 3000}, {.value = 2000}, {.value = 2030}, {.value = 9000}},
         "A=2! A=3",
         1,
         0,
         2},
        {{.values = "A=3,7"}, {{.value = 3000}, {.value = 9000}}, "A=1!", 0, 0, 1},
        /* The default has a time and comes first. */
        {{.values = "A=1,3,7"}, {{.value = 5000}, {.value = 3000}, {.value = 9000}}, "A=1! A=2", 1, 0, 1},
        {{.values = "A=1,7"}, {{.value = 5000}, {.value = 9000}}, "", 0, 0, 0},
        /* A bound slower than the best here counts; a bound within the reach of a play-off does not. */
        {{.values = "A=2,3,4"}, {{.value = 1000}, {.value = 3000}, {.value = 2000}}, "", 0, 0, 0},
        /* The original of A=6 is outside the set. */
        {{.values = "A=6,7"}, {{.value = 3000}, {.value = 9000}}, "A=1!", 0, 0, 1},
        {{.values = "A=3,6"}, {{.value = 3000}, {.value = 3000, .duplicate = 3}}, "A=1!", 0, 0, 1},
        /* Named ones are timed to the end, whatever is known about others. */
        {{.values = "A=2,3,7", .exact = true},
         {{.value = 1000}, {.value = 3000}, {.value = 9000}},
         "A=1! A=2! A=3!",
         0,
         0,
         2},
        {{.values = "A=7", .exact = true}, {{.value = 9000}}, "A=1!", 0, 0, 1},
        /* A budget of evaluations is for new ones; a reached target ends everything. */
        {{.values = "A=3,7", .max_evals = 1}, {{.value = 3000}, {.value = 9000}}, "A=1!", 0, 0, 1},
        {{.values = "A=1,3,7", .target = 6000}, {{.value = 5000}, {.value = 3000}, {.value = 9000}}, "", 0, 1, 0},
        {{.values = "A=1,3,4,7", .target = 6000},
         {{.value = 5000}, {.value = 3000}, {.value = 2000}, {.value = 9000}},
         "",
         0,
         2,
         0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scripted scripted = {.parts = all, .speed = 1};
        struct run_progress progress;
        struct stage stage;
        set_up(&stage);
        session(&stage, &scripted, &(struct limits){.finalists = 4}, &progress);
        CU_ASSERT_EQUAL(progress.counts[STATUS_SLOWER], 5);
        CU_ASSERT_EQUAL(progress.unsettled, 0);
        scripted.parts = cases[i].parts;
        for (int again = 0; again < 2; again++) {
            session(&stage, &scripted, &cases[i].limits, &progress);
            check_asked(&scripted, again ? "" : cases[i].asked);
            CU_ASSERT_EQUAL(progress.best_index, cases[i].best);
            CU_ASSERT_EQUAL(progress.best.value, cases[i].parts[cases[i].best].value);
            CU_ASSERT_EQUAL(progress.unsettled, cases[i].unsettled);
            if (progress.unsettled) /* the most promising is the last one faster than the default */
                CU_ASSERT(progress.censored_index == progress.unsettled &&
                          progress.censored.value == cases[i].parts[progress.unsettled].value);
            CU_ASSERT_EQUAL(progress.fresh, again ? 0 : cases[i].fresh);
        }
        clear(&stage);
    }
}

/* Nothing in the set has a time, but bounds also show how fast the device was. */
static void a_bound_is_a_reference(void)
{
    static const struct part all[COUNT] = {{.value = 500}, {.value = 2000}, {.value = 2500}};
    static const struct part parts[] = {{.value = 2000}, {.value = 2500}};
    for (int speed = 1; speed <= 2; speed++) {
        struct scripted scripted = {.parts = all, .speed = 2};
        struct run_progress progress;
        struct stage stage;
        set_up(&stage);
        session(&stage, &scripted, &(struct limits){.finalists = 0}, &progress);
        scripted = (struct scripted){.parts = parts, .speed = speed};
        session(&stage, &scripted, &(struct limits){.values = "A=2,3"}, &progress);
        /* At 4000 ns, the bound of 5000 would count; at 2000, it is one of 2500. */
        check_asked(&scripted, "A=1!");
        CU_ASSERT_EQUAL(progress.best.value, 2000 * speed);
        CU_ASSERT_EQUAL(progress.unsettled, 0);
        CU_ASSERT_EQUAL(progress.counts[STATUS_SLOWER], 1);
        clear(&stage);
    }
}

/* A strategy that proposes nothing and records its outcomes. */
static unsigned told[COUNT], told_outside;

static int listener_start(void *state, const struct strategy_setup *setup, struct error *error)
{
    (void)state, (void)setup, (void)error;
    return 0;
}

static int listener_ask(void *state, uint64_t *configs, size_t space, size_t *count, struct error *error)
{
    (void)state, (void)configs, (void)space, (void)error;
    *count = 0;
    return 0;
}

static void listener_tell(void *state, uint64_t config, const struct cost *cost)
{
    (void)state, (void)cost;
    *(config < COUNT ? &told[config] : &told_outside) += 1;
}

/* A=1 to A=5 are recorded; the strategy gets only those in the current set. */
static void the_strategy_is_told(void)
{
    static const struct strategy_ops listener = {
        .name = "listener", .state_size = 1, .start = listener_start, .ask = listener_ask, .tell = listener_tell};
    static const struct part parts[COUNT] = {{.value = 2000}};
    struct scripted scripted = {.parts = parts, .speed = 1};
    struct run_progress progress;
    struct stage stage;
    set_up(&stage);
    session(&stage, &scripted, &(struct limits){.max_evals = 5}, &progress);
    session(&stage, &scripted, &(struct limits){.values = "A=1,3,5,7", .strategy = &listener}, &progress);
    CU_ASSERT_EQUAL(progress.evaluated, 3);
    for (size_t i = 0; i < COUNT; i++)
        CU_ASSERT_EQUAL(told[i] > 0, i < 3);
    CU_ASSERT_EQUAL(told_outside, 0);
    clear(&stage);
}

CU_TestInfo tests_remeasure[] = {{"a best that proves wrong is undone", undoes_a_wrong_best},
                                 {"configurations stopped early because of others stay", leaves_the_rest_alone},
                                 {"nobody is left", nobody_is_left},
                                 {"the default fails in the play-off", the_default_fails},
                                 {"duplicates in the play-off", duplicates_play},
                                 {"the default is a duplicate", the_default_is_a_duplicate},
                                 {"the device has changed", the_device_has_changed},
                                 {"the rest follows", the_rest_follows},
                                 {"the recorded best fails now", the_best_fails_now},
                                 {"what was stopped early", what_was_stopped_early},
                                 {"a bound is a reference", a_bound_is_a_reference},
                                 {"the strategy gets recorded outcomes", the_strategy_is_told},
                                 CU_TEST_INFO_NULL};
