/* Records of a session: its identity, the journal, logs and the row of the database. */
#include <math.h>
#include <sys/stat.h>

#include "session_world.h"

/* Conditions that affect times select their own journal; search options do not. */
static void identifies_runs(void)
{
    static const char *const sizes[] = {"N=128"}, *const some[] = {"C=x"};
    static const struct {
        const char *name, *conditions, *strategy;
        size_t defines, sets;
        uint64_t seed, max_evals;
        bool same;
    } rows[] = {
        {"the same", "", NULL, 0, 0, 3, 0, true},
        {"a part of the space", "", NULL, 0, 1, 3, 0, true},
        {"another search", "", "random", 0, 0, 7, 9, true},
        {"other sizes", "", NULL, 1, 0, 3, 0, false},
        {"another cache", "cache=warm", NULL, 0, 0, 3, 0, false},
        {"other samples", "samples=64", NULL, 0, 0, 3, 0, false},
        {"another confidence", "confidence=0.9", NULL, 0, 0, 3, 0, false},
        {"another interval", "target-interval=1", NULL, 0, 0, 3, 0, false},
        {"another timeout", "timeout=31", NULL, 0, 0, 3, 0, false},
        {"another occupancy", "min-occupancy=0.1", NULL, 0, 0, 3, 0, false},
    };
    struct session_world world;
    char first[256];
    session_world_open(&world);
    session_world_expect(&world, "the first", 0, "");
    session_copy(first, sizeof first, world.heard.journal);
    world.request.defines = sizes;
    world.request.sets = some;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CU_ASSERT_EQUAL(conditions_read(&world.request.conditions, &world.arena, rows[i].conditions, NULL), 0);
        world.request.strategy = rows[i].strategy;
        world.request.seed = rows[i].seed;
        world.request.max_evals = rows[i].max_evals;
        world.request.define_count = rows[i].defines;
        world.request.set_count = rows[i].sets;
        session_world_expect(&world, rows[i].name, 0, "");
        if ((strcmp(first, world.heard.journal) == 0) != rows[i].same)
            fprintf(stderr, "\n%s: %s\n", rows[i].name, world.heard.journal);
        CU_ASSERT_EQUAL(strcmp(first, world.heard.journal) == 0, rows[i].same);
    }
    session_world_close(&world);
}

/* The header and the row describe the kernel, the device and the conditions. */
static void describes_runs(void)
{
    struct session_world world;
    struct journal *journal = NULL;
    struct database *database = NULL;
    session_world_open(&world);
    world.request.max_evals = 30;
    session_world_expect(&world, "a run", 0, "");
    CU_ASSERT_EQUAL_FATAL(journal_read(&journal, world.heard.journal, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(database_open(&database, world.scratch.path, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(database_count(database), 1);
    const struct best *best = database_get(database, 0);
    const struct provenance *const both[] = {&journal_get_header(journal)->provenance, &best->provenance};
    for (size_t i = 0; i < 2; i++) {
        session_expect("a run", "the kernel", "k", both[i]->kernel);
        session_expect("a run", "the problem", "N=64", both[i]->problem);
        session_expect("a run", "the default", "A=4 B=2 C=x", both[i]->default_);
        session_expect("a run", "the device", "synthetic device", both[i]->device.name);
        session_expect(
            "a run", "the conditions",
            "cache=cold samples=128 confidence=0.95 target-interval=0.5 timeout=30 min-occupancy=0 events=excluded",
            both[i]->options);
        session_expect("a run", "the version", CUTUNE_VERSION, both[i]->version);
        CU_ASSERT(*both[i]->nvrtc && *both[i]->source_hash && *both[i]->space_hash && *both[i]->date);
        CU_ASSERT(isnan(both[i]->ceilings.copy) && isnan(both[i]->roofline_ns));
    }
    CU_ASSERT_EQUAL(journal_row_count(journal), 30);
    CU_ASSERT_EQUAL(best->valid, SESSION_VALID);
    CU_ASSERT_EQUAL(best->evaluated, 30);
    CU_ASSERT_EQUAL(best->seed, 3);
    CU_ASSERT(best->speedup > 1 && fabs(best->speedup - best->default_value / best->value) < 1e-9);
    database_close(database);
    journal_close(journal, NULL);
    session_world_close(&world);
}

/* A space with an L2 window is measured warm, whatever the request. */
static void measures_windows_warm(void)
{
    static const char text[] = "space 2\nkernel k \"k.cu\"\nproblem N = 64\nparam A = 1, 2\n"
                               "buffer in float[N] random\nbuffer out float[N] output\nl2_window in bytes 0 set_aside "
                               "0 hit_ratio 1.0 hit persisting miss streaming\n"
                               "args out, in\nblock 32\ngrid 1\nreference r block 32 grid 1\n";
    struct session_world world;
    struct journal *journal = NULL;
    session_world_open(&world);
    world.request.space_text = text;
    world.request.space_length = sizeof text - 1;
    session_world_expect(&world, "a window", 0, "");
    CU_ASSERT_EQUAL_FATAL(journal_read(&journal, world.heard.journal, NULL), 0);
    CU_ASSERT_EQUAL(strncmp(journal_get_header(journal)->provenance.options, "cache=warm ", 11), 0);
    session_expect("a window", "the default", "A=1", journal_get_header(journal)->provenance.default_);
    journal_close(journal, NULL);
    session_world_close(&world);
}

/* An incomplete last line is removed and measured again. */
static void cuts_torn_lines(void)
{
    struct session_world world;
    struct text text = {0};
    char path[256];
    session_world_open(&world);
    session_world_expect(&world, "a run", 0, "");
    session_copy(path, sizeof path, world.heard.journal);
    CU_ASSERT_EQUAL_FATAL(file_read(path, 1 << 20, &text, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(file_replace(path, text.bytes, text.length - 4, NULL), 0);
    session_world_expect(&world, "a torn line", 0, "");
    session_expect("a torn line", "the order of events", "znnsEfR", world.heard.kinds);
    CU_ASSERT_PTR_NOT_NULL(strstr(world.heard.notes, "the last line, left incomplete by an earlier run, is removed"));
    CU_ASSERT(world.heard.fresh >= 1 && world.heard.evaluated == SESSION_VALID);
    text_free(&text);
    session_world_close(&world);
}

/* A log that cannot be written ends the session, which keeps its measurements. */
static void keeps_logs(void)
{
    static const char *const sets[] = {"TIME=5000", "FROM=1", "SHARED=0", "ASIDE=0", "FAULT=none", "FAULT=none,broken"};
    struct session_world world;
    char log[320];
    session_world_open_device(&world, sets, 5);
    world.request.jobs = 1;
    session_world_expect(&world, "no fault", 0, "");
    snprintf(log, sizeof log, "%s.log", world.heard.journal);
    CU_ASSERT_EQUAL_FATAL(mkdir(log, 0700), 0);
    const char *const broken[] = {sets[0], sets[1], sets[2], sets[3], sets[5]};
    world.request.sets = broken;
    session_world_expect(&world, "no log", ERROR_IO, "cannot open ");
    CU_ASSERT_FALSE(world.heard.has_log);
    CU_ASSERT_EQUAL(world.heard.failures, 1);
    session_world_close(&world);
}

CU_TestInfo tests_session_record[] = {{"identifies runs", identifies_runs},
                                      {"describes runs", describes_runs},
                                      {"measures windows warm", measures_windows_warm},
                                      {"cuts torn lines", cuts_torn_lines},
                                      {"keeps logs", keeps_logs},
                                      CU_TEST_INFO_NULL};
