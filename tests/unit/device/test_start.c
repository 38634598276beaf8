/* Device processes start and end, over the fake runtime. */
#include <stdlib.h>

#include "device_kit.h"

/* A set-up may begin before the process has answered; only the caller waits. */
static void in_steps(void)
{
    struct measurement measurements[DEVICE_KERNELS_MAX];
    struct error error = {0};
    struct device *device = NULL;
    struct space space;
    struct buffer buffers[TEST_BUFFERS];
    struct launch launch = test_launch();
    struct device_setup setup = test_setup(&space, buffers, &launch);
    uint64_t id;
    int64_t start_ns = clock_now_ns();
    fake_reset();
    fake.start_ms = 500;
    CU_ASSERT_EQUAL_FATAL(device_start(&device, "0", false, &error), 0);
    CU_ASSERT_FALSE(device_answered(device));
    CU_ASSERT_EQUAL(device_begin_setup(device, &setup, &error), 0);
    CU_ASSERT_FALSE(device_is_set_up(device));
    CU_ASSERT(clock_now_ns() - start_ns < 500000000);
    while (!device_is_set_up(device)) {
        worker_wait((struct worker *[]){device_worker(device)}, 1, INT64_MAX);
        CU_ASSERT_EQUAL_FATAL(device_next(device, &id, measurements, &error), 0);
    }
    CU_ASSERT(device_answered(device));
    CU_ASSERT(clock_now_ns() - start_ns >= 500000000);
    CU_ASSERT_EQUAL(device_await(device, &error), 0); /* optional */
    CU_ASSERT_EQUAL(test_measure(device, "fake: time_ns=5000", INFINITY, test_patience_ns).value, 5000);
    device_close(device);
}

static bool is_alive(pid_t pid)
{
    return kill(pid, 0) == 0; /* alive, or not reaped yet */
}

/* device_leave leaves an idle process to end by itself, but not a busy one. The next start waits for it. */
static void left_alone(void)
{
    struct error error = {0};
    fake_reset();
    struct device *device = test_device_open(&test_sampling), *next = NULL;
    pid_t pid = device_worker(device)->pid;
    device_leave(device);
    CU_ASSERT_EQUAL(device_worker(device)->pid, 0);
    device_close(device);
    CU_ASSERT(is_alive(pid));
    CU_ASSERT_EQUAL_FATAL(device_start(&next, "0", false, &error), 0);
    CU_ASSERT_FALSE(is_alive(pid));
    device_close(next);
    device = test_device_open(&test_sampling);
    pid = device_worker(device)->pid;
    struct launch launch = test_launch();
    struct device_kernel spin = test_device_kernel("fake: spin=1", &launch);
    CU_ASSERT_EQUAL(device_submit(device,
                                  &(struct device_job){.kernels = &spin,
                                                       .kernel_count = 1,
                                                       .incumbent_ns = INFINITY,
                                                       .timeout_ns = test_patience_ns},
                                  &error),
                    0);
    device_leave(device);
    CU_ASSERT_EQUAL(device_worker(device)->pid, pid);
    device_close(device);
    CU_ASSERT_FALSE(is_alive(pid));
    device_leave(NULL);
}

/* Processes beyond the recorded number end at once. */
static void many_left(void)
{
    enum { MANY = 80 };
    struct device *devices[MANY], *next = NULL;
    pid_t pids[MANY];
    struct error error = {0};
    int left = 0;
    fake_reset();
    for (int i = 0; i < MANY; i++) {
        CU_ASSERT_EQUAL_FATAL(device_open(&devices[i], "0", &error), 0);
        pids[i] = device_worker(devices[i])->pid;
    }
    for (int i = 0; i < MANY; i++) {
        device_leave(devices[i]);
        left += device_worker(devices[i])->pid == 0;
        device_close(devices[i]);
    }
    CU_ASSERT(left > 1 && left < MANY);
    for (int i = 0; i < MANY; i++)
        left -= is_alive(pids[i]);
    CU_ASSERT_EQUAL(left, 0);
    CU_ASSERT_EQUAL_FATAL(device_start(&next, "0", false, &error), 0);
    for (int i = 0; i < MANY; i++)
        CU_ASSERT_FALSE(is_alive(pids[i]));
    device_close(next);
}

/* Runs in one stream have one connection. A set-up that needs more replaces the process. */
static void connections(void)
{
    static const struct {
        bool started, set_up; /* with streams */
        unsigned lives;       /* most processes: the first may end before it begins */
        int connections;      /* 0: CUDA's own number */
    } rows[] = {{false, false, 1, 1}, {true, true, 1, 0}, {false, true, 2, 0}, {true, false, 1, 0}};
    for (size_t i = 0; i < 2 * COUNT(rows); i++) {
        struct error error = {0};
        struct device *device = NULL;
        struct space space;
        struct buffer buffers[TEST_BUFFERS];
        struct launch launch = test_launch();
        struct device_setup setup = test_setup(&space, buffers, &launch);
        fake_reset();
        unsetenv("CUDA_DEVICE_MAX_CONNECTIONS");
        setup.streams = rows[i / 2].set_up;
        CU_ASSERT_EQUAL_FATAL(device_start(&device, "0", rows[i / 2].started, &error), 0);
        if (i % 2)
            CU_ASSERT_EQUAL_FATAL(device_await(device, &error), 0);
        CU_ASSERT_EQUAL_FATAL(device_setup(device, &setup, &error), 0);
        CU_ASSERT_EQUAL(fake_connections(), rows[i / 2].connections);
        CU_ASSERT(fake_lives() <= rows[i / 2].lives);
        device_close(device);
    }
}

/* A library's process has CUDA's own number of connections. */
static void connections_of_library(void)
{
    static const struct {
        const char *library;
        int connections;
    } rows[] = {{NULL, 1}, {"missing.so", 0}, {NULL, 1}};
    struct measurement measurements[DEVICE_KERNELS_MAX];
    struct error error = {0};
    struct launch launch = test_launch();
    uint64_t id;
    fake_reset();
    unsetenv("CUDA_DEVICE_MAX_CONNECTIONS");
    struct device *device = test_device_open(&test_sampling);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct device_kernel kernels[] = {test_device_kernel("fake: time_ns=5000", &launch),
                                          test_device_kernel("fake: time_ns=5000", &launch)};
        const struct device_job job = {
            .playoff = true, .kernels = kernels, .kernel_count = 2, .timeout_ns = test_patience_ns};
        if (rows[i].library)
            kernels[1] = (struct device_kernel){.library = rows[i].library, .work = 1};
        device_rest(device);
        CU_ASSERT_EQUAL_FATAL(device_submit(device, &job, &error), 0);
        CU_ASSERT_EQUAL(test_wait(device, &id, measurements, &error), 1);
        CU_ASSERT_EQUAL(measurements[0].status, STATUS_OK);
        CU_ASSERT_EQUAL(fake_connections(), rows[i].connections);
    }
    device_close(device);
}

CU_TestInfo tests_start[] = {{"in steps", in_steps},
                             {"left alone", left_alone},
                             {"many left", many_left},
                             {"connections", connections},
                             {"connections of a library", connections_of_library},
                             CU_TEST_INFO_NULL};
