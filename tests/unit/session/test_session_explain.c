/* A session's explanation of its winner. */
#include "analyse/comparison.h"
#include "session_world.h"

#define EXPLAINED SOURCE_FOLDER "/tests/cli/fixtures/explained.csv"

static void replay(struct session_world *world, const char *journal)
{
    session_world_open(world);
    world->request.synthetic = false;
    world->request.space_path = NULL;
    world->request.replay = journal;
    world->request.explain = true;
}

/* A replay explains from the evidence of its journal, and only on request. */
static void replayed(void)
{
    struct session_world world;
    for (int explain = 0; explain < 2; explain++) {
        replay(&world, EXPLAINED);
        world.request.explain = explain;
        session_world_expect(&world, "a replay", 0, "");
        CU_ASSERT_EQUAL(strstr(world.heard.why, "bank conflicts") != NULL, explain);
        CU_ASSERT_EQUAL(*world.heard.why != '\0', explain);
        CU_ASSERT_EQUAL(world.heard.explain_ns > 0, explain);
        CU_ASSERT_STRING_EQUAL(world.heard.notes, "");
        session_world_close(&world);
    }
}

/* Without evidence there is neither an explanation nor an error. */
static void unknown(void)
{
    struct session_world world;
    replay(&world, TEST_FOLDER "/cli/fixtures/device_a.csv");
    session_world_expect(&world, "a replay without evidence", 0, "");
    CU_ASSERT_STRING_EQUAL(world.heard.why, "");
    CU_ASSERT_STRING_EQUAL(world.heard.notes, "");
    session_world_close(&world);
    session_world_open(&world);
    world.request.explain = true;
    session_world_expect(&world, "an evaluator without evidence", 0, "");
    CU_ASSERT_STRING_EQUAL(world.heard.why, "");
    CU_ASSERT_EQUAL(world.heard.explain_ns, 0);
    session_world_close(&world);
}

/* A stopped search is not explained: the user waits for the end. */
static void stopped(void)
{
    struct session_world world;
    replay(&world, EXPLAINED);
    world.heard.stop_at = 'E';
    session_world_expect(&world, "a stop", ERROR_INTERRUPTED, "interrupted; a replay saves nothing");
    CU_ASSERT_STRING_EQUAL(world.heard.why, "");
    session_world_close(&world);
}

/* Damages or repairs the journal without changing its length. */
static void put_first(const char *path, char first)
{
    FILE *file = fopen(path, "r+");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputc(first, file);
    fclose(file);
}

static int spoil(void *context, const struct session_event *event, struct error *error)
{
    struct session_world *world = context;
    if (event->kind == SESSION_SIZES)
        put_first(world->request.list->measured->items[0].path, 'x');
    return session_hear(context, event, error);
}

static int no_counters(void *context, size_t number, const struct evidence *launches, size_t count, const char *why,
                       struct error *error)
{
    (void)context, (void)number, (void)launches, (void)error;
    CU_ASSERT_EQUAL(count, 0);
    CU_ASSERT_STRING_EQUAL(why, "");
    return 0;
}

/* True if the file has the outcomes in their order of arrival. */
static bool has_row(const struct measured_run *run, size_t parameter_count, const struct measured_run_row *wanted)
{
    for (size_t row = 0; row < run->row_count; row++) {
        size_t p = 0;
        while (p < parameter_count && strcmp(run->rows[row].values[p], wanted->values[p]) == 0)
            p++;
        if (p == parameter_count && run->rows[row].measurement->value == wanted->measurement->value)
            return true;
    }
    return false;
}

/* On request, from the rows and the evidence in memory. Appends to the journal, which is unreadable by then; the run
 * and the comparison have its new contents. */
static void requested(void)
{
    static const char *const sets[] = {"FAULT=none", "FROM=1"};
    static const char *const ends[] = {"TIME=5000 FAULT=none FROM=1 ASIDE=1 SHARED=100000",
                                       "TIME=6000 FAULT=none FROM=1 ASIDE=0 SHARED=0"};
    /* The neighbours, the nearest values first; of equally near ones, the first in the set. */
    static const char *const near[][5] = {{"5000", "none", "1", "0", "100000"},
                                          {"5000", "none", "1", "1", "0"},
                                          {"6000", "none", "1", "1", "100000"},
                                          {"20000", "none", "1", "1", "100000"}};
    struct session_world world;
    struct measured_runs measured = {0}, again = {0};
    struct comparisons comparisons = {0};
    char path[sizeof world.heard.journal];
    session_world_open_device(&world, sets, sizeof sets / sizeof *sets);
    fake.cupti = true;
    fake.device_room = 100 << 20;
    world.request.configurations = ends;
    world.request.configuration_count = 2;
    session_world_expect(&world, "a run", 0, "");
    world.request.configuration_count = 0;
    session_copy(path, sizeof path, world.heard.journal);
    CU_ASSERT_EQUAL_FATAL(measured_runs_add(&measured, path, NULL), 0);
    size_t before = measured.items[0].row_count;
    const struct session_list list = {.journal = measured.items[0].journal,
                                      .evidence = no_counters,
                                      .focus = ends[0],
                                      .neighbours = 32,
                                      .measured = &measured,
                                      .comparisons = &comparisons};
    world.request.list = &list;
    world.request.listener = spoil;
    session_world_expect(&world, "a list", 0, "");
    CU_ASSERT_EQUAL(measured_runs_add(&again, path, NULL), ERROR_DATA);
    measured_runs_free(&again);
    put_first(path, '#');
    CU_ASSERT_EQUAL_FATAL(measured_runs_add(&again, path, NULL), 0);
    const struct measured_run *run = &measured.items[0], *kept = &again.items[0];
    CU_ASSERT_EQUAL_FATAL(run->row_count, before + 4 + 3); /* the neighbours, and the first steps from the default */
    CU_ASSERT_EQUAL_FATAL(run->row_count, kept->row_count);
    for (size_t i = 0; i < 4; i++)
        for (size_t p = 0; p < 5; p++)
            CU_ASSERT_STRING_EQUAL(run->rows[before + i].values[p], near[i][p]);
    for (size_t row = 0; row < run->row_count; row++)
        CU_ASSERT(has_row(kept, run->parameter_count, &run->rows[row]));
    CU_ASSERT_EQUAL(journal_evidence_count(run->journal), 7);
    CU_ASSERT_EQUAL(journal_evidence_count(kept->journal), 7);
    CU_ASSERT_EQUAL_FATAL(comparisons.count, 1);
    CU_ASSERT_EQUAL(comparisons.items[0].configuration_count, 2 + 4 + 3);
    comparisons_free(&comparisons);
    measured_runs_free(&measured);
    measured_runs_free(&again);
    session_world_close(&world);
}

CU_TestInfo tests_session_explain[] = {{"a replay", replayed},
                                       {"without evidence", unknown},
                                       {"a stop", stopped},
                                       {"on request", requested},
                                       CU_TEST_INFO_NULL};
