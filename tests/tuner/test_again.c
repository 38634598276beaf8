/* What a run does about times that prove wrong or old, with a device by script: eight configurations, A=1 the default.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "base/file.h"
#include "db/outcomes.h"
#include "tuner/run.h"

enum { COUNT = 8, ASKED_MAX = 64 };

static const char space_text[] =
    "space 1\nkernel k \"k.cu\"\nproblem N = 1\nparam A = 1..8\nbuffer out float[N] output\n"
    "args out\nblock 32\ngrid 1\nreference r block 32 grid 1\ndefault A=1\n";

/* What becomes of a configuration; zeroed: it is measured, in 2 us. */
struct part {
    double value;
    int duplicate;      /* A of the one with the same code; 0: none */
    enum status status; /* when it is measured, */
    enum status final;  /* and in a play-off */
    double final_ns;    /* 0: time_ns */
    int64_t registers;
};

struct scripted {
    const struct part *parts;
    double speed;        /* times are multiplied by it */
    double incumbent_ns; /* the last that was told */
    uint32_t discarded;  /* of every measurement */
    unsigned room, queued;
    struct {
        uint64_t index;
        bool exact;
        double incumbent_ns;
    } asked[ASKED_MAX]; /* A - 1 in the order of asking */
    size_t count, playoffs;
    uint64_t played[ASKED_MAX]; /* of the last play-off */
    size_t played_count;
};

/* ---- The device by script ---- */

static double time_of(const struct scripted *scripted, uint64_t index, bool final)
{
    const struct part *part = &scripted->parts[index];
    double value = final && part->final_ns > 0 ? part->final_ns : part->value;
    return scripted->speed * (value > 0 ? value : 2000);
}

static struct measurement timed(double value)
{
    struct measurement measurement = measurement_unknown(STATUS_OK);
    measurement.value = value;
    measurement.low = 0.99 * value;
    measurement.high = 1.01 * value;
    measurement.samples = 5;
    return measurement;
}

static size_t room(void *state)
{
    const struct scripted *scripted = state;
    return 1 - scripted->queued;
}

static int submit(void *state, uint64_t index, bool exact, struct error *error)
{
    struct scripted *scripted = state;
    (void)error;
    CU_ASSERT_FATAL(scripted->count < ASKED_MAX && !scripted->queued);
    scripted->asked[scripted->count].index = index;
    scripted->asked[scripted->count].exact = exact;
    scripted->asked[scripted->count++].incumbent_ns = scripted->incumbent_ns;
    scripted->queued = 1;
    return 0;
}

static int wait(void *state, int64_t until_ns, struct evaluation *done, size_t space, size_t *count,
                struct error *error)
{
    struct scripted *scripted = state;
    (void)until_ns, (void)error, (void)space;
    *count = scripted->queued;
    if (!*count)
        return 0;
    scripted->queued = 0;
    uint64_t index = scripted->asked[scripted->count - 1].index;
    const struct part *part = &scripted->parts[index];
    struct measurement measurement =
        timed(time_of(scripted, part->duplicate ? (uint64_t)part->duplicate - 1 : index, false));
    measurement.registers = part->registers;
    measurement.discarded = scripted->discarded;
    if (part->status != STATUS_OK) {
        measurement = measurement_unknown(part->status);
    } else if (!scripted->asked[scripted->count - 1].exact && measurement.low > scripted->incumbent_ns) {
        measurement.status = STATUS_SLOWER;
    } else if (part->duplicate) {
        char duplicate[8];
        snprintf(duplicate, sizeof duplicate, "A=%d", part->duplicate);
        measurement.status = STATUS_DUPLICATE;
        measurement_explain_duplicate(&measurement, duplicate, "");
    }
    *done = (struct evaluation){.index = index, .measurement = measurement};
    return 0;
}

static void incumbent(void *state, double high)
{
    ((struct scripted *)state)->incumbent_ns = high;
}

static int playoff(void *state, const uint64_t *indices, size_t count, struct measurement *finals, bool *played,
                   struct error *error)
{
    struct scripted *scripted = state;
    size_t leader = 0;
    bool broken = false;
    (void)error;
    scripted->playoffs++;
    scripted->played_count = count;
    for (size_t i = 0; i < count; i++) {
        const struct part *part = &scripted->parts[indices[i]];
        scripted->played[i] = indices[i];
        finals[i] = timed(time_of(scripted, indices[i], true));
        finals[i].registers = part->registers;
        if (part->final != STATUS_OK) {
            finals[i] = measurement_unknown(part->final);
            broken = true;
        }
        finals[i].discarded = scripted->discarded;
        if (finals[i].value < finals[leader].value)
            leader = i;
    }
    for (size_t i = 0; i < count; i++)
        if (finals[i].status == STATUS_OK) {
            finals[i].playoff = i == leader ? PLAYOFF_LEADER : PLAYOFF_LOST;
            if (broken)
                finals[i].value = finals[i].low = finals[i].high = NAN;
        }
    *played = true;
    return 0;
}

static const struct evaluator_ops scripted_ops = {
    .room = room, .submit = submit, .wait = wait, .incumbent = incumbent, .playoff = playoff};

/* ---- A run ---- */

struct stage {
    char folder[32], path[64];
};

static void set_up(struct stage *stage)
{
    strcpy(stage->folder, "/tmp/cutune-again-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(stage->folder));
    snprintf(stage->path, sizeof stage->path, "%s/j.csv", stage->folder);
}

static void clear(const struct stage *stage)
{
    unlink(stage->path);
    rmdir(stage->folder);
}

struct limits {
    size_t finalists;
    uint64_t max_evals;
    const char *values;                  /* of A, as --set has them; NULL: all */
    const struct strategy_ops *strategy; /* NULL: exhaustive */
};

/* One session on the journal: the same command again is a call again. The index of A=a in a full set is a - 1; of a
 * narrowed one the script is asked by the values. */
static void session(const struct stage *stage, struct scripted *scripted, const struct limits *limits,
                    struct run_progress *progress)
{
    struct space *space = NULL;
    struct valid_set *set = NULL;
    struct journal *journal = NULL;
    struct error error = {0};
    struct evaluator evaluator = {&scripted_ops, scripted};
    struct journal_header header = journal_header_unknown();
    header.provenance.fingerprint = "f";
    header.provenance.kernel = "k";
    header.parameter_count = 1;
    header.parameters = (const char *const[]){"A"};
    scripted->count = scripted->playoffs = scripted->queued = 0;
    scripted->incumbent_ns = INFINITY;
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", space_text, strlen(space_text), "A", &error), 0);
    if (limits->values)
        CU_ASSERT_EQUAL_FATAL(space_narrow(space, limits->values, &error), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, space, VALID_SET_DEFAULT_BYTES, &error), 0);
    CU_ASSERT_EQUAL_FATAL(journal_open(&journal, stage->path, &header, &error), 0);
    CU_ASSERT_EQUAL(run_tune(&(struct run_setup){.space = space,
                                                 .set = set,
                                                 .strategy = limits->strategy ? limits->strategy : &strategy_exhaustive,
                                                 .evaluator = &evaluator,
                                                 .journal = journal,
                                                 .max_evals = limits->max_evals,
                                                 .finalists = limits->finalists},
                             progress, &error),
                    0);
    CU_ASSERT_EQUAL(journal_close(journal, &error), 0);
    valid_set_free(set);
    space_free(space);
}

/* What the script was asked for, as "A=3! A=5" ('!': to be timed to the end). */
static void check_asked(const struct scripted *scripted, const char *expected)
{
    struct text text = {0};
    for (size_t i = 0; i < scripted->count; i++)
        text_printf(&text, "%sA=%d%s", i ? " " : "", (int)scripted->asked[i].index + 1,
                    scripted->asked[i].exact ? "!" : "");
    if (strcmp(text_string(&text), expected) != 0)
        printf("\n    asked for %s, not %s\n", text_string(&text), expected);
    CU_ASSERT_STRING_EQUAL(text_string(&text), expected);
    text_free(&text);
}

/* Leaves the first so many rows of the journal. */
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

/* A=2 leads the search and is wrong in the play-off: what was stopped early for it is measured again, in the same run
 * or in the next one, wherever this one ended. */
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
    /* The rows of the whole run: 8 of the search, 1 that failed, 3 measured again, 3 of the play-off. A=5 is slower
     * than the default. */
    for (size_t rows = 0; rows <= 15; rows++) {
        struct stage stage;
        set_up(&stage);
        session(&stage, &scripted, &limits, &progress);
        if (rows == 0)
            check_asked(&scripted, "A=1! A=2 A=3 A=4 A=5 A=6 A=7 A=8 A=3 A=4 A=6");
        if (rows > 0) {
            cut_journal(&stage, rows);
            session(&stage, &scripted, &limits, &progress);
        }
        if (rows == 15)
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
            CU_ASSERT_EQUAL(scripted.played_count, 3); /* the default, too */
        clear(&stage);
    }
}

/* What was stopped early for a best that holds is not measured again when another one fails. */
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

/* The default that fails in the play-off has no time, and there is no speed-up over it. */
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

/* The search may stop early what lies above the interval of the best, and above the reach of a play-off if there is
 * one.
 */
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

/* The budget is for what is measured. */
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

/* A duplicate is a finalist where its original is not in the set; of several one is. A default with the code of a
 * finalist has its time. */
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
    /* Without A=2 its code is A=4's. */
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

/* A default that has the code of one that is no finalist plays, too. */
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

/* The device is as fast as it was, slower or faster: the recorded best is measured again first, new times are held
 * against that, and all of both sessions can be compared. */
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

/* The recorded best does not work any more: the next one takes its place. */
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
    /* A=3 was stopped early for A=2. */
    check_asked(&scripted, "A=2! A=1! A=4 A=5 A=3");
    CU_ASSERT_EQUAL(progress.best_index, 2);
    CU_ASSERT_EQUAL(progress.counts[STATUS_WRONG_RESULT], 1);
    clear(&stage);
}

/* A strategy that asks for nothing and notes what it is told. */
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

/* A=1 to A=5 are recorded; of the set searched now the strategy is told those, and nothing that is outside it. */
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

CU_TestInfo tests_again[] = {{"a best that proves wrong is undone", undoes_a_wrong_best},
                             {"what was held against others stays", leaves_the_rest_alone},
                             {"nobody is left", nobody_is_left},
                             {"the default fails in the play-off", the_default_fails},
                             {"what may be stopped early", what_may_be_stopped_early},
                             {"duplicates are not charged", duplicates_are_free},
                             {"discarded samples are counted", samples_are_discarded},
                             {"duplicates in the play-off", duplicates_play},
                             {"the default is a duplicate", the_default_is_a_duplicate},
                             {"the device has changed", the_device_has_changed},
                             {"the recorded best fails now", the_best_fails_now},
                             {"the strategy is told what is recorded", the_strategy_is_told},
                             CU_TEST_INFO_NULL};
