/* All readers of a journal agree on sequences of rows: a resumed run, a replay, a comparison, the timing history and
 * the row of a database. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "analyse/comparison.h"
#include "base/file.h"
#include "choose/timing_history.h"
#include "evaluate/eval_replay.h"
#include "evaluate/eval_synth.h"
#include "evaluate/rows.h"
#include "journal/results.h"
#include "run/run.h"

#define SAME "the same machine code and launch as A="
#define HEAD                                                                                                           \
    "# cutune journal 1\n# fingerprint = f\n# kernel = k\n# problem = N=1\n# device = D\n# default = A=1\n# "          \
    "parameters = 1\n"
#define NAMES                                                                                                          \
    "A,status,time_ns,low_ns,high_ns,samples,registers,shared_bytes,local_bytes,occupancy,compile_ns,measure_ns,"      \
    "playoff,efficiency_other_devices,proposer,discarded,clock_mhz,throttle_reasons,uuid,correction,kernel,message\n"

enum { CONFIGURATIONS = 4, ROWS_MAX = 10 };

static const struct reading_case {
    const char *name;
    const char
        *rows[ROWS_MAX]; /* "A,status,time,playoff/efficiency,proposer,message"; the interval is 1% around the time */
    struct {
        enum status status;
        double value; /* 0: none */
    } expected[CONFIGURATIONS];
    int best;          /* 0: none */
    double best_value; /* of the play-off, if there was one */
} cases[] = {
    {"a search",
     {"1,ok,1000", "2,ok,900", "3,slower,2000", "4,compile_error"},
     {{STATUS_OK, 1000}, {STATUS_OK, 900}, {STATUS_SLOWER, 2000}, {STATUS_COMPILE_ERROR, 0}},
     2,
     900},
    {"the last word counts, the play-off's above all",
     {"1,slower,900", "2,ok,950", "1,ok,1000", "3,ok,960", "3,ok,940,leader", "2,ok,945,lost", "4,ok,970"},
     {{STATUS_OK, 1000}, {STATUS_OK, 945}, {STATUS_OK, 940}, {STATUS_OK, 970}},
     3,
     940},
    {"the best of a tie elsewhere",
     {"1,ok,1000", "2,ok,1002", "3,ok,1001", "1,ok,1000,leader/0.9", "2,ok,1001,tied/0.99", "3,ok,1003,tied",
      "4,ok,1500"},
     {{STATUS_OK, 1000}, {STATUS_OK, 1001}, {STATUS_OK, 1003}, {STATUS_OK, 1500}},
     2,
     1001},
    {"broken in the play-off",
     {"1,ok,1000", "2,ok,500", "3,ok,990", "4,ok,995", "2,wrong_result"},
     {{STATUS_OK, 1000}, {STATUS_WRONG_RESULT, 0}, {STATUS_OK, 990}, {STATUS_OK, 995}},
     3,
     990},
    {"broken in a later play-off than that it won",
     {"1,ok,1000", "2,ok,500", "1,ok,1010,lost", "2,ok,505,leader", "3,ok,510", "2,crashed", "3,ok,511,leader",
      "1,ok,1020,lost"},
     {{STATUS_OK, 1020}, {STATUS_CRASHED, 0}, {STATUS_OK, 511}},
     3,
     511},
    {"duplicates share the fate of their original, whether they come before it or behind it",
     {"3,duplicate,500,,," SAME "2", "2,ok,500", "4,duplicate,500,,," SAME "2", "1,ok,1000",
      "2,wrong_result,,,,the output differs"},
     {{STATUS_OK, 1000}, {STATUS_WRONG_RESULT, 0}, {STATUS_WRONG_RESULT, 0}, {STATUS_WRONG_RESULT, 0}},
     1,
     1000},
    {"a duplicate has the number of its original in the play-off",
     {"2,ok,500", "1,duplicate,500,,," SAME "2", "3,ok,501", "2,ok,505,leader", "3,ok,507,lost"},
     {{STATUS_DUPLICATE, 505}, {STATUS_OK, 505}, {STATUS_OK, 507}},
     2,
     505},
    {"a duplicate that was measured itself has its own number",
     {"2,ok,500", "1,duplicate,500,,," SAME "2", "1,ok,510", "2,crashed"},
     {{STATUS_OK, 510}, {STATUS_CRASHED, 0}},
     1,
     510},
    {"a duplicate whose original is not there stands for itself",
     {"2,duplicate,500,,," SAME "3", "1,ok,1000"},
     {{STATUS_OK, 1000}, {STATUS_DUPLICATE, 500}},
     2,
     500},
    {"duplicates in a circle end nowhere",
     {"1,duplicate,500,,," SAME "2", "2,duplicate,600,,," SAME "1", "3,ok,1000"},
     {{STATUS_DUPLICATE, 500}, {STATUS_DUPLICATE, 600}, {STATUS_OK, 1000}},
     1,
     500},
    {"a duplicate of a failed configuration has its failure",
     {"2,timeout,,,,not finished", "1,timeout,,,," SAME "2: not finished", "3,ok,1000"},
     {{STATUS_TIMEOUT, 0}, {STATUS_TIMEOUT, 0}, {STATUS_OK, 1000}},
     3,
     1000},
    {"stopped early in favour of a wrong result, then measured",
     {"2,ok,10", "1,slower,400", "3,slower,300,,," SAME "1", "2,wrong_result", "1,ok,1000"},
     {{STATUS_OK, 1000}, {STATUS_WRONG_RESULT, 0}, {STATUS_DUPLICATE, 1000}},
     1,
     1000},
    {"a play-off that was cut off",
     {"1,ok,1000", "2,ok,990", "1,ok,1100,lost"},
     {{STATUS_OK, 1100}, {STATUS_OK, 990}},
     2,
     990},
    {"the device is as fast as it was: the best, measured again, has its new number",
     {"1,ok,1000", "2,ok,900", "2,ok,903,,resume", "3,ok,905"},
     {{STATUS_OK, 1000}, {STATUS_OK, 903}, {STATUS_OK, 905}},
     2,
     903},
    {"the device is half as fast: earlier times are read as twice the recorded ones",
     {"1,ok,1000", "2,ok,900", "4,slower,1200", "2,ok,1800,,resume", "3,ok,1700"},
     {{STATUS_OK, 2000}, {STATUS_OK, 1800}, {STATUS_OK, 1700}, {STATUS_SLOWER, 2400}},
     3,
     1700},
    {"slower, then as before",
     {"1,ok,1000", "1,ok,2000,,resume", "2,ok,1900", "2,ok,950,,resume", "3,ok,940"},
     {{STATUS_OK, 1000}, {STATUS_OK, 950}, {STATUS_OK, 940}},
     3,
     940},
    {"all that worked is broken",
     {"1,ok,1000", "2,crashed", "1,timeout"},
     {{STATUS_TIMEOUT, 0}, {STATUS_CRASHED, 0}},
     0,
     0},
};
enum { CASES = sizeof cases / sizeof *cases };

static const char space_text[] =
    "space 2\nkernel k \"k.cu\"\nproblem N = 1\nparam A = 1..4\nbuffer out float[N] output\n"
    "args out\nblock 32\ngrid 1\nreference r block 32 grid 1\ndefault A=1\n";

struct files {
    char folder[32], path[64];
};

static void write_journal(struct files *files, const struct reading_case *of)
{
    struct text text = {0};
    struct error error = {0};
    strcpy(files->folder, "/tmp/cutune-read-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(files->folder));
    snprintf(files->path, sizeof files->path, "%s/j.csv", files->folder);
    text_printf(&text, HEAD NAMES);
    for (size_t i = 0; i < ROWS_MAX && of->rows[i]; i++) {
        char cells[6][128] = {{0}};
        const char *rest = of->rows[i];
        for (size_t cell = 0; cell < 6; cell++) {
            size_t length = cell < 5 ? strcspn(rest, ",") : strlen(rest);
            memcpy(cells[cell], rest, length);
            rest += length + (rest[length] == ',');
        }
        text_printf(&text, "%s,%s,", cells[0], cells[1]);
        if (*cells[2])
            text_printf(&text, "%s,%.9g,%.9g", cells[2], 0.99 * atof(cells[2]), 1.01 * atof(cells[2]));
        else
            text_printf(&text, ",,");
        size_t word = strcspn(cells[3], "/");
        text_printf(&text, ",3,,,,,,,%.*s,%s,%s,,,,,,,%s\n", (int)word, cells[3],
                    cells[3] + word + (cells[3][word] == '/'), cells[4], cells[5]);
    }
    CU_ASSERT_EQUAL_FATAL(file_replace(files->path, text_string(&text), text.length, &error), 0);
    text_free(&text);
}

static void remove_journal(const struct files *files)
{
    unlink(files->path);
    rmdir(files->folder);
}

static void check_reading(const char *reader, const struct reading_case *of, size_t a, const struct measurement *found)
{
    bool same = found ? found->status == of->expected[a].status &&
                            (of->expected[a].value > 0 ? fabs(found->value / of->expected[a].value - 1) < 1e-9
                                                       : isnan(found->value))
                      : of->expected[a].status == STATUS_OK && of->expected[a].value == 0;
    if (!same)
        printf("\n    %s, %s: A=%zu is %s, %g\n", of->name, reader, a + 1,
               found ? status_name(found->status) : "unknown", found ? found->value : NAN);
    CU_ASSERT(same);
}

static void compares(void)
{
    for (size_t i = 0; i < CASES; i++) {
        struct files files;
        struct measured_runs measured = {0};
        struct comparisons comparisons = {0};
        struct error error = {0};
        write_journal(&files, &cases[i]);
        CU_ASSERT_EQUAL_FATAL(measured_runs_add(&measured, files.path, &error), 0);
        CU_ASSERT_EQUAL_FATAL(comparisons_make(&comparisons, &measured, NULL, &error), 0);
        const struct comparison *comparison = &comparisons.items[0];
        const struct comparison_run *run = &comparison->runs[0];
        const struct measurement *found[CONFIGURATIONS] = {0};
        size_t counts[STATUS_COUNT] = {0}, known = 0;
        for (size_t c = 0; c < comparison->configuration_count; c++)
            found[atoi(comparison->parameters[0].values[comparison->choices[c]]) - 1] = run->of[c];
        for (size_t a = 0; a < CONFIGURATIONS; a++) {
            check_reading("compare", &cases[i], a, found[a]);
            known += found[a] != NULL;
            counts[cases[i].expected[a].status] += found[a] != NULL;
        }
        CU_ASSERT_EQUAL(run->evaluated, known);
        CU_ASSERT_EQUAL(memcmp(run->counts, counts, sizeof counts), 0);
        if (cases[i].best) {
            CU_ASSERT_NOT_EQUAL_FATAL(run->best, COMPARISON_NONE);
            CU_ASSERT_PTR_EQUAL(run->of[run->best], found[cases[i].best - 1]);
            CU_ASSERT_DOUBLE_EQUAL(run->of[run->best]->value, cases[i].best_value, 1e-6);
        }
        comparisons_free(&comparisons);
        measured_runs_free(&measured);
        remove_journal(&files);
    }
}

static void is_evidence(void)
{
    for (size_t i = 0; i < CASES; i++) {
        static const struct best best = {
            .provenance.kernel = "k", .provenance.source_hash = "", .provenance.space_hash = "", .provenance.date = ""};
        struct files files;
        struct timing_history *timing_history = NULL;
        struct arena arena = {0};
        struct error error = {0};
        const struct selection_time *times;
        size_t count, stale, timed = 0;
        write_journal(&files, &cases[i]);
        CU_ASSERT_EQUAL_FATAL(timing_history_open(&timing_history, &error), 0);
        CU_ASSERT_EQUAL_FATAL(timing_history_add(timing_history, files.folder, &error), 0);
        CU_ASSERT_EQUAL_FATAL(timing_history_times(timing_history, &arena, &(const struct best *){&best}, 1, &times,
                                                   &count, &stale, &error),
                              0);
        for (size_t a = 0; a < CONFIGURATIONS; a++)
            timed += cases[i].expected[a].value > 0 && cases[i].expected[a].status != STATUS_SLOWER;
        CU_ASSERT_EQUAL(count, timed);
        for (size_t t = 0; t < count; t++) {
            struct measurement found = measurement_unknown(STATUS_OK);
            size_t a = (size_t)atoi(times[t].configuration + strlen("A=")) - 1;
            found.status = cases[i].expected[a].status;
            found.value = times[t].value;
            check_reading("evidence", &cases[i], a, &found);
        }
        arena_free(&arena);
        timing_history_close(timing_history);
        remove_journal(&files);
    }
}

static void is_a_row(void)
{
    for (size_t i = 0; i < CASES; i++) {
        struct files files;
        struct database *database = NULL;
        struct error error = {0};
        int torn_line;
        char configuration[16];
        write_journal(&files, &cases[i]);
        int code = results_open(&database, files.path, &torn_line, &error);
        CU_ASSERT_EQUAL(code, cases[i].best ? 0 : ERROR_NOT_FOUND);
        if (!code) {
            const struct best *best = database_get(database, 0);
            snprintf(configuration, sizeof configuration, "A=%d", cases[i].best);
            CU_ASSERT_STRING_EQUAL(best->configuration, configuration);
            CU_ASSERT_DOUBLE_EQUAL(best->value, cases[i].best_value, 1e-6);
            database_close(database);
        }
        remove_journal(&files);
    }
}

/* Makes a run or a replay over a complete journal: measures nothing. */
static void go_over(const struct reading_case *of, bool replay)
{
    struct files files;
    struct journal *journal = NULL;
    struct space *space = NULL;
    struct valid_set *set = NULL;
    struct evaluator evaluator = {0};
    struct run_progress progress;
    struct outcomes outcomes = {0};
    struct arena arena = {0};
    struct error error = {0};
    uint32_t *choices;
    write_journal(&files, of);
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", space_text, strlen(space_text), "A", &error), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, &error), 0);
    struct journal_header header = journal_header_unknown();
    header.provenance.fingerprint = "f";
    header.parameter_count = 1;
    header.parameters = (const char *const[]){"A"};
    CU_ASSERT_EQUAL_FATAL(
        replay ? journal_read(&journal, files.path, &error) : journal_open(&journal, files.path, &header, &error), 0);
    CU_ASSERT_EQUAL_FATAL(rows_choices(space, journal, &choices, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_from_list(&set, space, choices, journal_row_count(journal), &error), 0);
    free(choices);
    const struct evaluator_setup recorded = {.space = space, .set = set, .journal = journal};
    const struct synth_setup synthetic = {.set = set};
    CU_ASSERT_EQUAL_FATAL(replay ? evaluator_open_replay(&evaluator, &recorded, &error)
                                 : evaluator_open_synth(&evaluator, &synthetic, &error),
                          0);
    CU_ASSERT_EQUAL(run_tune(&(struct run_setup){.space = space,
                                                 .set = set,
                                                 .strategy = strategy_find("exhaustive", NULL),
                                                 .evaluator = &evaluator,
                                                 .journal = replay ? NULL : journal,
                                                 .finalists = replay ? FINALISTS_MAX : 0},
                             &progress, &error),
                    0);
    CU_ASSERT_EQUAL(progress.fresh, replay ? valid_set_count(set) : 0);
    uint64_t counts[STATUS_COUNT] = {0};
    const struct measurement *found[CONFIGURATIONS] = {0};
    CU_ASSERT_EQUAL(rows_outcomes(space, set, journal, &outcomes, &arena, &error), 0);
    for (size_t i = 0; i < outcomes.count; i++) {
        uint32_t choice;
        valid_set_get(set, outcomes.items[i].key, &choice);
        found[choice] = outcomes_view(&outcomes, &outcomes.items[i], OUTCOME_KNOWN_AS, &arena);
        CU_ASSERT_EQUAL(outcomes_class(&outcomes, &outcomes.items[i]), measurement_class(found[choice]));
    }
    for (size_t a = 0; a < CONFIGURATIONS; a++) {
        check_reading("outcomes", of, a, found[a]);
        counts[of->expected[a].status] += found[a] != NULL;
    }
    CU_ASSERT_EQUAL(memcmp(progress.counts, counts, sizeof counts), 0);
    if (of->best) {
        uint32_t choice;
        CU_ASSERT_FATAL(progress.has_best);
        valid_set_get(set, progress.best_index, &choice);
        if (choice + 1 != (uint32_t)of->best)
            printf("\n    %s, %s: the best is A=%u\n", of->name, replay ? "replay" : "run", choice + 1);
        CU_ASSERT_EQUAL(choice + 1, (uint32_t)of->best);
        CU_ASSERT_DOUBLE_EQUAL(progress.best.value, of->best_value, 1e-6);
    }
    const struct measurement *default_ = found[0];
    CU_ASSERT_EQUAL(progress.has_default, default_ && measurement_timed(default_));
    evaluator_close(&evaluator);
    outcomes_free(&outcomes);
    arena_free(&arena);
    valid_set_free(set);
    space_free(space);
    journal_close(journal, NULL);
    remove_journal(&files);
}

static void goes_on(void)
{
    for (size_t i = 0; i < CASES; i++)
        go_over(&cases[i], false);
}

static void replays(void)
{
    for (size_t i = 0; i < CASES; i++)
        go_over(&cases[i], true);
}

CU_TestInfo tests_readers[] = {{"a comparison", compares},
                               {"the evidence for choosing", is_evidence},
                               {"a row of a database", is_a_row},
                               {"a resumed run", goes_on},
                               {"a replay", replays},
                               CU_TEST_INFO_NULL};
