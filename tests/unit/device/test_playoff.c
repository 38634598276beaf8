/* Play-offs in virtual time: leaders, ties, losers, and failures. */
#include "device/launch.h"
#include "device/playoff.h"
#include "fake_gpu.h"

enum { KERNELS = 3 };
static struct gpu gpu; /* large */
static const int64_t s = 1000000000;

static void play_work(const char *const scripts[KERNELS], const double works[KERNELS], bool further, int64_t timeout_ns,
                      struct measurement *measurements)
{
    struct gpu_kernel kernels[KERNELS];
    size_t count = 0;
    for (; count < KERNELS && scripts[count]; count++) {
        kernels[count] = test_kernel(scripts[count]);
        kernels[count].work = works[count];
        measurements[count] = measurement_unknown(STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernels[count]), cudaSuccess);
    }
    fake_trace_clear();
    struct error error = {0};
    CU_ASSERT_EQUAL(gpu_play_off(&gpu, kernels, measurements, count, further, timeout_ns, &error), 0);
    for (size_t k = 0; k < count; k++)
        gpu_unload(&kernels[k]);
}

static void play(const char *const scripts[KERNELS], int64_t timeout_ns, struct measurement *measurements)
{
    static const double works[KERNELS] = {1, 1, 1};
    play_work(scripts, works, false, timeout_ns, measurements);
}

/* The kernel with the most work per time leads; times stay those of a run. */
static void per_work(void)
{
    static const char *const scripts[KERNELS] = {"fake: time_ns=50000 id=a", "fake: time_ns=60000",
                                                 "fake: time_ns=100000 id=b"};
    static const struct {
        double works[KERNELS];
        enum playoff places[KERNELS];
    } rows[] = {{{1, 1, 1}, {PLAYOFF_LEADER, PLAYOFF_LOST, PLAYOFF_LOST}},
                {{1, 2, 1}, {PLAYOFF_LOST, PLAYOFF_LEADER, PLAYOFF_LOST}},
                {{1e-9, 1e-9, 2e-9}, {PLAYOFF_LEADER, PLAYOFF_LOST, PLAYOFF_TIED}},
                {{1e12, 1e12, 3e12}, {PLAYOFF_LOST, PLAYOFF_LOST, PLAYOFF_LEADER}}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct measurement finals[KERNELS];
        test_gpu_open(&gpu, FILL_NONE);
        play_work(scripts, rows[i].works, false, 100 * s, finals);
        for (size_t k = 0; k < KERNELS; k++)
            CU_ASSERT_EQUAL(finals[k].playoff, rows[i].places[k]);
        expect_number("time", finals[0].value, 50000);
        expect_number("time", finals[2].value, 100000);
    }
    test_gpu_close(&gpu);
}

static void places(void)
{
    static const struct {
        const char *scripts[KERNELS];
        struct {
            enum playoff playoff;
            double time_ns, low_ns, high_ns;
        } finals[KERNELS];
    } rows[] = {
        {{"fake: time_ns=50000"}, {{PLAYOFF_LEADER, 50000, 50000, 50000}}},
        {{"fake: time_ns=50000", "fake: time_ns=60000"},
         {{PLAYOFF_LEADER, 50000, 50000, 50000}, {PLAYOFF_LOST, 60000, 60000, 60000}}},
        {{"fake: time_ns=60000", "fake: time_ns=50000 id=a", "fake: time_ns=50000 id=b"},
         {{PLAYOFF_LOST, 60000, 60000, 60000},
          {PLAYOFF_LEADER, 50000, 50000, 50000},
          {PLAYOFF_TIED, 50000, 50000, 50000}}},
        /* short kernels */
        {{"fake: time_ns=5001", "fake: time_ns=5000"},
         {{PLAYOFF_LOST, 5001, 5001, 5001}, {PLAYOFF_LEADER, 5000, 5000, 5000}}},
        /* the first launch after loading is discarded */
        {{"fake: time_ns=50000 first_ns=90000", "fake: time_ns=60000"},
         {{PLAYOFF_LEADER, 50000, 50000, 50000}, {PLAYOFF_LOST, 60000, 60000, 60000}}},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct measurement finals[KERNELS];
        test_gpu_open(&gpu, FILL_NONE);
        play(rows[i].scripts, 100 * s, finals);
        for (size_t k = 0; k < KERNELS && rows[i].scripts[k]; k++) {
            CU_ASSERT_EQUAL(finals[k].status, STATUS_OK);
            expect_text(finals[k].message, "");
            CU_ASSERT_EQUAL(finals[k].playoff, rows[i].finals[k].playoff);
            expect_number("time", finals[k].value, rows[i].finals[k].time_ns);
            expect_number("low", finals[k].low, rows[i].finals[k].low_ns);
            expect_number("high", finals[k].high, rows[i].finals[k].high_ns);
            CU_ASSERT_EQUAL(finals[k].discarded, 0);
        }
    }
    test_gpu_close(&gpu);
}

/* An outlier does not affect the round's time: the device was slow for a launch or two, but fast when its clock was
 * read. */
static void outliers(void)
{
    static const char *const scripts[KERNELS] = {"fake: time_ns=50000"};
    for (int64_t from_ns = 200000; from_ns < 1000000; from_ns += 40000) { /* after the planning launches */
        struct measurement finals[KERNELS];
        test_gpu_open(&gpu, FILL_NONE);
        fake.slow_mhz = 500;
        fake.slow_from_ns = fake.now_ns + from_ns;
        fake.slow_until_ns = fake.slow_from_ns + 20000;
        play(scripts, 100 * s, finals);
        expect_number("high", finals[0].high, 50000);
        if (finals[0].discarded == 0) /* as many rounds as without it */
            expect_number("samples", finals[0].samples, 672);
    }
    test_gpu_close(&gpu);
}

/* The device slows down steadily for both kernels: a difference of 2 % is visible despite 5 % of noise. */
static void drift(void)
{
    static const char *const scripts[KERNELS] = {"fake: time_ns=100000 drift=0.0005",
                                                 "fake: time_ns=102000 drift=0.0005"};
    static const char *const noisy[KERNELS] = {"fake: time_ns=100000 noise=0.1 id=a", "fake: time_ns=100000 noise=0.1"};
    static const char slow[] = "fake: time_ns=200000";
    struct measurement finals[KERNELS];
    test_gpu_open(&gpu, FILL_NONE);
    play(scripts, 100 * s, finals);
    CU_ASSERT_EQUAL(finals[0].playoff, PLAYOFF_LEADER);
    CU_ASSERT_EQUAL(finals[1].playoff, PLAYOFF_LOST);
    test_gpu_open(&gpu, FILL_NONE);
    play(noisy, 100 * s, finals);
    CU_ASSERT_EQUAL(finals[0].playoff + finals[1].playoff, PLAYOFF_LEADER + PLAYOFF_TIED);
    for (size_t k = 0; k < 2; k++) /* both have the requested precision */
        CU_ASSERT(finals[k].high - finals[k].low <= 2 * 0.005 * finals[k].value);
    /* the leader has the requested precision at any position */
    for (size_t leader = 0; leader < 2; leader++) {
        const char *const clear[KERNELS] = {leader == 0 ? noisy[0] : slow, leader == 1 ? noisy[0] : slow};
        test_gpu_open(&gpu, FILL_NONE);
        play(clear, 100 * s, finals);
        CU_ASSERT_EQUAL(finals[leader].playoff, PLAYOFF_LEADER);
        CU_ASSERT_EQUAL(finals[1 - leader].playoff, PLAYOFF_LOST);
        CU_ASSERT(finals[leader].high - finals[leader].low <= 2 * 0.005 * finals[leader].value);
    }
    test_gpu_close(&gpu);
}

/* The order changes from round to round: every second one is backwards, and then another kernel begins. Every second
 * round reloads the code in another order, with a discarded launch. */
static void rounds(void)
{
    static const struct {
        const char *scripts[KERNELS], *trace; /* the plan; two rounds; reloading; two rounds; to the seventh */
    } rows[] = {
        {{"fake: time_ns=600000 letter=x", "fake: time_ns=600000 letter=y"}, "xyxyyxUULyLxyxxyUULxLyxyyxUULyLxyx"},
        {{"fake: time_ns=600000 letter=x", "fake: time_ns=600000 letter=y", "fake: time_ns=600000 letter=z"},
         "xyzxyzzyxUUULyLzLxyzxyxzUUULzLxLyzxyxzyUUULxLyLzxyz"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct measurement finals[KERNELS];
        char kernels[64];
        size_t count = 0;
        test_gpu_open(&gpu, FILL_NONE);
        play(rows[i].scripts, 100 * s, finals);
        for (const char *at = fake_trace(); *at && count < sizeof kernels - 1; at++)
            if (strchr("xyzUL", *at))
                kernels[count++] = *at;
        kernels[count] = '\0';
        expect_start(kernels, rows[i].trace);
        for (size_t k = 0; k < KERNELS && rows[i].scripts[k]; k++)
            expect_number("samples", finals[k].samples, 48);
        test_gpu_close(&gpu);
    }
}

/* Code is loaded again before a hold, not behind it, which would last until the hold's limit of 50 ms. */
static void reloading(void)
{
    struct gpu_kernel kernel = test_kernel("fake: time_ns=600000");
    struct measurement final = measurement_unknown(STATUS_OK);
    struct error error = {0};
    test_gpu_open(&gpu, FILL_NONE);
    kernel.launch.steps[0].repeat = 2; /* two launches are held */
    CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
    const int64_t start_ns = fake.now_ns;
    CU_ASSERT_EQUAL(gpu_play_off(&gpu, &kernel, &final, 1, false, 100 * s, &error), 0);
    expect_number("samples", final.samples, 22);
    CU_ASSERT(strchr(fake_trace(), 'h') && strchr(fake_trace(), 'L'));
    CU_ASSERT(fake.now_ns - start_ns < 50000000);
    gpu_unload(&kernel);
    test_gpu_close(&gpu);
}

/* The buffers move, and the texture of an accept kernel with them, unless a library may remember their addresses. */
static void moving(void)
{
    static struct gpu_set set; /* large */
    for (size_t i = 0; i < 3; i++) {
        const size_t libraries = i == 1;
        const bool fails = i == 2; /* to make the texture again */
        struct gpu_kernel kernels[2] = {test_kernel("fake:"), test_kernel("fake: time_ns=600000")};
        struct measurement attached = measurement_unknown(STATUS_OK);
        struct measurement finals[2] = {measurement_unknown(STATUS_CRASHED), attached};
        struct error error = {0};
        test_gpu_open(&gpu, FILL_NONE);
        fake.device_room = 1 << 30;
        set = (struct gpu_set){.computed = true, .checked = true, .accept.launch.texture_count = 1};
        set.accept.launch.textures[0] = (struct launch_texture){.width = 64, .buffer = TEST_IN};
        gpu.set = gpu.sets[0] = &set;
        gpu_techniques_attach(&gpu, &set.accept, &attached);
        const unsigned char *const first = gpu.tested;
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernels[1]), cudaSuccess);
        fake.texture_error = fails ? cudaErrorMemoryAllocation : cudaSuccess;
        kernels[0].shared_object = (struct gpu_library *)&set; /* never used, as its status is a failure */
        CU_ASSERT_EQUAL(
            gpu_play_off(&gpu, kernels + 1 - libraries, finals + 1 - libraries, 1 + libraries, false, 100 * s, &error),
            0);
        CU_ASSERT_EQUAL(finals[1].playoff, fails ? PLAYOFF_NONE : PLAYOFF_LEADER);
        CU_ASSERT_EQUAL(gpu.tested == first, libraries == 1);
        CU_ASSERT_EQUAL(fake.texture.res.linear.devPtr == gpu.buffers[TEST_IN].data, !fails);
        CU_ASSERT_EQUAL(fake.textures, fails ? 0 : 1);
        expect_text(finals[1].message, fails ? "correct at first, then failed when repeated: out of memory" : "");
        gpu_unload(&kernels[1]);
        test_gpu_close(&gpu);
    }
}

/* A failure is the failing kernel's status, and the others have no time. */
static void failures(void)
{
    static const struct {
        const char *scripts[KERNELS];
        int failed;
        enum status status;
        const char *message;
        bool spoiled;
    } rows[] = {
        {{"fake: id=a", "fake: sticky=20", "fake: id=c"},
         1,
         STATUS_CRASHED,
         "correct at first, then failed when repeated: an illegal memory access was encountered",
         true},
        {{"fake: id=a", "fake: id=b", "fake: refuse=20"},
         2,
         STATUS_LAUNCH_ERROR,
         "correct at first, then failed when repeated: too many resources requested for launch",
         false},
        {{"fake: load=2", "fake: id=b", "fake: id=c"},
         0,
         STATUS_LAUNCH_ERROR,
         "correct at first, then failed when repeated: out of memory",
         false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct measurement finals[KERNELS];
        test_gpu_open(&gpu, FILL_NONE);
        play(rows[i].scripts, 100 * s, finals);
        for (int k = 0; k < KERNELS; k++) {
            CU_ASSERT_EQUAL(finals[k].status, k == rows[i].failed ? rows[i].status : STATUS_OK);
            CU_ASSERT(isnan(finals[k].value));
            expect_text(finals[k].message, k == rows[i].failed ? rows[i].message : "");
        }
        CU_ASSERT_EQUAL(gpu.spoiled, rows[i].spoiled);
    }
    test_gpu_close(&gpu);
}

/* A kernel that is right when loaded and wrong later drops out, and the others are compared without it. */
static void wrong_later(void)
{
    static const char later[] = "right on the first launch, wrong on a later one: ";
    static const char shared[] = "correct at first, then one of those timed together writes outside a buffer: 4 bytes "
                                 "beside out";
    static const struct {
        const char *scripts[KERNELS];
        struct {
            enum status status;
            enum playoff playoff;
            const char *message;
        } finals[KERNELS];
        bool spoiled;
    } rows[] = {
        {{"fake: time_ns=50000 stale=3", "fake: time_ns=60000"},
         {{STATUS_WRONG_RESULT, PLAYOFF_NONE, later}, {STATUS_OK, PLAYOFF_LEADER, ""}},
         false},
        {{"fake: time_ns=60000", "fake: time_ns=50000 wrong=20", "fake: time_ns=70000"},
         {{STATUS_OK, PLAYOFF_LEADER, ""}, {STATUS_WRONG_RESULT, PLAYOFF_NONE, later}, {STATUS_OK, PLAYOFF_LOST, ""}},
         false},
        {{"fake: time_ns=50000 stale=2", "fake: time_ns=60000 stale=2"},
         {{STATUS_WRONG_RESULT, PLAYOFF_NONE, later}, {STATUS_WRONG_RESULT, PLAYOFF_NONE, later}},
         false},
        {{"fake: time_ns=50000 beside=20/0"},
         {{STATUS_WRONG_RESULT, PLAYOFF_NONE, "right on the first launch, wrong on a later one: writes outside"}},
         true},
        /* the culprit is unknown */
        {{"fake: time_ns=60000", "fake: time_ns=50000 beside=20/0"},
         {{STATUS_CRASHED, PLAYOFF_NONE, shared}, {STATUS_CRASHED, PLAYOFF_NONE, shared}},
         true},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct measurement finals[KERNELS];
        test_gpu_open(&gpu, FILL_NONE);
        play(rows[i].scripts, 100 * s, finals);
        for (size_t k = 0; k < KERNELS && rows[i].scripts[k]; k++) {
            bool right = rows[i].finals[k].status == STATUS_OK;
            CU_ASSERT_EQUAL(finals[k].status, rows[i].finals[k].status);
            CU_ASSERT_EQUAL(finals[k].playoff, rows[i].finals[k].playoff);
            CU_ASSERT_EQUAL(finals[k].verified == VERIFIED_TIMED, right);
            CU_ASSERT_EQUAL(isnan(finals[k].value), !right);
            expect_start(finals[k].message, rows[i].finals[k].message);
        }
        CU_ASSERT_EQUAL(gpu.spoiled, rows[i].spoiled);
    }
    test_gpu_close(&gpu);
}

/* A finalist that is as fast as the leader, but not as steady, is not tied with it. */
static void unsteady(void)
{
    static const struct {
        const char *scripts[KERNELS];
        enum playoff places[KERNELS];
    } rows[] = {
        {{"fake: time_ns=100000 noise=0.001 id=a", "fake: time_ns=99300 noise=0.1"},
         {PLAYOFF_LEADER, PLAYOFF_UNSTEADY}},
        {{"fake: time_ns=100000 noise=0.1 id=a", "fake: time_ns=100000 noise=0.1"}, {PLAYOFF_LEADER, PLAYOFF_TIED}},
        {{"fake: time_ns=100000 noise=0.01 id=a", "fake: time_ns=200000 noise=0.1"}, {PLAYOFF_LEADER, PLAYOFF_LOST}},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct measurement finals[KERNELS];
        test_gpu_open(&gpu, FILL_NONE);
        play(rows[i].scripts, 100 * s, finals);
        for (size_t k = 0; k < KERNELS && rows[i].scripts[k]; k++)
            CU_ASSERT_EQUAL(finals[k].playoff, rows[i].places[k]);
    }
    test_gpu_close(&gpu);
}

/* A further process plays for a given time, however precise the medians are, and fewer rounds suffice. */
static void further(void)
{
    static const double works[KERNELS] = {1, 1};
    static const struct {
        const char *scripts[KERNELS];
        int64_t timeout_ns;
        uint32_t samples, first_samples; /* of the first finalist; first_samples: in the first process */
        const char *message;
    } rows[] = {
        /* precise, but undecided */
        {{"fake: time_ns=600000 id=a", "fake: time_ns=600000 noise=0.0001"}, 100 * s, 53, 48, ""},
        {{"fake: time_ns=600000 noise=0.02 id=a", "fake: time_ns=600000 noise=0.02 id=b"}, 100 * s, 53, 112, ""},
        /* slow: too few for an interval, enough for a median */
        {{"fake: time_ns=100000000 id=a", "fake: time_ns=100000000"}, 100 * s, 3, 7, ""},
        {{"fake: time_ns=100000000 id=a", "fake: time_ns=100000000"},
         1 * s,
         2,
         2,
         "the time limit had room for 2 of at least 3 rounds in a further process"},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        for (int further = 0; further < 2; further++) {
            struct measurement finals[KERNELS];
            test_gpu_open(&gpu, FILL_NONE);
            play_work(rows[i].scripts, works, further, rows[i].timeout_ns, finals);
            expect_number("samples", finals[0].samples, further ? rows[i].samples : rows[i].first_samples);
            CU_ASSERT_EQUAL(finals[0].processes, 1);
            if (further)
                expect_text(finals[0].message, rows[i].message);
        }
    test_gpu_close(&gpu);
}

/* A kernel that has lost needs no precise time, unlike the leader. */
static void lost_early(void)
{
    static const char quiet[] = "fake: time_ns=10000000 id=a", noisy[] = "fake: time_ns=10000000 noise=0.2 id=a";
    static const char *const rows[][KERNELS] = {{quiet, "fake: time_ns=15000000 noise=0.2"},
                                                {noisy, "fake: time_ns=15000000 noise=0.2"}};
    struct measurement finals[COUNT(rows)][KERNELS];
    for (size_t i = 0; i < COUNT(rows); i++) {
        test_gpu_open(&gpu, FILL_NONE);
        play(rows[i], 100 * s, finals[i]);
        CU_ASSERT_EQUAL(finals[i][1].playoff, PLAYOFF_LOST);
    }
    expect_number("samples", finals[0][0].samples, 7);
    CU_ASSERT(finals[1][0].samples > 7);
    test_gpu_close(&gpu);
}

/* A play-off ends in time, and reports too little time. */
static void time_limit(void)
{
    static const char *const scripts[KERNELS] = {"fake: time_ns=100000000", "fake: time_ns=200000000"};
    static const struct {
        int64_t timeout_ns;
        const char *message;
    } rows[] = {
        {30 * s, ""},
        {1 * s, "the time limit had room for 1 of at least 7 rounds: the interval is their range"},
        {1, "the time limit had room for 1 of at least 7 rounds: the interval is their range"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct measurement finals[KERNELS];
        test_gpu_open(&gpu, FILL_NONE);
        int64_t start_ns = fake.now_ns;
        play(scripts, rows[i].timeout_ns, finals);
        CU_ASSERT(fake.now_ns - start_ns < rows[i].timeout_ns + s);
        expect_text(finals[0].message, rows[i].message);
        CU_ASSERT_EQUAL(finals[0].playoff, PLAYOFF_LEADER);
        expect_number("leader", finals[0].value, 1e8);
        expect_number("other", finals[1].value, 2e8);
    }
    test_gpu_close(&gpu);
}

CU_TestInfo tests_playoff[] = {{"places", places},           {"per unit of work", per_work},
                               {"outliers", outliers},       {"drift", drift},
                               {"rounds", rounds},           {"reloading", reloading},
                               {"failures", failures},       {"time limit", time_limit},
                               {"wrong later", wrong_later}, {"unsteady", unsteady},
                               {"further", further},         {"moving", moving},
                               {"lost early", lost_early},   CU_TEST_INFO_NULL};
