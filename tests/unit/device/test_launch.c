#include "device/launch.h"
#include "device/measure.h"
#include "device/techniques.h"
#include "device/verify.h"
#include "device/verify_timed.h"
#include "fake_gpu.h"

static struct gpu gpu; /* large */

static void configurations(void)
{
    struct launch launch = test_launch();
    cudaLaunchAttribute attributes[GPU_ATTRIBUTES_MAX];
    launch.steps[0] = (struct launch_step){.block = {32, 2, 3}, .grid = {4, 5, 6}, .shared_bytes = 1 << 16};
    cudaLaunchConfig_t config = gpu_configure(&launch.steps[0], (cudaStream_t)&launch, attributes);
    CU_ASSERT(config.blockDim.x == 32 && config.blockDim.y == 2 && config.blockDim.z == 3);
    CU_ASSERT(config.gridDim.x == 4 && config.gridDim.y == 5 && config.gridDim.z == 6);
    CU_ASSERT(config.dynamicSmemBytes == 1 << 16 && config.stream == (cudaStream_t)&launch && config.numAttrs == 0);
}

/* A kernel's request for dynamic shared memory is granted; a launch without shared memory makes none. */
static void shared_memory(void)
{
    static const uint64_t bytes[] = {0, 100000};
    for (size_t i = 0; i < COUNT(bytes); i++) {
        struct gpu_kernel kernel = test_kernel("fake: letter=k");
        test_gpu_open(&gpu, FILL_NONE);
        kernel.launch.steps[0].shared_bytes = (uint32_t)bytes[i];
        fake.attributes[cudaFuncAttributeMaxDynamicSharedMemorySize] = -1;
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        CU_ASSERT_EQUAL(fake.attributes[cudaFuncAttributeMaxDynamicSharedMemorySize], bytes[i] ? (int)bytes[i] : -1);
        gpu_unload(&kernel);
        CU_ASSERT_PTR_NULL(kernel.libraries[0]);
        gpu_unload(&kernel); /* already unloaded */
        test_gpu_close(&gpu);
    }
}

static void own_places(void)
{
    test_gpu_open(&gpu, FILL_NONE);
    struct gpu_places places = gpu_own_places(&gpu);
    for (size_t i = 0; i < TEST_BUFFERS; i++)
        CU_ASSERT(places.data[i] &&
                  (const unsigned char *)places.data[i] == (const unsigned char *)gpu.buffers[i].data);
    CU_ASSERT_PTR_NULL(places.data[TEST_BUFFERS]);
    test_gpu_close(&gpu);
}

/* The arguments are out + 3 and in + 5, where out was 2 * in. */
static void pointers_into_buffers(void)
{
    enum { TO = 3, FROM = 5, LENGTH = 10 };
    struct gpu_kernel kernel = test_kernel("fake: letter=k");
    const int length = LENGTH;
    test_gpu_open(&gpu, FILL_NONE);
    kernel.launch.arguments[0].offset_bytes = TO * sizeof(float);
    kernel.launch.arguments[1].offset_bytes = FROM * sizeof(float);
    test_put(&kernel.launch, 2, &length, sizeof length);
    CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
    CU_ASSERT_EQUAL(gpu_launch(&gpu, &kernel), cudaSuccess);
    CU_ASSERT_EQUAL(cudaStreamSynchronize(gpu.stream), cudaSuccess);
    const float *in = (const float *)gpu.buffers[TEST_IN].data, *out = (const float *)gpu.buffers[TEST_OUT].data;
    for (int i = 0; i < TEST_COUNT; i++)
        CU_ASSERT_EQUAL(out[i], i < TO || i >= TO + LENGTH ? 2 * in[i] : 2 * in[i - TO + FROM]);
    gpu_unload(&kernel);
    test_gpu_close(&gpu);
}

/* ---- Structs ---- */

/* *to = { to, from + 5, number, object }, the values of a struct of 32 bytes */
static void keep_values(const uint64_t *a)
{
    memcpy((void *)(uintptr_t)a[0], a, 4 * sizeof *a);
}

static const struct fake_kernel keeper = {.run = keep_values, .arguments = "s"};

/* Addresses in a struct follow a swap, as those beside it do; numbers and objects stay. */
static void structs(void)
{
    enum { INTO = 20, NUMBER = 7, OBJECT = 99 };
    struct gpu_kernel kernel = {.functions = {(cudaKernel_t)(uintptr_t)&keeper}, .textures = {0, OBJECT}};
    struct launch *launch = &kernel.launch;
    uint64_t values[2][4];
    launch->kernel_count = launch->step_count = launch->argument_count = launch->swap_count = 1;
    launch->steps[0] =
        (struct launch_step){.block = {32, 1, 1}, .grid = {1, 1, 1}, .repeat = 2, .argument_count = 1, .swap_count = 1};
    launch->swaps[0] = (struct launch_swap){0, 1};
    launch->arguments[0] = (struct launch_argument){.buffer = -1, .bytes = 32, .part_count = 3};
    launch->part_count = 3;
    launch->parts[0] = (struct launch_argument){.buffer = 0};
    launch->parts[1] = (struct launch_argument){.buffer = 1, .offset_bytes = INTO, .at = 8};
    launch->parts[2] = (struct launch_argument){.buffer = -1, .role = ARGUMENT_TEXTURE, .view = 1, .at = 24};
    launch->word_count = 4;
    launch->words[2].bits = NUMBER;
    test_gpu_open(&gpu, FILL_NONE);
    unsigned char *const data[] = {gpu.buffers[0].data, gpu.buffers[1].data};
    CU_ASSERT_EQUAL(gpu_launch(&gpu, &kernel), cudaSuccess);
    CU_ASSERT_EQUAL(cudaStreamSynchronize(gpu.stream), cudaSuccess);
    for (size_t i = 0; i < 2; i++) {
        memcpy(values[i], data[i], sizeof values[i]);
        CU_ASSERT_EQUAL(values[i][0], (uintptr_t)data[i]);
        CU_ASSERT_EQUAL(values[i][1], (uintptr_t)data[1 - i] + INTO);
        CU_ASSERT_EQUAL(values[i][2], NUMBER);
        CU_ASSERT_EQUAL(values[i][3], OBJECT);
    }
    test_gpu_close(&gpu);
}

/* ---- Sequences: out = 2 * in and other = 4 * in ---- */

enum { OTHER = TEST_BUFFERS, DOUBLE = 1 };

static void add_step(struct gpu_kernel *kernel, uint16_t function, int to, int from)
{
    const int count = TEST_COUNT;
    struct launch *launch = &kernel->launch;
    struct launch_step *step = &launch->steps[launch->step_count++];
    *step = (struct launch_step){.kernel = function,
                                 .block = {32, 1, 1},
                                 .grid = {1, 1, 1},
                                 .repeat = 1,
                                 .argument_first = (uint32_t)launch->argument_count,
                                 .argument_count = from < 0 ? 2 : 3};
    launch->arguments[launch->argument_count++].buffer = to;
    if (from >= 0)
        launch->arguments[launch->argument_count++].buffer = from;
    launch->arguments[launch->argument_count] = (struct launch_argument){.buffer = -1, .bytes = sizeof count};
    test_put(launch, launch->argument_count++, &count, sizeof count);
}

static void add_swap(struct gpu_kernel *kernel)
{
    struct launch *launch = &kernel->launch;
    struct launch_step *step = &launch->steps[launch->step_count - 1];
    step->swap_first = (uint32_t)launch->swap_count;
    step->swap_count = 1;
    launch->swaps[launch->swap_count++] = (struct launch_swap){TEST_OUT, OTHER};
}

static struct gpu_kernel empty_kernel(const char *script)
{
    struct gpu_kernel kernel = {.cubin = script, .names = "twice\0double_in_place"};
    kernel.launch.kernel_count = 2;
    return kernel;
}

static void open_two_outputs(void)
{
    struct gpu_kernel reference = empty_kernel("fake: letter=r");
    test_gpu_begin(&gpu, FILL_NONE);
    gpu.buffers[OTHER] = gpu.buffers[TEST_OUT];
    strcpy(gpu.buffers[OTHER].name, "other");
    gpu.buffer_count = TEST_BUFFERS + 1;
    test_gpu_refill(&gpu);
    add_step(&reference, 0, TEST_OUT, TEST_IN);
    add_step(&reference, 0, OTHER, TEST_OUT);
    test_gpu_refer(&gpu, &reference);
    fake_trace_clear();
}

static void fill_ones(void)
{
    float *in = (float *)gpu.buffers[TEST_IN].data;
    for (int i = 0; i < TEST_COUNT; i++)
        in[i] = 1;
}

/* out = 2 in, out = 4 in, optionally a swap, out = 2 in */
static struct gpu_kernel four_launches(bool swaps, bool graph)
{
    struct gpu_kernel kernel = empty_kernel("fake: time_ns=1000");
    add_step(&kernel, 0, TEST_OUT, TEST_IN);
    add_step(&kernel, DOUBLE, TEST_OUT, -1);
    if (swaps)
        add_swap(&kernel);
    add_step(&kernel, 0, TEST_OUT, TEST_IN);
    kernel.launch.graph = graph;
    return kernel;
}

static void sequences(void)
{
    for (int graph = 0; graph < 2; graph++)
        for (int swaps = 0; swaps < 2; swaps++) {
            struct gpu_kernel kernel = four_launches(swaps, graph);
            struct measurement measurement = measurement_unknown(STATUS_OK);
            struct error error = {0};
            open_two_outputs();
            CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
            gpu_attach(&gpu, &kernel, &measurement);
            CU_ASSERT_EQUAL(gpu_verify(&gpu, &kernel, &measurement, &error), 0);
            CU_ASSERT_EQUAL(measurement.status, swaps ? STATUS_OK : STATUS_WRONG_RESULT);
            expect_text(measurement.message, swaps ? ""
                                                   : "other: 1000 of 1000 values differ from the reference, none of "
                                                     "them was written, the first at 0");
            if (swaps) {
                gpu_measure(&gpu, &kernel, gpu_no_incumbent, 1000000000, &measurement);
                CU_ASSERT_EQUAL(measurement.value, 3000);
                CU_ASSERT_EQUAL(gpu_verify_timed(&gpu, &kernel, &measurement, 1, &error), 0);
                CU_ASSERT_EQUAL(measurement.status, STATUS_OK);
            }
            CU_ASSERT_EQUAL(fake.graph_launches > 0, graph);
            gpu_unload(&kernel);
            CU_ASSERT_EQUAL(fake.graphs, 0);
            test_gpu_close(&gpu);
        }
}

/* Odd and even repetitions end in other memory. */
static void repetitions(void)
{
    for (uint32_t repeat = 1; repeat < 5; repeat++) {
        struct gpu_kernel kernel = empty_kernel("fake:");
        struct measurement measurement = measurement_unknown(STATUS_OK);
        struct error error = {0};
        open_two_outputs();
        add_step(&kernel, 0, OTHER, TEST_IN);
        add_swap(&kernel);
        kernel.launch.steps[0].repeat = repeat;
        add_step(&kernel, 0, OTHER, TEST_OUT);
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        CU_ASSERT_EQUAL(gpu_verify(&gpu, &kernel, &measurement, &error), 0);
        CU_ASSERT_EQUAL(measurement.status, STATUS_OK);
        CU_ASSERT_EQUAL(fake_launches("fake:"), repeat + 1);
        gpu_unload(&kernel);
        test_gpu_close(&gpu);
    }
}

/* Notes a call of a step with a count of elements, the step's last argument. */
static void add_call(struct gpu_kernel *kernel, uint32_t step, int count)
{
    struct launch *launch = &kernel->launch;
    const struct launch_step *of = &launch->steps[step];
    launch->calls[launch->call_count++] = (struct launch_call){step, (uint32_t)launch->value_count};
    for (uint32_t f = 0; f < of->field_count; f++)
        launch->values[launch->value_count++].bits = (uint64_t)count;
}

/* The calls of a loop have their own arguments: each doubles fewer elements in place. */
static void calls(void)
{
    enum { ROUNDS = 5 };
    for (int graph = 0; graph < 2; graph++) {
        struct gpu_kernel kernel = test_kernel("fake: letter=k");
        struct measurement measurement = measurement_unknown(STATUS_OK);
        struct launch *launch = &kernel.launch;
        kernel.names = "twice\0double_in_place";
        launch->kernel_count = 2;
        launch->graph = (uint16_t)graph;
        add_step(&kernel, DOUBLE, TEST_OUT, -1);
        launch->fields[0] = (struct launch_field){FIELD_WORD, (uint16_t)launch->arguments[4].word};
        launch->field_count = launch->steps[1].field_count = 1;
        test_gpu_open(&gpu, FILL_NONE);
        add_call(&kernel, 0, 0);
        for (int round = 0; round < ROUNDS; round++)
            add_call(&kernel, 1, TEST_COUNT - round);
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        gpu_attach(&gpu, &kernel, &measurement);
        CU_ASSERT_EQUAL(gpu_enter(&gpu, &kernel), cudaSuccess);
        CU_ASSERT_EQUAL(gpu_launch(&gpu, &kernel), cudaSuccess);
        CU_ASSERT_EQUAL(cudaStreamSynchronize(gpu.stream), cudaSuccess);
        const float *in = (const float *)gpu.buffers[TEST_IN].data, *out = (const float *)gpu.buffers[TEST_OUT].data;
        for (int i = 0; i < TEST_COUNT; i++) {
            int rounds = TEST_COUNT - i < ROUNDS ? TEST_COUNT - i : ROUNDS;
            CU_ASSERT_EQUAL(out[i], (float)(2 << rounds) * in[i]);
        }
        CU_ASSERT_EQUAL(gpu_leave(&gpu, &kernel), cudaSuccess);
        gpu_unload(&kernel);
        test_gpu_close(&gpu);
    }
}

/* A loop around two launches, with a condition on a float: out = 2 * in, and then out *= 2 and perhaps a swap with
 * `other` in each round. */
static struct gpu_kernel endless_kernel(uint32_t rounds, enum until_sign sign, double value, bool swaps)
{
    struct gpu_kernel kernel = empty_kernel("fake: time_ns=1000");
    struct launch *launch = &kernel.launch;
    size_t type = 0;
    while (element_types[type].scalar != SCALAR_float || element_types[type].components != 1)
        type++;
    add_step(&kernel, 0, TEST_OUT, TEST_IN);
    add_step(&kernel, 0, OTHER, TEST_OUT);
    add_swap(&kernel);
    if (!swaps) {
        launch->steps[1].swap_count = 0;
        launch->swap_count = 0;
        launch->steps[1].kernel = DOUBLE;
        launch->arguments[3].buffer = TEST_OUT;
        launch->arguments[4] = launch->arguments[5];
        launch->steps[1].argument_count = 2;
    }
    add_call(&kernel, 0, 0);
    add_call(&kernel, 1, 0);
    launch->untils[0] = (struct launch_until){.buffer = TEST_OUT, .type = (uint16_t)type, .sign = (uint16_t)sign};
    memcpy(&launch->untils[0].bits, &value, sizeof value);
    launch->until_count = 1;
    launch->loops[0] =
        (struct launch_loop){.first = 1, .end = 2, .rounds = rounds, .until = 1, .exit = 2, .next = 1, .last = 1};
    launch->loop_count = 1;
    return kernel;
}

/* The first element of `in` is 1, so that it is 4 after the first round, then 8, 16, 32 ... */
static void conditions(void)
{
    static const struct {
        uint32_t rounds;
        enum until_sign sign;
        double value;
        int made; /* rounds */
        const char *message;
    } rows[] = {
        {10, UNTIL_AT_LEAST, 30, 4, ""},
        {4, UNTIL_AT_LEAST, 30, 4, ""},
        {3, UNTIL_AT_LEAST, 30, 3, "'out' is 16 after the last round of the loop until out >= 30"},
        {10, UNTIL_EQUAL, 4, 1, ""},
        {10, UNTIL_NOT_EQUAL, 4, 2, ""},
        {10, UNTIL_GREATER, 16, 4, ""},
        {2, UNTIL_LESS, 4, 2, "'out' is 8 after the last round of the loop until out < 4"},
        {10, UNTIL_AT_MOST, 4, 1, ""},
    };
    for (int swaps = 0; swaps < 2; swaps++)
        for (size_t i = 0; i < COUNT(rows); i++) {
            struct gpu_kernel kernel = endless_kernel(rows[i].rounds, rows[i].sign, rows[i].value, swaps);
            struct measurement measurement = measurement_unknown(STATUS_OK);
            struct error error = {0};
            open_two_outputs();
            fill_ones();
            CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
            gpu_attach(&gpu, &kernel, &measurement);
            CU_ASSERT_EQUAL(gpu_run_verified(&gpu, &kernel, &measurement, &error), 0);
            expect_text(measurement.message, rows[i].message);
            CU_ASSERT_EQUAL(measurement.status, *rows[i].message ? STATUS_WRONG_RESULT : STATUS_OK);
            CU_ASSERT_EQUAL(fake_launches("fake: time_ns=1000"), (size_t)rows[i].made + 1);
            CU_ASSERT(!gpu.spoiled);
            uint32_t places[GPU_BUFFERS_MAX];
            gpu_places_after(&gpu, &kernel, places);
            bool moved = swaps && !*rows[i].message && rows[i].made % 2;
            if (!*rows[i].message)
                CU_ASSERT_EQUAL(places[TEST_OUT], moved ? OTHER : TEST_OUT);
            gpu_unload(&kernel);
            test_gpu_close(&gpu);
        }
}

/* Elements of each type that a condition may have. */
static void condition_types(void)
{
    const double nan = NAN, half = 0.5;
    uint64_t half_bits;
    memcpy(&half_bits, &half, sizeof half_bits);
    const struct {
        const char *type;
        const void *element;
        enum until_sign sign;
        uint64_t bits;
        bool holds;
    } rows[] = {
        {"char", &(int8_t){-1}, UNTIL_LESS, 0, true},
        {"char", &(int8_t){-1}, UNTIL_EQUAL, (uint64_t)-1, true},
        {"uchar", &(uint8_t){255}, UNTIL_LESS, 0, false},
        {"uchar", &(uint8_t){255}, UNTIL_EQUAL, 255, true},
        {"short", &(int16_t){-300}, UNTIL_AT_MOST, (uint64_t)-300, true},
        {"int", &(int32_t){INT32_MIN}, UNTIL_LESS, (uint64_t)INT32_MIN + 1, true},
        {"uint", &(uint32_t){UINT32_MAX}, UNTIL_GREATER, INT32_MAX, true},
        {"long", &(int64_t){-1}, UNTIL_GREATER, 0, false},
        {"ulong", &(uint64_t){UINT64_MAX}, UNTIL_GREATER, 5, true},
        {"double", &(double){0.5}, UNTIL_EQUAL, half_bits, true},
        {"double", &nan, UNTIL_AT_MOST, half_bits, false},
        {"double", &nan, UNTIL_AT_LEAST, half_bits, false},
        {"double", &nan, UNTIL_NOT_EQUAL, half_bits, true},
        {"float", &(float){0.5F}, UNTIL_EQUAL, half_bits, true},
        {"float", &(float){(float)NAN}, UNTIL_EQUAL, half_bits, false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel = endless_kernel(1, rows[i].sign, 0, false);
        struct launch_until *until = &kernel.launch.untils[0];
        until->type = 0;
        while (strcmp(element_types[until->type].name, rows[i].type) != 0)
            until->type++;
        until->buffer = TEST_IN;
        until->bits = rows[i].bits;
        open_two_outputs();
        memcpy(gpu.buffers[TEST_IN].data, rows[i].element, element_types[until->type].bytes);
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        if ((gpu_launch(&gpu, &kernel) == cudaSuccess) != rows[i].holds)
            fprintf(stderr, "\nrow %zu\n", i);
        CU_ASSERT_EQUAL(gpu.endless.until == NULL, rows[i].holds);
        gpu_unload(&kernel);
        test_gpu_close(&gpu);
    }
}

/* A run that waits for its rounds is timed without holding the stream; a failure while it is timed is explained. */
static void timed_conditions(void)
{
    static const struct {
        double value;
        enum status status;
        const char *message;
    } rows[] = {
        {16, STATUS_OK, ""},
        {1e9, STATUS_WRONG_RESULT,
         "correct at first, then failed when repeated: 'out' is 128 after the last round of the loop until out >= "
         "1e+09"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel = endless_kernel(6, UNTIL_AT_LEAST, rows[i].value, false);
        struct measurement measurement = measurement_unknown(STATUS_OK);
        open_two_outputs();
        fill_ones();
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        gpu_attach(&gpu, &kernel, &measurement);
        const struct gpu_timed timed = gpu_timed_kernel(&gpu, &kernel);
        CU_ASSERT_EQUAL(timed.held, 0);
        CU_ASSERT_EQUAL(timed.holdable, 0);
        gpu_measure(&gpu, &kernel, gpu_no_incumbent, 1000000000, &measurement);
        CU_ASSERT_EQUAL(measurement.status, rows[i].status);
        expect_text(measurement.message, rows[i].message);
        if (rows[i].status == STATUS_OK)
            CU_ASSERT(measurement.value >= 4000); /* three rounds, and the host's part */
        gpu_unload(&kernel);
        test_gpu_close(&gpu);
    }
}

static void grids(void)
{
    static const struct {
        uint32_t grid, cluster;
        int blocks_sm, clusters;
        bool cooperative;
        uint32_t launched; /* 0: pruned */
        const char *message;
    } rows[] = {
        {0, 0, 3, 0, false, 12, ""},
        {0, 0, 3, 0, true, 12, ""},
        {12, 0, 3, 0, true, 12, ""},
        {13, 0, 3, 0, true, 0, "a cooperative grid needs 13 blocks at once, of which 12 fit the device"},
        {13, 0, 3, 0, false, 13, ""},
        {0, 0, 0, 0, false, 0, "a resident grid needs 1 blocks at once, of which 0 fit the device"},
        {0, 2, 3, 5, false, 10, ""},
        {12, 2, 3, 5, true, 0, "a cooperative grid needs 12 blocks at once, of which 10 fit the device"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel = test_kernel("fake:");
        struct measurement measurement = measurement_unknown(STATUS_OK);
        struct error error = {0};
        test_gpu_open(&gpu, FILL_NONE);
        gpu.limits.sm_count = 4;
        fake.blocks_sm = rows[i].blocks_sm;
        fake.clusters = rows[i].clusters;
        struct launch_step *step = &kernel.launch.steps[0];
        memcpy(step->grid, (uint32_t[]){rows[i].grid, rows[i].grid > 0, rows[i].grid > 0}, sizeof step->grid);
        if (rows[i].cluster)
            memcpy(step->cluster, (uint32_t[]){rows[i].cluster, 1, 1}, sizeof step->cluster);
        step->cooperative = rows[i].cooperative;
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        gpu_attach(&gpu, &kernel, &measurement);
        expect_text(measurement.message, rows[i].message);
        CU_ASSERT_EQUAL(measurement.status, rows[i].launched ? STATUS_OK : STATUS_PRUNED_LIMIT);
        if (rows[i].launched) {
            fake.grid = 0;
            CU_ASSERT_EQUAL(gpu_verify(&gpu, &kernel, &measurement, &error), 0);
            CU_ASSERT_EQUAL(measurement.status, STATUS_OK);
            CU_ASSERT_EQUAL(kernel.launch.steps[0].grid[0], rows[i].launched);
            CU_ASSERT_EQUAL(kernel.launch.steps[0].grid[1], 1);
            CU_ASSERT_EQUAL(kernel.launch.steps[0].grid[2], 1);
        }
        gpu_unload(&kernel);
        test_gpu_close(&gpu);
    }
}

static void launches(void)
{
    struct gpu_kernel kernel = test_kernel("fake:");
    test_gpu_open(&gpu, FILL_NONE);
    kernel.launch.steps[0].cooperative = 1;
    kernel.launch.steps[0].grid[0] = 2;
    CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
    CU_ASSERT_EQUAL(gpu_launch(&gpu, &kernel), cudaSuccess);
    CU_ASSERT_EQUAL(fake.grid, 2);
    CU_ASSERT(fake.cooperative);
    CU_ASSERT_EQUAL(cudaStreamSynchronize(gpu.stream), cudaSuccess);
    gpu_unload(&kernel);
    test_gpu_close(&gpu);
}

/* Loading code finds the most local memory. */
static void local_memory(void)
{
    static const struct {
        const char *script;
        int64_t most_bytes;
    } rows[] = {{"fake: local=8", 8}, {"fake: local=24", 24}, {"fake: local=16", 24}};
    int64_t most_bytes = 0;
    test_gpu_open(&gpu, FILL_NONE);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel = test_kernel(rows[i].script);
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        CU_ASSERT_EQUAL(gpu_load_code(kernel.functions[0], &most_bytes), cudaSuccess);
        CU_ASSERT_EQUAL(most_bytes, rows[i].most_bytes);
        gpu_unload(&kernel);
    }
    test_gpu_close(&gpu);
}

CU_TestInfo tests_launch[] = {{"configurations", configurations},
                              {"sequences", sequences},
                              {"repetitions", repetitions},
                              {"calls", calls},
                              {"conditions", conditions},
                              {"condition types", condition_types},
                              {"timed conditions", timed_conditions},
                              {"grids", grids},
                              {"launches", launches},
                              {"shared memory", shared_memory},
                              {"local memory", local_memory},
                              {"own places", own_places},
                              {"pointers into buffers", pointers_into_buffers},
                              {"structs", structs},
                              CU_TEST_INFO_NULL};
