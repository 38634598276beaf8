/* The beginning of sessions: requests refused with one error, before anything is measured or saved, and devices. */
#include <stdlib.h>
#include <unistd.h>

#include "session_world.h"

#define SPACE(middle)                                                                                                  \
    "space 2\nkernel k \"k.cu\"\nproblem N = 64\n" middle "buffer out float[N] output\nargs out\nblock 32\ngrid 1\n"   \
    "reference r block 32 grid 1\n"

static void refuses(void)
{
    static const char *const empty[] = {"A=3", "B=2"}, *const unknown[] = {"Z=3"}, *const other[] = {"A=3 B=2 C=x"};
    static const char *const one[] = {"A=3", "C=x"};
    static const struct {
        const char *name;
        const struct session_request request; /* non-zero members replace the world's */
        int64_t samples;                      /* 0: enough */
        int code;
        const char *message, *kinds;
    } rows[] = {
        {"a strategy", {.strategy = "none"}, 0, ERROR_USAGE, "--strategy: there is no strategy 'none'", ""},
        {"an option", {.strategy = "surrogate:initial=-1"}, 0, ERROR_USAGE, "", ""},
        {"a space", {.space_text = "space 2\nparam = 1\n"}, 0, ERROR_SYNTAX, "", ""},
        {"no kernel", {.space_text = "space 2\nparam A = 1, 2\n"}, 0, ERROR_DATA, "$SPACE has no kernel", ""},
        {"the database", {.database = "/dev/null/cutune.csv"}, 0, ERROR_IO, "", ""},
        {"too few samples", {.seed = 1}, 3, ERROR_USAGE, "--samples: 3 are too few", ""},
        {"a parameter", {.sets = unknown, .set_count = 1}, 0, ERROR_USAGE, "--set Z=3: the space has no parameter", ""},
        {"a size",
         {.defines = unknown, .define_count = 1},
         0,
         ERROR_USAGE,
         "-D Z=3: the space has no problem size",
         ""},
        {"no configuration",
         {.sets = empty, .set_count = 2},
         0,
         ERROR_NOTHING_VALID,
         "no configuration of $SPACE",
         "z"},
        {"a part",
         {.sets = one, .set_count = 2, .part = "2/2"},
         0,
         ERROR_USAGE,
         "--part: 1 valid configurations have no part 2",
         "z"},
        {"a configuration",
         {.configurations = other, .configuration_count = 1},
         0,
         ERROR_USAGE,
         "--config: A=3 B=2 C=x is not valid here",
         "z"},
        {"a target", {.target_percent = 90}, 0, ERROR_USAGE, "--target: $SPACE has no `bytes` statement", "z"},
        {"a target without ceilings",
         {.target_percent = 90, .space_text = SPACE("param A = 1, 2\nbytes 4 * N\n")},
         0,
         ERROR_DATA,
         "--target: the ceilings of synthetic device are unknown",
         "z"},
        {"a journal", {.journal = "/dev/null/cutune.d"}, 0, ERROR_IO, "", "z"},
        {"memory", {.space_memory_bytes = 64}, 0, ERROR_MEMORY, "", "z"},
        {"a file to replay", {.replay = "/nonexistent.csv"}, 0, ERROR_NOT_FOUND, "", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct session_request *row = &rows[i].request;
        struct session_world world;
        char message[256] = "";
        session_world_open(&world);
        struct session_request *request = &world.request;
#define REPLACE(member)                                                                                                \
    if (row->member != 0)                                                                                              \
        request->member = row->member;
        REPLACE(strategy)
        REPLACE(database)
        REPLACE(journal)
        REPLACE(part)
        REPLACE(sets)
        REPLACE(set_count)
        REPLACE(defines)
        REPLACE(define_count)
        REPLACE(configurations)
        REPLACE(configuration_count)
        REPLACE(target_percent)
        REPLACE(space_memory_bytes)
        REPLACE(replay)
        REPLACE(space_text)
#undef REPLACE
        request->space_length = strlen(request->space_text);
        if (rows[i].samples)
            request->conditions.samples = rows[i].samples;
        session_name(message, sizeof message, rows[i].message, "", world.space_path);
        session_world_expect(&world, rows[i].name, rows[i].code, message);
        session_expect(rows[i].name, "the order of events", rows[i].kinds, world.heard.kinds);
        CU_ASSERT_PTR_NULL(strstr(world.error.hint, "--max-time"));
        CU_ASSERT_NOT_EQUAL(access(world.scratch.path, F_OK), 0);
        session_world_close(&world);
    }
}

/* Checks of a request that need the space. */
static void needs_a_space(void)
{
    static const char *const some[] = {"A=1"};
    static const struct {
        const char *replay;
        size_t defines, sets;
        const char *message; /* NULL: no space is needed */
    } rows[] = {
        {NULL, 0, 0, "nothing to tune: --space FILE is missing"},
        {"j.csv", 1, 1, "-D needs --space FILE: "},
        {"j.csv", 0, 1, "--set needs --space FILE: "},
        {"j.csv", 0, 0, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct session_world world;
        session_world_open(&world);
        world.request.space_path = NULL;
        world.request.replay = rows[i].replay;
        world.request.defines = world.request.sets = some;
        world.request.define_count = rows[i].defines;
        world.request.set_count = rows[i].sets;
        CU_ASSERT_EQUAL(session_check(&world.request, NULL), rows[i].message ? ERROR_USAGE : 0);
        if (rows[i].message)
            session_world_expect(&world, rows[i].message, ERROR_USAGE, rows[i].message);
        world.request.space_path = world.space_path;
        CU_ASSERT_EQUAL(session_check(&world.request, NULL), 0);
        session_world_close(&world);
    }
}

/* The device process starts with the connections that the space needs, so that it need not start again. */
static void connects(void)
{
    static const char *const sets[] = {"TIME=6000", "FAULT=none", "ASIDE=0", "SHARED=0"};
    static const struct {
        const char *statement;
        int connections; /* 0: CUDA's own number */
    } rows[] = {{"", 1}, {"pipeline copy_in in copy_out out\n", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct session_world world;
        session_world_open_device(&world, sets, sizeof sets / sizeof *sets);
        unsetenv("CUDA_DEVICE_MAX_CONNECTIONS");
        text_printf(&world.text, "%s", rows[i].statement);
        world.request.space_text = text_string(&world.text);
        world.request.space_length = world.text.length;
        session_world_expect(&world, rows[i].statement, 0, "");
        CU_ASSERT_EQUAL(fake_connections(), rows[i].connections);
        CU_ASSERT_EQUAL(fake_lives(), 1);
        session_world_close(&world);
    }
}

CU_TestInfo tests_session_open[] = {
    {"refuses", refuses}, {"needs a space", needs_a_space}, {"connects", connects}, CU_TEST_INFO_NULL};
