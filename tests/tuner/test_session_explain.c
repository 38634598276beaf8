/* What a session says of its winner. */
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

/* A replay explains from the evidence of its journal, and only if asked. */
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

/* Without evidence nothing is said, and nothing is amiss. */
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

CU_TestInfo tests_session_explain[] = {
    {"a replay", replayed}, {"without evidence", unknown}, {"a stop", stopped}, CU_TEST_INFO_NULL};
