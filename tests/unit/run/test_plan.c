/* Decisions of a run, and its announced time, on replayed journals of one row per configuration. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "evaluate/eval_replay.h"
#include "evaluate/eval_synth.h"
#include "evaluate/rows.h"
#include "run/run.h"

#define S INT64_C(1000000000)

struct row {
    const char *name;
    uint64_t configurations;
    int64_t compile_ns, measure_ns; /* of each; -1: unknown */
    size_t jobs;                    /* of the replay */
    bool explicit_;                 /* the strategy `random`; false: automatic */
    uint64_t max_evals;
    int64_t max_time_ns;
    uint64_t journal; /* rows in the resumed journal */
    size_t first;     /* configurations of a warm start */
    bool uneven;      /* two of three configurations compile in a tenth */
    /* The announcement: "?" for an open plan; the strategy and the expected seconds if known. */
    const char *announced;
    uint64_t evaluated; /* in the end, with the journal's */
};

static const struct row rows[] = {
    {"all fit", 100, S, S, 0, .announced = "surrogate? exhaustive=200", .evaluated = 100},
    {"they just fit", 300, S, S, 0, .announced = "surrogate? exhaustive=600", .evaluated = 300},
    {"they just do not", 301, S, S, 0, .announced = "surrogate? surrogate=602", .evaluated = 300},
    {"compilers work at the same time", 1000, 4 * S, S / 8, 8, .announced = "surrogate? exhaustive=501",
     .evaluated = 1000},
    {"one device", 1200, 4 * S, 3 * S, 8, .announced = "surrogate? surrogate=3604", .evaluated = 199},
    {"a time limit", 100, S, S, 0, .max_time_ns = 199 * S, .announced = "surrogate? surrogate=200", .evaluated = 99},
    {"a time limit that suffices", 400, S, S, 0, .max_time_ns = 800 * S, .announced = "surrogate? exhaustive=800",
     .evaluated = 400},
    {"a time limit during the sample", 100, S, S, 0, .max_time_ns = 9 * S, .announced = "surrogate?", .evaluated = 4},
    {"fewer evaluations", 400, 10 * S, S, 0, .max_evals = 399, .announced = "surrogate surrogate=4389",
     .evaluated = 399},
    {"enough evaluations", 400, 10 * S, S, 0, .max_evals = 400, .announced = "surrogate? surrogate=4400",
     .evaluated = 54},
    {"few configurations", 16, 100 * S, S, 0, .announced = "exhaustive", .evaluated = 16},
    {"one more", 17, 10 * S, S, 0, .announced = "surrogate? exhaustive=187", .evaluated = 17},
    {"too slow for the sample", 17, 100 * S, S, 0, .announced = "surrogate?", .evaluated = 5},
    {"few configurations and a time limit", 16, 100 * S, S, 0, .max_time_ns = 300 * S, .announced = "exhaustive",
     .evaluated = 2},
    {"no durations", 100, -1, -1, 0, .announced = "surrogate? exhaustive", .evaluated = 100},
    {"the journal tells", 100, S, S, 0, .journal = 8, .announced = "exhaustive=184", .evaluated = 100},
    {"the journal tells that the rest does not fit", 400, S, S, 0, .journal = 8, .announced = "surrogate=784",
     .evaluated = 307},
    {"the journal tells too little", 100, S, S, 0, .journal = 7, .announced = "surrogate? exhaustive=188",
     .evaluated = 100},
    {"few are left", 100, 100 * S, S, 0, .journal = 84, .announced = "exhaustive", .evaluated = 100},
    {"none is left", 100, S, S, 0, .journal = 100, .announced = "exhaustive", .evaluated = 100},
    {"early compilations do not count more", 400, 80 * S, S, 8, .uneven = true, .max_time_ns = 10000 * S,
     .announced = "surrogate? exhaustive=1.8e+03", .evaluated = 400},
    {"a warm start", 400, S, S, 0, .first = 5, .announced = "surrogate? surrogate=800", .evaluated = 300},
    {"a named strategy", 100, 100 * S, S, 0, true, .announced = "random random=10100", .evaluated = 100},
    {"a named strategy with limits", 100, S, S, 0, true, 50, 60 * S, .announced = "random random=100", .evaluated = 30},
    {"a named strategy with few evaluations", 100, S, S, 0, true, 16, .announced = "random", .evaluated = 16},
    {"a named strategy without durations", 100, -1, -1, 0, true, .announced = "random", .evaluated = 100},
};

struct heard {
    struct text announced;
    bool left_is_known; /* at each outcome after the first */
    double left_s;      /* the last one */
    uint64_t fresh;
    int digits; /* of the expected seconds */
};

static int hear(void *context, const struct run_event *event, struct error *error)
{
    const struct run_plan *plan = &event->progress->plan;
    struct heard *heard = context;
    (void)error;
    heard->fresh += event->fresh;
    heard->left_is_known = heard->fresh < 1 || !isnan(plan->left_s);
    heard->left_s = plan->left_s;
    if (event->kind != RUN_PLAN)
        return 0;
    text_printf(&heard->announced, "%s%s%s", heard->announced.length ? " " : "", plan->strategy->name,
                plan->open ? "?" : "");
    if (!isnan(plan->whole_s))
        text_printf(&heard->announced, "=%.*g", heard->digits, plan->whole_s);
    return 0;
}

static void write_recording(struct text *text, const struct row *row)
{
    text_printf(text, "# cutune journal 1\n# kernel = k\n# fingerprint = f\n# parameters = 1\n"
                      "A,status,time_ns,compile_ns,measure_ns\n");
    for (uint64_t i = 0; i < row->configurations; i++) {
        text_printf(text, "%llu,ok,%llu,", (unsigned long long)i, 1000 + (unsigned long long)i);
        if (row->compile_ns >= 0)
            text_printf(text, "%lld,%lld\n", (long long)row->compile_ns / (row->uneven && i % 3 ? 10 : 1),
                        (long long)row->measure_ns);
        else
            text_printf(text, ",\n");
    }
}

/* Returns the journal of an earlier run of the row; NULL: none. */
static struct journal *open_journal(const struct row *row, const struct space *space, const char *path)
{
    struct journal *journal = NULL;
    struct error error = {0};
    struct journal_header header = journal_header_unknown();
    header.provenance.kernel = "k";
    header.provenance.fingerprint = "f";
    header.parameter_count = 1;
    header.parameters = (const char *const[]){"A"};
    for (int again = 0; again < 2 && row->journal; again++) {
        CU_ASSERT_EQUAL(journal_close(journal, &error), 0);
        CU_ASSERT_EQUAL_FATAL(journal_open(&journal, path, &header, &error), 0);
        for (uint32_t i = 0; i < row->journal && !again; i++) {
            struct measurement measurement = measurement_unknown(STATUS_OK);
            measurement.value = 1000 + i;
            measurement.compile_ns = row->compile_ns;
            measurement.measure_ns = row->measure_ns;
            CU_ASSERT_EQUAL_FATAL(rows_append(journal, space, &i, &measurement, NULL, &error), 0);
        }
    }
    return journal;
}

static void run_row(const struct row *row, struct run_progress *progress, struct heard *heard)
{
    static const uint64_t first[] = {90, 91, 92, 93, 94};
    char path[] = "/tmp/cutune-plan-XXXXXX";
    struct journal *recorded = NULL;
    struct space *space = NULL;
    struct valid_set *set = NULL;
    struct evaluator evaluator = {0};
    struct error error = {0};
    struct text all = {0};
    uint32_t *choices;
    write_recording(&all, row);
    CU_ASSERT_EQUAL_FATAL(journal_parse(&recorded, "j.csv", all.bytes, all.length, &error), 0);
    CU_ASSERT_EQUAL_FATAL(rows_space(&space, recorded, &error), 0);
    CU_ASSERT_EQUAL_FATAL(rows_choices(space, recorded, &choices, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_from_list(&set, space, choices, row->configurations, &error), 0);
    free(choices);
    /* Known before anything else; a journal may leave few of many. */
    bool at_once = strncmp(row->announced, "exhaustive", strlen("exhaustive")) == 0;
    CU_ASSERT(row->explicit_ || row->journal || run_will_exhaust(set, row->max_evals) == at_once);
    int file = mkstemp(path);
    CU_ASSERT_FATAL(file >= 0 && close(file) == 0);
    unlink(path);
    struct journal *journal = open_journal(row, space, path);
    const struct evaluator_setup setup = {.space = space, .set = set, .journal = recorded, .jobs = row->jobs};
    CU_ASSERT_EQUAL_FATAL(evaluator_open_replay(&evaluator, &setup, &error), 0);
    CU_ASSERT_EQUAL(run_tune(&(struct run_setup){.space = space,
                                                 .set = set,
                                                 .strategy = row->explicit_ ? &strategy_random : &strategy_surrogate,
                                                 .automatic = !row->explicit_,
                                                 .evaluator = &evaluator,
                                                 .journal = journal,
                                                 .first = first,
                                                 .first_count = row->first,
                                                 .seed = 1,
                                                 .max_evals = row->max_evals,
                                                 .max_time_ns = row->max_time_ns,
                                                 .on = hear,
                                                 .context = heard},
                             progress, &error),
                    0);
    evaluator_close(&evaluator);
    journal_close(journal, NULL);
    journal_close(recorded, NULL);
    valid_set_free(set);
    space_free(space);
    text_free(&all);
    unlink(path);
}

static void decisions(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        struct heard heard = {.digits = row->uneven ? 2 : 6}; /* other proposals end at other times */
        struct run_progress progress;
        run_row(row, &progress, &heard);
        if (strcmp(text_string(&heard.announced), row->announced) != 0 || progress.evaluated != row->evaluated)
            printf("\n    %s: '%s', not '%s'; evaluated %d, not %d\n", row->name, text_string(&heard.announced),
                   row->announced, (int)progress.evaluated, (int)row->evaluated);
        CU_ASSERT_STRING_EQUAL(text_string(&heard.announced), row->announced);
        CU_ASSERT_EQUAL(progress.evaluated, row->evaluated);
        CU_ASSERT_EQUAL(heard.left_is_known, row->compile_ns >= 0);
        /* The search ends before its limit if nothing more can be compiled. */
        CU_ASSERT(row->compile_ns < 0 || heard.left_s < (double)row->compile_ns * 1e-9);
        CU_ASSERT_FALSE(progress.plan.open && progress.evaluated > RUN_SAMPLE);
        text_free(&heard.announced);
    }
}

/* With unknown times, the number decides. The runs are stopped before they begin. */
static void unknown_times(void)
{
    static const struct {
        const char *text;
        uint64_t max_evals;
        const char *announced;
    } cases[] = {{"space 2\nparam A = 1..1000\nparam B = 1..1000\n", 0, "surrogate?"},
                 {"space 2\nparam A = 1..1000\nparam B = 1..1000\n", 999999, "surrogate"},
                 {"space 2\nparam A = 1..101\nparam B = 1..9901\n", 0, "surrogate"},
                 {"space 2\nparam A = 1..101\nparam B = 1..9901\n", 1000001, "surrogate"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct space *space = NULL;
        struct valid_set *set = NULL;
        struct evaluator evaluator = {0};
        struct error error = {0};
        struct heard heard = {0};
        struct run_progress progress;
        const volatile sig_atomic_t stop = 2;
        CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", cases[i].text, strlen(cases[i].text), "", &error), 0);
        CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, &error), 0);
        CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, space, VALID_SET_DEFAULT_BYTES, &error), 0);
        const struct synth_setup setup = {.set = set, .seed = 1};
        CU_ASSERT_EQUAL_FATAL(evaluator_open_synth(&evaluator, &setup, &error), 0);
        CU_ASSERT_EQUAL(run_tune(&(struct run_setup){.space = space,
                                                     .set = set,
                                                     .strategy = &strategy_surrogate,
                                                     .automatic = true,
                                                     .evaluator = &evaluator,
                                                     .max_evals = cases[i].max_evals,
                                                     .stop = &stop,
                                                     .on = hear,
                                                     .context = &heard},
                                 &progress, &error),
                        0);
        CU_ASSERT_STRING_EQUAL(text_string(&heard.announced), cases[i].announced);
        CU_ASSERT_EQUAL(progress.plan.limit_ns, i == 1 ? 0 : RUN_AUTOMATIC_S * S);
        text_free(&heard.announced);
        evaluator_close(&evaluator);
        valid_set_free(set);
        space_free(space);
    }
}

CU_TestInfo tests_plan[] = {
    {"decisions and announcements", decisions}, {"unknown times", unknown_times}, CU_TEST_INFO_NULL};
