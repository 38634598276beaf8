/* Replays a journal recorded on a real device: the same search without the device.
 *
 * The clock is simulated. `jobs` compilers and one device take the recorded time for each configuration (unknown: no
 * time), with as many configurations in flight as on a real device. With 0 jobs, configurations follow one another, so
 * the time is the sum of all compilations and measurements. Evaluations end in the simulated order, so the same search
 * always takes the same course and the same simulated time. */
#include <stdlib.h>

#include "evaluate/eval_replay.h"
#include "evaluate/queue_depth.h"
#include "evaluate/rows.h"

struct under_way {
    uint64_t index;
    bool measured; /* false: it ends with its compilation */
    bool withdrawn;
    size_t compiler;               /* its number */
    int64_t begin_ns, compiled_ns; /* of the compilation: its begin and end */
};

struct replay {
    const struct evaluator_setup *setup;
    struct arena arena;
    struct outcomes outcomes; /* by index in the valid set */
    struct queue_depth depth;
    int64_t now_ns, device_free_ns;
    int64_t limit_ns;          /* evaluator_ops.limit */
    int64_t *compiler_free_ns; /* by compiler: when it is free */
    struct under_way *queue;   /* in order of submission */
    size_t queued, room;
};

static void close_replay(void *state)
{
    struct replay *replay = state;
    outcomes_free(&replay->outcomes);
    arena_free(&replay->arena);
    free(replay->compiler_free_ns);
    free(replay->queue);
}

static int open_replay(void *state, const void *given, struct error *error)
{
    struct replay *replay = state;
    const struct evaluator_setup *setup = replay->setup = given;
    replay->limit_ns = INT64_MAX;
    replay->depth = (struct queue_depth){.compilers = setup->jobs ? setup->jobs : 1, .devices = 1};
    replay->room = setup->jobs ? queue_depth_deepest(&replay->depth) : 1;
    replay->compiler_free_ns = calloc(replay->depth.compilers, sizeof *replay->compiler_free_ns);
    replay->queue = calloc(replay->room, sizeof *replay->queue);
    if (!replay->compiler_free_ns || !replay->queue)
        return error_memory(error);
    return rows_outcomes(setup->space, setup->set, setup->journal, &replay->outcomes, &replay->arena, error);
}

static size_t room(void *state, bool learns_at_once)
{
    struct replay *replay = state;
    size_t depth = replay->setup->jobs ? queue_depth_wanted(&replay->depth, learns_at_once) : 1;
    return depth > replay->queued ? depth - replay->queued : 0;
}

static double busy_s(const void *state, double compile_s, double measure_s)
{
    const struct replay *replay = state;
    return replay->setup->jobs ? queue_depth_busy_s(&replay->depth, compile_s, measure_s) : compile_s + measure_s;
}

static struct measurement recorded(const struct replay *replay, uint64_t index)
{
    return outcomes_measurement(&replay->outcomes, outcomes_find(&replay->outcomes, index), OUTCOME_OF_SEARCH);
}

/* Returns the later of two times plus a recorded duration. Saturates, because a journal may hold absurd durations. */
static int64_t after(int64_t a, int64_t b, int64_t duration_ns)
{
    int64_t end = a > b ? a : b;
    return duration_ns > 0 && __builtin_add_overflow(end, duration_ns, &end) ? INT64_MAX : end;
}

/* Returns the compiler that is free first. */
static int64_t *free_compiler(struct replay *replay)
{
    int64_t *compiler = replay->compiler_free_ns;
    for (size_t i = 1; i < replay->depth.compilers; i++)
        if (replay->compiler_free_ns[i] < *compiler)
            compiler = &replay->compiler_free_ns[i];
    return compiler;
}

/* Simulates a compilation. */
static struct under_way compile(struct replay *replay, uint64_t index)
{
    const struct measurement measurement = recorded(replay, index);
    int64_t *compiler = free_compiler(replay), begin_ns = after(replay->now_ns, *compiler, 0);
    *compiler = after(begin_ns, 0, measurement.compile_ns);
    return (struct under_way){.index = index,
                              .measured = measurement.measure_ns > 0,
                              .compiler = (size_t)(compiler - replay->compiler_free_ns),
                              .begin_ns = begin_ns,
                              .compiled_ns = *compiler};
}

static int submit(void *state, uint64_t index, bool exact, size_t device, struct error *error)
{
    struct replay *replay = state;
    (void)device, (void)exact;
    if (!outcomes_find(&replay->outcomes, index))
        return error_set(error, ERROR_NOT_FOUND, "%s has no row for a requested configuration",
                         journal_file(replay->setup->journal));
    if (replay->queued == replay->room)
        return error_set(error, ERROR_BUSY, "more than %zu configurations at once", replay->room);
    replay->queue[replay->queued++] = compile(replay, index);
    return 0;
}

/* Returns the configuration that is compiled first, among those that are measured or the others; `queued`: none. */
static size_t first_compiled(const struct replay *replay, bool measured)
{
    size_t first = replay->queued;
    for (size_t i = 0; i < replay->queued; i++)
        if (replay->queue[i].measured == measured &&
            (first == replay->queued || replay->queue[i].compiled_ns < replay->queue[first].compiled_ns))
            first = i;
    return first;
}

static int64_t end_of(const struct replay *replay, size_t place)
{
    const struct under_way *under_way = &replay->queue[place];
    return under_way->measured
               ? after(under_way->compiled_ns, replay->device_free_ns, recorded(replay, under_way->index).measure_ns)
               : under_way->compiled_ns;
}

/* Returns the configuration that ends next. The device takes the one that is compiled first. */
static size_t next_to_end(const struct replay *replay)
{
    size_t next = first_compiled(replay, true), other = first_compiled(replay, false);
    if (next == replay->queued || (other < replay->queued && end_of(replay, other) < end_of(replay, next)))
        next = other;
    return next;
}

static struct under_way take_out(struct replay *replay, size_t place)
{
    const struct under_way taken = replay->queue[place];
    replay->queued--;
    for (size_t i = place; i < replay->queued; i++)
        replay->queue[i] = replay->queue[i + 1];
    return taken;
}

static void finish(struct replay *replay, size_t next, struct evaluation *done)
{
    int64_t end_ns = end_of(replay, next);
    const struct under_way ready = take_out(replay, next);
    if (ready.measured)
        replay->device_free_ns = end_ns;
    replay->now_ns = after(replay->now_ns, end_ns, 0);
    *done = (struct evaluation){.index = ready.index,
                                .original = outcomes_find(&replay->outcomes, ready.index)->duplicate,
                                .measurement = recorded(replay, ready.index)};
    queue_depth_note(&replay->depth, &done->measurement);
}

/* True if the configuration is no further than the stage. The device has begun with the one that is compiled first. */
static bool may_withdraw(const struct replay *replay, size_t place, enum evaluation_stage stage)
{
    const struct under_way *under_way = &replay->queue[place];
    bool measuring = under_way->measured && place == first_compiled(replay, true) &&
                     after(under_way->compiled_ns, replay->device_free_ns, 0) < replay->now_ns;
    return stage == STAGE_WAITING ? under_way->begin_ns >= replay->now_ns : !measuring;
}

/* Frees the compilers of withdrawn configurations. */
static void free_compilers(struct replay *replay)
{
    for (size_t i = 0; i < replay->depth.compilers; i++)
        if (replay->compiler_free_ns[i] > replay->now_ns)
            replay->compiler_free_ns[i] = replay->now_ns;
    for (size_t i = 0; i < replay->queued; i++) {
        int64_t *compiler = &replay->compiler_free_ns[replay->queue[i].compiler];
        if (!replay->queue[i].withdrawn)
            *compiler = after(*compiler, replay->queue[i].compiled_ns, 0);
    }
}

static int withdraw(void *state, enum evaluation_stage stage, struct error *error)
{
    struct replay *replay = state;
    (void)error;
    for (size_t i = 0; i < replay->queued; i++)
        replay->queue[i].withdrawn |= may_withdraw(replay, i, stage);
    free_compilers(replay);
    return 0;
}

static void limit(void *state, int64_t at_ns)
{
    ((struct replay *)state)->limit_ns = at_ns;
}

/* Returns a withdrawn configuration; `queued`: none. */
static size_t first_withdrawn(const struct replay *replay)
{
    size_t place = 0;
    while (place < replay->queued && !replay->queue[place].withdrawn)
        place++;
    return place;
}

/* Returns one evaluation at a time, so that the strategy learns of it before time advances. */
static int wait(void *state, int64_t until_ns, struct evaluation *done, size_t space, size_t *count,
                struct error *error)
{
    struct replay *replay = state;
    (void)until_ns, (void)error;
    *count = 0;
    if (!replay->queued || !space)
        return 0;
    size_t withdrawn = first_withdrawn(replay), next = next_to_end(replay);
    if (withdrawn < replay->queued) {
        *done = (struct evaluation){.index = take_out(replay, withdrawn).index, .withdrawn = true};
    } else if (replay->now_ns < replay->limit_ns && end_of(replay, next) > replay->limit_ns) {
        replay->now_ns = replay->limit_ns;
        return 0;
    } else {
        finish(replay, next, done);
    }
    *count = 1;
    return 0;
}

static int64_t now(void *state)
{
    struct replay *replay = state;
    return replay->now_ns;
}

/* Returns recorded outcomes. Configurations without a play-off keep the time of the search. */
static int playoff(void *state, const uint64_t *indices, size_t count, struct measurement *finals, bool *played,
                   struct error *error)
{
    struct replay *replay = state;
    (void)error;
    *played = false; /* unless the recorded run has a play-off */
    for (size_t i = 0; i < count; i++) {
        const struct outcome *outcome = outcomes_find(&replay->outcomes, indices[i]);
        finals[i] = outcomes_measurement(&replay->outcomes, outcome, OUTCOME_KNOWN_AS);
        *played |= outcome->final != NULL;
        if (outcome->final && outcome->final != outcome->last)
            replay->now_ns = after(replay->now_ns, 0, finals[i].measure_ns);
    }
    return 0;
}

static const struct evaluator_ops ops = {.state_size = sizeof(struct replay),
                                         .open = open_replay,
                                         .room = room,
                                         .devices = evaluator_one_device,
                                         .submit = submit,
                                         .wait = wait,
                                         .withdraw = withdraw,
                                         .limit = limit,
                                         .watch = evaluator_watch_nothing,
                                         .busy_s = busy_s,
                                         .incumbent = evaluator_ignore_incumbent,
                                         .leave_out = evaluator_ignore_leave_out,
                                         .lost = evaluator_lose_none,
                                         .now = now,
                                         .playoff = playoff,
                                         .usage = evaluator_no_usage,
                                         .close = close_replay};

int evaluator_open_replay(struct evaluator *evaluator, const struct evaluator_setup *setup, struct error *error)
{
    return evaluator_open(evaluator, &ops, setup, error);
}

static bool suits(const struct evaluator_setup *setup)
{
    return setup->journal != NULL;
}

const struct evaluator_kind evaluator_replay = {.suits = suits, .open = evaluator_open_replay};
