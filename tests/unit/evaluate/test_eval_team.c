#include "evaluate/eval_team.h"

#include <math.h>
#include <signal.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/worker.h"
#include "evaluate/agent.h"
#include "evaluate/eval_synth.h"

#include "synthetic.h"

enum { VALID = 20 * 11, SEED = 5, AGENTS = 3, JOB = 2 };

/* An agent's behaviour from its third configuration on. */
enum manner { WORKS, SLOW, DIES, SILENT, GARBAGE, REFUSES, OTHER_JOB, UNASKED };

struct cast {
    struct valid_set *set;
    enum manner manner;
};

struct acting {
    struct evaluator inner;
    enum manner manner;
    struct channel *channel;
    unsigned given;
};
static struct acting acting; /* state of an agent's process */

static int act(void *state, uint64_t index, bool exact, size_t device, struct error *error)
{
    struct text text = {0};
    (void)state;
    if (++acting.given >= 3)
        switch (acting.manner) {
        case WORKS:
            break;
        case SLOW:
            usleep(20000);
            break;
        case DIES:
            raise(SIGKILL);
            break;
        case SILENT:
            sleep(60);
            break;
        case GARBAGE:
            (void)!write(acting.channel->socket, "no message at all, but long enough for one", 42);
            break;
        case REFUSES:
            return error_set(error, ERROR_DEVICE, "the device is lost");
        case OTHER_JOB:
            channel_send(acting.channel, REMOTE_ALIVE, JOB + 1, "", 0, INT64_MAX);
            break;
        case UNASKED:
            pack_struct(
                &text, &remote_done_table,
                &(struct remote_done){
                    .index = VALID + 1, .measurement = measurement_unknown(STATUS_OK), .log = "", .samples = ""});
            channel_send(acting.channel, REMOTE_DONE, JOB, text_string(&text), text.length, INT64_MAX);
            text_free(&text);
            break;
        }
    return acting.inner.ops->submit(acting.inner.state, index, exact, device, error);
}

static void run_agent(int socket, void *context)
{
    const struct cast *cast = context;
    const struct synth_setup setup = {.set = cast->set, .seed = SEED};
    struct channel channel = channel_open(socket);
    acting = (struct acting){.manner = cast->manner, .channel = &channel};
    if (evaluator_open_synth(&acting.inner, &setup, NULL))
        return;
    struct evaluator_ops ops = *acting.inner.ops;
    ops.submit = act;
    struct error error = {0};
    agent_serve(&channel, JOB, &(struct evaluator){.ops = &ops, .state = acting.inner.state}, NULL, &error);
    channel_close(&channel);
}

struct stage {
    struct space *space;
    struct valid_set *set;
    struct synth_setup synth;
    struct evaluator local, team;
    struct evaluator_ops ops; /* of the local evaluator */
    struct worker workers[AGENTS];
    struct team_link links[AGENTS];
    struct team_setup setup;
    char notes[2000];
};

static void take_note(void *context, const char *text)
{
    struct stage *stage = context;
    size_t length = strlen(stage->notes);
    snprintf(stage->notes + length, sizeof stage->notes - length, "%s\n", text);
}

/* The last agent has that manner; all others work. */
static void open_stage(struct stage *stage, enum manner manner)
{
    struct error error = {0};
    memset(stage, 0, sizeof *stage);
    stage->space = synthetic_space("param A = 1..20\nparam B = 0..10\n");
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&stage->set, stage->space, VALID_SET_DEFAULT_BYTES, &error), 0);
    stage->synth = (struct synth_setup){.set = stage->set, .seed = SEED};
    CU_ASSERT_EQUAL_FATAL(evaluator_open_synth(&stage->local, &stage->synth, &error), 0);
    stage->ops = *stage->local.ops;
    stage->local.ops = &stage->ops;
    for (int i = 0; i < AGENTS; i++) {
        struct cast cast = {.set = stage->set, .manner = i == AGENTS - 1 ? manner : WORKS};
        CU_ASSERT_EQUAL_FATAL(worker_start(&stage->workers[i], run_agent, &cast, &error), 0);
        stage->links[i] = (struct team_link){.channel = channel_open(dup(stage->workers[i].channel.socket)),
                                             .job = JOB,
                                             .state = LINK_READY,
                                             .ready = {.devices = 1, .state = agent_state(&stage->local)}};
        snprintf(stage->links[i].name, sizeof stage->links[i].name, "rank %d", i + 1);
    }
    stage->setup = (struct team_setup){.local = &stage->local,
                                       .links = stage->links,
                                       .link_count = AGENTS,
                                       .silence_ns = 1500000000,
                                       .note = take_note,
                                       .context = stage};
    CU_ASSERT_EQUAL_FATAL(evaluator_open_team(&stage->team, &stage->setup, &error), 0);
}

static void close_stage(struct stage *stage)
{
    evaluator_close(&stage->team);
    evaluator_close(&stage->local);
    for (int i = 0; i < AGENTS; i++) {
        if (stage->links[i].state != LINK_LOST)
            channel_close(&stage->links[i].channel);
        worker_stop(&stage->workers[i]);
    }
    valid_set_free(stage->set);
    space_free(stage->space);
}

/* Evaluates each configuration once, with the right outcome. `by`: number that each device measured. */
static void evaluate_all(struct stage *stage, size_t *by)
{
    struct evaluator *team = &stage->team;
    bool seen[VALID] = {false};
    size_t submitted = 0, finished = 0, count;
    struct error error = {0};
    int64_t end_ns = clock_now_ns() + 20000000000;
    while (finished < VALID && clock_now_ns() < end_ns) {
        struct evaluation done[7];
        while (submitted < VALID && team->ops->room(team->state, false))
            CU_ASSERT_EQUAL_FATAL(team->ops->submit(team->state, submitted++, false, EVALUATOR_ANY_DEVICE, &error), 0);
        CU_ASSERT_EQUAL_FATAL(team->ops->wait(team->state, INT64_MAX, done, 7, &count, &error), 0);
        for (size_t i = 0; i < count; i++) {
            uint64_t index = done[i].index;
            CU_ASSERT_FATAL(index < VALID && !seen[index] && done[i].device <= AGENTS);
            seen[index] = true;
            finished++;
            by[done[i].device]++;
            bool fails = synth_fails(stage->set, SEED, index);
            CU_ASSERT_EQUAL(done[i].measurement.status, fails ? STATUS_COMPILE_ERROR : STATUS_OK);
            CU_ASSERT(fails || done[i].measurement.value == synth_time_ns(stage->set, SEED, index));
        }
    }
    CU_ASSERT_EQUAL(finished, VALID);
}

/* All members take part; a slow one gets less. */
static void all_take_part(void)
{
    struct stage stage;
    size_t by[AGENTS + 1] = {0};
    open_stage(&stage, SLOW);
    CU_ASSERT_EQUAL(stage.team.ops->devices(stage.team.state), AGENTS + 1);
    evaluate_all(&stage, by);
    for (int i = 0; i <= AGENTS; i++)
        CU_ASSERT(by[i] > 0);
    CU_ASSERT(by[AGENTS] < by[0]);
    CU_ASSERT_STRING_EQUAL(stage.notes, "");
    close_stage(&stage);
}

/* If an agent is lost, each configuration is still evaluated and returned once, and the note is printed once. */
static void losses(void)
{
    static const struct {
        enum manner manner;
        const char *why;
    } rows[] = {{DIES, "it has ended"},
                {SILENT, "it does not answer"},
                {GARBAGE, "it sends messages that make no sense"},
                {REFUSES, "the device is lost"},
                {OTHER_JOB, "it sends messages that make no sense"},
                {UNASKED, "it sends messages that make no sense"}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct stage stage;
        size_t by[AGENTS + 1] = {0};
        char begin[200];
        open_stage(&stage, rows[r].manner);
        evaluate_all(&stage, by);
        snprintf(begin, sizeof begin, "rank 3 is left out: %s", rows[r].why);
        if (strncmp(stage.notes, begin, strlen(begin)) != 0)
            fprintf(stderr, "\nexpected '%s', not '%s'", begin, stage.notes);
        CU_ASSERT_EQUAL(strncmp(stage.notes, begin, strlen(begin)), 0);
        CU_ASSERT_PTR_EQUAL(strchr(stage.notes, '\n'), stage.notes + strlen(stage.notes) - 1);
        CU_ASSERT_EQUAL(stage.links[AGENTS - 1].state, LINK_LOST);
        for (size_t d = 0; d <= AGENTS; d++)
            CU_ASSERT_EQUAL(stage.team.ops->lost(stage.team.state, d), d == AGENTS);
        close_stage(&stage);
    }
}

/* Certain devices, and excluded ones. */
static void certain_devices(void)
{
    struct stage stage;
    struct error error = {0};
    struct evaluation done[16];
    size_t count, by[AGENTS + 1] = {0};
    open_stage(&stage, WORKS);
    for (size_t d = 0; d <= AGENTS; d++)
        CU_ASSERT_EQUAL_FATAL(stage.team.ops->submit(stage.team.state, 4, true, d, &error), 0);
    for (size_t finished = 0; finished < AGENTS + 1; finished += count) {
        CU_ASSERT_EQUAL_FATAL(stage.team.ops->wait(stage.team.state, INT64_MAX, done, 16, &count, &error), 0);
        for (size_t i = 0; i < count; i++)
            by[done[i].device]++;
    }
    for (size_t d = 0; d <= AGENTS; d++)
        CU_ASSERT_EQUAL(by[d], 1);
    stage.team.ops->leave_out(stage.team.state, 2);
    stage.team.ops->leave_out(stage.team.state, 0);
    stage.team.ops->incumbent(stage.team.state, EVALUATOR_ANY_DEVICE, 2e6);
    memset(by, 0, sizeof by);
    evaluate_all(&stage, by);
    CU_ASSERT(by[0] == 0 && by[2] == 0 && by[1] > 0 && by[3] > 0);
    CU_ASSERT_EQUAL_FATAL(stage.team.ops->submit(stage.team.state, 4, true, 2, &error), 0);
    for (count = 0; !count;)
        CU_ASSERT_EQUAL_FATAL(stage.team.ops->wait(stage.team.state, INT64_MAX, done, 16, &count, &error), 0);
    CU_ASSERT(done[0].device == 1 || done[0].device == 3);
    close_stage(&stage);
}

/* The team lacks the operations that the process's own evaluator lacks. */
static void operations(void)
{
    struct stage stage;
    open_stage(&stage, WORKS);
    CU_ASSERT_PTR_NULL(stage.team.ops->device);
    CU_ASSERT(isnan(stage.team.ops->busy_s(stage.team.state, 1, 1)));
    struct measurement finals[2];
    bool played = false;
    struct error error = {0};
    uint64_t best[] = {synth_optimum(stage.set, SEED), 1};
    CU_ASSERT_EQUAL(stage.team.ops->playoff(stage.team.state, best, 1, finals, &played, &error), 0);
    CU_ASSERT(played && finals[0].playoff == PLAYOFF_LEADER);
    close_stage(&stage);
}

/* Withdrawn and lost configurations come back once. Nothing begins before the next submission. */
static void withdrawing(void)
{
    static const enum manner manners[] = {WORKS, SLOW, DIES};
    for (size_t i = 0; i < sizeof manners / sizeof *manners; i++) {
        struct stage stage;
        struct error error = {0};
        uint64_t submitted = 0;
        size_t came = 0, withdrawn = 0;
        open_stage(&stage, manners[i]);
        const struct evaluator_ops *ops = stage.team.ops;
        while (ops->room(stage.team.state, false))
            CU_ASSERT_EQUAL(ops->submit(stage.team.state, submitted++, false, EVALUATOR_ANY_DEVICE, &error), 0);
        CU_ASSERT_EQUAL(ops->withdraw(stage.team.state, STAGE_UNMEASURED, &error), 0);
        bool seen[VALID] = {false};
        for (int64_t end_ns = clock_now_ns() + 20000000000; came < submitted && clock_now_ns() < end_ns;) {
            struct evaluation done[16];
            size_t count = 0;
            CU_ASSERT_EQUAL(ops->wait(stage.team.state, clock_now_ns() + 100000000, done, 16, &count, &error), 0);
            for (size_t k = 0; k < count; k++) {
                CU_ASSERT_FATAL(done[k].index < submitted && !seen[done[k].index]);
                seen[done[k].index] = true;
                withdrawn += done[k].withdrawn;
            }
            came += count;
        }
        CU_ASSERT_EQUAL(came, submitted);
        CU_ASSERT(withdrawn >= stage.local.ops->room(stage.local.state, false)); /* this process had not begun */
        close_stage(&stage);
    }
}

CU_TestInfo tests_eval_team[] = {
    {"all take part", all_take_part},     {"losses cost nothing but time", losses},
    {"certain devices", certain_devices}, {"operations", operations},
    {"withdrawing", withdrawing},         CU_TEST_INFO_NULL,
};
