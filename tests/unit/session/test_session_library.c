/* A session's result about a library. tests/cli/fake/library.case has whole runs, with all possible errors. */
#include <math.h>

#include "session_world.h"

static const char *const sets[] = {"FAULT=none", "FROM=1", "SHARED=0", "ASIDE=0", "TIME=5000,6000"};

/* Makes a request for the fake device with a library. */
static void with_library(struct session_world *world, const char *statement)
{
    session_world_open_device(world, sets, sizeof sets / sizeof *sets);
    text_printf(&world->text, "\n%s\n", statement);
    world->request.space_text = text_string(&world->text);
    world->request.space_length = world->text.length;
    world->request.finalists = 4;
}

/* Compared once; afterwards, the journal and a replay have the result. */
static void compared(void)
{
    struct session_world world;
    char journal[sizeof world.heard.journal];
    with_library(&world, "library \"" FAKE_LIBRARY "\"");
    for (int run = 0; run < 2; run++) {
        session_world_expect(&world, "a run", 0, "");
        session_expect("a run", "library", "Fake library 1.0", world.heard.library);
        CU_ASSERT_EQUAL(world.heard.library_ratio, 0.8);
        CU_ASSERT_PTR_NULL(strstr(world.heard.notes, "library"));
    }
    session_copy(journal, sizeof journal, world.heard.journal);
    world.request.replay = journal;
    session_world_expect(&world, "a replay", 0, "");
    session_expect("a replay", "library", "Fake library 1.0", world.heard.library);
    session_world_close(&world);
}

static void not_compared(void)
{
    static const struct {
        const char *statement, *note;
        size_t finalists;
        char stop_at;
    } rows[] = {{"", "", 4, 0},
                {"library \"none.so\"", "no comparison with the library ", 4, 0},
                {"library \"" FAKE_LIBRARY_WITHOUT_RUN "\"", ": it has no function `run`", 4, 0},
                {"library \"" FAKE_LIBRARY "\"", ": --playoff 0 leaves it out\n", 0, 0},
                {"library \"" FAKE_LIBRARY "\"", "", 4, 'E'}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct session_world world;
        with_library(&world, rows[i].statement);
        world.request.finalists = rows[i].finalists;
        world.heard.stop_at = rows[i].stop_at;
        session_world_expect(&world, rows[i].statement, rows[i].stop_at ? ERROR_INTERRUPTED : 0, "");
        session_expect(rows[i].statement, "library", "", world.heard.library);
        CU_ASSERT(isnan(world.heard.library_ratio));
        CU_ASSERT(world.heard.saved);
        CU_ASSERT_PTR_NOT_NULL(strstr(world.heard.notes, rows[i].note));
        CU_ASSERT_EQUAL(strstr(world.heard.notes, "no comparison") != NULL, *rows[i].note != '\0');
        session_world_close(&world);
    }
}

CU_TestInfo tests_session_library[] = {{"compared", compared}, {"not compared", not_compared}, CU_TEST_INFO_NULL};
