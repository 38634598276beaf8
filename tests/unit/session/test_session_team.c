/* Sessions that share work with agents: processes of this host stand for those of others. */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/worker.h"
#include "session/session_agent.h"
#include "session_world.h"

enum { AGENTS = 3 };

enum manner { WORKS, SILENT, ENDS, OLD_DRIVER };

struct cast {
    const char *cache; /* NULL: this program's */
    enum manner manner;
};

static void run_agent(int socket, void *context)
{
    const struct cast *cast = context;
    if (cast->cache)
        setenv("CUTUNE_CACHE", cast->cache, 1);
    if (cast->manner == SILENT)
        sleep(60);
    if (cast->manner == ENDS)
        return;
    if (cast->manner == OLD_DRIVER)
        fake.driver = 12080;
    session_serve(socket, &(struct session_agent){.jobs = 1}, NULL);
}

struct crew {
    struct worker workers[AGENTS];
    struct team_link links[AGENTS];
    char caches[AGENTS][128];
};

/* The last agent has that manner. `apart`: each has its own cache. */
static void open_crew(struct crew *crew, struct session_world *world, enum manner manner, bool apart)
{
    memset(crew, 0, sizeof *crew);
    for (int i = 0; i < AGENTS; i++) {
        snprintf(crew->caches[i], sizeof crew->caches[i], "%s/cache%d", world->scratch.folder, i);
        struct cast cast = {.cache = apart ? crew->caches[i] : NULL, .manner = i == AGENTS - 1 ? manner : WORKS};
        CU_ASSERT_EQUAL_FATAL(worker_start(&crew->workers[i], run_agent, &cast, NULL), 0);
        crew->links[i] = (struct team_link){.channel = channel_open(dup(crew->workers[i].channel.socket))};
        snprintf(crew->links[i].name, sizeof crew->links[i].name, "rank %d", i + 1);
    }
    world->request.links = crew->links;
    world->request.link_count = AGENTS;
    world->request.silence_s = manner == SILENT ? 6 : 30;
}

static void close_crew(struct crew *crew)
{
    for (int i = 0; i < AGENTS; i++) {
        if (crew->links[i].state != LINK_LOST)
            channel_close(&crew->links[i].channel);
        worker_stop(&crew->workers[i]);
    }
}

/* Removes the caches, which scratch_close leaves. */
static void remove_caches(const struct session_world *world)
{
    char command[300];
    snprintf(command, sizeof command, "rm -r '%s'/cache*", world->scratch.folder);
    CU_ASSERT_EQUAL(system(command), 0);
}

/* After a failing session, two in turn have the outcomes of one process, and the files have travelled. */
static void shares_synthetic_work(void)
{
    struct session_world world;
    struct crew crew;
    char path[300];
    struct stat about;
    session_world_open(&world);
    open_crew(&crew, &world, WORKS, true);
    static const char *const none[] = {"A=3", "B=2"};
    world.request.sets = none;
    world.request.set_count = 2;
    session_world_expect(&world, "nothing valid", ERROR_NOTHING_VALID, "");
    world.request.set_count = 0;
    session_world_expect(&world, "all", 0, "");
    session_expect("all", "the notes", "", world.heard.notes);
    CU_ASSERT_EQUAL(world.heard.evaluated, SESSION_VALID);
    CU_ASSERT_EQUAL(world.heard.fresh, SESSION_VALID);
    for (int i = 0; i < AGENTS; i++)
        CU_ASSERT_EQUAL(crew.links[i].state, LINK_IDLE);
    static const char *const sizes[] = {"N=128"};
    world.request.defines = sizes;
    world.request.define_count = 1;
    session_world_expect(&world, "other sizes", 0, "");
    CU_ASSERT_EQUAL(world.heard.fresh, SESSION_VALID);
    CU_ASSERT_EQUAL(crew.links[0].job, 3);
    snprintf(path, sizeof path, "%s/files", crew.caches[0]);
    CU_ASSERT(stat(path, &about) == 0 && about.st_nlink >= 2);
    close_crew(&crew);
    remove_caches(&world);
    session_world_close(&world);
}

static void shares_devices(void)
{
    static const char *const some[] = {"FAULT=none,wrong,kill,broken", "FROM=1", "SHARED=0", "TIME=5000,6000"};
    struct session_world world;
    struct crew crew;
    char alone[128];
    session_world_open_device(&world, some, 4);
    world.request.strategy = "exhaustive";
    session_world_expect(&world, "alone", 0, "");
    session_copy(alone, sizeof alone, world.heard.configuration);
    uint64_t evaluated = world.heard.evaluated, failures = world.heard.failures;
    session_world_close(&world);

    session_world_open_device(&world, some, 4);
    world.request.strategy = "exhaustive";
    open_crew(&crew, &world, WORKS, false);
    session_world_expect(&world, "with others", 0, "");
    session_expect("with others", "the notes", "", world.heard.notes);
    session_expect("with others", "the best", alone, world.heard.configuration);
    CU_ASSERT_EQUAL(world.heard.evaluated, evaluated);
    CU_ASSERT_EQUAL(world.heard.failures, failures);
    close_crew(&crew);
    session_world_close(&world);
}

/* Agents that do not fit are left out, with the reason. */
static void leaves_out(void)
{
    static const char *const some[] = {"FAULT=none", "FROM=1", "SHARED=0", "TIME=5000,6000"};
    static const struct {
        enum manner manner;
        const char *note;
    } rows[] = {
        {SILENT, "rank 3 is left out: it does not answer\n"},
        {ENDS, "rank 3 is left out: it has ended\n"},
        {OLD_DRIVER, "rank 3 is left out: it has a driver of CUDA version 12080, the first rank 13000\n"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct session_world world;
        struct crew crew;
        session_world_open_device(&world, some, 4);
        open_crew(&crew, &world, rows[r].manner, false);
        session_world_expect(&world, rows[r].note, 0, "");
        session_expect("left out", "the notes", rows[r].note, world.heard.notes);
        CU_ASSERT_EQUAL(crew.links[AGENTS - 1].state, LINK_LOST);
        CU_ASSERT_EQUAL(crew.links[0].state, LINK_IDLE);
        close_crew(&crew);
        session_world_close(&world);
    }
}

CU_TestInfo tests_session_team[] = {
    {"synthetic work is shared", shares_synthetic_work},
    {"devices share work", shares_devices},
    {"who does not fit is left out", leaves_out},
    CU_TEST_INFO_NULL,
};
