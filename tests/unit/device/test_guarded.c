/* Guarded measuring over the fake runtime: kernels that cheat are caught, and honest ones are not accused. Each row of
 * a cheat also shows that measuring without guards does not see it, so that the guards are the reason. */
#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/start.h"

#include "device_kit.h"

enum { SCRATCH = TEST_BUFFERS };

/* The tested launches: `twice`, and variants with other buffers and conditions. */
enum kind {
    TWICE,
    TOLERANT,
    BY_SCRATCH,
    IN_PLACE,
    AS_GRAPH,
    ACCEPTED,
    OTHER_SET,
    FROM_FILE,
    PIPELINE,
    FILLED,
    WINDOW,
    SWAPPED,
    LATER_SET,
    ALLOCATES
};

/* twice_chunk(out, in, long offset, long length), by chunks unless `whole` */
static struct launch chunk_launch(bool whole)
{
    const uint64_t numbers[] = {0, TEST_COUNT};
    struct launch launch = test_launch();
    launch.argument_count = launch.steps[0].argument_count = 4;
    for (size_t a = 2; a < 4; a++) {
        launch.arguments[a] = (struct launch_argument){.buffer = -1,
                                                       .bytes = 8,
                                                       .role = whole    ? ARGUMENT_PLAIN
                                                               : a == 2 ? ARGUMENT_CHUNK_OFFSET
                                                                        : ARGUMENT_CHUNK_LENGTH};
        test_put(&launch, a, &numbers[a - 2], sizeof numbers[0]);
    }
    if (!whole)
        launch.pipeline = (struct launch_pipeline){.total = TEST_COUNT,
                                                   .chunk_length = 300,
                                                   .streams = 2,
                                                   .pieces = 1,
                                                   .host_memory = HOST_PINNED,
                                                   .copy_count = 2,
                                                   .copies = {{TEST_IN, 1, 0}, {TEST_OUT, 0, 1}}};
    return launch;
}

static struct launch launch_of(enum kind kind)
{
    const int count = TEST_COUNT;
    struct launch launch = kind == PIPELINE || kind == ALLOCATES ? chunk_launch(false) : test_launch();
    if (kind == ALLOCATES)
        launch.pipeline.allocation = ALLOCATION_EACH;
    launch.graph = kind == AS_GRAPH;
    if (kind == WINDOW)
        launch.window = (struct launch_window){.buffer = TEST_IN,
                                               .bytes = TEST_COUNT * sizeof(float),
                                               .set_aside_bytes = 4096,
                                               .hit_ratio = 1,
                                               .hit = L2_PERSISTING,
                                               .miss = L2_STREAMING};
    if (kind == BY_SCRATCH) {
        launch.argument_count = launch.steps[0].argument_count = 5;
        launch.arguments[3] = launch.arguments[4] = launch.arguments[2];
        launch.arguments[2] = (struct launch_argument){.buffer = SCRATCH};
        launch.scratch_bytes[0] = TEST_COUNT * sizeof(float);
    } else if (kind == SWAPPED) { /* the output's contents end in the memory of another buffer */
        launch.arguments[0].buffer = SCRATCH;
        launch.scratch_bytes[0] = TEST_COUNT * sizeof(float);
        launch.swap_count = launch.steps[0].swap_count = 1;
        launch.swaps[0] = (struct launch_swap){TEST_OUT, SCRATCH};
    } else if (kind == IN_PLACE) {
        launch.argument_count = launch.steps[0].argument_count = 2;
        launch.arguments[1] = (struct launch_argument){.buffer = -1, .bytes = sizeof count};
        test_put(&launch, 1, &count, sizeof count);
    }
    return launch;
}

static struct device_kernel kernel_of(enum kind kind, const char *script, const struct launch *launch)
{
    struct device_kernel kernel = test_device_kernel(script, launch);
    kernel.lowered_names = kind == BY_SCRATCH                      ? "twice_by_scratch"
                           : kind == IN_PLACE                      ? "double_in_place"
                           : kind == PIPELINE || kind == ALLOCATES ? "twice_chunk"
                                                                   : "twice";
    return kernel;
}

/* count_wrong(unsigned long long *, in, out, int count, int most, int touched) */
static struct launch accept_launch(void)
{
    const int numbers[] = {TEST_COUNT, TEST_COUNT, -1};
    const uint64_t counter = 0;
    struct launch launch = {.kernel_count = 1, .step_count = 1, .argument_count = 6};
    launch.steps[0] = (struct launch_step){.block = {32, 1, 1}, .grid = {1, 1, 1}, .repeat = 1, .argument_count = 6};
    launch.arguments[0] = (struct launch_argument){.buffer = -1, .bytes = sizeof counter};
    launch.arguments[1] = (struct launch_argument){.buffer = TEST_IN};
    launch.arguments[2] = (struct launch_argument){.buffer = TEST_OUT};
    test_put(&launch, 0, &counter, sizeof counter);
    for (size_t a = 3; a < 6; a++) {
        launch.arguments[a] = (struct launch_argument){.buffer = -1, .bytes = sizeof(int)};
        test_put(&launch, a, &numbers[a - 3], sizeof(int));
    }
    return launch;
}

static char expected_path[32]; /* FROM_FILE */

/* Writes the right output for an input of 0, 1, 2, ... */
static void write_expected(void)
{
    FILE *file = fdopen(mkstemp(expected_path), "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    for (int i = 0; i < TEST_COUNT; i++) {
        const float right = 2 * (float)i;
        CU_ASSERT_EQUAL(fwrite(&right, sizeof right, 1, file), 1);
    }
    fclose(file);
}

static struct measurement measure_on(struct device *device, enum kind kind, const char *script);

static struct device *open_device(enum kind kind, const struct sampling *sampling)
{
    static unsigned variable;
    struct error error = {0};
    struct device *device = NULL;
    struct space space;
    struct buffer buffers[TEST_BUFFERS + 1];
    const bool chunks = kind == PIPELINE || kind == ALLOCATES;
    struct launch launch = chunks ? chunk_launch(true) : launch_of(kind == SWAPPED ? TWICE : kind);
    struct launch accept = accept_launch(), filler;
    struct device_kernel fill;
    struct device_setup setup = test_setup(&space, buffers, &launch);
    struct device_file expected[TEST_BUFFERS] = {{NULL, 0}};
    setup.first.reference = kernel_of(kind, "fake: letter=r", &launch);
    fake.symbol = &variable;
    fake.symbol_bytes = sizeof variable;
    setup.sampling = *sampling;
    setup.streams = chunks;
    buffers[TEST_OUT].tolerance.relative = kind == TOLERANT ? 1e-5 : 0;
    buffers[SCRATCH] = buffers[TEST_OUT];
    buffers[SCRATCH].name = "scratch";
    buffers[SCRATCH].role = BUFFER_SCRATCH;
    space.buffer_count += kind == BY_SCRATCH || kind == SWAPPED;
    if (kind == IN_PLACE) {
        buffers[TEST_OUT].role = BUFFER_INOUT;
        buffers[TEST_OUT].fill = FILL_RANDOM;
    }
    if (kind == ACCEPTED) {
        buffers[TEST_OUT].accepted = true;
        setup.first.reference.cubin = NULL;
        setup.first.accept = test_device_kernel("fake: letter=a", &accept);
        setup.first.accept.lowered_names = "count_wrong";
        setup.accept_name = "count_wrong";
    }
    if (kind == FILLED) { /* by a kernel of the reference's machine code */
        filler = launch_of(IN_PLACE);
        filler.arguments[0].buffer = TEST_IN;
        fill =
            (struct device_kernel){.lowered_names = "double_in_place", .name_count = 1, .launch = &filler, .work = 1};
        buffers[TEST_IN].fill = FILL_KERNEL;
        setup.fills = &fill;
        setup.fill_count = 1;
    }
    if (kind == FROM_FILE) {
        snprintf(expected_path, sizeof expected_path, "/tmp/test_guarded_XXXXXX");
        write_expected();
        expected[TEST_OUT].path = expected_path;
        buffers[TEST_IN].fill = FILL_IOTA;
        setup.first.reference.cubin = NULL;
        setup.expected = expected;
    }
    CU_ASSERT_EQUAL_FATAL(device_open(&device, "0", &error), 0);
    CU_ASSERT_EQUAL_FATAL(device_setup(device, &setup, &error), 0);
    if (kind == LATER_SET) /* behind a job of the first set */
        CU_ASSERT_EQUAL(measure_on(device, TWICE, "fake: time_ns=5000").status, STATUS_OK);
    if (kind == OTHER_SET || kind == LATER_SET)
        CU_ASSERT_EQUAL_FATAL(device_expect(device, 1, &setup.first, &error), 0);
    return device;
}

static struct measurement measure_on(struct device *device, enum kind kind, const char *script)
{
    struct launch launch = launch_of(kind);
    struct device_kernel kernel = kernel_of(kind, script, &launch);
    kernel.variables = "missing\0COEFF";
    kernel.variable_count = 2;
    kernel.set = kind == OTHER_SET || kind == LATER_SET;
    const struct device_job job = {
        .kernels = &kernel, .kernel_count = 1, .incumbent_ns = INFINITY, .timeout_ns = test_patience_ns};
    struct measurement measurements[DEVICE_KERNELS_MAX] = {{.status = STATUS_COUNT}};
    struct error error = {0};
    uint64_t id = 0;
    CU_ASSERT_EQUAL_FATAL(device_submit(device, &job, &error), 0);
    CU_ASSERT_EQUAL(test_wait(device, &id, measurements, &error), 1);
    return measurements[0];
}

static struct measurement measure(enum kind kind, const struct sampling *sampling, const char *script)
{
    fake_reset();
    struct device *device = open_device(kind, sampling);
    CU_ASSERT_EQUAL(device_renews_inputs(device), sampling->guarding.on && kind != FROM_FILE && kind != FILLED);
    const struct measurement got = measure_on(device, kind, script);
    device_close(device);
    if (kind == FROM_FILE)
        unlink(expected_path);
    return got;
}

/* All launches are compared, so that the tests do not depend on lots. */
static struct sampling guarded_sampling(bool shared)
{
    struct sampling sampling = test_sampling;
    sampling.guarding = device_guarding;
    sampling.guarding.shared = shared;
    sampling.guarding.share = 1;
    return sampling;
}

static const uint64_t later = 1u << SUSPICION_later_launch;

/* `plain`: status without guards. */
static void cheats_are_caught(void)
{
    static const char again[] = "right on the first launch, wrong on a later one: ";
    static const struct {
        const char *script, *message;
        enum kind kind;
        enum status plain;
        uint64_t suspicions;
    } rows[] = {
        {"fake: replay=1", "out: 1000 of 1000 values differ", TWICE, STATUS_OK, later},
        {"fake: replay=1 id=graph", "out: 1000 of 1000 values differ", AS_GRAPH, STATUS_OK, later},
        {"fake: place_cache=1 noise=0.5", "out: 1000 of 1000 values differ", TWICE, STATUS_OK, later},
        {"fake: replay=1 id=accept", "accept count_wrong counts 1000 wrong", ACCEPTED, STATUS_OK, later},
        {"fake: replay=1 id=set", "out: 1000 of 1000 values differ", OTHER_SET, STATUS_OK, later},
        {"fake: replay=1 id=later", "out: 1000 of 1000 values differ", LATER_SET, STATUS_OK, later},
        {"fake: unwritten=4/2 id=window", "out: 1000 of 1000 values differ", WINDOW, STATUS_OK, later},
        {"fake: unwritten=9 id=pipeline", "out: ", PIPELINE, STATUS_WRONG_RESULT, later},
        {"fake: unwritten=4/2 id=file", "out: 1000 of 1000 values differ", FROM_FILE, STATUS_OK, later},
        {"fake: unwritten=2", "out: 1000 of 1000 values differ", TWICE, STATUS_WRONG_RESULT, later},
        {"fake: stale=2 id=module", "out: 1000 of 1000 values differ", TWICE, STATUS_WRONG_RESULT, later},
        {"fake: unwritten=4/2", "out: 1000 of 1000 values differ", TWICE, STATUS_OK, later},
        {"fake: unwritten=9", "out: 1000 of 1000 values differ", TWICE, STATUS_WRONG_RESULT, later},
        {"fake: wrong=3/0", "out: 1 of 1000 values differ", TWICE, STATUS_OK, later},
        {"fake: input=3/0", "writes to in, which is not an output", TWICE, STATUS_WRONG_RESULT,
         1u << SUSPICION_later_launch | 1u << SUSPICION_input_changed},
        {"fake: beside=3/0", "writes outside a buffer: 4 bytes beside out", TWICE, STATUS_WRONG_RESULT, later},
        {"fake: unwritten=4/2 id=swapped", "out: 1000 of 1000 values differ", SWAPPED, STATUS_WRONG_RESULT, later},
        {"fake: beside=3/0 id=swapped", "writes outside a buffer: 4 bytes beside scratch", SWAPPED, STATUS_WRONG_RESULT,
         later},
        {"fake: output_kept=1 time_ns=50000", "out: ", TWICE, STATUS_OK, later}, /* in the launches in a row */
        {"fake: steal=1", "out: 1000 of 1000 values differ from the reference, none of them was written", TWICE,
         STATUS_OK, 0},
        {"fake: wrong=1", "out: 1 of 1000 values differ from the reference, the first at 0", TWICE, STATUS_WRONG_RESULT,
         0},
        {"fake: input=1", "writes to in, which is not an output", TWICE, STATUS_WRONG_RESULT,
         1u << SUSPICION_input_changed},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        for (int shared = 0; shared < 2; shared++) {
            const struct sampling sampling = guarded_sampling(shared);
            const struct measurement plain = measure(rows[i].kind, &test_sampling, rows[i].script);
            const struct measurement got = measure(rows[i].kind, &sampling, rows[i].script);
            const bool is_later = rows[i].suspicions & later;
            CU_ASSERT_EQUAL(plain.status, rows[i].plain);
            CU_ASSERT_EQUAL(plain.suspicions, 0);
            CU_ASSERT_EQUAL(plain.compared, 0);
            CU_ASSERT_EQUAL(got.status, STATUS_WRONG_RESULT);
            if (is_later)
                expect_start(got.message, again);
            expect_start(got.message + (is_later ? strlen(again) : 0), rows[i].message);
            expect_number(rows[i].script, (double)got.suspicions, (double)rows[i].suspicions);
            CU_ASSERT(isnan(got.value));
            CU_ASSERT(got.compared > 0 && got.compared == got.launches);
        }
}

/* Honest kernels of every kind have their time, by lots too. */
static void honest_kernels_pass(void)
{
    static const struct {
        const char *script;
        enum kind kind;
        double share;
    } rows[] = {
        {"fake: time_ns=5000", TWICE, 1},
        {"fake: time_ns=5000", TWICE, 1.0 / 3},
        {"fake: time_ns=5000 jitter=1", TOLERANT, 1}, /* atomic operations in any order */
        {"fake: time_ns=5000", BY_SCRATCH, 1},        /* a workspace, as for split-K */
        {"fake: time_ns=5000", IN_PLACE, 1},          /* its own results would be its input */
        {"fake: time_ns=5000", AS_GRAPH, 1},
        {"fake: time_ns=5000", ACCEPTED, 1},
        {"fake: time_ns=5000", OTHER_SET, 1},
        {"fake: time_ns=5000", FROM_FILE, 1},
        {"fake: time_ns=1000", PIPELINE, 1},
        {"fake: time_ns=1000", ALLOCATES, 1},
        {"fake: time_ns=5000", FILLED, 1},
        {"fake: time_ns=5000", WINDOW, 1},
        {"fake: time_ns=5000", SWAPPED, 1},
        {"fake: time_ns=5000", LATER_SET, 1},
        {"fake: time_ns=5000 data_cache=1", TWICE, 1}, /* nothing to replay: no input comes twice */
        {"fake: time_ns=5000 first_ns=9000", TWICE, 1},
        {"fake: time_ns=5000 noise=0.05", TWICE, 1.0 / 3}, /* 40 samples */
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        for (int shared = 0; shared < 2; shared++) {
            struct sampling sampling = guarded_sampling(shared);
            sampling.guarding.share = rows[i].share;
            sampling.warm = shared;
            const bool chunks = rows[i].kind == PIPELINE || rows[i].kind == ALLOCATES;
            const struct measurement got = measure(rows[i].kind, &sampling, rows[i].script);
            CU_ASSERT_EQUAL(got.status, STATUS_OK);
            expect_text(got.message, "");
            CU_ASSERT(chunks || fabs(got.value / 5000 - 1) < 0.05);
            CU_ASSERT_EQUAL(got.suspicions, 0);
            CU_ASSERT_EQUAL(got.verified, VERIFIED_TIMED);
            CU_ASSERT(got.compared >= sampling.guarding.compared_least);
            CU_ASSERT(rows[i].share < 1 || got.compared == got.launches);
            CU_ASSERT(got.launches < 40 || rows[i].share == 1 || got.compared < got.launches);
            CU_ASSERT(got.launches > got.samples && got.guarding_ns > 0);
            const struct guard_times *times = &got.guard_times;
            CU_ASSERT(times->reload_ns > 0 && times->inputs_ns > 0 && times->reference_ns > 0 && times->compare_ns > 0);
            CU_ASSERT_EQUAL(times->row_ns > 0, !chunks);
        }
}

/* A kernel that is stopped early is judged by one more launch. */
static void slower(void)
{
    static const struct {
        const char *script;
        enum status status;
    } rows[] = {{"fake: time_ns=5000", STATUS_SLOWER}, {"fake: unwritten=5 time_ns=5000", STATUS_WRONG_RESULT}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct sampling sampling = guarded_sampling(false);
        fake_reset();
        struct device *device = test_device_open(&sampling);
        CU_ASSERT(device_renews_inputs(device));
        const struct measurement got = test_measure(device, rows[i].script, 1000, test_patience_ns);
        CU_ASSERT_EQUAL(got.status, rows[i].status);
        CU_ASSERT(got.compared < sampling.guarding.compared_least);
        device_close(device);
    }
}

/* Evidence is no verdict: the kernel has its time. */
static void evidence(void)
{
    static const struct {
        const char *script, *message;
        uint64_t suspicions;
    } rows[] = {
        {"fake: time_ns=50000 count_launches=1",
         "evidence: device variables differ before and after the launches: COEFF", 1u << SUSPICION_variables},
        {"fake: time_ns=50000 count_launches=1/0", "", 0}, /* in the first module alone */
        {"fake: time_ns=50000 hidden_ns=45000",
         "evidence: the device's global timer shows a longer time than the events", 1u << SUSPICION_clock},
        {"fake: time_ns=50000 hidden_ns=45000 count_launches=1",
         "evidence: device variables differ before and after the launches: COEFF",
         1u << SUSPICION_variables | 1u << SUSPICION_clock},
        {"fake: time_ns=50000 hidden_ns=500", "", 0},
        {"fake: time_ns=50000 real_ns=2000000",
         "evidence: repeated launches take longer than their time by the coordinator's clock", 1u << SUSPICION_wall},
        {"fake: time_ns=50000000", "", 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct sampling sampling = guarded_sampling(false);
        const struct measurement got = measure(TWICE, &sampling, rows[i].script);
        CU_ASSERT_EQUAL(got.status, STATUS_OK);
        CU_ASSERT_FALSE(isnan(got.value));
        expect_text(got.message, rows[i].message);
        expect_number(rows[i].script, (double)got.suspicions, (double)rows[i].suspicions);
    }
    for (enum suspicion s = 0; s < SUSPICION_COUNT; s++) {
        CU_ASSERT_EQUAL(suspicion_weight(s) == SUSPICION_WRONG,
                        s == SUSPICION_later_launch || s == SUSPICION_input_changed);
        CU_ASSERT(strlen(suspicion_name(s)) > 0);
    }
}

/* A kernel finds nothing of an earlier one: each has a process, or one that is wiped. Failures affect no later one. */
static void one_after_the_other(void)
{
    static const char *const scripts[] = {"fake: id=0",    "fake: wrong=1", "fake: sticky=1", "fake: id=1",
                                          "fake: stale=3", "fake: kill=1",  "fake: id=2"};
    static const enum status statuses[] = {STATUS_OK,           STATUS_WRONG_RESULT, STATUS_CRASHED, STATUS_OK,
                                           STATUS_WRONG_RESULT, STATUS_CRASHED,      STATUS_OK};
    for (int shared = 0; shared < 2; shared++) {
        const struct sampling sampling = guarded_sampling(shared);
        fake_reset();
        struct device *device = open_device(TWICE, &sampling);
        for (size_t i = 0; i < COUNT(scripts); i++)
            CU_ASSERT_EQUAL(measure_on(device, TWICE, scripts[i]).status, statuses[i]);
        device_close(device);
    }
}

/* The referee maps the results, or gets their contents where that fails: in one process or in the other. */
static void ways_to_the_referee(void)
{
    static const struct {
        bool no_export, no_mapping;
    } rows[] = {{false, false}, {true, false}, {false, true}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct sampling sampling = guarded_sampling(true);
        fake_reset();
        fake.no_export = rows[i].no_export;
        fake.no_mapping = rows[i].no_mapping;
        struct device *device = open_device(BY_SCRATCH, &sampling);
        const struct measurement honest = measure_on(device, BY_SCRATCH, "fake: time_ns=5000");
        CU_ASSERT_EQUAL(honest.status, STATUS_OK);
        CU_ASSERT_EQUAL(fake_mappings(), i ? 0 : honest.compared);
        CU_ASSERT_EQUAL(measure_on(device, BY_SCRATCH, "fake: wrong=3/0").status, STATUS_WRONG_RESULT);
        CU_ASSERT_EQUAL(measure_on(device, BY_SCRATCH, "fake: beside=3/0").status, STATUS_WRONG_RESULT);
        device_close(device);
    }
}

/* Besides the referee and the process of the candidate, the one of the next candidate runs. */
static void started_ahead(void)
{
    static const unsigned lives[2][3] = {{3, 4, 5}, {2, 2, 2}}; /* after the set-up and each kernel */
    for (int shared = 0; shared < 2; shared++) {
        const struct sampling sampling = guarded_sampling(shared);
        fake_reset();
        struct device *device = open_device(TWICE, &sampling);
        for (size_t i = 0; i < COUNT(lives[0]); i++) {
            CU_ASSERT_EQUAL(test_lives(lives[shared][i]), lives[shared][i]);
            CU_ASSERT_EQUAL(measure_on(device, TWICE, "fake: time_ns=5000").status, STATUS_OK);
        }
        device_rest(device);
        CU_ASSERT_EQUAL(measure_on(device, TWICE, "fake: time_ns=5000").status, STATUS_OK);
        device_close(device);
        CU_ASSERT(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD); /* no process remains */
    }
}

static bool tells(const struct device *device, const char *script)
{
    return memmem(device->setup.bytes, device->setup.length, script, strlen(script)) != NULL;
}

/* The process of the candidate gets no machine code of a reference, as the referee does. */
static void reference_withheld(void)
{
    const struct sampling sampling = guarded_sampling(false);
    fake_reset();
    struct device *device = open_device(TWICE, &sampling);
    CU_ASSERT(tells(device->guard.referee, "fake: letter=r"));
    CU_ASSERT_FALSE(tells(device, "fake: letter=r"));
    device_close(device);
}

/* Finalists would share a process. */
static void no_play_off(void)
{
    const struct sampling sampling = guarded_sampling(false);
    struct error error = {0};
    fake_reset();
    struct device *device = open_device(TWICE, &sampling);
    struct launch launch = launch_of(TWICE);
    struct device_kernel kernel = kernel_of(TWICE, "fake:", &launch);
    const struct device_job job = {.playoff = true, .kernels = &kernel, .kernel_count = 1, .timeout_ns = 1};
    CU_ASSERT_EQUAL(device_submit(device, &job, &error), ERROR_VALUE);
    expect_text(error.message, "a play-off cannot be guarded");
    CU_ASSERT(device_idle(device));
    device_close(device);
}

CU_TestInfo tests_guarded[] = {{"cheats are caught", cheats_are_caught},
                               {"honest kernels pass", honest_kernels_pass},
                               {"slower", slower},
                               {"evidence", evidence},
                               {"one after the other", one_after_the_other},
                               {"ways to the referee", ways_to_the_referee},
                               {"started ahead", started_ahead},
                               {"reference withheld", reference_withheld},
                               {"no play-off", no_play_off},
                               CU_TEST_INFO_NULL};
