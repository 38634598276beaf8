#include "tools/bench/fleet.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/random.h"
#include "base/worker.h"
#include "evaluate/agent.h"
#include "evaluate/eval_corrected.h"
#include "evaluate/eval_team.h"
#include "evaluate/flow.h"
#include "tuner/run.h"

#define S INT64_C(1000000000)

enum { COMPILERS_OF_A_DEVICE = 1, JOB = 1 };
/* Devices differ by up to this much. */
static const double excess = 0.02;

/* What the journal recorded, without what failed. */
struct recording {
    struct measurement *rows;
    size_t count;
    double scale; /* of the recorded durations */
};

static int open_recording(struct recording *recording, const struct fleet_setup *setup, struct error *error)
{
    size_t count = journal_row_count(setup->recorded);
    double sum_ns = 0;
    *recording = (struct recording){.rows = calloc(count + 1, sizeof *recording->rows)};
    if (!recording->rows)
        return error_memory(error);
    for (size_t r = 0; r < count; r++) {
        const struct measurement measurement = journal_get_row(setup->recorded, r).measurement;
        if (measurement.status != STATUS_OK || !measurement_timed(&measurement) || measurement.measure_ns <= 0)
            continue;
        sum_ns += (double)measurement.measure_ns;
        recording->rows[recording->count] = measurement_unknown(STATUS_OK);
        recording->rows[recording->count].value = measurement.value;
        recording->rows[recording->count].low = measurement.low;
        recording->rows[recording->count].high = measurement.high;
        recording->rows[recording->count].samples = measurement.samples;
        recording->rows[recording->count++].measure_ns = measurement.measure_ns;
    }
    if (sum_ns <= 0)
        return error_set(error, ERROR_DATA, "%s has no times of evaluations", journal_file(setup->recorded));
    recording->scale = (double)setup->evaluation_ns * (double)recording->count / sum_ns;
    return 0;
}

/* ---- The devices of a rank ---- */

struct rank_setup {
    const struct recording *recording;
    size_t first, devices; /* numbers of its devices */
    uint64_t seed;
};

struct simulated {
    bool busy, left_out;
    uint64_t index;
    int64_t begun_ns, ends_ns;
};

struct waiting {
    uint64_t index;
    size_t device;
};

struct rank {
    const struct rank_setup *setup;
    struct flow flow;
    struct simulated *devices;
    struct waiting *queue; /* the oldest first */
    size_t waiting, busy, room;
    int64_t measured_ns;
    int timer; /* ends with the first evaluation */
};

static void close_rank(void *state)
{
    struct rank *rank = state;
    free(rank->devices);
    free(rank->queue);
    if (rank->timer > 0)
        close(rank->timer);
}

static int open_rank(void *state, const void *given, struct error *error)
{
    struct rank *rank = state;
    const struct rank_setup *setup = rank->setup = given;
    rank->flow = (struct flow){.compilers = COMPILERS_OF_A_DEVICE * setup->devices, .devices = setup->devices};
    rank->room = flow_deepest(&rank->flow);
    rank->devices = calloc(setup->devices, sizeof *rank->devices);
    rank->queue = calloc(rank->room, sizeof *rank->queue);
    rank->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (!rank->devices || !rank->queue)
        return error_memory(error);
    return rank->timer > 0 ? 0 : error_errno(error, ERROR_IO, "cannot make a timer");
}

static size_t room(void *state, bool learns_at_once)
{
    const struct rank *rank = state;
    size_t depth = flow_depth(&rank->flow, learns_at_once), used = rank->waiting + rank->busy;
    return depth > used ? depth - used : 0;
}

static size_t devices(const void *state)
{
    return ((const struct rank *)state)->setup->devices;
}

static const struct measurement *recorded_of(const struct rank *rank, uint64_t index)
{
    const struct recording *recording = rank->setup->recording;
    return &recording->rows[random_mix(rank->setup->seed, index) % recording->count];
}

/* Gives each idle device the oldest configuration that it may measure, and sets the timer. */
static void begin(struct rank *rank)
{
    int64_t now_ns = clock_now_ns(), first_ns = INT64_MAX;
    for (size_t d = 0; d < rank->setup->devices; d++) {
        struct simulated *device = &rank->devices[d];
        size_t i = 0;
        while (i < rank->waiting && rank->queue[i].device != d && rank->queue[i].device != EVALUATOR_ANY_DEVICE)
            i++;
        if (!device->busy && !device->left_out && i < rank->waiting) {
            uint64_t index = rank->queue[i].index;
            double lasts_ns = rank->setup->recording->scale * (double)recorded_of(rank, index)->measure_ns;
            *device = (struct simulated){
                .busy = true, .index = index, .begun_ns = now_ns, .ends_ns = now_ns + (int64_t)lasts_ns};
            memmove(rank->queue + i, rank->queue + i + 1, (--rank->waiting - i) * sizeof *rank->queue);
            rank->busy++;
        }
        if (device->busy && device->ends_ns < first_ns)
            first_ns = device->ends_ns;
    }
    struct itimerspec timer = {0};
    if (first_ns != INT64_MAX)
        timer.it_value = (struct timespec){.tv_sec = first_ns / S, .tv_nsec = first_ns % S};
    timerfd_settime(rank->timer, TFD_TIMER_ABSTIME, &timer, NULL);
}

static int submit(void *state, uint64_t index, bool exact, size_t device, struct error *error)
{
    struct rank *rank = state;
    (void)exact;
    if (rank->waiting == rank->room)
        return error_set(error, ERROR_BUSY, "more than %zu configurations at once", rank->room);
    rank->queue[rank->waiting++] = (struct waiting){index, device};
    flow_replace(&rank->flow, clock_now_ns());
    begin(rank);
    return 0;
}

static void end(struct rank *rank, size_t number, struct evaluation *done)
{
    struct simulated *device = &rank->devices[number];
    size_t whole = rank->setup->first + number;
    *done =
        (struct evaluation){.index = device->index, .device = number, .measurement = *recorded_of(rank, device->index)};
    struct measurement *measurement = &done->measurement;
    double factor = 1 + excess * (double)(random_mix(rank->setup->seed + 1, whole) % 100) / 100;
    measurement->value *= factor;
    measurement->low *= factor;
    measurement->high *= factor;
    measurement->compile_ns = 0;
    measurement->measure_ns = device->ends_ns - device->begun_ns;
    snprintf(measurement->uuid, sizeof measurement->uuid, "GPU-%zu", whole);
    device->busy = false;
    rank->busy--;
    rank->measured_ns += measurement->measure_ns;
    flow_note(&rank->flow, measurement);
    flow_vacate(&rank->flow, clock_now_ns());
}

static size_t end_all(struct rank *rank, struct evaluation *done, size_t space)
{
    size_t count = 0;
    int64_t now_ns = clock_now_ns();
    for (size_t d = 0; d < rank->setup->devices && count < space; d++)
        if (rank->devices[d].busy && rank->devices[d].ends_ns <= now_ns)
            end(rank, d, &done[count++]);
    return count;
}

static int wait(void *state, int64_t until_ns, struct evaluation *done, size_t space, size_t *count,
                struct error *error)
{
    struct rank *rank = state;
    (void)error;
    *count = end_all(rank, done, space);
    int64_t left_ns = until_ns - clock_now_ns();
    if (!*count && left_ns > 0) {
        const struct timespec timeout = {.tv_sec = left_ns > S ? 1 : 0, .tv_nsec = left_ns > S ? 0 : left_ns};
        ppoll(&(struct pollfd){.fd = rank->timer, .events = POLLIN}, 1, &timeout, NULL);
        *count = end_all(rank, done, space);
    }
    begin(rank);
    return 0;
}

static size_t watch(void *state, int *descriptors, size_t count)
{
    const struct rank *rank = state;
    if (count)
        *descriptors = rank->timer;
    return count > 0;
}

static void usage(const void *state, struct evaluator_usage *usage)
{
    const struct rank *rank = state;
    *usage = (struct evaluator_usage){.compilers = rank->flow.compilers, .phase_measure_ns = rank->measured_ns};
}

static void leave_out(void *state, size_t device)
{
    struct rank *rank = state;
    rank->devices[device].left_out = true;
}

static void incumbent(void *state, size_t device, double value)
{
    (void)state, (void)device, (void)value;
}

static const struct evaluator_ops rank_ops = {.state_size = sizeof(struct rank),
                                              .open = open_rank,
                                              .room = room,
                                              .devices = devices,
                                              .submit = submit,
                                              .wait = wait,
                                              .watch = watch,
                                              .incumbent = incumbent,
                                              .leave_out = leave_out,
                                              .usage = usage,
                                              .close = close_rank};

static void serve(int socket, void *context)
{
    struct channel channel = channel_open(socket);
    struct evaluator evaluator;
    if (evaluator_open(&evaluator, &rank_ops, context, NULL))
        return;
    agent_serve(&channel, JOB, &evaluator, NULL);
    evaluator_close(&evaluator);
    channel_close(&channel);
}

/* ---- The fleet ---- */

struct fleet {
    const struct fleet_setup *setup;
    struct fleet_result *result;
    struct recording recording;
    struct rank_setup ranks[FLEET_RANKS_MAX]; /* the first is this process */
    struct worker workers[FLEET_RANKS_MAX];
    struct team_link links[FLEET_RANKS_MAX];
    size_t rank_count;
    struct space *space;
    struct valid_set *set;
    struct evaluator local, team, corrected;
    struct team_setup team_setup;
    struct corrected_setup corrected_setup;
    struct journal *journal;
    bool *told;   /* by configuration */
    bool *worked; /* by device */
};

static void observe(void *context, const struct run_progress *progress, uint64_t index,
                    const struct measurement *measurement, bool fresh)
{
    struct fleet *fleet = context;
    (void)progress;
    if (!measurement || !fresh)
        return;
    fleet->result->twice += fleet->told[index];
    fleet->told[index] = true;
    size_t device = strtoul(measurement->uuid + strlen("GPU-"), NULL, 10);
    if (!fleet->worked[device])
        fleet->result->used++;
    fleet->worked[device] = true;
}

static int start_ranks(struct fleet *fleet, struct error *error)
{
    const struct fleet_setup *setup = fleet->setup;
    int code = 0;
    for (size_t first = 0; first < setup->devices && !code; first += setup->devices_of_a_rank) {
        size_t r = fleet->rank_count++, left = setup->devices - first;
        fleet->ranks[r] =
            (struct rank_setup){.recording = &fleet->recording,
                                .first = first,
                                .devices = left < setup->devices_of_a_rank ? left : setup->devices_of_a_rank,
                                .seed = setup->seed};
        if (r == 0)
            continue;
        code = worker_start(&fleet->workers[r], serve, &fleet->ranks[r], error);
        if (code)
            break;
        struct team_link *link = &fleet->links[r - 1];
        *link = (struct team_link){.channel = channel_open(dup(fleet->workers[r].channel.socket)),
                                   .job = JOB,
                                   .state = LINK_READY,
                                   .ready = {.devices = fleet->ranks[r].devices}};
        size_t depth = fleet->ranks[r].devices; /* until it is heard */
        link->ready.state = (struct remote_state){.capacity = {depth, depth}};
        snprintf(link->name, sizeof link->name, "rank %zu", r);
    }
    return code;
}

static int open_journal(struct fleet *fleet, struct error *error)
{
    struct journal_header header = journal_header_unknown();
    const char *names[SPACE_PARAMETERS_MAX];
    for (size_t p = 0; p < fleet->space->parameter_count; p++)
        names[p] = fleet->space->parameters[p].name;
    header.provenance.kernel = "fleet";
    header.provenance.fingerprint = "fleet";
    header.parameter_count = fleet->space->parameter_count;
    header.parameters = names;
    return fleet->setup->journal ? journal_open(&fleet->journal, fleet->setup->journal, &header, error) : 0;
}

static int open_fleet(struct fleet *fleet, struct error *error)
{
    const struct fleet_setup *setup = fleet->setup;
    int code = open_recording(&fleet->recording, setup, error);
    if (!code)
        code = space_parse_text(&fleet->space, "fleet.space", setup->space, strlen(setup->space), "", error);
    if (!code)
        code = space_bind(fleet->space, NULL, 0, NULL, error);
    if (!code)
        code = valid_set_build(&fleet->set, fleet->space, VALID_SET_DEFAULT_BYTES, error);
    fleet->told = code ? NULL : calloc(valid_set_count(fleet->set), sizeof *fleet->told);
    fleet->worked = calloc(setup->devices, sizeof *fleet->worked);
    if (!code && (!fleet->told || !fleet->worked))
        code = error_memory(error);
    if (!code)
        code = start_ranks(fleet, error);
    if (!code)
        code = evaluator_open(&fleet->local, &rank_ops, &fleet->ranks[0], error);
    fleet->team_setup = (struct team_setup){
        .local = &fleet->local, .links = fleet->links, .link_count = fleet->rank_count - 1, .silence_ns = 60 * S};
    if (!code)
        code = evaluator_open_team(&fleet->team, &fleet->team_setup, error);
    fleet->corrected_setup = (struct corrected_setup){.inner = &fleet->team, .default_index = UINT64_MAX};
    if (!code)
        code = evaluator_open_corrected(&fleet->corrected, &fleet->corrected_setup, error);
    return code ? code : open_journal(fleet, error);
}

static void close_fleet(struct fleet *fleet)
{
    evaluator_close(&fleet->corrected);
    evaluator_close(&fleet->team);
    evaluator_close(&fleet->local);
    for (size_t r = 1; r < fleet->rank_count; r++) {
        if (fleet->links[r - 1].state != LINK_LOST)
            channel_close(&fleet->links[r - 1].channel);
        worker_stop(&fleet->workers[r]);
    }
    journal_close(fleet->journal, NULL);
    valid_set_free(fleet->set);
    space_free(fleet->space);
    free(fleet->recording.rows);
    free(fleet->told);
    free(fleet->worked);
    free(fleet);
}

int fleet_run(const struct fleet_setup *setup, struct fleet_result *result, struct error *error)
{
    struct fleet *fleet = calloc(1, sizeof *fleet);
    struct run_progress progress;
    *result = (struct fleet_result){0};
    if (!fleet)
        return error_memory(error);
    fleet->setup = setup;
    fleet->result = result;
    int code = open_fleet(fleet, error);
    if (!code)
        code = run_tune(&(struct run_setup){.space = fleet->space,
                                            .set = fleet->set,
                                            .strategy = setup->strategy,
                                            .evaluator = &fleet->corrected,
                                            .journal = fleet->journal,
                                            .seed = setup->seed,
                                            .max_evals = setup->max_evals,
                                            .max_time_ns = setup->max_time_ns,
                                            .observe = observe,
                                            .context = fleet},
                        &progress, error);
    if (!code) {
        result->evaluated = progress.evaluated;
        result->search_ns = progress.search_ns;
        result->coordinator_ns = progress.coordinator_ns;
        struct evaluator_usage used;
        fleet->corrected.ops->usage(fleet->corrected.state, &used);
        result->measured_ns = used.phase_measure_ns;
    }
    close_fleet(fleet);
    return code;
}
