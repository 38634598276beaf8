/* Surfaces: their arrays, and the copies between arrays and buffers around runs. */
#include "device/buffers.h"
#include "device/launch.h"
#include "device/techniques.h"
#include "device/verify.h"
#include "fake_gpu.h"

static struct gpu gpu; /* large */

static uint16_t type_of(const char *name)
{
    uint16_t type = 0;
    while (strcmp(element_types[type].name, name) != 0)
        type++;
    return type;
}

/* A loaded kernel with a surface over a buffer. */
static struct gpu_kernel make_kernel(uint32_t buffer, uint64_t width)
{
    struct gpu_kernel kernel = test_kernel("fake: letter=k");
    kernel.launch.texture_count = 1;
    kernel.launch.textures[0] =
        (struct launch_texture){.width = width, .buffer = buffer, .type = type_of("float"), .memory = MEMORY_SURFACE};
    CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
    return kernel;
}

static void attach(struct gpu_kernel *kernel)
{
    struct measurement measurement = measurement_unknown(STATUS_OK);
    gpu_attach(&gpu, kernel, &measurement);
    CU_ASSERT_EQUAL_FATAL(measurement.status, STATUS_OK);
}

static struct fake_array *array_of(const struct gpu_kernel *kernel)
{
    return (struct fake_array *)kernel->texture_arrays[0];
}

static void arrays(void)
{
    static const struct {
        struct launch_texture surface;
        struct cudaExtent extent;
        unsigned flags;
    } rows[] = {
        {{.width = 64}, {64, 0, 0}, cudaArraySurfaceLoadStore},
        {{.width = 16, .height = 4}, {16, 4, 0}, cudaArraySurfaceLoadStore},
        {{.width = 8, .height = 4, .depth = 2}, {8, 4, 2}, cudaArraySurfaceLoadStore},
        {{.width = 8, .layers = 3}, {8, 0, 3}, cudaArrayLayered | cudaArraySurfaceLoadStore},
        {{.width = 8, .height = 2, .layers = 3}, {8, 2, 3}, cudaArrayLayered | cudaArraySurfaceLoadStore},
    };
    test_gpu_open(&gpu, FILL_NONE);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel = make_kernel(TEST_IN, 1);
        struct launch_texture *surface = &kernel.launch.textures[0];
        *surface = rows[i].surface;
        surface->buffer = TEST_IN;
        surface->type = type_of("short2");
        surface->memory = MEMORY_SURFACE;
        attach(&kernel);
        const struct fake_array *made = array_of(&kernel);
        CU_ASSERT_EQUAL(memcmp(&made->extent, &rows[i].extent, sizeof made->extent), 0);
        CU_ASSERT_EQUAL(made->flags, rows[i].flags);
        CU_ASSERT_EQUAL(made->format.x, 16);
        CU_ASSERT_EQUAL(memcmp(made->data, gpu.buffers[TEST_IN].data, made->bytes), 0);
        const struct launch_argument argument = {.buffer = -1, .role = ARGUMENT_SURFACE, .view = 0};
        const struct gpu_part part = {0, 0};
        CU_ASSERT_PTR_EQUAL(gpu_techniques_argument(&kernel, &argument, &part), &kernel.textures[0]);
        CU_ASSERT_EQUAL(kernel.textures[0], (uintptr_t)made);
        CU_ASSERT_EQUAL(fake.surfaces, 1);
        gpu_unload(&kernel);
        CU_ASSERT_EQUAL(fake.surfaces, 0);
        CU_ASSERT_EQUAL(fake.textures, 0);
        CU_ASSERT_EQUAL(fake.arrays, 0);
        CU_ASSERT_EQUAL(kernel.textures[0], 0);
    }
    CU_ASSERT_PTR_NULL(fake.misuse);
    test_gpu_close(&gpu);
}

/* Before a run, the array gets what the buffer has then, as far as the run needs it. Afterwards, the buffer gets the
 * array's contents. */
static void copies(void)
{
    enum { BEFORE = 0x11, IN_ARRAY = 0x22, AFTER = 0x33 };
    static const struct {
        enum buffer_role role;
        bool checked;
        unsigned char in_array, collected;
    } rows[] = {
        {BUFFER_INPUT, false, IN_ARRAY, AFTER},    {BUFFER_INPUT, true, IN_ARRAY, AFTER},
        {BUFFER_OUTPUT, false, IN_ARRAY, AFTER},   {BUFFER_OUTPUT, true, BEFORE, AFTER},
        {BUFFER_INOUT, false, BEFORE, AFTER},      {BUFFER_INOUT, true, BEFORE, AFTER},
        {BUFFER_SCRATCH, false, IN_ARRAY, BEFORE}, {BUFFER_SCRATCH, true, BEFORE, BEFORE},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel;
        struct gpu_buffer *buffer = &gpu.buffers[TEST_OUT];
        test_gpu_open(&gpu, FILL_RANDOM);
        kernel = make_kernel(TEST_OUT, 64);
        attach(&kernel);
        struct fake_array *array = array_of(&kernel);
        const enum buffer_role role = buffer->role;
        buffer->role = rows[i].role;
        memset(buffer->data, BEFORE, array->bytes);
        memset(array->data, IN_ARRAY, array->bytes);
        CU_ASSERT_EQUAL(gpu_techniques_restore(&gpu, &kernel, rows[i].checked), cudaSuccess);
        CU_ASSERT_EQUAL(array->data[array->bytes - 1], rows[i].in_array);
        memset(array->data, AFTER, array->bytes);
        CU_ASSERT_EQUAL(gpu_techniques_collect(&gpu, &kernel), cudaSuccess);
        CU_ASSERT_EQUAL(buffer->data[array->bytes - 1], rows[i].collected);
        buffer->role = role;
        gpu_unload(&kernel);
        CU_ASSERT_PTR_NULL(fake.misuse);
        test_gpu_close(&gpu);
    }
}

/* A configuration without the surface has no array, and its kernel gets 0. */
static void none(void)
{
    test_gpu_open(&gpu, FILL_NONE);
    struct gpu_kernel kernel = make_kernel(TEST_OUT, 0);
    attach(&kernel);
    CU_ASSERT_EQUAL(fake.arrays, 0);
    CU_ASSERT_EQUAL(kernel.textures[0], 0);
    CU_ASSERT_EQUAL(gpu_techniques_restore(&gpu, &kernel, true), cudaSuccess);
    CU_ASSERT_EQUAL(gpu_techniques_collect(&gpu, &kernel), cudaSuccess);
    gpu_unload(&kernel);
    test_gpu_close(&gpu);
}

static void refused(void)
{
    struct measurement measurement = measurement_unknown(STATUS_OK);
    test_gpu_open(&gpu, FILL_NONE);
    struct gpu_kernel kernel = make_kernel(TEST_IN, 8);
    fake.texture_error = cudaErrorInvalidValue;
    gpu_attach(&gpu, &kernel, &measurement);
    CU_ASSERT_EQUAL(measurement.status, STATUS_LAUNCH_ERROR);
    expect_text(measurement.message, "creating a surface over 'in': invalid argument");
    gpu_unload(&kernel);
    CU_ASSERT_EQUAL(fake.arrays, 0);
    test_gpu_close(&gpu);
}

/* A run whose results cannot be copied back is an error. */
static void uncollected(void)
{
    struct measurement measurement = measurement_unknown(STATUS_OK);
    struct error error = {0};
    test_gpu_open(&gpu, FILL_NONE);
    struct gpu_kernel kernel = make_kernel(TEST_IN, 8);
    attach(&kernel);
    fake.no_copy = cudaErrorInvalidValue;
    CU_ASSERT_NOT_EQUAL(gpu_run_verified(&gpu, &kernel, &measurement, &error), 0);
    expect_start(error.message, "copying the contents of the surfaces");
    gpu_unload(&kernel);
    test_gpu_close(&gpu);
}

CU_TestInfo tests_technique_surface[] = {{"arrays", arrays},   {"copies", copies},           {"none", none},
                                         {"refused", refused}, {"uncollected", uncollected}, CU_TEST_INFO_NULL};
