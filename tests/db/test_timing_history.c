/* tests/tuner/test_readers.c tests the times of a journal. */
#include "db/timing_history.h"

#include "scratch.h"

#define JOURNAL                                                                                                        \
    "# cutune journal 1\n# kernel = k\n# problem = N=1\n# device = D\n# parameters = 1\nA,status,time_ns\n1,ok,1000\n" \
    "2,ok,900\n3,slower,2000\n4,compile_error,\n"

/* Rows of another space, source or kernel are not used; those of other versions of this kernel are counted. */
static void is_evidence_of_this_space(void)
{
    static const struct {
        struct best best;
        size_t count, stale;
    } bests[] = {
        {{.provenance.kernel = "k", .provenance.source_hash = "", .provenance.space_hash = "", .provenance.date = ""},
         2,
         0},
        {{.provenance.kernel = "k",
          .provenance.source_hash = "",
          .provenance.space_hash = "other",
          .provenance.date = ""},
         0,
         1},
        {{.provenance.kernel = "k",
          .provenance.source_hash = "other",
          .provenance.space_hash = "",
          .provenance.date = ""},
         0,
         1},
        {{.provenance.kernel = "other",
          .provenance.source_hash = "",
          .provenance.space_hash = "",
          .provenance.date = ""},
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

/* A folder stands for its journals; other files are skipped, and a named file that is not a journal is refused. */
static void folders(void)
{
    static const struct best best = {
        .provenance.kernel = "k", .provenance.source_hash = "", .provenance.space_hash = "", .provenance.date = ""};
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

CU_TestInfo tests_timing_history[] = {
    {"the evidence is of the same space", is_evidence_of_this_space}, {"folders", folders}, CU_TEST_INFO_NULL};
