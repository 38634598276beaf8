/* Tensor maps: the arguments of the driver's function and of the kernel. */
#include <cuda.h>

#include "device/launch.h"
#include "device/techniques.h"
#include "fake_gpu.h"

static struct gpu gpu; /* large */

static const struct launch_tensor_map dense = {.sizes = {20, 50},
                                               .strides = {80},
                                               .box = {16, 4},
                                               .element_strides = {1, 2},
                                               .buffer = TEST_IN,
                                               .rank = 2,
                                               .type = TENSOR_float32,
                                               .atom = 16};

static void sizes_and_address(void)
{
    struct gpu_kernel kernel = test_kernel("fake: letter=k");
    struct measurement measurement = measurement_unknown(STATUS_OK);
    test_gpu_open(&gpu, FILL_NONE);
    CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
    kernel.launch.tensor_map_count = 2;
    kernel.launch.tensor_maps[0] = kernel.launch.tensor_maps[1] = dense;
    kernel.launch.tensor_maps[1].offset_bytes = 160;
    gpu_attach(&gpu, &kernel, &measurement);
    CU_ASSERT_EQUAL(measurement.status, STATUS_OK);
    const struct fake_tensor_map *made = &fake.tensor_map;
    CU_ASSERT_EQUAL(made->number, 2);
    CU_ASSERT_EQUAL(made->rank, 2);
    CU_ASSERT_PTR_EQUAL(made->address, gpu.buffers[TEST_IN].data + 160);
    CU_ASSERT_EQUAL(memcmp(made->sizes, dense.sizes, sizeof dense.sizes), 0);
    CU_ASSERT_EQUAL(memcmp(made->strides, dense.strides, sizeof dense.strides), 0);
    CU_ASSERT_EQUAL(memcmp(made->box, dense.box, sizeof dense.box), 0);
    CU_ASSERT_EQUAL(memcmp(made->element_strides, dense.element_strides, sizeof dense.element_strides), 0);
    for (int i = 0; i < TENSOR_MAP_BYTES; i++) /* the fake's maps repeat their number */
        CU_ASSERT(kernel.tensor_maps[0][i] == 1 && kernel.tensor_maps[1][i] == 2);
    CU_ASSERT_PTR_NULL(fake.misuse);
    gpu_unload(&kernel);
    test_gpu_close(&gpu);
}

/* Each setting has CUDA's number. */
static void settings(void)
{
    static const struct {
        uint16_t type, interleave, swizzle, atom, flip, l2_promotion, out_of_bounds;
        int expected[5]; /* type, interleave, swizzle, promotion, fill */
    } rows[] = {
        {TENSOR_float32, 0, 0, 16, 0, 0, TENSOR_ZERO, {CU_TENSOR_MAP_DATA_TYPE_FLOAT32}},
        {TENSOR_uint8,
         16,
         32,
         16,
         0,
         64,
         TENSOR_ZERO,
         {CU_TENSOR_MAP_DATA_TYPE_UINT8, CU_TENSOR_MAP_INTERLEAVE_16B, CU_TENSOR_MAP_SWIZZLE_32B,
          CU_TENSOR_MAP_L2_PROMOTION_L2_64B}},
        {TENSOR_bfloat16,
         32,
         64,
         16,
         0,
         128,
         TENSOR_NAN,
         {CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, CU_TENSOR_MAP_INTERLEAVE_32B, CU_TENSOR_MAP_SWIZZLE_64B,
          CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA}},
        {TENSOR_tfloat32_ftz,
         0,
         128,
         16,
         0,
         256,
         TENSOR_ZERO,
         {CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ, 0, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B}},
        {TENSOR_int64,
         0,
         128,
         32,
         0,
         0,
         TENSOR_ZERO,
         {CU_TENSOR_MAP_DATA_TYPE_INT64, 0, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B}},
        {TENSOR_float16,
         0,
         128,
         32,
         1,
         0,
         TENSOR_ZERO,
         {CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 0, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B}},
        {TENSOR_float64,
         0,
         128,
         64,
         0,
         0,
         TENSOR_ZERO,
         {CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 0, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B}},
        {TENSOR_uint16, 48, 96, 16, 0, 100, TENSOR_ZERO, {CU_TENSOR_MAP_DATA_TYPE_UINT16, -1, -1, -1}},
    };
    struct gpu_kernel kernel = test_kernel("fake: letter=k");
    test_gpu_open(&gpu, FILL_NONE);
    CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
    kernel.launch.tensor_map_count = 1;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct measurement measurement = measurement_unknown(STATUS_OK);
        struct launch_tensor_map *map = &kernel.launch.tensor_maps[0];
        *map = dense;
        map->type = rows[i].type;
        map->interleave = rows[i].interleave;
        map->swizzle = rows[i].swizzle;
        map->atom = rows[i].atom;
        map->flip = rows[i].flip;
        map->l2_promotion = rows[i].l2_promotion;
        map->out_of_bounds = rows[i].out_of_bounds;
        gpu_attach(&gpu, &kernel, &measurement);
        const int made[] = {fake.tensor_map.type, fake.tensor_map.interleave, fake.tensor_map.swizzle,
                            fake.tensor_map.l2_promotion, fake.tensor_map.out_of_bounds};
        for (size_t j = 0; j < COUNT(made); j++) {
            if (made[j] != rows[i].expected[j])
                fprintf(stderr, "\nrow %zu: setting %zu is %d, expected %d", i, j, made[j], rows[i].expected[j]);
            CU_ASSERT_EQUAL(made[j], rows[i].expected[j]);
        }
    }
    gpu_unload(&kernel);
    test_gpu_close(&gpu);
}

static void refused(void)
{
    static const struct {
        bool missing;
        cudaError_t result;
        uint16_t rank;
        const char *expected;
    } rows[] = {
        {false, cudaErrorInvalidValue, 2, "encoding a tensor map over 'in': invalid argument"},
        {true, cudaSuccess, 2, "encoding a tensor map over 'in': operation not supported"},
        {true, cudaSuccess, 0, ""}, /* the configuration has no map */
    };
    test_gpu_open(&gpu, FILL_NONE);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct gpu_kernel kernel = test_kernel("fake: letter=k");
        struct measurement measurement = measurement_unknown(STATUS_OK);
        CU_ASSERT_EQUAL_FATAL(gpu_load(&kernel), cudaSuccess);
        kernel.launch.tensor_map_count = 1;
        kernel.launch.tensor_maps[0] = dense;
        kernel.launch.tensor_maps[0].rank = rows[i].rank;
        fake.no_tensor_maps = rows[i].missing;
        fake.tensor_map_error = rows[i].result;
        gpu_attach(&gpu, &kernel, &measurement);
        CU_ASSERT_EQUAL(measurement.status, *rows[i].expected ? STATUS_LAUNCH_ERROR : STATUS_OK);
        expect_text(measurement.message, rows[i].expected);
        gpu_unload(&kernel);
    }
    test_gpu_close(&gpu);
}

/* The kernel receives the map itself. */
static void as_an_argument(void)
{
    struct gpu_kernel kernel = {0};
    const struct gpu_part part = {7, 8};
    const struct launch_argument argument = {.buffer = -1, .role = ARGUMENT_TENSOR_MAP, .view = 1};
    CU_ASSERT_PTR_EQUAL(gpu_techniques_argument(&kernel, &argument, &part), kernel.tensor_maps[1]);
}

CU_TestInfo tests_technique_tensor_map[] = {{"sizes and address", sizes_and_address},
                                            {"settings", settings},
                                            {"refused", refused},
                                            {"as an argument", as_an_argument},
                                            CU_TEST_INFO_NULL};
