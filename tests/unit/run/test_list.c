/* Lists of configurations, on the synthetic evaluator and on a replay. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "evaluate/eval_replay.h"
#include "evaluate/eval_synth.h"
#include "run/list.h"

enum { SEED = 5, LIST = 20, ROOM = 32 };
static const char text[] = "space 2\nkernel k \"k.cu\"\nparam A = 1..20\nparam C = x, y\nrequire A != 7\n"
                           "buffer out float[64] output\nargs out\nblock 32\ngrid 1\nreference r block 32 grid 1\n";

struct world {
    struct space *space;
    struct valid_set *set;
    struct evaluator_setup replay; /* of the evaluator in use */
    struct synth_setup synth;
    struct evaluator evaluator;
    char configurations[LIST][32];
    const char *list[ROOM];
    struct measurement measurements[ROOM];
    bool done[ROOM];
    volatile sig_atomic_t stop;
    struct error error;
};

/* The list: A=1..20, C=y; A=7 is invalid. */
static void open_world(struct world *world, const struct journal *recorded)
{
    memset(world, 0, sizeof *world);
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&world->space, "t.space", text, strlen(text), "A C", &world->error), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(world->space, NULL, 0, NULL, &world->error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&world->set, world->space, VALID_SET_DEFAULT_BYTES, &world->error), 0);
    world->replay = (struct evaluator_setup){.space = world->space, .set = world->set, .journal = recorded};
    world->synth = (struct synth_setup){.set = world->set, .seed = SEED};
    CU_ASSERT_EQUAL_FATAL(recorded ? evaluator_open_replay(&world->evaluator, &world->replay, &world->error)
                                   : evaluator_open_synth(&world->evaluator, &world->synth, &world->error),
                          0);
    for (int i = 0; i < LIST; i++) {
        snprintf(world->configurations[i], sizeof world->configurations[i], "C=y A=%d", i + 1);
        world->list[i] = world->configurations[i];
    }
}

static void close_world(struct world *world)
{
    evaluator_close(&world->evaluator);
    valid_set_free(world->set);
    space_free(world->space);
}

static int measure(struct world *world, struct journal *journal, size_t count, enum proposer proposer)
{
    return list_measure(&(struct run_setup){.space = world->space,
                                            .set = world->set,
                                            .evaluator = &world->evaluator,
                                            .journal = journal,
                                            .stop = &world->stop},
                        &(struct list_work){world->list, count, world->measurements, world->done, proposer},
                        &world->error);
}

static uint64_t index_of(const struct world *world, size_t item)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    uint64_t index = 0;
    CU_ASSERT_EQUAL(space_config_parse(world->space, world->list[item], choices, NULL), 0);
    valid_set_find(world->set, choices, &index);
    return index;
}

static void check(const struct world *world)
{
    for (size_t i = 0; i < LIST; i++) {
        const struct measurement *measurement = &world->measurements[i];
        CU_ASSERT(world->done[i]);
        if (i == 6)
            CU_ASSERT(measurement->status == STATUS_PRUNED_LIMIT &&
                      strcmp(measurement->message, "not valid on this device") == 0)
        else if (synth_fails(world->set, SEED, index_of(world, i)))
            CU_ASSERT_EQUAL(measurement->status, STATUS_COMPILE_ERROR)
        else
            CU_ASSERT_DOUBLE_EQUAL(measurement->value, synth_time_ns(world->set, SEED, index_of(world, i)), 1e-3)
    }
}

/* Checks that the journal has all of the list, but not the rest, and nothing by another proposer. */
static void check_missing(const struct journal *journal, enum proposer proposer)
{
    const struct {
        enum proposer proposer;
        size_t count, missing;
    } rows[] = {{proposer, LIST, 0}, {proposer, LIST + 1, 1}, {PROPOSER_STRATEGY, LIST, LIST}};
    const char *listed[LIST + 1];
    char texts[LIST][32];
    for (int i = 0; i < LIST; i++) {
        snprintf(texts[i], sizeof texts[i], "A=%d C=y", i + 1);
        listed[i] = texts[i];
    }
    listed[LIST] = "A=3 C=x";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena arena = {0};
        struct list_work work = {.configurations = listed, .count = rows[i].count, .proposer = rows[i].proposer};
        CU_ASSERT_EQUAL(list_missing(journal, &arena, &work, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(work.count, rows[i].missing);
        CU_ASSERT(!work.count || work.configurations[work.count - 1] == listed[rows[i].count - 1]);
        arena_free(&arena);
    }
}

static void measure_and_record(enum proposer proposer)
{
    static struct world world, replayed;
    const char *names[] = {"A", "C"};
    struct journal_header header = journal_header_unknown();
    char path[64];
    struct journal *journal = NULL;
    snprintf(path, sizeof path, "/tmp/cutune-list-%ld.csv", (long)getpid());
    header.provenance.kernel = "k";
    header.provenance.fingerprint = "f";
    header.parameter_count = 2;
    header.parameters = names;
    open_world(&world, NULL);
    CU_ASSERT_EQUAL_FATAL(journal_open(&journal, path, &header, &world.error), 0);
    CU_ASSERT_EQUAL(measure(&world, journal, LIST, proposer), 0);
    check(&world);
    CU_ASSERT_EQUAL(journal_close(journal, &world.error), 0);
    close_world(&world);

    CU_ASSERT_EQUAL_FATAL(journal_read(&journal, path, &world.error), 0);
    CU_ASSERT_EQUAL(journal_row_count(journal), LIST);
    check_missing(journal, proposer);
    open_world(&replayed, journal);
    CU_ASSERT_EQUAL(measure(&replayed, NULL, LIST, proposer), 0);
    check(&replayed);
    close_world(&replayed);
    journal_close(journal, NULL);
    unlink(path);
}

static void measures_and_records(void)
{
    measure_and_record(PROPOSER_FIT);
    measure_and_record(PROPOSER_UNKNOWN);
}

static void stops(void)
{
    static struct world world;
    open_world(&world, NULL);
    world.stop = 1;
    CU_ASSERT_EQUAL(measure(&world, NULL, LIST, PROPOSER_FIT), 0);
    for (size_t i = 0; i < LIST; i++)
        CU_ASSERT_EQUAL(world.done[i], i == 6); /* invalid configurations are not measured */
    close_world(&world);
}

/* An evaluator with room for one, which has no outcome. The user asks it to stop, and then to stop at once. */
enum { FIRST_STOP = 3, SECOND_STOP = 6, TOO_LONG = 50 };

struct stuck {
    volatile sig_atomic_t *stop;
    size_t queued;
    int waits;
};

static size_t stuck_room(void *state, bool learns_at_once)
{
    (void)learns_at_once;
    return 1 - ((struct stuck *)state)->queued;
}

static int stuck_submit(void *state, uint64_t index, bool exact, size_t device, struct error *error)
{
    (void)index, (void)exact, (void)device, (void)error;
    ((struct stuck *)state)->queued++;
    return 0;
}

static int stuck_wait(void *state, int64_t until_ns, struct evaluation *done, size_t space, size_t *count,
                      struct error *error)
{
    struct stuck *stuck = state;
    (void)until_ns, (void)done, (void)space;
    *count = 0;
    stuck->waits++;
    *stuck->stop = stuck->waits >= SECOND_STOP ? 2 : stuck->waits >= FIRST_STOP ? 1 : 0;
    return stuck->waits < TOO_LONG ? 0 : error_set(error, ERROR_DATA, "still waiting");
}

/* Only the second stop request ends the wait for configurations in flight, or for room. */
static void stops_at_once(void)
{
    static const struct evaluator_ops ops = {.room = stuck_room,
                                             .submit = stuck_submit,
                                             .wait = stuck_wait,
                                             .busy_s = evaluator_busy_unknown,
                                             .incumbent = evaluator_ignore_incumbent,
                                             .now = evaluator_real_time};
    static struct world world;
    for (size_t count = 1; count <= 2; count++) {
        open_world(&world, NULL);
        struct stuck stuck = {.stop = &world.stop};
        const struct evaluator synthetic = world.evaluator;
        world.evaluator = (struct evaluator){&ops, &stuck};
        CU_ASSERT_EQUAL(measure(&world, NULL, count, PROPOSER_FIT), 0);
        CU_ASSERT_EQUAL(stuck.waits, SECOND_STOP);
        CU_ASSERT_EQUAL(stuck.queued, 1);
        CU_ASSERT(!world.done[0] && !world.done[1]);
        world.evaluator = synthetic;
        close_world(&world);
    }
}

static void refuses_strangers(void)
{
    static struct world world;
    open_world(&world, NULL);
    world.list[LIST] = "A=21 C=y";
    CU_ASSERT_EQUAL(measure(&world, NULL, LIST + 1, PROPOSER_FIT), ERROR_DATA);
    CU_ASSERT(!world.done[0]);
    CU_ASSERT_EQUAL(measure(&world, NULL, 0, PROPOSER_FIT), 0);
    close_world(&world);
}

CU_TestInfo tests_list[] = {{"measures all and records it", measures_and_records},
                            {"stops when it is asked to", stops},
                            {"stops at once when it is asked again", stops_at_once},
                            {"refuses what the space does not have", refuses_strangers},
                            CU_TEST_INFO_NULL};
