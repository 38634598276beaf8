/* Several set-ups of one device process over the fake runtime: the second behaves like that of a new process. */
#include <stdlib.h>

#include "device/buffers.h"
#include "device/clear_setup.h"
#include "device/host.h"
#include "device/launch.h"
#include "fake_gpu.h"

/* ---- In this process ---- */

static struct gpu gpu; /* large */

/* allocations of the device: flush, clock and hold */
enum { DEVICES_OWN = 3 };

/* Everything that set-up and jobs allocate is freed: sets in their own memory, host memory and events of a pipeline, a
 * loaded accept kernel. */
static void nothing_remains(void)
{
    bool made;
    struct error error = {0};
    test_gpu_open(&gpu, FILL_NONE);
    for (size_t s = 0; s < 2; s++) {
        gpu.sets[s] = calloc(1, sizeof *gpu.sets[s]);
        CU_ASSERT_PTR_NOT_NULL_FATAL(gpu.sets[s]);
        gpu.sets[s]->reference = test_kernel("fake:");
        gpu.sets[s]->message = malloc(1);
    }
    gpu.sets[1]->memory =
        (unsigned char *)gpu.verdicts + 512 * ((GPU_BUFFERS_MAX + 1) * sizeof *gpu.verdicts / 512 + 1);
    CU_ASSERT_EQUAL(gpu.sets[1]->memory, gpu.buffers[TEST_OUT].reference); /* now another set's */
    CU_ASSERT_EQUAL(cudaMalloc((void **)&gpu.sets[0]->memory, gpu.set_bytes), cudaSuccess);
    gpu.sets[1]->accept = test_kernel("fake: letter=a");
    CU_ASSERT_EQUAL(gpu_load(&gpu.sets[1]->accept), cudaSuccess);
    for (int kind = 0; kind < HOST_COUNT; kind++)
        CU_ASSERT_EQUAL(
            gpu_host_make(
                &gpu, &(struct launch_pipeline){.copy_count = 1, .packed = true, .host_memory = (uint16_t)kind}, &made),
            cudaSuccess);
    CU_ASSERT_EQUAL(cudaStreamCreateWithFlags(&gpu.pipeline.streams[0], cudaStreamNonBlocking), cudaSuccess);
    CU_ASSERT_EQUAL(cudaEventCreateWithFlags(&gpu.pipeline.start, cudaEventDisableTiming), cudaSuccess);
    fake_trace_clear();
    unsigned resets = fake.resets;
    CU_ASSERT(gpu_clear_setup(&gpu));
    CU_ASSERT_EQUAL(fake.live, DEVICES_OWN);
    CU_ASSERT_EQUAL(fake.device_used, gpu.flush_bytes);
    CU_ASSERT_EQUAL(fake.resets, resets + (gpu.limits.l2_persisting_bytes > 0));
    expect_text(fake_trace(), "UU");
    CU_ASSERT_PTR_NULL(gpu.tested);
    CU_ASSERT_PTR_NULL(gpu.set);
    CU_ASSERT_PTR_NULL(gpu.sets[1]);
    CU_ASSERT_EQUAL(gpu.buffer_count, 0);
    CU_ASSERT_PTR_NOT_NULL(gpu.stream);
    CU_ASSERT_PTR_NULL(fake.misuse);
    CU_ASSERT_EQUAL(gpu_load_helpers(&gpu, "fake:", &error), 0);
    test_gpu_close(&gpu);
}

/* A process that was never set up, or whose context is broken, is handled. */
static void nothing_to_forget(void)
{
    struct error error = {0};
    test_gpu_close(&gpu);
    CU_ASSERT_EQUAL(gpu_open_stream(&gpu, &error), 0);
    CU_ASSERT(gpu_clear_setup(&gpu));
    CU_ASSERT_EQUAL(fake.live, 0);
    fake.broken = cudaErrorIllegalAddress;
    CU_ASSERT_FALSE(gpu_clear_setup(&gpu));
    test_gpu_close(&gpu);
}

/* The clock stays settled unless the device was idle for long. Freed memory is cleared in the background. */
static void stays_awake(void)
{
    static const struct {
        int64_t idle_ns;
        uint64_t bytes;
        bool awake;
    } rows[] = {{1000000, 0, true}, {1000000, 1 << 20, true}, {200000000, 0, false}, {1000000, 1 << 28, false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        test_gpu_open(&gpu, FILL_NONE);
        int64_t awake_ns = gpu.awake_ns;
        CU_ASSERT(awake_ns > 0);
        gpu.held_bytes = gpu.flush_bytes + rows[i].bytes;
        gpu.idle_ns = clock_now_ns();
        fake.now_ns += rows[i].idle_ns;
        CU_ASSERT(gpu_clear_setup(&gpu));
        CU_ASSERT_EQUAL(gpu.awake_ns == awake_ns, rows[i].awake);
        CU_ASSERT(rows[i].awake || clock_now_ns() - gpu.awake_ns < 1000000);
        test_gpu_close(&gpu);
    }
}

/* ---- Through a device process ---- */

/* A set-up of so many elements; all but `space`, `buffers` and `launch` is as in test_setup. */
struct size {
    struct space space;
    struct buffer buffers[TEST_BUFFERS];
    struct launch launch;
    struct device_setup setup;
};

static void make_size(struct size *size, int count, const char *reference)
{
    size->launch = test_launch();
    test_put(&size->launch, 2, &count, sizeof count);
    size->setup = test_setup(&size->space, size->buffers, &size->launch);
    size->buffers[TEST_IN].count = size->buffers[TEST_OUT].count = (uint64_t)count;
    size->setup.first.reference = test_device_kernel(reference, &size->launch);
}

static struct measurement measure(struct device *device, const struct size *size, const char *script)
{
    struct device_kernel kernel = test_device_kernel(script, &size->launch);
    struct device_job job = {
        .id = 7, .kernels = &kernel, .kernel_count = 1, .incumbent_ns = INFINITY, .timeout_ns = test_patience_ns};
    struct measurement measurements[DEVICE_KERNELS_MAX] = {{.status = STATUS_COUNT}};
    struct error error = {0};
    uint64_t id;
    CU_ASSERT_EQUAL(device_submit(device, &job, &error), 0);
    CU_ASSERT_EQUAL(test_wait(device, &id, measurements, &error), 1);
    return measurements[0];
}

enum { FIRST_COUNT = 1500000, SECOND_COUNT = 1400003 }; /* both together exceed the device's 24 MiB */

/* A renewed process and a new one have the same outcomes at a second size, and the same trace. */
static void as_new(void)
{
    static const char *const scripts[] = {"fake: time_ns=5000", "fake: time_ns=6000 first_ns=900 cold_ns=700",
                                          "fake: wrong=1",      "fake: unwritten=1",
                                          "fake: nan=1",        "fake: refuse=1",
                                          "fake: beside=1",     "fake: input=1"};
    for (size_t i = 0; i < COUNT(scripts); i++) {
        struct measurement got[2];
        char traces[2][4096];
        for (int renewed = 0; renewed < 2; renewed++) {
            struct error error = {0};
            struct device *device = NULL;
            static struct size first, second;
            make_size(&first, FIRST_COUNT, "fake: letter=r");
            make_size(&second, SECOND_COUNT, "fake: letter=r");
            fake_reset();
            CU_ASSERT_EQUAL_FATAL(device_open(&device, "0", &error), 0);
            if (renewed) {
                CU_ASSERT_EQUAL_FATAL(device_setup(device, &first.setup, &error), 0);
                CU_ASSERT_EQUAL(measure(device, &first, "fake: id=first").status, STATUS_OK);
                CU_ASSERT_EQUAL(device_renew(device, &error), 0);
                CU_ASSERT_FALSE(device_is_set_up(device));
            }
            CU_ASSERT_EQUAL_FATAL(device_setup(device, &second.setup, &error), 0);
            CU_ASSERT_EQUAL(test_lives(1), 1);
            fake_trace_clear();
            got[renewed] = measure(device, &second, scripts[i]);
            snprintf(traces[renewed], sizeof traces[renewed], "%s", fake_trace());
            device_close(device);
        }
        CU_ASSERT_EQUAL(got[1].status, got[0].status);
        expect_text(got[1].message, got[0].message);
        expect_number(scripts[i], got[1].value, got[0].value);
        expect_number(scripts[i], got[1].low, got[0].low);
        CU_ASSERT_EQUAL(got[1].samples, got[0].samples);
        expect_text(traces[1], traces[0]);
    }
}

/* Renewing works after any state at the first size: a busy process, a killed or resting one, a broken context. `lives`
 * is the number of processes. */
static void after_anything(void)
{
    static const struct {
        const char *script;                    /* measured at the first size */
        bool waits, killed, rests, never_used; /* for its outcome; killed from outside; by device_rest; without a
                                                  set-up */
        unsigned lives;
    } rows[] = {
        {"fake:", .waits = true, .lives = 1},
        {"fake:", .lives = 1}, /* it ends soon */
        {"fake: spin=1", .lives = 2},
        {"fake:", .waits = true, .killed = true, .lives = 2},
        {"fake:", .waits = true, .rests = true, .lives = 2},
        {"fake: sticky=1", .waits = true, .lives = 2},
        {"fake: kill=1", .waits = true, .lives = 3},
        {"fake:", .never_used = true, .lives = 1},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error error = {0};
        struct device *device = NULL;
        static struct size first, second;
        make_size(&first, 1000, "fake:");
        make_size(&second, 500, "fake:");
        fake_reset();
        CU_ASSERT_EQUAL_FATAL(device_open(&device, "0", &error), 0);
        if (!rows[i].never_used)
            CU_ASSERT_EQUAL_FATAL(device_setup(device, &first.setup, &error), 0);
        if (rows[i].waits)
            measure(device, &first, rows[i].script);
        else if (!rows[i].never_used)
            CU_ASSERT_EQUAL(
                device_submit(
                    device,
                    &(struct device_job){.kernels = &(struct device_kernel){.cubin = rows[i].script,
                                                                            .cubin_bytes = strlen(rows[i].script) + 1,
                                                                            .lowered_names = "twice",
                                                                            .name_count = 1,
                                                                            .launch = &first.launch,
                                                                            .work = 1},
                                         .kernel_count = 1,
                                         .incumbent_ns = INFINITY,
                                         .timeout_ns = test_patience_ns},
                    &error),
                0);
        if (rows[i].rests)
            device_rest(device);
        if (rows[i].killed)
            kill(device_worker(device)->pid, SIGKILL);
        CU_ASSERT_EQUAL(device_renew(device, &error), 0);
        CU_ASSERT(device_idle(device));
        CU_ASSERT(device_answered(device));
        CU_ASSERT_EQUAL_FATAL(device_setup(device, &second.setup, &error), 0);
        CU_ASSERT_EQUAL(measure(device, &second, "fake: time_ns=4000").value, 4000);
        CU_ASSERT_EQUAL(test_lives(rows[i].lives), rows[i].lives);
        device_close(device);
    }
}

/* A set-up that fails after another is retried in a new process, whose result counts. */
static void second_opinion(void)
{
    static const struct {
        const char *reference;
        int code;
        const char *message;
    } rows[] = {
        {"fake: nan=1/0", 0, ""},
        {"fake: sticky=1/0", 0, ""},
        {"fake: kill=1/0", 0, ""},
        {"fake: nan=1", ERROR_VALUE, "the output out of the reference kernel is NaN in 1 of 500 values"},
        {"fake: sticky=1", ERROR_DEVICE, "running the reference kernel: an illegal memory access"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error error = {0};
        struct device *device = NULL;
        static struct size first, second, third;
        make_size(&first, 1000, "fake: id=first");
        make_size(&second, 500, rows[i].reference);
        make_size(&third, 600, "fake: id=third");
        fake_reset();
        CU_ASSERT_EQUAL_FATAL(device_open(&device, "0", &error), 0);
        CU_ASSERT_EQUAL_FATAL(device_setup(device, &first.setup, &error), 0);
        CU_ASSERT_EQUAL(device_renew(device, &error), 0);
        CU_ASSERT_EQUAL(device_setup(device, &second.setup, &error), rows[i].code);
        expect_start(error.message, rows[i].message);
        CU_ASSERT_EQUAL(test_lives(2), 2);
        error = (struct error){0};
        CU_ASSERT_EQUAL(device_renew(device, &error), 0);
        CU_ASSERT_EQUAL_FATAL(device_setup(device, &third.setup, &error), 0);
        CU_ASSERT_EQUAL(measure(device, &third, "fake: time_ns=4000").value, 4000);
        device_close(device);
    }
}

/* Ceilings belong to the device: known ones are not measured again, others are. */
static void ceilings_stay(void)
{
    struct error error = {0};
    struct device *device = NULL;
    static struct size size;
    make_size(&size, 1000, "fake: letter=r");
    fake_reset();
    fake.device_room = 256 << 20;
    CU_ASSERT_EQUAL_FATAL(device_open(&device, "0", &error), 0);
    CU_ASSERT_EQUAL_FATAL(device_setup(device, &size.setup, &error), 0);
    const struct ceilings first = *device_ceilings(device);
    CU_ASSERT(first.copy > 0);
    CU_ASSERT(isnan(first.link_both));
    CU_ASSERT_EQUAL(device_renew(device, &error), 0);
    expect_number("copy", device_ceilings(device)->copy, first.copy);
    size.setup.transfers = true;
    CU_ASSERT_EQUAL_FATAL(device_setup(device, &size.setup, &error), 0);
    const struct ceilings second = *device_ceilings(device);
    expect_number("copy", second.copy, first.copy);
    CU_ASSERT(second.link_both > 0);
    CU_ASSERT_EQUAL(device_renew(device, &error), 0);
    fake_trace_clear();
    CU_ASSERT_EQUAL_FATAL(device_setup(device, &size.setup, &error), 0);
    CU_ASSERT(strcspn(fake_trace(), "E") > strcspn(fake_trace(), "r")); /* nothing is timed before the reference */
    expect_number("both", device_ceilings(device)->link_both, second.link_both);
    CU_ASSERT_EQUAL(test_lives(1), 1);
    device_close(device);
}

/* Sets of expected results, and their failures, belong to one set-up. */
static void sets_are_forgotten(void)
{
    struct error error = {0};
    struct device *device = NULL;
    static struct size size;
    make_size(&size, 1000, "fake:");
    fake_reset();
    CU_ASSERT_EQUAL_FATAL(device_open(&device, "0", &error), 0);
    for (int i = 0; i < 2; i++) {
        const struct device_expected bad = {.reference_name = "it",
                                            .reference = test_device_kernel("fake: nan=1", &size.launch)};
        struct device_kernel kernel = test_device_kernel("fake:", &size.launch);
        struct measurement measurements[DEVICE_KERNELS_MAX];
        uint64_t id;
        CU_ASSERT_EQUAL_FATAL(device_setup(device, &size.setup, &error), 0);
        CU_ASSERT_FALSE(device_expects(device, 1));
        CU_ASSERT_PTR_NULL(device_refusal(device, 1));
        CU_ASSERT_EQUAL(device_expect(device, 1, &bad, &error), 0);
        kernel.set = 1;
        CU_ASSERT_EQUAL(device_submit(device,
                                      &(struct device_job){.kernels = &kernel,
                                                           .kernel_count = 1,
                                                           .incumbent_ns = INFINITY,
                                                           .timeout_ns = test_patience_ns},
                                      &error),
                        0);
        CU_ASSERT_EQUAL(test_wait(device, &id, measurements, &error), 1);
        CU_ASSERT_EQUAL(measurements[0].status, STATUS_WRONG_RESULT);
        CU_ASSERT_PTR_NOT_NULL(device_refusal(device, 1));
        CU_ASSERT_EQUAL(device_renew(device, &error), 0);
    }
    device_close(device);
}

CU_TestInfo tests_clear_setup[] = {{"nothing remains", nothing_remains},
                                   {"nothing to forget", nothing_to_forget},
                                   {"stays awake", stays_awake},
                                   {"as new", as_new},
                                   {"after anything", after_anything},
                                   {"second opinion", second_opinion},
                                   {"ceilings stay", ceilings_stay},
                                   {"sets are forgotten", sets_are_forgotten},
                                   CU_TEST_INFO_NULL};
