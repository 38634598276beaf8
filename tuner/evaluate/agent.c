#include "evaluate/agent.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"

struct agent {
    struct channel *channel;
    uint64_t job;
    const struct evaluator *evaluator;
    struct kept_samples *kept;
    struct remote_submit *backlog; /* submitted while the evaluator had no room, oldest first */
    size_t backlog_count, backlog_room, in_flight;
    int64_t sent_ns; /* time of the last message sent */
    bool ended;
};

static struct remote_state state_of(const struct evaluator *evaluator, size_t in_flight)
{
    struct remote_state state = {0};
    for (int learns = 0; learns < 2; learns++)
        state.capacity[learns] = in_flight + evaluator->ops->room(evaluator->state, learns);
    evaluator->ops->usage(evaluator->state, &state.usage);
    return state;
}

struct remote_state agent_state(const struct evaluator *evaluator)
{
    return state_of(evaluator, 0);
}

static int gone(struct error *error)
{
    return error_set(error, ERROR_WORKER, "the run's other end is gone");
}

static int send_message(struct agent *agent, enum remote_kind kind, struct text *text, struct error *error)
{
    int64_t now_ns = clock_now_ns();
    int code = text->failed ? error_memory(error) : 0;
    if (!code &&
        !channel_send(agent->channel, kind, agent->job, text_string(text), text->length, now_ns + AGENT_SEND_NS))
        code = gone(error);
    agent->sent_ns = now_ns;
    text_free(text);
    return code;
}

/* ---- Requests of the run ---- */

static int keep(struct agent *agent, const struct remote_submit *submit, struct error *error)
{
    struct remote_submit *backlog =
        array_grow(agent->backlog, &agent->backlog_room, agent->backlog_count + 1, sizeof *backlog);
    if (!backlog)
        return error_memory(error);
    agent->backlog = backlog;
    backlog[agent->backlog_count++] = *submit;
    return 0;
}

static size_t local_device(uint64_t device)
{
    return device == UINT64_MAX ? EVALUATOR_ANY_DEVICE : (size_t)device;
}

/* True if the device of a request is any, or one of this agent's. */
static bool is_ours(const struct agent *agent, uint64_t device)
{
    const struct evaluator *evaluator = agent->evaluator;
    return device == UINT64_MAX || device < evaluator->ops->devices(evaluator->state);
}

static int tell_done(struct agent *agent, const struct evaluation *evaluation, struct error *error);

/* Withdraws submitted configurations, and answers those of the backlog at once. */
static int withdraw(struct agent *agent, enum evaluation_stage stage, struct error *error)
{
    const struct evaluator *evaluator = agent->evaluator;
    int code = evaluator->ops->withdraw(evaluator->state, stage, error);
    for (size_t i = 0; i < agent->backlog_count && !code; i++)
        code = tell_done(
            agent,
            &(struct evaluation){.index = agent->backlog[i].index, .withdrawn = true, .device = EVALUATOR_ANY_DEVICE},
            error);
    agent->backlog_count = 0;
    return code;
}

/* Handles a request; false: nonsense. */
static bool obey(struct agent *agent, const struct message *message, int *code, struct error *error)
{
    const struct evaluator *evaluator = agent->evaluator;
    struct remote_submit submit;
    struct remote_incumbent incumbent;
    struct unpack unpack = unpack_start(message->bytes, message->length);
    uint64_t device, stage;
    switch (message->kind) {
    case REMOTE_SUBMIT:
        if (!unpack_whole(message->bytes, message->length, &remote_submit_table, &submit) ||
            !is_ours(agent, submit.device))
            return false;
        *code = keep(agent, &submit, error);
        return true;
    case REMOTE_INCUMBENT:
        if (!unpack_whole(message->bytes, message->length, &remote_incumbent_table, &incumbent) ||
            !is_ours(agent, incumbent.device))
            return false;
        evaluator->ops->incumbent(evaluator->state, local_device(incumbent.device), incumbent.value);
        return true;
    case REMOTE_LEAVE_OUT:
        device = unpack_u64(&unpack);
        if (!unpack_finished(&unpack) || device == UINT64_MAX || !is_ours(agent, device))
            return false;
        evaluator->ops->leave_out(evaluator->state, (size_t)device);
        return true;
    case REMOTE_WITHDRAW:
        stage = unpack_u64(&unpack);
        if (!unpack_finished(&unpack) || stage > STAGE_UNMEASURED)
            return false;
        *code = withdraw(agent, (enum evaluation_stage)stage, error);
        return true;
    case REMOTE_END:
        agent->ended = true;
        return message->length == 0;
    default:
        return false;
    }
}

static int receive(struct agent *agent, struct error *error)
{
    struct message message;
    int code = 0, got = 0;
    while (!code && !agent->ended && (got = channel_receive(agent->channel, &message)) > 0)
        if (message.id != agent->job || !obey(agent, &message, &code, error)) {
            channel_refuse(agent->channel);
            return error_set(error, ERROR_WORKER, "the run sends a message that makes no sense");
        }
    return code || got >= 0 ? code : gone(error);
}

/* ---- Answers to the run ---- */

static int submit_backlog(struct agent *agent, struct error *error)
{
    const struct evaluator *evaluator = agent->evaluator;
    size_t taken = 0;
    int code = 0;
    while (!code && taken < agent->backlog_count && evaluator->ops->room(evaluator->state, false)) {
        const struct remote_submit *submit = &agent->backlog[taken++];
        code =
            evaluator->ops->submit(evaluator->state, submit->index, submit->exact, local_device(submit->device), error);
        agent->in_flight++;
    }
    agent->backlog_count -= taken;
    if (agent->backlog_count)
        memmove(agent->backlog, agent->backlog + taken, agent->backlog_count * sizeof *agent->backlog);
    return code;
}

static int tell_done(struct agent *agent, const struct evaluation *evaluation, struct error *error)
{
    struct text text = {0}, samples = {0};
    kept_samples_take(agent->kept, evaluation->index, evaluation->device, &samples);
    const struct remote_done done = {.index = evaluation->index,
                                     .withdrawn = evaluation->withdrawn,
                                     .device =
                                         evaluation->device == EVALUATOR_ANY_DEVICE ? UINT64_MAX : evaluation->device,
                                     .original = evaluation->original,
                                     .measurement = evaluation->measurement,
                                     .log = evaluation->log ? evaluation->log : "",
                                     .samples = text_string(&samples),
                                     .state = state_of(agent->evaluator, agent->in_flight)};
    pack_struct(&text, &remote_done_table, &done);
    text.failed |= samples.failed;
    text_free(&samples);
    return send_message(agent, REMOTE_DONE, &text, error);
}

static int tell_alive(struct agent *agent, struct error *error)
{
    struct text text = {0};
    const struct remote_state state = state_of(agent->evaluator, agent->in_flight);
    if (clock_now_ns() - agent->sent_ns < AGENT_ALIVE_NS)
        return 0;
    pack_struct(&text, &remote_state_table, &state);
    return send_message(agent, REMOTE_ALIVE, &text, error);
}

static void tell_error(struct agent *agent, const struct error *error)
{
    struct text text = {0};
    pack_string(&text, error ? error->message : "");
    send_message(agent, REMOTE_REFUSED, &text, NULL);
}

/* Advances all work; *idle: nothing has finished. */
static int advance(struct agent *agent, bool *idle, struct error *error)
{
    enum { AT_ONCE = 16 };
    const struct evaluator *evaluator = agent->evaluator;
    struct evaluation done[AT_ONCE];
    size_t count = 0;
    int code = submit_backlog(agent, error);
    if (!code && agent->in_flight)
        code = evaluator->ops->wait(evaluator->state, 0, done, AT_ONCE, &count, error);
    if (code)
        tell_error(agent, error);
    agent->in_flight -= count;
    for (size_t i = 0; i < count && !code; i++)
        code = tell_done(agent, &done[i], error);
    *idle = count == 0;
    return code ? code : tell_alive(agent, error);
}

int agent_serve(struct channel *channel, uint64_t job, const struct evaluator *evaluator, struct kept_samples *kept,
                struct error *error)
{
    struct agent agent = {
        .channel = channel, .job = job, .evaluator = evaluator, .kept = kept, .sent_ns = clock_now_ns()};
    int code = 0;
    while (!code && !agent.ended) {
        bool idle = false;
        code = receive(&agent, error);
        if (!code && !agent.ended)
            code = advance(&agent, &idle, error);
        if (!code && !agent.ended && idle)
            evaluator_await(evaluator, agent.in_flight > 0, (struct channel *[]){channel}, 1,
                            agent.sent_ns + AGENT_ALIVE_NS);
    }
    free(agent.backlog);
    return code;
}
