/* Gives each configuration to the member with the most room, and takes outcomes in any order. */
#include "evaluate/eval_team.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/samples_text.h"
#include "evaluate/kept_samples.h"
#include "evaluate/queue_depth.h"
#include "evaluate/team_tasks.h"

struct member {
    struct team_link *link; /* NULL: this process */
    size_t first, devices;  /* number of its first device, and of its devices */
    size_t given;           /* number of tasks that it evaluates */
    size_t left_out;        /* number of excluded devices */
    bool lost;
    bool *out;        /* by device: excluded */
    int64_t heard_ns; /* time of its last message */
    struct remote_state state;
};

struct team {
    const struct team_setup *setup;
    struct evaluator_ops ops; /* with device operations if this process has them */
    struct member *members;   /* the first is this process */
    struct channel **channels;
    size_t member_count, device_count;
    struct team_tasks tasks;
    bool withdrawing;  /* nothing begins until the next submission */
    int64_t looked_ns; /* time of the last reading of the channels */
};

/* Longer than a living agent leaves a short message unread. */
static const int64_t send_ns = 5000000000;
/* After such a gap in reading, all silence is forgiven. */
static const int64_t lapse_ns = 1000000000;

/* ---- Members ---- */

static const struct evaluator_ops *local_ops(const struct team *team)
{
    return team->setup->local->ops;
}

static void *local_state(const struct team *team)
{
    return team->setup->local->state;
}

void team_lose_link(const struct team_setup *setup, struct team_link *link, const char *reason)
{
    char text[512];
    snprintf(text, sizeof text, "%s is left out: %s", link->name, reason);
    link->state = LINK_LOST;
    channel_close(&link->channel);
    if (setup->note)
        setup->note(setup->context, text);
}

/* Excludes a member and returns its tasks to the queue. */
static void lose(struct team *team, size_t m, const char *reason)
{
    struct member *member = &team->members[m];
    char text[400];
    member->lost = true;
    member->given = 0;
    /* An interrupted job loses all ranks, so their tasks are no failures. */
    size_t count = team_tasks_lose(&team->tasks, m, !(team->setup->stop && *team->setup->stop));
    snprintf(text, sizeof text, "%s", reason);
    if (count)
        snprintf(text, sizeof text, "%.300s; others evaluate its %zu configuration%s", reason, count,
                 count == 1 ? "" : "s");
    team_lose_link(team->setup, member->link, text);
}

static void say(struct team *team, size_t m, enum remote_kind kind, struct text *text)
{
    struct member *member = &team->members[m];
    /* If this fails, take_remote reports the reason, which the member may have sent. */
    if (!member->lost)
        channel_send(&member->link->channel, kind, member->link->job, text_string(text), text->length,
                     clock_now_ns() + send_ns);
    text_free(text);
}

static bool measures(const struct member *member)
{
    return !member->lost && member->left_out < member->devices;
}

static size_t member_room(const struct team *team, size_t m, bool learns_at_once)
{
    const struct member *member = &team->members[m];
    if (!measures(member))
        return 0;
    if (!member->link)
        return local_ops(team)->room(local_state(team), learns_at_once);
    uint64_t capacity = member->state.capacity[learns_at_once];
    return capacity > member->given ? (size_t)(capacity - member->given) : 0;
}

static size_t member_of(const struct team *team, size_t device)
{
    size_t m = 0;
    while (m + 1 < team->member_count && device >= team->members[m + 1].first)
        m++;
    return m;
}

/* ---- Opening ---- */

static void add_member(struct team *team, struct team_link *link, size_t devices, bool **out)
{
    struct member *member = &team->members[team->member_count];
    *member = (struct member){
        .link = link, .first = team->device_count, .devices = devices, .out = *out, .heard_ns = clock_now_ns()};
    *out += devices;
    if (link) {
        member->state = link->ready.state;
        team->channels[team->member_count - 1] = &link->channel;
    }
    team->device_count += devices;
    team->member_count++;
}

static int open_team(void *state, const void *given, struct error *error)
{
    struct team *team = state;
    const struct team_setup *setup = team->setup = given;
    size_t local = local_ops(team)->devices ? local_ops(team)->devices(local_state(team)) : 1, devices = local;
    for (size_t i = 0; i < setup->link_count; i++)
        devices += setup->links[i].state == LINK_READY ? (size_t)setup->links[i].ready.devices : 0;
    team->members = calloc(setup->link_count + 1, sizeof *team->members);
    team->channels = calloc(setup->link_count + 1, sizeof *team->channels);
    bool *out = calloc(devices + 1, sizeof *out);
    if (!team->members || !team->channels || !out) {
        free(out);
        return error_memory(error);
    }
    add_member(team, NULL, local, &out);
    for (size_t i = 0; i < setup->link_count; i++)
        if (setup->links[i].state == LINK_READY)
            add_member(team, &setup->links[i], (size_t)setup->links[i].ready.devices, &out);
    team->looked_ns = clock_now_ns();
    return 0;
}

static void close_team(void *state)
{
    struct team *team = state;
    for (size_t m = 1; m < team->member_count; m++) {
        struct text nothing = {0};
        say(team, m, REMOTE_END, &nothing);
        if (!team->members[m].lost)
            team->members[m].link->state = LINK_IDLE;
    }
    if (team->member_count)
        free(team->members[0].out);
    free(team->members);
    free(team->channels);
    team_tasks_free(&team->tasks);
}

/* ---- Giving ---- */

/* Returns the member that evaluates the task next; SIZE_MAX: no member has room. */
static size_t choose(const struct team *team, const struct task *task)
{
    size_t chosen = SIZE_MAX, wanted = task->wanted;
    double most = 0;
    if (wanted != EVALUATOR_ANY_DEVICE) {
        size_t m = member_of(team, wanted);
        const struct member *member = &team->members[m];
        if (measures(member) && !member->out[wanted - member->first])
            return member_room(team, m, false) ? m : SIZE_MAX;
    }
    for (size_t m = 0; m < team->member_count; m++) {
        size_t devices = team->members[m].devices - team->members[m].left_out;
        double room = devices ? (double)member_room(team, m, false) / (double)devices : 0;
        if (room > most) {
            most = room;
            chosen = m;
        }
    }
    return chosen;
}

static int give(struct team *team, struct task *task, size_t m, struct error *error)
{
    struct member *member = &team->members[m];
    bool here = task->wanted != EVALUATOR_ANY_DEVICE && task->wanted >= member->first &&
                task->wanted - member->first < member->devices;
    size_t device = here ? task->wanted - member->first : EVALUATOR_ANY_DEVICE;
    struct text text = {0};
    int code = team_tasks_give(&team->tasks, task, m, error);
    if (code)
        return code;
    member->given++;
    if (!member->link)
        return local_ops(team)->submit(local_state(team), task->index, task->exact, device, error);
    pack_struct(&text, &remote_submit_table,
                &(struct remote_submit){.index = task->index,
                                        .device = device == EVALUATOR_ANY_DEVICE ? UINT64_MAX : device,
                                        .exact = task->exact});
    say(team, m, REMOTE_SUBMIT, &text);
    return 0;
}

/* Ends waiting tasks without an outcome. */
static void withdraw_waiting(struct team *team)
{
    struct task *task;
    while ((task = team_tasks_first(&team->tasks, TASK_WAITING))) {
        task->withdrawn = true;
        team_tasks_move(&team->tasks, task, TASK_DONE);
    }
}

static int give_all(struct team *team, struct error *error)
{
    struct task *next;
    int code = 0;
    if (team->withdrawing)
        withdraw_waiting(team);
    for (struct task *task = team_tasks_first(&team->tasks, TASK_WAITING); task && !code; task = next) {
        size_t m = choose(team, task);
        next = team_tasks_after(&team->tasks, task);
        if (m != SIZE_MAX)
            code = give(team, task, m, error);
    }
    return code;
}

static size_t room(void *state, bool learns_at_once)
{
    struct team *team = state;
    size_t all = 0, waiting = team_tasks_count(&team->tasks, TASK_WAITING);
    for (size_t m = 0; m < team->member_count; m++)
        all += member_room(team, m, learns_at_once);
    return all > waiting ? all - waiting : 0;
}

static size_t devices(const void *state)
{
    return ((const struct team *)state)->device_count;
}

static bool lost(const void *state, size_t device)
{
    const struct team *team = state;
    return team->members[member_of(team, device)].lost;
}

static int submit(void *state, uint64_t index, bool exact, size_t device, struct error *error)
{
    struct team *team = state;
    team->withdrawing = false;
    int code = team_tasks_add(&team->tasks, index, exact, device, error);
    return code ? code : give_all(team, error);
}

/* ---- Taking ---- */

/* Records an outcome. `done`: with the team's number of the device. False: the member was not given that task. */
static bool keep(struct team *team, size_t m, const struct evaluation *done)
{
    struct task *task = team_tasks_match(&team->tasks, m, done->index, done->device);
    if (!task)
        return false;
    team->members[m].given--;
    team_tasks_move(&team->tasks, task, TASK_DONE);
    task->withdrawn = done->withdrawn;
    task->device = done->device;
    task->original = done->original;
    task->measurement = done->measurement;
    text_clear(&task->log);
    text_printf(&task->log, "%s", done->log ? done->log : "");
    return true;
}

static int take_local(struct team *team, struct error *error)
{
    enum { AT_ONCE = 64 };
    struct evaluation done[AT_ONCE];
    size_t count = 0;
    if (!team->members[0].given)
        return 0;
    int code = local_ops(team)->wait(local_state(team), 0, done, AT_ONCE, &count, error);
    for (size_t i = 0; i < count; i++)
        keep(team, 0, &done[i]);
    return code;
}

/* Records a member's outcome; false: nonsense. */
static bool take_done(struct team *team, size_t m, const struct message *message)
{
    struct member *member = &team->members[m];
    struct remote_done done;
    if (!unpack_whole(message->bytes, message->length, &remote_done_table, &done) ||
        (done.device != UINT64_MAX && done.device >= member->devices))
        return false;
    member->state = done.state;
    const size_t device = done.device == UINT64_MAX ? EVALUATOR_ANY_DEVICE : member->first + done.device;
    struct error unread = {0};
    if (samples_text_check(done.samples, done.measurement.samples, &unread) ||
        kept_samples_put(team->setup->kept, done.index, device, done.samples, &unread))
        return false;
    return keep(team, m,
                &(struct evaluation){.index = done.index,
                                     .withdrawn = done.withdrawn,
                                     .device = device,
                                     .original = done.original,
                                     .measurement = done.measurement,
                                     .log = done.log});
}

static void take(struct team *team, size_t m, const struct message *message)
{
    struct member *member = &team->members[m];
    struct unpack unpack = unpack_start(message->bytes, message->length);
    bool good = message->id == member->link->job;
    member->heard_ns = clock_now_ns();
    if (message->id < member->link->job) /* of an earlier job */
        return;
    if (good && message->kind == REMOTE_REFUSED) {
        const char *why = unpack_string(&unpack);
        lose(team, m, *why ? why : "it ended");
        return;
    }
    if (message->kind == REMOTE_ALIVE)
        good &= unpack_whole(message->bytes, message->length, &remote_state_table, &member->state);
    else
        good &= message->kind == REMOTE_DONE && take_done(team, m, message);
    if (!good)
        lose(team, m, "it sends messages that make no sense");
}

static void take_remote(struct team *team, size_t m)
{
    struct member *member = &team->members[m];
    struct message message;
    struct error error = {0};
    int got = 0;
    while (!member->lost && (got = channel_receive(&member->link->channel, &message)) > 0)
        take(team, m, &message);
    if (member->lost)
        return;
    if (got < 0)
        lose(team, m,
             channel_check_version(&member->link->channel, "rank", &error) ? error.message
             : member->link->channel.garbled                               ? "it sends messages that make no sense"
                                                                           : "it has ended");
    else if (member->link->channel.spoiled)
        lose(team, m, "it does not read its messages");
    else if (clock_now_ns() - member->heard_ns > team->setup->silence_ns)
        lose(team, m, "it does not answer");
}

/* Forgives silence during a lapse in reading. */
static void note_lapse(struct team *team)
{
    int64_t now_ns = clock_now_ns();
    for (size_t m = 1; m < team->member_count && now_ns - team->looked_ns > lapse_ns; m++)
        team->members[m].heard_ns = now_ns;
    team->looked_ns = now_ns;
}

static void take_all_remote(struct team *team)
{
    note_lapse(team);
    for (size_t m = 1; m < team->member_count; m++)
        if (!team->members[m].lost)
            take_remote(team, m);
}

static int take_all(struct team *team, struct error *error)
{
    int code = take_local(team, error);
    take_all_remote(team);
    return code ? code : give_all(team, error);
}

static size_t hand_over(struct team *team, struct evaluation *done, size_t space)
{
    struct task *task;
    size_t count = 0;
    while (count < space && (task = team_tasks_first(&team->tasks, TASK_DONE))) {
        done[count++] = (struct evaluation){.index = task->index,
                                            .withdrawn = task->withdrawn,
                                            .device = task->device,
                                            .original = task->original,
                                            .measurement = task->measurement,
                                            .log = task->log.length ? task->log.bytes : NULL};
        team_tasks_move(&team->tasks, task, TASK_RETURNED);
    }
    return count;
}

static void await(struct team *team, int64_t until_ns)
{
    size_t count = 0;
    for (size_t m = 1; m < team->member_count; m++)
        if (!team->members[m].lost)
            team->channels[count++] = &team->members[m].link->channel;
    evaluator_await(team->setup->local, team->members[0].given > 0, team->channels, count, until_ns);
}

static int wait(void *state, int64_t until_ns, struct evaluation *done, size_t space, size_t *count,
                struct error *error)
{
    struct team *team = state;
    struct task *task;
    while ((task = team_tasks_first(&team->tasks, TASK_RETURNED)))
        team_tasks_move(&team->tasks, task, TASK_FREE);
    for (bool waited = false;; waited = true) {
        int code = take_all(team, error);
        *count = hand_over(team, done, space);
        if (code || *count || waited)
            return code;
        await(team, until_ns);
    }
}

/* ---- Operations on all members ---- */

/* Agents answer later. */
static int withdraw(void *state, enum evaluation_stage stage, struct error *error)
{
    struct team *team = state;
    team->withdrawing = true;
    withdraw_waiting(team);
    for (size_t m = 1; m < team->member_count; m++) {
        struct text text = {0};
        pack_u64(&text, stage);
        say(team, m, REMOTE_WITHDRAW, &text);
    }
    return local_ops(team)->withdraw(local_state(team), stage, error);
}

static void incumbent(void *state, size_t device, double value)
{
    struct team *team = state;
    for (size_t m = 0; m < team->member_count; m++) {
        const struct member *member = &team->members[m];
        bool all = device == EVALUATOR_ANY_DEVICE;
        if (!all && (device < member->first || device - member->first >= member->devices))
            continue;
        size_t own = all ? EVALUATOR_ANY_DEVICE : device - member->first;
        struct text text = {0};
        if (!member->link)
            local_ops(team)->incumbent(local_state(team), own, value);
        if (!member->link)
            continue;
        pack_struct(&text, &remote_incumbent_table,
                    &(struct remote_incumbent){.device = all ? UINT64_MAX : own, .value = value});
        say(team, m, REMOTE_INCUMBENT, &text);
    }
}

/* Excludes a device. A member without devices finishes its tasks, and gets no more. */
static void leave_out(void *state, size_t device)
{
    struct team *team = state;
    size_t m = member_of(team, device);
    struct member *member = &team->members[m];
    size_t own = device - member->first;
    struct text text = {0};
    if (member->out[own])
        return;
    member->out[own] = true;
    if (++member->left_out == member->devices)
        return;
    if (!member->link) {
        local_ops(team)->leave_out(local_state(team), own);
        return;
    }
    pack_u64(&text, own);
    say(team, m, REMOTE_LEAVE_OUT, &text);
}

static void usage(const void *state, struct evaluator_usage *usage)
{
    const struct team *team = state;
    local_ops(team)->usage(local_state(team), usage);
    for (size_t m = 1; m < team->member_count; m++) {
        const struct evaluator_usage *its = &team->members[m].state.usage;
        usage->compilers += its->compilers;
        usage->compiled += its->compiled;
        usage->compile_ns += its->compile_ns;
        if (its->compile_wall_ns > usage->compile_wall_ns)
            usage->compile_wall_ns = its->compile_wall_ns;
        if (its->phase_ns > usage->phase_ns)
            usage->phase_ns = its->phase_ns;
        usage->phase_measure_ns += its->phase_measure_ns;
        usage->phase_compile_ns += its->phase_compile_ns;
    }
}

static struct queue_depth flow_of(const struct team *team)
{
    struct evaluator_usage all;
    struct queue_depth queue = {0};
    usage(team, &all);
    queue.compilers = all.compilers ? all.compilers : 1;
    for (size_t m = 0; m < team->member_count; m++)
        queue.devices += measures(&team->members[m]) ? team->members[m].devices - team->members[m].left_out : 0;
    queue.devices += queue.devices == 0;
    return queue;
}

static double busy_s(const void *state, double compile_s, double measure_s)
{
    const struct queue_depth queue = flow_of(state);
    return isnan(local_ops(state)->busy_s(local_state(state), compile_s, measure_s))
               ? NAN
               : queue_depth_busy_s(&queue, compile_s, measure_s);
}

/* ---- Operations of this process's evaluator ---- */

static int64_t now(void *state)
{
    return local_ops(state)->now(local_state(state));
}

static void limit(void *state, int64_t at_ns)
{
    local_ops(state)->limit(local_state(state), at_ns);
}

static int playoff(void *state, const uint64_t *indices, size_t count, struct measurement *finals, bool *played,
                   struct error *error)
{
    return local_ops(state)->playoff(local_state(state), indices, count, finals, played, error);
}

static int library(void *state, uint64_t index, struct evaluator_library *measured, struct error *error)
{
    return local_ops(state)->device->library(local_state(state), index, measured, error);
}

static int energy(void *state, struct evaluator_energy *asked, struct error *error)
{
    return local_ops(state)->device->energy(local_state(state), asked, error);
}

static int ceilings(void *state, struct ceilings *measured, struct event_timer *timer, struct error *error)
{
    return local_ops(state)->device->ceilings(local_state(state), measured, timer, error);
}

static int evidence(void *state, const uint64_t *indices, size_t count, int64_t until_ns,
                    evaluator_take_evidence *take_, void *context, struct error *error)
{
    return local_ops(state)->device->evidence(local_state(state), indices, count, until_ns, take_, context, error);
}

static const struct evaluator_device_ops device_ops = {
    .library = library, .energy = energy, .ceilings = ceilings, .evidence = evidence};

static const struct evaluator_ops team_ops = {.state_size = sizeof(struct team),
                                              .open = open_team,
                                              .room = room,
                                              .devices = devices,
                                              .submit = submit,
                                              .wait = wait,
                                              .withdraw = withdraw,
                                              .limit = limit,
                                              .watch = evaluator_watch_nothing,
                                              .busy_s = busy_s,
                                              .stops_early = true,
                                              .incumbent = incumbent,
                                              .leave_out = leave_out,
                                              .lost = lost,
                                              .now = now,
                                              .playoff = playoff,
                                              .usage = usage,
                                              .close = close_team};

int evaluator_open_team(struct evaluator *evaluator, const struct team_setup *setup, struct error *error)
{
    const struct evaluator_ops *local = setup->local->ops;
    int code = evaluator_open(evaluator, &team_ops, setup, error);
    if (code)
        return code;
    struct team *team = evaluator->state;
    team->ops = team_ops;
    team->ops.device = local->device ? &device_ops : NULL;
    evaluator->ops = &team->ops;
    return 0;
}
