/* Constant memory: filled from its buffer, unless the variant lacks the symbol. */
#include "device/launch.h"
#include "fake_gpu.h"

static struct gpu gpu; /* large */

static void constants(void)
{
    static float symbol[TEST_COUNT], buffer[TEST_COUNT];
    static const struct {
        const char *names[2];
        uint16_t count;
        size_t missing_bytes; /* of the symbol */
        enum status status;
        bool filled;
        const char *message;
    } rows[] = {
        {{"COEFF"}, 1, 0, STATUS_OK, true, ""},
        {{"NOT_THERE", "COEFF"}, 2, 0, STATUS_OK, true, ""},
        {{"NOT_THERE", "COEFF"}, 1, 0, STATUS_OK, false, ""},
        {{"COEFF"}, 1, 1, STATUS_LAUNCH_ERROR, false, "COEFF has 3999 bytes, 'in' has 4000"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel = test_kernel("fake: letter=k");
        struct measurement measurement = measurement_unknown(STATUS_OK);
        test_gpu_open(&gpu, FILL_NONE);
        kernel.launch.constant_count = rows[i].count;
        for (size_t c = 0; c < COUNT(rows[i].names) && rows[i].names[c]; c++) {
            struct launch_constant *constant = &kernel.launch.constants[c];
            snprintf(constant->symbol, sizeof constant->symbol, "%s", rows[i].names[c]);
            constant->buffer = TEST_IN;
        }
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        CU_ASSERT_EQUAL_FATAL(cudaMalloc(&fake.symbol, sizeof symbol), cudaSuccess);
        memset(fake.symbol, 0, sizeof symbol);
        fake.symbol_bytes = sizeof symbol - rows[i].missing_bytes;
        gpu_attach(&gpu, &kernel, &measurement);
        CU_ASSERT_EQUAL(measurement.status, rows[i].status);
        expect_text(measurement.message, rows[i].message);
        memcpy(symbol, fake.symbol, sizeof symbol);
        memcpy(buffer, gpu.buffers[TEST_IN].data, sizeof buffer);
        CU_ASSERT_EQUAL(memcmp(symbol, buffer, sizeof symbol) == 0, rows[i].filled);
        CU_ASSERT_PTR_NULL(fake.misuse);
        gpu_unload(&kernel);
        cudaFree(fake.symbol);
        test_gpu_close(&gpu);
    }
}

CU_TestInfo tests_technique_constant[] = {{"constants", constants}, CU_TEST_INFO_NULL};
