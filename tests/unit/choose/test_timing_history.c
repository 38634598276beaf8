/* The times of a journal are tested by tests/unit/run/test_readers.c. */
#include "choose/timing_history.h"

#include "../scratch.h"

#define JOURNAL                                                                                                        \
    "# cutune journal 1\n# kernel = k\n# problem = N=1\n# device = D\n# parameters = 1\nA,status,time_ns\n1,ok,1000\n" \
    "2,ok,900\n3,slower,2000\n4,compile_error,\n"

/* Rows of another space, source or kernel are not used; those of other versions of this kernel are counted. */
static void is_evidence_of_this_space(void)
{
    static const struct {
        struct best best;
        size_t count, stale;
    } bests[] = {{{.provenance.kernel = "k",
                   .provenance.source_hash = "",
                   .provenance.space_hash = "",
                   .provenance.date = "",
                   .objective = "time"},
                  2,
                  0},
                 {{.provenance.kernel = "k",
                   .provenance.source_hash = "",
                   .provenance.space_hash = "other",
                   .provenance.date = "",
                   .objective = "time"},
                  0,
                  1},
                 {{.provenance.kernel = "k",
                   .provenance.source_hash = "other",
                   .provenance.space_hash = "",
                   .provenance.date = "",
                   .objective = "time"},
                  0,
                  1},
                 {{.provenance.kernel = "other",
                   .provenance.source_hash = "",
                   .provenance.space_hash = "",
                   .provenance.date = "",
                   .objective = "time"},
                  0,
                  0}};
    struct scratch scratch = scratch_open("j.csv");
    struct timing_history *timing_history = NULL;
    struct error error = {0};
    scratch_write(&scratch, JOURNAL);
    CU_ASSERT_EQUAL_FATAL(timing_history_open(&timing_history, &error), 0);
    CU_ASSERT_EQUAL_FATAL(timing_history_add(timing_history, scratch.path, &error), 0);
    for (size_t i = 0; i < sizeof bests / sizeof *bests; i++) {
        const struct best *best = &bests[i].best;
        const struct selection_time *times;
        struct arena arena = {0};
        size_t count, stale;
        CU_ASSERT_EQUAL(timing_history_times(timing_history, &arena, &best, 1, &times, &count, &stale, &error), 0);
        CU_ASSERT_EQUAL(count, bests[i].count);
        CU_ASSERT_EQUAL(stale, bests[i].stale);
        arena_free(&arena);
    }
    timing_history_close(timing_history);
    scratch_close(&scratch);
}

/* Times of one device and problem must be comparable: those of another objective, or measured with other options
 * than the row, are omitted; without a row, the first journal's count. */
static void are_measured_in_one_way(void)
{
    static const struct {
        const char *device, *options, *objective;
        size_t count, different;
    } cases[] = {{"D", "cache=cold", "time", 1, 2},
                 {"D", "cache=warm", "time", 1, 2},
                 {"D", "", "time", 0, 3},
                 {"E", "", "time", 1, 2},
                 {"D", "cache=cold", "time_per_work", 1, 2}};
    static const char *const heads[][2] = {{"cold", "time_ns"}, {"warm", "time_ns"}, {"cold", "time_per_work_ns"}};
    struct timing_history *history = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(timing_history_open(&history, &error), 0);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        struct scratch scratch = scratch_open("j.csv");
        struct text text = {0};
        text_printf(&text,
                    "# cutune journal 1\n# kernel = k\n# problem = N=1\n# device = D\n# options = cache=%s\n"
                    "# parameters = 1\nA,status,%s\n1,ok,1000\n",
                    heads[i][0], heads[i][1]);
        scratch_write(&scratch, text_string(&text));
        CU_ASSERT_EQUAL_FATAL(timing_history_add(history, scratch.path, &error), 0);
        text_free(&text);
        scratch_close(&scratch);
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct best best = {.provenance = provenance_unknown(), .objective = cases[i].objective};
        const struct best *rows = &best;
        const struct selection_time *times;
        struct arena arena = {0};
        size_t count, stale, different;
        best.provenance.kernel = "k";
        best.provenance.problem = "N=1";
        best.provenance.options = cases[i].options;
        snprintf(best.provenance.device.name, sizeof best.provenance.device.name, "%s", cases[i].device);
        CU_ASSERT_EQUAL(timing_history_times(history, &arena, &rows, 1, &times, &count, &stale, &error), 0);
        CU_ASSERT_EQUAL(count, cases[i].count);
        CU_ASSERT_EQUAL(stale, 0);
        CU_ASSERT_EQUAL(timing_history_different(history, &rows, 1, &different, &error), 0);
        CU_ASSERT_EQUAL(different, cases[i].different);
        arena_free(&arena);
    }
    timing_history_close(history);
}

/* A folder stands for its journals; other files are skipped, and a named file that is not a journal is refused. */
static void folders(void)
{
    static const struct best best = {.provenance.kernel = "k",
                                     .provenance.source_hash = "",
                                     .provenance.space_hash = "",
                                     .provenance.date = "",
                                     .objective = "time"};
    const struct best *rows = &best;
    struct scratch scratch = scratch_open("a.csv");
    struct timing_history *history = NULL;
    const struct selection_time *times;
    struct arena arena = {0};
    struct error error = {0};
    size_t count, stale;
    scratch_write(&scratch, JOURNAL);
    scratch.path[strlen(scratch.path) - strlen("a.csv")] = 'b';
    scratch_write(&scratch,
                  "# cutune journal 1\n# kernel = k\n# device = E\n# parameters = 1\nA,status,time_ns\n7,ok,70\n");
    strcpy(scratch.path + strlen(scratch.path) - strlen("csv"), "txt");
    scratch_write(&scratch, "hello\n");
    CU_ASSERT_EQUAL_FATAL(timing_history_open(&history, &error), 0);
    CU_ASSERT_EQUAL(timing_history_add(history, scratch.folder, &error), 0);
    CU_ASSERT_EQUAL(timing_history_times(history, &arena, &rows, 1, &times, &count, &stale, &error), 0);
    CU_ASSERT_EQUAL_FATAL(count, 3);
    CU_ASSERT_STRING_EQUAL(times[2].device, "E");
    CU_ASSERT_STRING_EQUAL(times[2].configuration, "A=7");
    CU_ASSERT_EQUAL(times[2].value, 70);
    CU_ASSERT_EQUAL(timing_history_add(history, scratch.path, &error), ERROR_DATA);
    error_clear(&error);
    CU_ASSERT_NOT_EQUAL(timing_history_add(history, "/nonexistent", &error), 0);
    arena_free(&arena);
    timing_history_close(history);
    scratch_close(&scratch);
}

CU_TestInfo tests_timing_history[] = {{"the evidence is of the same space", is_evidence_of_this_space},
                                      {"folders", folders},
                                      {"times are comparable", are_measured_in_one_way},
                                      CU_TEST_INFO_NULL};
