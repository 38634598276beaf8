#include "evaluate/eval_corrected.h"

#include "evaluate/eval_synth.h"

#include "synthetic.h"

enum { VALID = 40 * 31, DEVICES_MAX = 8, NONE = 99 };

struct scene {
    const char *name;
    double noise;
    size_t device_count;
    struct synth_device devices[DEVICES_MAX];
    size_t leaves;   /* the excluded device; NONE: none */
    const char *why; /* its reason in the note */
    double within;   /* relative deviation of all returned times from the formula's */
};

/* The relative speeds of equal GPUs. */
#define EVEN                                                                                                           \
    {                                                                                                                  \
        .excess = 0                                                                                                    \
    }
#define ALIKE                                                                                                          \
    {.excess = 0}, {.excess = -0.035}, {.excess = 0.02}, {.excess = 0.007}, {.excess = -0.01}, {.excess = 0.012},      \
        {.excess = -0.02},                                                                                             \
    {                                                                                                                  \
        .excess = 0.015                                                                                                \
    }

static const struct scene scenes[] = {
    {"one", 0.001, 1, {ALIKE}, NONE, NULL, 0.005},
    {"two", 0.001, 2, {ALIKE}, NONE, NULL, 0.005},
    {"four", 0.001, 4, {ALIKE}, NONE, NULL, 0.005},
    {"eight", 0.001, 8, {ALIKE}, NONE, NULL, 0.005},
    {"noisy", 0.01, 4, {ALIKE}, NONE, NULL, 0.035},
    {"from kernel to kernel",
     0.001,
     3,
     {EVEN, {.excess = 0.02, .scatter = 0.005}, {.scatter = 0.01}},
     NONE,
     NULL,
     0.05},
    {"unlike",
     0.001,
     3,
     {EVEN, EVEN, {.scatter = 0.15}},
     2,
     "device 2 (GPU-2) differs from the first device by ",
     0.005},
    {"warming up",
     0.001,
     4,
     {{.drift = 0.02, .drift_end = 300}, {.drift = 0.02, .drift_end = 200}, EVEN, EVEN},
     NONE,
     NULL,
     0.02},
    {"drifting",
     0.001,
     3,
     {EVEN, {.excess = 0.02, .drift = 0.08, .drift_begin = 100, .drift_end = 100}, EVEN},
     1,
     "device 1 (GPU-1) has become 8.0% slower since the start: it is left out",
     0.09},
    {"becoming faster",
     0.001,
     2,
     {EVEN, {.drift = -0.1, .drift_begin = 150, .drift_end = 150}},
     1,
     "device 1 (GPU-1) has become 10.0% faster",
     0.11},
    {"first drifting",
     0.001,
     3,
     {{.drift = 0.03, .drift_begin = 100, .drift_end = 100}, {.excess = 0.01}, EVEN},
     NONE,
     NULL,
     0.035},
    {"first left out",
     0.001,
     3,
     {{.drift = 0.07, .drift_begin = 100, .drift_end = 100}, {.excess = 0.01}, EVEN},
     0,
     "device 0 (GPU-0) has become ",
     0.075},
    {"throttled",
     0.001,
     3,
     {EVEN, {.excess = 0.3, .throttled = true}, EVEN},
     1,
     "device 1 (GPU-1) is throttled persistently",
     0.005},
    {"all throttled", 0.001, 2, {{.throttled = true}, {.throttled = true}}, NONE, NULL, 0.005},
    {"broken", 0.001, 3, {EVEN, EVEN, {.broken = true}}, 2, "fails to measure what another device measures", 0.005},
    {"first broken",
     0.001,
     3,
     {{.broken = true}, EVEN, EVEN},
     0,
     "fails to measure what another device measures",
     0.005},
};

struct outcome_ {
    int told;
    struct measurement measurement;
    size_t device;
};

struct world {
    struct space *space;
    struct valid_set *set;
    struct synth_setup synth;
    struct corrected_setup corrected;
    struct evaluator inner, evaluator;
    struct outcome_ outcomes[VALID];
    size_t notes, told;
    char note[512];
};

static void note(void *context, const char *line)
{
    struct world *world = context;
    world->notes++;
    snprintf(world->note, sizeof world->note, "%s", line);
}

static void open_world(struct world *world, const struct scene *scene, uint64_t seed, bool corrects)
{
    struct error error = {0};
    *world = (struct world){0};
    world->space = synthetic_space("param A = 1..40\nparam B = 0..30\ndefault A=3 B=4\n");
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&world->set, world->space, VALID_SET_DEFAULT_BYTES, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_count(world->set), VALID);
    world->synth = (struct synth_setup){.set = world->set,
                                        .seed = seed,
                                        .noise = scene->noise,
                                        .devices = scene->devices,
                                        .device_count = scene->device_count};
    world->corrected = (struct corrected_setup){.inner = &world->inner, .note = note, .context = world};
    valid_set_find_default(world->set, world->space, &world->corrected.default_index);
    CU_ASSERT_EQUAL_FATAL(evaluator_open_synth(&world->inner, &world->synth, &error), 0);
    if (corrects)
        CU_ASSERT_EQUAL_FATAL(evaluator_open_corrected(&world->evaluator, &world->corrected, &error), 0);
}

static void close_world(struct world *world)
{
    evaluator_close(&world->evaluator);
    evaluator_close(&world->inner);
    valid_set_free(world->set);
    space_free(world->space);
}

static void take(struct world *world, const struct evaluation *done)
{
    struct outcome_ *outcome = &world->outcomes[done->index];
    outcome->told++;
    outcome->measurement = done->measurement;
    outcome->device = done->device;
    world->told++;
}

/* Evaluates `count` configurations as a run does; returns the fastest. `stops`: slower ones are stopped early. */
static uint64_t search(struct world *world, const struct evaluator *evaluator, size_t count, bool stops)
{
    struct error error = {0};
    uint64_t best = UINT64_MAX, begun = 0;
    while (world->told < count) {
        struct evaluation done[16];
        size_t got = 0;
        for (size_t room = evaluator->ops->room(evaluator->state, false); room && begun < count; room--, begun++) {
            uint64_t index = random_permute(7, VALID, begun);
            CU_ASSERT_EQUAL_FATAL(
                evaluator->ops->submit(evaluator->state, index, begun == 0, EVALUATOR_ANY_DEVICE, &error), 0);
        }
        CU_ASSERT_EQUAL_FATAL(evaluator->ops->wait(evaluator->state, INT64_MAX, done, 16, &got, &error), 0);
        CU_ASSERT_FATAL(got > 0);
        for (size_t i = 0; i < got; i++) {
            const struct measurement *measurement = &done[i].measurement;
            take(world, &done[i]);
            if (!measurement_timed(measurement) ||
                (best != UINT64_MAX && measurement->value >= world->outcomes[best].measurement.value))
                continue;
            best = done[i].index;
            if (stops)
                evaluator->ops->incumbent(evaluator->state, EVALUATOR_ANY_DEVICE, measurement->high);
        }
    }
    return best;
}

/* Each configuration is returned once. Its time is the first device's, within its interval. */
static void check_told(const struct world *world, const struct scene *scene, size_t count)
{
    size_t outside = 0, timed = 0;
    for (uint64_t begun = 0; begun < count; begun++) {
        uint64_t index = random_permute(7, VALID, begun);
        const struct outcome_ *outcome = &world->outcomes[index];
        const struct measurement *measurement = &outcome->measurement;
        double truth = synth_time_ns(world->set, world->synth.seed, index);
        CU_ASSERT_EQUAL(outcome->told, 1);
        if (synth_fails(world->set, world->synth.seed, index)) {
            CU_ASSERT_EQUAL(measurement->status, STATUS_COMPILE_ERROR);
            continue;
        }
        if (measurement->status == STATUS_CRASHED && scene->leaves != NONE)
            continue; /* outcomes of the broken device before its exclusion */
        CU_ASSERT_EQUAL(measurement->status, STATUS_OK);
        CU_ASSERT(fabs(measurement->value / truth - 1) <= scene->within);
        CU_ASSERT(scene->device_count == 1 || measurement->correction > 0);
        timed++;
        outside += measurement->low > truth || measurement->high < truth;
    }
    CU_ASSERT(timed > count / 2);
    if (scene->leaves == NONE && scene->within < 0.02)
        CU_ASSERT(outside <= timed / 4); /* an interval of nine samples; the part is 5 per cent without the
                                            correction */
}

static void all_scenes(void)
{
    for (size_t s = 0; s < sizeof scenes / sizeof *scenes; s++) {
        const struct scene *scene = &scenes[s];
        struct world world;
        open_world(&world, scene, 3, true);
        search(&world, &world.evaluator, VALID, false);
        check_told(&world, scene, VALID);
        CU_ASSERT_EQUAL(world.notes, scene->leaves != NONE);
        if (scene->leaves != NONE)
            CU_ASSERT_PTR_NOT_NULL(strstr(world.note, scene->why));
        close_world(&world);
    }
}

/* A drifting device returns few outcomes before a calibration configuration exposes it, and none after its exclusion.
 */
static void drifting(void)
{
    for (size_t s = 0; s < sizeof scenes / sizeof *scenes; s++) {
        const struct scene *scene = &scenes[s];
        size_t wrong = 0;
        struct world world;
        if (!strstr(scene->name, "drifting") && !strstr(scene->name, "faster") && !strstr(scene->name, "left out"))
            continue;
        open_world(&world, scene, 3, true);
        search(&world, &world.evaluator, VALID, false);
        for (uint64_t i = 0; i < VALID; i++) {
            const struct measurement *measurement = &world.outcomes[i].measurement;
            double truth = synth_time_ns(world.set, world.synth.seed, i);
            wrong += measurement_timed(measurement) && fabs(measurement->value / truth - 1) > 0.01;
        }
        CU_ASSERT(wrong <= 80); /* a calibration configuration is measured after each 67 */
        close_world(&world);
    }
}

/* With few configurations, and a device that never measures eight calibration configurations, all outcomes are
 * returned. */
static void few(void)
{
    for (size_t count = 1; count <= 12; count++)
        for (size_t s = 0; s < sizeof scenes / sizeof *scenes; s++) {
            struct world world;
            open_world(&world, &scenes[s], count, true);
            search(&world, &world.evaluator, count, false);
            for (size_t i = 0; i < count; i++)
                CU_ASSERT_EQUAL(world.outcomes[random_permute(7, VALID, i)].told, 1);
            close_world(&world);
        }
}

/* The winner of an exhaustive run is that of the first device alone, or within noise of it. Without the correction it
 * is not always, and stopping early does not change this. */
static void winners(void)
{
    static const size_t counts[] = {1, 2, 4, 8};
    size_t wrong = 0;
    for (size_t c = 0; c < 4; c++)
        for (uint64_t seed = 0; seed < 6; seed++)
            for (int corrects = 0; corrects < 2; corrects++) {
                const struct scene scene = {"", 0.001, counts[c], {ALIKE}, NONE, NULL, 0};
                struct world world;
                open_world(&world, &scene, seed, corrects);
                uint64_t best = search(&world, corrects ? &world.evaluator : &world.inner, VALID, true);
                bool good = synth_time_ns(world.set, seed, best) <= 1.004e6;
                CU_ASSERT(good || !corrects);
                wrong += !good;
                const struct outcome_ *optimum = &world.outcomes[synth_optimum(world.set, seed)];
                CU_ASSERT(!corrects || optimum->measurement.status == STATUS_OK);
                size_t stopped = 0;
                for (size_t i = 0; i < VALID; i++)
                    stopped += world.outcomes[i].measurement.status == STATUS_SLOWER;
                CU_ASSERT_EQUAL(stopped > 0, counts[c] > 1); /* a single device of the formula never stops early */
                close_world(&world);
            }
    CU_ASSERT(wrong > 0);
}

/* Until its correction is known, a device stops early configurations that are much slower than the fastest. A much
 * slower device stops too many; these are measured again. */
static void guessed(void)
{
    static const double excesses[] = {0.002, 0.3};
    size_t ended = 0;
    for (size_t e = 0; e < 2; e++)
        for (uint64_t seed = 0; seed < 8; seed++) {
            const struct scene scene = {"", 0.001, 2, {EVEN, {.excess = excesses[e]}}, NONE, NULL, 0};
            struct world world;
            open_world(&world, &scene, seed, true);
            uint64_t best = search(&world, &world.evaluator, VALID, true);
            CU_ASSERT(synth_time_ns(world.set, seed, best) <= 1.004e6);
            CU_ASSERT_EQUAL(world.outcomes[synth_optimum(world.set, seed)].measurement.status, STATUS_OK);
            for (size_t i = 0; i < VALID; i++) {
                const struct measurement *measurement = &world.outcomes[i].measurement;
                CU_ASSERT(measurement->status != STATUS_SLOWER || measurement->low > 1e6);
                ended += !e && world.outcomes[i].device == 1 && measurement->status == STATUS_OK;
            }
            close_world(&world);
        }
    CU_ASSERT(ended < 80); /* far fewer than without stopping */
}

/* Play-off and other operations pass through, if the inner evaluator has them. Calibration configurations in flight end
 * before a play-off. */
static void passing(void)
{
    struct world world;
    struct error error = {0};
    struct measurement finals[2];
    bool played = false;
    open_world(&world, &scenes[2], 3, true);
    const struct evaluator_ops *ops = world.evaluator.ops;
    CU_ASSERT(!ops->device && ops->stops_early && ops->devices(world.evaluator.state) == 4);
    uint64_t optimum = synth_optimum(world.set, 3), other = 0;
    while (synth_fails(world.set, 3, other) || synth_fails_again(world.set, 3, other) || other == optimum)
        other++;
    search(&world, &world.evaluator, 5, false);
    CU_ASSERT_EQUAL(ops->playoff(world.evaluator.state, (uint64_t[]){optimum, other}, 2, finals, &played, &error), 0);
    CU_ASSERT(played && finals[0].value == 1e6 && isnan(finals[0].correction));
    close_world(&world);
}

static double busy_s(const void *state, double compile_s, double measure_s)
{
    (void)state;
    return 100 * compile_s + measure_s;
}

/* Calibration configurations take a share of the measuring time. Failures during the wait for calibration
 * configurations are returned afterwards. */
static void shares(void)
{
    for (size_t s = 0; s < 2; s++) { /* one device, then two */
        struct world world;
        struct error error = {0};
        struct measurement finals[1];
        struct evaluation done[1];
        bool played = false;
        size_t got = 0;
        uint64_t fails = 0, optimum;
        open_world(&world, &scenes[s], 3, false);
        struct evaluator_ops ops = *world.inner.ops;
        ops.busy_s = busy_s;
        world.inner.ops = &ops;
        CU_ASSERT_EQUAL_FATAL(evaluator_open_corrected(&world.evaluator, &world.corrected, &error), 0);
        const struct evaluator *evaluator = &world.evaluator;
        CU_ASSERT_DOUBLE_EQUAL(evaluator->ops->busy_s(evaluator->state, 1, 10), s ? 110 + 10 * CORRECTION_SHARE : 110,
                               1e-9);
        optimum = synth_optimum(world.set, 3);
        while (!synth_fails(world.set, 3, fails))
            fails++;
        CU_ASSERT_EQUAL(evaluator->ops->submit(evaluator->state, fails, false, EVALUATOR_ANY_DEVICE, &error), 0);
        CU_ASSERT_EQUAL(evaluator->ops->playoff(evaluator->state, &optimum, 1, finals, &played, &error), 0);
        CU_ASSERT_EQUAL(evaluator->ops->wait(evaluator->state, INT64_MAX, done, 1, &got, &error), 0);
        CU_ASSERT_EQUAL(got, 1);
        CU_ASSERT(done[0].index == fails && done[0].measurement.status == STATUS_COMPILE_ERROR);
        close_world(&world);
    }
}

/* Whenever they are withdrawn, each configuration comes back once; a calibration that ended with them is made later. */
static void withdrawing(void)
{
    for (size_t waits = 0; waits < 24; waits++) {
        struct world world;
        struct error error = {0};
        uint64_t next = 0;
        size_t out = 0, withdrawn = 0;
        bool seen[VALID] = {false};
        open_world(&world, &scenes[2], 3, true);
        const struct evaluator_ops *ops = world.evaluator.ops;
        for (size_t i = 0; i < waits + 200 && (i < waits || out); i++) {
            struct evaluation done[16];
            size_t count = 0;
            for (; i < waits && next + 1 < VALID && ops->room(world.evaluator.state, false); out++)
                CU_ASSERT_EQUAL(ops->submit(world.evaluator.state, next++, false, EVALUATOR_ANY_DEVICE, &error), 0);
            if (i == waits)
                CU_ASSERT_EQUAL(ops->withdraw(world.evaluator.state, STAGE_UNMEASURED, &error), 0);
            CU_ASSERT_EQUAL(ops->wait(world.evaluator.state, 0, done, 16, &count, &error), 0);
            for (size_t k = 0; k < count; k++) {
                CU_ASSERT_FATAL(done[k].index < next && !seen[done[k].index]);
                seen[done[k].index] = true;
                CU_ASSERT(i >= waits || !done[k].withdrawn);
                withdrawn += done[k].withdrawn;
            }
            out -= count;
        }
        CU_ASSERT_EQUAL(out, 0);
        CU_ASSERT(waits == 0 || withdrawn > 0);
        uint64_t later = next++;
        size_t count = 0;
        struct evaluation done[1];
        CU_ASSERT_EQUAL(ops->submit(world.evaluator.state, later, false, EVALUATOR_ANY_DEVICE, &error), 0);
        for (int i = 0; i < 200 && !count; i++)
            CU_ASSERT_EQUAL(ops->wait(world.evaluator.state, 0, done, 1, &count, &error), 0);
        CU_ASSERT(count == 1 && done[0].index == later && !done[0].withdrawn);
        close_world(&world);
    }
}

CU_TestInfo tests_eval_corrected[] = {{"scenes", all_scenes}, {"drifting", drifting},       {"few", few},
                                      {"winners", winners},   {"guessed", guessed},         {"passing", passing},
                                      {"shares", shares},     {"withdrawing", withdrawing}, CU_TEST_INFO_NULL};
