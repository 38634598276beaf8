#include "fake_gpu.h"

#include "device/buffers.h"
#include "device/clock.h"
#include "device/fill.h"
#include "device/launch.h"
#include "device/query.h"
#include "device/reference.h"
#include "device/stream_gate.h"

void test_gpu_close(struct gpu *gpu)
{
    if (gpu->helper_library)
        cudaLibraryUnload(gpu->helper_library);
    memset(gpu, 0, sizeof *gpu);
    fake_reset();
}

void test_gpu_refill(struct gpu *gpu)
{
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(gpu_allocate(gpu, &error), 0);
    CU_ASSERT_EQUAL_FATAL(gpu_fill_all(gpu, &error), 0);
}

void test_gpu_refer(struct gpu *gpu, struct gpu_kernel *reference)
{
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(gpu_load(reference), cudaSuccess);
    CU_ASSERT_EQUAL_FATAL(gpu_reference(gpu, reference, "the reference kernel", &error), 0);
    gpu_unload(reference);
}

void test_gpu_begin(struct gpu *gpu, enum buffer_fill fill)
{
    struct error error = {0};
    test_gpu_close(gpu);
    fake.virtual_time = true;
    CU_ASSERT_EQUAL_FATAL(gpu_query("0", &gpu->limits, &error), 0);
    gpu->sampling = test_sampling;
    gpu->buffer_count = TEST_BUFFERS;
    for (size_t i = 0; i < TEST_BUFFERS; i++) {
        struct gpu_buffer *buffer = &gpu->buffers[i];
        strcpy(buffer->name, i == TEST_IN ? "in" : "out");
        buffer->scalar = SCALAR_float;
        buffer->count = TEST_COUNT;
        buffer->bytes = TEST_COUNT * sizeof(float);
        buffer->fill = i == TEST_IN ? FILL_RANDOM : fill;
        buffer->role = i == TEST_IN ? BUFFER_INPUT : fill == FILL_NONE ? BUFFER_OUTPUT : BUFFER_INOUT;
    }
    CU_ASSERT_EQUAL_FATAL(cudaStreamCreateWithFlags(&gpu->stream, cudaStreamNonBlocking), cudaSuccess);
    for (size_t i = 0; i < COUNT(gpu->events); i++)
        CU_ASSERT_EQUAL_FATAL(cudaEventCreateWithFlags(&gpu->events[i], cudaEventDefault), cudaSuccess);
    CU_ASSERT_EQUAL_FATAL(gpu_open_gate(gpu, &error), 0);
    CU_ASSERT_EQUAL_FATAL(gpu_open_clock(gpu, &error), 0);
    CU_ASSERT_EQUAL_FATAL(gpu_load_helpers(gpu, "fake:", &error), 0);
    test_gpu_refill(gpu);
}

void test_gpu_open(struct gpu *gpu, enum buffer_fill fill)
{
    struct error error = {0};
    struct gpu_kernel reference = test_kernel("fake: letter=r");
    test_gpu_begin(gpu, fill);
    test_gpu_refer(gpu, &reference);
    CU_ASSERT_EQUAL_FATAL(gpu_settle(gpu, &error), 0);
    fake_trace_clear();
}
