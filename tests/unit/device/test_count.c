#include "device/count.h"
#include "device/cupti.h"
#include "device/launch.h"
#include "fake_gpu.h"

static struct gpu gpu;

static void open_gpu(enum buffer_fill fill, bool warm)
{
    struct error error = {0};
    test_gpu_begin(&gpu, fill);
    gpu.sampling.warm = warm;
    fake.cupti = true;
    CU_ASSERT_EQUAL_FATAL(cupti_open(&gpu.cupti, 0, &error), 0);
    fake_trace_clear();
}

/* Unloads the kernel, which counting leaves loaded. */
static void close_gpu(struct gpu_kernel *kernel)
{
    gpu_unload(kernel);
    cupti_close(gpu.cupti);
    test_gpu_close(&gpu);
}

/* Each pass starts as a timed run does: with restored buffers, and an L2 that is flushed or warm. */
static void passes(void)
{
    static const struct {
        enum buffer_fill fill;
        bool warm;
        const char *trace;
    } rows[] = {{FILL_NONE, false, "LFkFkFk"},
                {FILL_NONE, true, "Lkkkkkk"},
                {FILL_RANDOM, false, "LCFkCFkCFk"},
                {FILL_RANDOM, true, "LCkCkCkCkCkCk"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel = test_kernel("fake:");
        struct evidence evidence = evidence_unknown();
        struct error error = {0};
        open_gpu(rows[i].fill, rows[i].warm);
        CU_ASSERT_EQUAL(gpu_count(&gpu, &kernel, &evidence, &error), 0);
        CU_ASSERT_EQUAL(evidence.cycles, 1000);
        CU_ASSERT_EQUAL(evidence.warps_active, 0.5);
        CU_ASSERT(isnan(evidence.registers));
        expect_text(fake_trace(), rows[i].trace);
        CU_ASSERT_PTR_NULL(fake.misuse);
        close_gpu(&kernel);
    }
}

/* Only the first of repeated launches is counted. An even number of repetitions stays even. No graph is made. */
static void sequences(void)
{
    static const struct {
        uint32_t repeats[3];
        const char *trace;
    } rows[] = {{{1, 1, 1}, "LFkkkFkkkFkkk"}, {{7, 1000, 1}, "LFkkkkFkkkkFkkkk"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel = test_kernel("fake:");
        struct evidence evidence[3];
        struct error error = {0};
        kernel.launch.step_count = 3;
        for (uint32_t s = 0; s < 3; s++) {
            kernel.launch.steps[s] = kernel.launch.steps[0];
            kernel.launch.steps[s].grid[0] = s + 1;
            kernel.launch.steps[s].repeat = rows[i].repeats[s];
        }
        kernel.launch.graph = 1;
        open_gpu(FILL_NONE, false);
        CU_ASSERT_EQUAL(gpu_count(&gpu, &kernel, evidence, &error), 0);
        for (size_t s = 0; s < 3; s++)
            CU_ASSERT_EQUAL(evidence[s].cycles, 1000.0 * (double)(s + 1));
        expect_text(fake_trace(), rows[i].trace);
        CU_ASSERT_EQUAL(fake.graphs, 0);
        close_gpu(&kernel);
    }
}

static void failures(void)
{
    static const struct {
        const char *script;
        unsigned passes;
        const char *message;
    } rows[] = {{"fake: refuse=2", 3, "running under the profiler: too many resources requested for launch"},
                {"fake: sticky=2", 3, "running under the profiler: an illegal memory access was encountered"},
                {"fake: invalid=1", 3, "loading: device kernel image is invalid"},
                {"fake:", 0, "the profiler wants more than its 0 passes"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel = test_kernel(rows[i].script);
        struct evidence evidence = evidence_unknown();
        struct error error = {0};
        test_gpu_begin(&gpu, FILL_NONE);
        fake.cupti = true;
        fake.cupti_passes = rows[i].passes;
        CU_ASSERT_EQUAL_FATAL(cupti_open(&gpu.cupti, 0, &error), 0);
        CU_ASSERT_NOT_EQUAL(gpu_count(&gpu, &kernel, &evidence, &error), 0);
        expect_start(error.message, rows[i].message);
        close_gpu(&kernel);
    }
}

CU_TestInfo tests_count[] = {{"passes", passes}, {"sequences", sequences}, {"failures", failures}, CU_TEST_INFO_NULL};
