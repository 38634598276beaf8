#include "evaluate/agent.h"

#include <math.h>

#include "base/clock.h"
#include "base/worker.h"
#include "evaluate/eval_synth.h"

#include "synthetic.h"

enum { JOB = 3, SEED = 5 };

struct served {
    struct valid_set *set;
    size_t device_count;
};

static void serve(int socket, void *context)
{
    const struct served *served = context;
    static const struct synth_device alike[3];
    const struct synth_setup setup = {
        .set = served->set, .seed = SEED, .devices = alike, .device_count = served->device_count};
    struct channel channel = channel_open(socket);
    struct evaluator evaluator;
    if (!evaluator_open_synth(&evaluator, &setup, NULL) && !agent_serve(&channel, JOB, &evaluator, NULL, NULL))
        channel_send(&channel, REMOTE_READY, JOB, "", 0, INT64_MAX); /* success */
    evaluator_close(&evaluator);
    channel_close(&channel);
}

static void say(struct worker *worker, enum remote_kind kind, const struct pack_table *table, const void *from)
{
    struct text text = {0};
    if (table)
        pack_struct(&text, table, from);
    CU_ASSERT_EQUAL(worker_send(worker, kind, JOB, text_string(&text), text.length, INT64_MAX, NULL), 0);
    text_free(&text);
}

/* Returns the kind of the next message that is not `but`; 0 at the end. */
static uint32_t hear(struct worker *worker, uint32_t but, struct message *message)
{
    for (int64_t end_ns = clock_now_ns() + 10000000000; clock_now_ns() < end_ns;) {
        int got = worker_receive(worker, message);
        if (got < 0)
            return 0;
        if (got > 0 && message->kind != but)
            return message->kind;
        worker_wait(&worker, 1, INT64_MAX);
    }
    CU_FAIL("no answer");
    return 0;
}

static struct served open_served(struct space **space)
{
    struct served served = {0};
    *space = synthetic_space("param A = 1..20\nparam B = 0..10\n");
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&served.set, *space, VALID_SET_DEFAULT_BYTES, NULL), 0);
    return served;
}

/* More configurations than the evaluator has room for: all are evaluated, then the agent ends. */
static void serves(void)
{
    enum { COUNT = 30 };
    struct space *space;
    struct served served = open_served(&space);
    struct worker worker = {0};
    struct message message;
    bool seen[COUNT] = {false};
    int64_t begun_ns = clock_now_ns();
    CU_ASSERT_EQUAL_FATAL(worker_start(&worker, serve, &served, NULL), 0);
    for (uint64_t i = 0; i < COUNT; i++)
        say(&worker, REMOTE_SUBMIT, &remote_submit_table, &(struct remote_submit){.index = i, .device = UINT64_MAX});
    say(&worker, REMOTE_INCUMBENT, &remote_incumbent_table,
        &(struct remote_incumbent){.device = UINT64_MAX, .value = 1});
    for (int i = 0; i < COUNT; i++) {
        struct remote_done done;
        CU_ASSERT_EQUAL_FATAL(hear(&worker, REMOTE_ALIVE, &message), REMOTE_DONE);
        CU_ASSERT_EQUAL(message.id, JOB);
        CU_ASSERT_FATAL(unpack_whole(message.bytes, message.length, &remote_done_table, &done));
        CU_ASSERT_FATAL(done.index < COUNT && !seen[done.index]);
        seen[done.index] = true;
        CU_ASSERT_EQUAL(done.device, 0);
        CU_ASSERT_EQUAL(done.state.capacity[0], 8);
        bool fails = synth_fails(served.set, SEED, done.index);
        CU_ASSERT_EQUAL(done.measurement.status, fails ? STATUS_COMPILE_ERROR : STATUS_OK);
        CU_ASSERT(fails || done.measurement.value == synth_time_ns(served.set, SEED, done.index));
    }
    CU_ASSERT_EQUAL(hear(&worker, 0, &message), REMOTE_ALIVE); /* without a request */
    CU_ASSERT_EQUAL(hear(&worker, 0, &message), REMOTE_ALIVE); /* at the interval, not continuously */
    CU_ASSERT(clock_now_ns() - begun_ns >= 2 * (int64_t)AGENT_ALIVE_NS);
    say(&worker, REMOTE_END, NULL, NULL);
    CU_ASSERT_EQUAL(hear(&worker, REMOTE_ALIVE, &message), REMOTE_READY);
    CU_ASSERT_EQUAL(hear(&worker, REMOTE_ALIVE, &message), 0);
    worker_stop(&worker);
    valid_set_free(served.set);
    space_free(space);
}

/* A device measures the configurations that require it. An excluded one measures no more. */
static void devices(void)
{
    enum { DEVICES = 3, COUNT = 12 };
    struct space *space;
    struct served served = open_served(&space);
    struct worker worker = {0};
    struct text text = {0};
    uint64_t index = 0;
    served.device_count = DEVICES;
    CU_ASSERT_EQUAL_FATAL(worker_start(&worker, serve, &served, NULL), 0);
    for (uint64_t i = 0; i < COUNT + DEVICES; i++, index++) {
        struct message message;
        struct remote_done done;
        bool any = i >= COUNT;
        if (i == COUNT) {
            pack_u64(&text, 1);
            CU_ASSERT_EQUAL(
                worker_send(&worker, REMOTE_LEAVE_OUT, JOB, text_string(&text), text.length, INT64_MAX, NULL), 0);
        }
        while (synth_fails(served.set, SEED, index))
            index++;
        say(&worker, REMOTE_SUBMIT, &remote_submit_table,
            &(struct remote_submit){.index = index, .device = any ? UINT64_MAX : i % DEVICES, .exact = true});
        CU_ASSERT_EQUAL_FATAL(hear(&worker, REMOTE_ALIVE, &message), REMOTE_DONE);
        CU_ASSERT_FATAL(unpack_whole(message.bytes, message.length, &remote_done_table, &done));
        CU_ASSERT_EQUAL(done.index, index);
        CU_ASSERT(any ? done.device < DEVICES && done.device != 1 : done.device == i % DEVICES);
    }
    say(&worker, REMOTE_END, NULL, NULL);
    worker_stop(&worker);
    text_free(&text);
    valid_set_free(served.set);
    space_free(space);
}

/* A message without sense ends the agent: another job, an unknown device, an unknown message. */
static void nonsense(void)
{
    struct space *space;
    struct served served = open_served(&space);
    for (int which = 0; which < 5; which++) {
        struct worker worker = {0};
        struct message message;
        CU_ASSERT_EQUAL_FATAL(worker_start(&worker, serve, &served, NULL), 0);
        switch (which) {
        case 0:
            CU_ASSERT_EQUAL(worker_send(&worker, REMOTE_END, JOB + 1, "", 0, INT64_MAX, NULL), 0);
            break;
        case 1:
            say(&worker, REMOTE_SUBMIT, &remote_submit_table, &(struct remote_submit){.index = 1, .device = 1});
            break;
        case 2:
            say(&worker, REMOTE_READY, NULL, NULL);
            break;
        case 3:
            say(&worker, REMOTE_LEAVE_OUT, NULL, NULL);
            break;
        case 4:
            say(&worker, REMOTE_WITHDRAW, NULL, NULL);
            break;
        }
        CU_ASSERT_EQUAL(hear(&worker, REMOTE_ALIVE, &message), 0);
        worker_stop(&worker);
    }
    valid_set_free(served.set);
    space_free(space);
}

/* After withdrawing, each configuration is answered once, with an outcome or without, and later ones are evaluated. */
static void withdraws(void)
{
    enum { COUNT = 30, LATER = 40 };
    struct space *space;
    struct served served = open_served(&space);
    struct worker worker = {0};
    struct message message;
    struct text stage = {0};
    bool seen[LATER] = {false};
    served.device_count = 1;
    CU_ASSERT_EQUAL_FATAL(worker_start(&worker, serve, &served, NULL), 0);
    for (uint64_t i = 0; i < LATER; i++) {
        if (i == COUNT) {
            pack_u64(&stage, STAGE_UNMEASURED);
            CU_ASSERT_EQUAL(
                worker_send(&worker, REMOTE_WITHDRAW, JOB, text_string(&stage), stage.length, INT64_MAX, NULL), 0);
        }
        say(&worker, REMOTE_SUBMIT, &remote_submit_table, &(struct remote_submit){.index = i, .device = UINT64_MAX});
    }
    for (int i = 0; i < LATER; i++) {
        struct remote_done done;
        CU_ASSERT_EQUAL_FATAL(hear(&worker, REMOTE_ALIVE, &message), REMOTE_DONE);
        CU_ASSERT_FATAL(unpack_whole(message.bytes, message.length, &remote_done_table, &done));
        CU_ASSERT_FATAL(done.index < LATER && !seen[done.index]);
        CU_ASSERT_FALSE(done.withdrawn && done.index >= COUNT);
        seen[done.index] = true;
    }
    say(&worker, REMOTE_END, NULL, NULL);
    CU_ASSERT_EQUAL(hear(&worker, REMOTE_ALIVE, &message), REMOTE_READY);
    worker_stop(&worker);
    text_free(&stage);
    valid_set_free(served.set);
    space_free(space);
}

CU_TestInfo tests_agent[] = {
    {"serves a job to its end", serves},
    {"measures on the device that is wanted", devices},
    {"nonsense ends it", nonsense},
    {"withdraws", withdraws},
    CU_TEST_INFO_NULL,
};
