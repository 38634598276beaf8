/* Variables of the loaded code: set to values or contents, unless the variant lacks them, and set back before runs. */
#include "device/launch.h"
#include "device/measure.h"
#include "device/techniques.h"
#include "device/verify.h"
#include "fake_gpu.h"

enum { BYTES = TEST_COUNT * sizeof(float) };

static struct gpu gpu; /* large */

/* A kernel with the variables of these names and this value, which is an argument behind its own. */
static struct gpu_kernel make_kernel(const char *const names[2], uint16_t count, struct launch_argument value,
                                     bool contents)
{
    struct gpu_kernel kernel = test_kernel("fake: letter=k");
    struct launch *launch = &kernel.launch;
    launch->variable_count = count;
    for (size_t v = 0; v < count && names[v]; v++) {
        struct launch_variable *variable = &launch->variables[v];
        snprintf(variable->name, sizeof variable->name, "%s", names[v]);
        variable->contents = contents;
        variable->restored = true;
        variable->argument = (uint32_t)launch->argument_count;
    }
    launch->arguments[launch->argument_count++] = value;
    return kernel;
}

static void open_symbol(size_t bytes)
{
    CU_ASSERT_EQUAL_FATAL(cudaMalloc(&fake.symbol, BYTES), cudaSuccess);
    memset(fake.symbol, 0, BYTES);
    fake.symbol_bytes = bytes;
}

static void close_all(struct gpu_kernel *kernel)
{
    CU_ASSERT_PTR_NULL(fake.misuse);
    gpu_unload(kernel);
    gpu_unload(kernel); /* already unloaded */
    cudaFree(fake.symbol);
    test_gpu_close(&gpu);
}

static void contents(void)
{
    static const struct {
        const char *names[2];
        uint16_t count;
        size_t missing_bytes; /* of the symbol */
        enum status status;
        bool filled;
        const char *message;
    } rows[] = {
        {{"COEFF"}, 1, 0, STATUS_OK, true, ""},
        {{"MANAGED"}, 1, 0, STATUS_OK, true, ""},
        {{"NOT_THERE", "COEFF"}, 2, 0, STATUS_OK, true, ""},
        {{"NOT_THERE", "COEFF"}, 1, 0, STATUS_OK, false, ""},
        {{"COEFF"}, 1, 1, STATUS_LAUNCH_ERROR, false, "COEFF has 3999 bytes, 'in' has 4000"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel =
            make_kernel(rows[i].names, rows[i].count, (struct launch_argument){.buffer = TEST_IN}, true);
        struct measurement measurement = measurement_unknown(STATUS_OK);
        test_gpu_open(&gpu, FILL_NONE);
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        open_symbol(BYTES - rows[i].missing_bytes);
        gpu_attach(&gpu, &kernel, &measurement);
        CU_ASSERT_EQUAL(measurement.status, rows[i].status);
        expect_text(measurement.message, rows[i].message);
        CU_ASSERT_EQUAL(memcmp(fake.symbol, gpu.buffers[TEST_IN].data, BYTES) == 0, rows[i].filled);
        close_all(&kernel);
    }
}

/* A static variable has a symbol that only the code knows. */
static void other_symbols(void)
{
    static const char code[] = "fake: letter=k\0_ZN12_INTERNAL_a_2ns5OTHERE\0_ZN12_INTERNAL_a_2ns5COEFFE\0";
    static const struct {
        const char *name, *symbol;
        bool filled;
    } rows[] = {{"ns::COEFF", "_ZN12_INTERNAL_a_2ns5COEFFE", true},
                {"ns::COEFF", "_ZN2ns5COEFFE", true},
                {"COEFF", "_ZN12_INTERNAL_a_2ns5COEFFE", false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel =
            make_kernel((const char *[2]){rows[i].name}, 1, (struct launch_argument){.buffer = TEST_IN}, true);
        struct measurement measurement = measurement_unknown(STATUS_OK);
        test_gpu_open(&gpu, FILL_NONE);
        kernel.cubin = code;
        kernel.cubin_bytes = sizeof code;
        fake.symbol_name = rows[i].symbol;
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        open_symbol(BYTES);
        gpu_attach(&gpu, &kernel, &measurement);
        CU_ASSERT_EQUAL(measurement.status, STATUS_OK);
        CU_ASSERT_EQUAL(memcmp(fake.symbol, gpu.buffers[TEST_IN].data, BYTES) == 0, rows[i].filled);
        fake.symbol_name = NULL;
        close_all(&kernel);
    }
}

/* If launches have macros of their own, any part of the code may have the variable. */
static void parts(void)
{
    static const char first[] = "fake: letter=k", second[] = "fake: letter=j";
    static const struct {
        const char *script; /* of the part with the variable; NULL: all */
        size_t missing_bytes;
        bool filled;
    } rows[] = {{first, 0, true}, {second, 0, true}, {NULL, 0, true}, {"fake: letter=i", 0, false}, {second, 1, false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct bundle bundle = {.part_count = 2, .parts = {{first, sizeof first}, {second, sizeof second}}};
        struct gpu_kernel kernel =
            make_kernel((const char *[2]){"COEFF"}, 1, (struct launch_argument){.buffer = TEST_IN}, true);
        struct measurement measurement = measurement_unknown(STATUS_OK);
        struct text code = {0};
        bundle_write(&code, &bundle, 1);
        kernel.cubin = code.bytes;
        kernel.cubin_bytes = code.length;
        test_gpu_open(&gpu, FILL_NONE);
        fake.symbol_in = rows[i].script;
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        open_symbol(BYTES - rows[i].missing_bytes);
        gpu_attach(&gpu, &kernel, &measurement);
        CU_ASSERT_EQUAL(measurement.status, rows[i].missing_bytes ? STATUS_LAUNCH_ERROR : STATUS_OK);
        for (int again = 0; again < 2 && measurement.status == STATUS_OK; again++) {
            CU_ASSERT_EQUAL(memcmp(fake.symbol, gpu.buffers[TEST_IN].data, BYTES) == 0, rows[i].filled);
            memset(fake.symbol, 0, BYTES);
            CU_ASSERT_EQUAL(gpu_techniques_restore(&gpu, &kernel, false), cudaSuccess);
            CU_ASSERT_EQUAL(cudaStreamSynchronize(gpu.stream), cudaSuccess);
        }
        fake.symbol_in = NULL;
        close_all(&kernel);
        text_free(&code);
    }
}

/* A kernel's results in an inout buffer do not reach the variable. */
static void initial_contents(void)
{
    for (int zeros = 0; zeros < 2; zeros++) {
        struct gpu_kernel kernel =
            make_kernel((const char *[2]){"COEFF"}, 1, (struct launch_argument){.buffer = TEST_OUT}, true);
        struct measurement measurement = measurement_unknown(STATUS_OK);
        unsigned char expected[BYTES];
        test_gpu_open(&gpu, zeros ? FILL_ZERO : FILL_IOTA);
        memset(expected, 0, sizeof expected);
        if (!zeros)
            memcpy(expected, gpu.buffers[TEST_OUT].initial, sizeof expected);
        memset(gpu.buffers[TEST_OUT].data, 1, BYTES);
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        open_symbol(BYTES);
        memset(fake.symbol, 1, BYTES);
        gpu_attach(&gpu, &kernel, &measurement);
        CU_ASSERT_EQUAL(measurement.status, STATUS_OK);
        CU_ASSERT_EQUAL(memcmp(fake.symbol, expected, BYTES), 0);
        close_all(&kernel);
    }
}

/* Values: an address, and a struct with one. */
static void values(void)
{
    static const struct {
        struct launch_argument value;
        size_t bytes; /* of the symbol */
        const char *message;
    } rows[] = {
        {{.buffer = TEST_IN, .offset_bytes = 12}, 8, ""},
        {{.buffer = TEST_IN, .offset_bytes = 12}, 4000, "COEFF has 4000 bytes, its value has 8"},
        {{.buffer = -1, .bytes = 24, .word = 4, .part_count = 1}, 24, ""},
        {{.buffer = -1, .bytes = 24, .word = 4, .part_count = 1}, 16, "COEFF has 16 bytes, its value has 24"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel = make_kernel((const char *[2]){"OTHER", "COEFF"}, 2, rows[i].value, false);
        struct launch *launch = &kernel.launch;
        struct measurement measurement = measurement_unknown(STATUS_OK);
        uint64_t actual[3];
        bool is_struct = rows[i].value.buffer < 0;
        launch->part_count = 1;
        launch->parts[0] = (struct launch_argument){.buffer = TEST_IN, .offset_bytes = 12, .at = 8};
        launch->words[4].bits = 1;
        launch->words[6].bits = 3;
        launch->word_count = 7;
        test_gpu_open(&gpu, FILL_NONE);
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        open_symbol(rows[i].bytes);
        for (int again = 0; again < 2 && measurement.status == STATUS_OK; again++) {
            if (again) {
                CU_ASSERT_EQUAL(gpu_techniques_restore(&gpu, &kernel, false), cudaSuccess);
            } else {
                gpu_attach(&gpu, &kernel, &measurement);
            }
            CU_ASSERT_EQUAL(cudaStreamSynchronize(gpu.stream), cudaSuccess);
            memcpy(actual, fake.symbol, sizeof actual);
            memset(fake.symbol, 0, BYTES);
            CU_ASSERT_EQUAL(actual[is_struct], *rows[i].message ? 0 : (uintptr_t)gpu.buffers[TEST_IN].data + 12);
            CU_ASSERT(!is_struct || *rows[i].message || (actual[0] == 1 && actual[2] == 3));
        }
        CU_ASSERT_EQUAL(measurement.status, *rows[i].message ? STATUS_LAUNCH_ERROR : STATUS_OK);
        expect_text(measurement.message, rows[i].message);
        close_all(&kernel);
    }
}

/* A constant is set once, a device variable before each run. */
static void set_back(void)
{
    for (int restored = 0; restored < 2; restored++) {
        const struct launch_argument number = {.buffer = -1, .bytes = 4, .word = 4};
        struct gpu_kernel kernel = make_kernel((const char *[2]){"COEFF"}, 1, number, false);
        struct measurement measurement = measurement_unknown(STATUS_OK);
        struct error error = {0};
        kernel.launch.variables[0].restored = (uint16_t)restored;
        kernel.launch.words[4].bits = 77;
        kernel.launch.word_count = 5;
        test_gpu_open(&gpu, FILL_NONE);
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        open_symbol(sizeof(int));
        gpu_attach(&gpu, &kernel, &measurement);
        struct gpu_timed timed = gpu_timed_kernel(&gpu, &kernel);
        for (int way = 0; way < 2; way++) {
            CU_ASSERT_EQUAL(*(int *)fake.symbol, way == 0 || restored ? 77 : 0);
            *(int *)fake.symbol = 0; /* as a kernel does */
            if (way == 0) {
                CU_ASSERT_EQUAL(gpu_verify(&gpu, &kernel, &measurement, &error), 0);
            } else {
                CU_ASSERT_EQUAL(timed.restore(&gpu, timed.context), cudaSuccess);
            }
            CU_ASSERT_EQUAL(cudaStreamSynchronize(gpu.stream), cudaSuccess);
        }
        CU_ASSERT_EQUAL(*(int *)fake.symbol, restored ? 77 : 0);
        close_all(&kernel);
    }
}

/* Memory for the values is missing. */
static void failures(void)
{
    const struct launch_argument number = {.buffer = -1, .bytes = 4, .word = 0};
    struct gpu_kernel kernel = make_kernel((const char *[2]){"COEFF"}, 1, number, false);
    struct measurement measurement = measurement_unknown(STATUS_OK);
    test_gpu_open(&gpu, FILL_NONE);
    CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
    open_symbol(sizeof(int));
    fake.malloc_fails = fake.allocations + 1;
    gpu_attach(&gpu, &kernel, &measurement);
    fake.malloc_fails = 0;
    CU_ASSERT_EQUAL(measurement.status, STATUS_LAUNCH_ERROR);
    expect_text(measurement.message, "copying the values of variables: out of memory");
    close_all(&kernel);
}

CU_TestInfo tests_technique_device_variable[] = {{"contents", contents},
                                                 {"initial contents", initial_contents},
                                                 {"other symbols", other_symbols},
                                                 {"parts", parts},
                                                 {"values", values},
                                                 {"set back", set_back},
                                                 {"failures", failures},
                                                 CU_TEST_INFO_NULL};
