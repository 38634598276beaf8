/* Textures: their objects' descriptors, and their release with the kernel. */
#include "device/launch.h"
#include "device/techniques.h"
#include "fake_gpu.h"

static struct gpu gpu; /* large */

static uint16_t type_of(const char *name)
{
    uint16_t type = 0;
    while (strcmp(element_types[type].name, name) != 0)
        type++;
    return type;
}

static void objects(void)
{
    static const struct {
        const char *type;
        uint64_t width, height;
        int bits[4];
        enum cudaChannelFormatKind kind;
    } rows[] = {
        {"float", 20, 30, {32, 0, 0, 0}, cudaChannelFormatKindFloat},
        {"float4", 100, 0, {32, 32, 32, 32}, cudaChannelFormatKindFloat},
        {"half", 40, 50, {16, 0, 0, 0}, cudaChannelFormatKindFloat},
        {"uchar4", 64, 2, {8, 8, 8, 8}, cudaChannelFormatKindUnsigned},
        {"int2", 64, 2, {32, 32, 0, 0}, cudaChannelFormatKindSigned},
        {"uchar", 1000, 0, {8, 0, 0, 0}, cudaChannelFormatKindUnsigned},
    };
    struct gpu_kernel kernel = test_kernel("fake: letter=k");
    test_gpu_open(&gpu, FILL_NONE);
    CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
    kernel.launch.texture_count = 1;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct measurement measurement = measurement_unknown(STATUS_OK);
        const size_t row_bytes = rows[i].width * element_types[type_of(rows[i].type)].bytes;
        kernel.launch.textures[0] = (struct launch_texture){
            .width = rows[i].width, .height = rows[i].height, .buffer = TEST_IN, .type = type_of(rows[i].type)};
        gpu_attach(&gpu, &kernel, &measurement);
        CU_ASSERT_EQUAL(measurement.status, STATUS_OK);
        CU_ASSERT_EQUAL(kernel.textures[0], 77);
        CU_ASSERT_EQUAL(fake.textures, 1);
        const struct cudaResourceDesc *made = &fake.texture;
        CU_ASSERT_EQUAL(made->resType, rows[i].height ? cudaResourceTypePitch2D : cudaResourceTypeLinear);
        if (rows[i].height) {
            CU_ASSERT_EQUAL(made->res.pitch2D.pitchInBytes, row_bytes);
            CU_ASSERT_EQUAL(made->res.pitch2D.height, rows[i].height);
            CU_ASSERT_PTR_EQUAL(made->res.pitch2D.devPtr, gpu.buffers[TEST_IN].data);
        } else {
            CU_ASSERT_EQUAL(made->res.linear.sizeInBytes, row_bytes);
            CU_ASSERT_PTR_EQUAL(made->res.linear.devPtr, gpu.buffers[TEST_IN].data);
        }
        const struct cudaChannelFormatDesc *channels =
            rows[i].height ? &made->res.pitch2D.desc : &made->res.linear.desc;
        const int bits[4] = {channels->x, channels->y, channels->z, channels->w};
        CU_ASSERT_EQUAL(memcmp(bits, rows[i].bits, sizeof bits), 0);
        CU_ASSERT_EQUAL(channels->f, rows[i].kind);
        gpu_techniques_detach(&kernel);
        CU_ASSERT_EQUAL(fake.textures, 0);
        CU_ASSERT_EQUAL(kernel.textures[0], 0);
    }
    gpu_unload(&kernel);
    test_gpu_close(&gpu);
}

/* The settings of a texture of two dimensions are CUDA's. */
static void settings(void)
{
    static const struct {
        struct launch_texture texture;
        struct cudaTextureDesc made;
    } rows[] = {
        {{.filter = FILTER_POINT}, {.addressMode = {cudaAddressModeClamp, cudaAddressModeClamp}}},
        {{.filter = FILTER_LINEAR, .address = {ADDRESS_BORDER, ADDRESS_CLAMP}},
         {.addressMode = {cudaAddressModeBorder, cudaAddressModeClamp}, .filterMode = cudaFilterModeLinear}},
        {{.address = {ADDRESS_WRAP, ADDRESS_MIRROR}, .coordinates = UNIT_NORMALIZED},
         {.addressMode = {cudaAddressModeWrap, cudaAddressModeMirror}, .normalizedCoords = 1}},
        {{.read = UNIT_NORMALIZED},
         {.addressMode = {cudaAddressModeClamp, cudaAddressModeClamp}, .readMode = cudaReadModeNormalizedFloat}},
    };
    struct gpu_kernel kernel = test_kernel("fake: letter=k");
    test_gpu_open(&gpu, FILL_NONE);
    CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
    kernel.launch.texture_count = 1;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct measurement measurement = measurement_unknown(STATUS_OK);
        struct launch_texture *texture = &kernel.launch.textures[0];
        const struct cudaTextureDesc *made = &fake.texture_description, *expected = &rows[i].made;
        *texture = rows[i].texture;
        texture->width = texture->height = 8;
        texture->buffer = TEST_IN;
        texture->type = type_of("uchar");
        gpu_attach(&gpu, &kernel, &measurement);
        CU_ASSERT_EQUAL(measurement.status, STATUS_OK);
        CU_ASSERT_EQUAL(made->addressMode[0], expected->addressMode[0]);
        CU_ASSERT_EQUAL(made->addressMode[1], expected->addressMode[1]);
        CU_ASSERT_EQUAL(made->filterMode, expected->filterMode);
        CU_ASSERT_EQUAL(made->readMode, expected->readMode);
        CU_ASSERT_EQUAL(made->normalizedCoords, expected->normalizedCoords);
        gpu_techniques_detach(&kernel);
    }
    gpu_unload(&kernel);
    test_gpu_close(&gpu);
}

/* Arrays have the shape and the contents of the texture, and are freed with it. */
static void arrays(void)
{
    static const struct {
        struct launch_texture texture;
        struct cudaExtent extent;
        unsigned flags;
    } rows[] = {
        {{.width = 64, .memory = MEMORY_ARRAY}, {64, 0, 0}, cudaArrayDefault},
        {{.width = 16, .height = 4, .memory = MEMORY_ARRAY}, {16, 4, 0}, cudaArrayDefault},
        {{.width = 8, .height = 4, .depth = 2, .memory = MEMORY_ARRAY}, {8, 4, 2}, cudaArrayDefault},
        {{.width = 8, .height = 1, .depth = 1, .memory = MEMORY_ARRAY}, {8, 1, 1}, cudaArrayDefault},
        {{.width = 8, .layers = 3, .memory = MEMORY_ARRAY}, {8, 0, 3}, cudaArrayLayered},
        {{.width = 8, .height = 2, .layers = 3, .memory = MEMORY_ARRAY}, {8, 2, 3}, cudaArrayLayered},
    };
    struct gpu_kernel kernel = test_kernel("fake: letter=k");
    test_gpu_open(&gpu, FILL_NONE);
    CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
    kernel.launch.texture_count = 1;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct measurement measurement = measurement_unknown(STATUS_OK);
        kernel.launch.textures[0] = rows[i].texture;
        kernel.launch.textures[0].buffer = TEST_IN;
        kernel.launch.textures[0].type = type_of("uchar2");
        gpu_attach(&gpu, &kernel, &measurement);
        CU_ASSERT_EQUAL(measurement.status, STATUS_OK);
        CU_ASSERT_EQUAL(fake.arrays, 1);
        CU_ASSERT_EQUAL(fake.texture.resType, cudaResourceTypeArray);
        CU_ASSERT_PTR_EQUAL(fake.texture.res.array.array, kernel.texture_arrays[0]);
        const struct fake_array *made = (const struct fake_array *)kernel.texture_arrays[0];
        CU_ASSERT_EQUAL(memcmp(&made->extent, &rows[i].extent, sizeof made->extent), 0);
        CU_ASSERT_EQUAL(made->flags, rows[i].flags);
        CU_ASSERT_EQUAL(made->format.y, 8);
        CU_ASSERT_EQUAL(memcmp(made->data, gpu.buffers[TEST_IN].data, made->bytes), 0);
        gpu_techniques_detach(&kernel);
        CU_ASSERT_EQUAL(fake.arrays, 0);
        CU_ASSERT_PTR_NULL(kernel.texture_arrays[0]);
    }
    CU_ASSERT_PTR_NULL(fake.misuse);
    gpu_unload(&kernel);
    test_gpu_close(&gpu);
}

/* Arrays of an inout buffer have its initial contents, whatever a run has left in it. */
static void initial_contents(void)
{
    static const enum buffer_fill fills_[] = {FILL_RANDOM, FILL_ZERO};
    for (size_t i = 0; i < COUNT(fills_); i++) {
        struct gpu_kernel kernel = test_kernel("fake: letter=k");
        struct measurement measurement = measurement_unknown(STATUS_OK);
        test_gpu_open(&gpu, fills_[i]);
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        const struct gpu_buffer *buffer = &gpu.buffers[TEST_OUT];
        CU_ASSERT_EQUAL_FATAL(buffer->role, BUFFER_INOUT);
        memset(buffer->data, 0x55, 64);
        kernel.launch.texture_count = 1;
        kernel.launch.textures[0] =
            (struct launch_texture){.width = 64, .buffer = TEST_OUT, .type = type_of("uchar"), .memory = MEMORY_ARRAY};
        long live = fake.live;
        gpu_attach(&gpu, &kernel, &measurement);
        CU_ASSERT_EQUAL(measurement.status, STATUS_OK);
        CU_ASSERT_EQUAL(fake.live, live);
        const struct fake_array *made = (const struct fake_array *)kernel.texture_arrays[0];
        static const unsigned char zeros[64];
        CU_ASSERT_EQUAL(memcmp(made->data, buffer->initial ? buffer->initial : zeros, 64), 0);
        CU_ASSERT_EQUAL(buffer->data[0], 0x55);
        gpu_unload(&kernel);
        CU_ASSERT_EQUAL(fake.arrays, 0);
        test_gpu_close(&gpu);
    }
}

/* A failed copy leaves no array behind. */
static void unfilled(void)
{
    struct gpu_kernel kernel = test_kernel("fake: letter=k");
    struct measurement measurement = measurement_unknown(STATUS_OK);
    test_gpu_open(&gpu, FILL_NONE);
    CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
    kernel.launch.texture_count = 1;
    kernel.launch.textures[0] =
        (struct launch_texture){.width = 8, .buffer = TEST_IN, .type = type_of("float"), .memory = MEMORY_ARRAY};
    fake.no_copy = cudaErrorInvalidValue;
    gpu_attach(&gpu, &kernel, &measurement);
    CU_ASSERT_EQUAL(measurement.status, STATUS_LAUNCH_ERROR);
    expect_text(measurement.message, "creating a texture over 'in': invalid argument");
    CU_ASSERT_EQUAL(fake.textures, 0);
    gpu_unload(&kernel);
    CU_ASSERT_EQUAL(fake.arrays, 0);
    test_gpu_close(&gpu);
}

static void refused(void)
{
    struct gpu_kernel kernel = test_kernel("fake: letter=k");
    struct measurement measurement = measurement_unknown(STATUS_OK);
    test_gpu_open(&gpu, FILL_NONE);
    CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
    kernel.launch.texture_count = 1;
    kernel.launch.textures[0] = (struct launch_texture){.width = 8, .buffer = TEST_IN, .type = type_of("float")};
    fake.texture_error = cudaErrorInvalidValue;
    gpu_attach(&gpu, &kernel, &measurement);
    CU_ASSERT_EQUAL(measurement.status, STATUS_LAUNCH_ERROR);
    expect_text(measurement.message, "creating a texture over 'in': invalid argument");
    CU_ASSERT_EQUAL(gpu.refusal, cudaErrorInvalidValue);
    CU_ASSERT_EQUAL(cudaGetLastError(), cudaSuccess); /* no error is left for later calls */
    gpu_unload(&kernel);
    test_gpu_close(&gpu);
}

/* The kernel receives the object's handle. */
static void as_an_argument(void)
{
    struct gpu_kernel kernel = {.textures = {5, 6}};
    const struct gpu_part part = {7, 8};
    const struct launch_argument argument = {.buffer = -1, .role = ARGUMENT_TEXTURE, .view = 1};
    CU_ASSERT_PTR_EQUAL(gpu_techniques_argument(&kernel, &argument, &part), &kernel.textures[1]);
}

CU_TestInfo tests_technique_texture[] = {{"objects", objects},
                                         {"settings", settings},
                                         {"arrays", arrays},
                                         {"initial contents", initial_contents},
                                         {"unfilled", unfilled},
                                         {"refused", refused},
                                         {"as an argument", as_an_argument},
                                         CU_TEST_INFO_NULL};
