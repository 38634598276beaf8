/* Holding the stream: the runs that are held, and their release. */
#include "device/launch.h"
#include "device/measure.h"
#include "device/stamps.h"
#include "device/stream_gate.h"
#include "device/timer.h"
#include "fake_gpu.h"

static struct gpu gpu; /* large */

static void held(void)
{
    static const struct {
        uint32_t repeat;
        bool warm, graph;
        size_t held;
        bool noted;
    } rows[] = {
        {1, false, false, 0, false},   {1, true, false, 69, false},   {2, false, false, 64, false},
        {758, true, false, 1, false},  {759, true, false, 0, true},   {759, false, false, 0, true},
        {2000, true, true, 69, false}, {2000, false, true, 0, false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel = test_kernel("fake:");
        struct measurement measurement = measurement_unknown(STATUS_OK);
        test_gpu_open(&gpu, FILL_NONE);
        gpu.sampling.warm = rows[i].warm;
        kernel.launch.steps[0].repeat = rows[i].repeat;
        kernel.launch.graph = rows[i].graph;
        CU_ASSERT_EQUAL(gpu_timed_kernel(&gpu, &kernel).held, rows[i].held);
        gpu_note_unheld(&gpu, &kernel, &measurement);
        expect_text(measurement.message,
                    rows[i].noted
                        ? "759 launches are more than can be queued before the first one starts: the time may "
                          "contain the host's latency, which `graph 1` avoids"
                        : "");
        test_gpu_close(&gpu);
    }
}

/* A hold ends by its release or by its time limit. */
static void ends(void)
{
    for (int released = 0; released < 2; released++) {
        test_gpu_open(&gpu, FILL_NONE);
        int64_t start_ns = fake.now_ns;
        CU_ASSERT_EQUAL(gpu_close_gate(&gpu), cudaSuccess);
        CU_ASSERT_EQUAL(gpu_close_gate(&gpu), cudaSuccess);
        if (released)
            gpu_release(&gpu);
        CU_ASSERT_EQUAL(cudaStreamSynchronize(gpu.stream), cudaSuccess);
        CU_ASSERT_EQUAL(fake.now_ns - start_ns > 99000000, !released);
        CU_ASSERT(fake.now_ns - start_ns < 110000000);
        test_gpu_close(&gpu);
    }
}

/* The first launch of cutune's own kernels does not wait for the end of a hold. */
static void own_kernels(void)
{
    test_gpu_begin(&gpu, FILL_NONE);
    const int64_t start_ns = fake.now_ns;
    CU_ASSERT_EQUAL(gpu_close_gate(&gpu), cudaSuccess);
    CU_ASSERT_EQUAL(gpu_queue_shortest(&gpu), cudaSuccess);
    CU_ASSERT_EQUAL(gpu_queue_stamp(&gpu, 0), cudaSuccess);
    CU_ASSERT(fake.now_ns - start_ns < 1000000);
    gpu_release(&gpu);
    CU_ASSERT_EQUAL(cudaStreamSynchronize(gpu.stream), cudaSuccess);
    test_gpu_close(&gpu);
}

/* A batch in several holds has a hold before each part, and none at the end. */
static void parts(void)
{
    struct gpu_kernel kernel = test_kernel("fake: time_ns=1000");
    struct measurement measurement = measurement_unknown(STATUS_OK);
    double samples_ns[4];
    test_gpu_open(&gpu, FILL_NONE);
    gpu.sampling.warm = true;
    CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
    struct gpu_timed timed = gpu_timed_kernel(&gpu, &kernel);
    timed.held = 2;
    fake_trace_clear();
    CU_ASSERT_EQUAL(gpu_run_batch(&gpu, &timed, 4, INT64_MAX, samples_ns, &measurement), cudaSuccess);
    expect_text(fake_trace(), "khEkEEkEhEkEEkEtc");
    for (size_t i = 0; i < COUNT(samples_ns); i++)
        CU_ASSERT_EQUAL(samples_ns[i], 1000);
    CU_ASSERT_EQUAL(*gpu.released, gpu.held);
    gpu_unload(&kernel);
    test_gpu_close(&gpu);
}

CU_TestInfo tests_stream_gate[] = {
    {"held", held}, {"ends", ends}, {"own kernels", own_kernels}, {"parts", parts}, CU_TEST_INFO_NULL};
