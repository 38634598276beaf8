/* The times of a pipeline's stages, through gpu_count. */
#include "device/count.h"
#include "device/launch.h"
#include "device/techniques.h"
#include "fake_gpu.h"

static struct gpu gpu;

/* `twice` by `chunks` chunks in as many streams, where each chunk computes everything. */
static struct gpu_kernel make_pipeline(const char *script, enum host_memory kind, uint64_t chunks)
{
    struct gpu_kernel kernel = test_kernel(script);
    kernel.launch.pipeline = (struct launch_pipeline){.total = TEST_COUNT,
                                                      .chunk_length = TEST_COUNT / chunks,
                                                      .streams = (uint32_t)chunks,
                                                      .pieces = 1,
                                                      .host_memory = (uint16_t)kind,
                                                      .copy_count = 2,
                                                      .copies = {{TEST_IN, 1, 0}, {TEST_OUT, 0, 1}}};
    return kernel;
}

static void close_gpu(struct gpu_kernel *kernel)
{
    fake_finish();
    gpu_unload(kernel);
    test_gpu_close(&gpu);
}

/* Works without CUPTI. The link takes 160 ns in total, and a launch its time for each chunk. A run reads the clock
 * twice for the host's work, a microsecond each. */
static void times(void)
{
    static const struct {
        enum host_memory kind;
        uint64_t chunks;
        double in_ns, kernel_ns, out_ns, run_ns;
    } rows[] = {
        {HOST_PINNED, 1, 160, 500, 160, 840}, {HOST_PINNED, 2, 160, 1000, 160, 1180}, {HOST_MAPPED, 1, 0, 500, 0, 520}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel = make_pipeline("fake: time_ns=500 first_ns=9000", rows[i].kind, rows[i].chunks);
        struct evidence evidence = evidence_unknown();
        struct error error = {0};
        test_gpu_begin(&gpu, FILL_NONE);
        CU_ASSERT_EQUAL(gpu_count(&gpu, &kernel, &evidence, &error), 0);
        CU_ASSERT_EQUAL(evidence.allocate_ns, 0);
        expect_number("in_ns", evidence.in_ns, rows[i].in_ns);
        expect_number("kernel_ns", evidence.kernel_ns, rows[i].kernel_ns);
        expect_number("out_ns", evidence.out_ns, rows[i].out_ns);
        expect_number("run_ns", evidence.run_ns, rows[i].run_ns);
        CU_ASSERT(isnan(evidence.cycles));
        CU_ASSERT_PTR_NULL(fake.misuse);
        close_gpu(&kernel);
    }
}

/* Each stage starts as a timed run does: with restored buffers, an L2 that is flushed or warm, and the host's data. */
static void conditions(void)
{
    static const struct {
        enum buffer_fill fill;
        bool warm;
        const char *once; /* after the host's data: the first times of the stages in, kernel and out, and of the run */
    } rows[] = {{FILL_NONE, false, "FEIEcFEkEcFEOEcFEIkOEc"},
                {FILL_NONE, true, "IEIEckEkEcOEOEcIkOEIkOEc"},
                {FILL_RANDOM, false, "COFEIEcCOFEkEcCOFEOEcCOFEIkOEc"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel = make_pipeline("fake: time_ns=500", HOST_PINNED, 1);
        struct evidence evidence = evidence_unknown();
        struct error error = {0};
        test_gpu_begin(&gpu, rows[i].fill);
        gpu.sampling.warm = rows[i].warm;
        fake_trace_clear();
        CU_ASSERT_EQUAL(gpu_count(&gpu, &kernel, &evidence, &error), 0);
        expect_start(fake_trace(), "LOO");
        expect_start(fake_trace() + 3, rows[i].once);
        close_gpu(&kernel);
    }
}

/* Slow pipelines are timed only once after the first time. */
static void slow(void)
{
    static const struct {
        const char *script;
        unsigned launches; /* two for each time */
    } rows[] = {{"fake: time_ns=500 first_ns=900", 12}, {"fake: time_ns=200000000 first_ns=900", 4}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel = make_pipeline(rows[i].script, HOST_PINNED, 1);
        struct evidence evidence = evidence_unknown();
        struct error error = {0};
        test_gpu_begin(&gpu, FILL_NONE);
        CU_ASSERT_EQUAL(gpu_count(&gpu, &kernel, &evidence, &error), 0);
        CU_ASSERT_EQUAL(fake_launches(rows[i].script), rows[i].launches);
        expect_number("kernel_ns", evidence.kernel_ns, i ? 200000000 : 500); /* discards the longer first time */
        close_gpu(&kernel);
    }
}

static void failures(void)
{
    static const struct {
        const char *script, *message;
    } rows[] = {
        {"fake: refuse=2", "timing the stages of the pipeline: too many resources requested for launch"},
        {"fake: sticky=1", "timing the stages of the pipeline: an illegal memory access was encountered"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel = make_pipeline(rows[i].script, HOST_PINNED, 1);
        struct evidence evidence = evidence_unknown();
        struct error error = {0};
        test_gpu_begin(&gpu, FILL_NONE);
        CU_ASSERT_EQUAL(gpu_count(&gpu, &kernel, &evidence, &error), ERROR_DEVICE);
        expect_start(error.message, rows[i].message);
        close_gpu(&kernel);
    }
}

CU_TestInfo tests_stages[] = {
    {"times", times}, {"conditions", conditions}, {"slow pipelines", slow}, {"failures", failures}, CU_TEST_INFO_NULL};
