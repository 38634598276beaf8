/* tensor_map: encodes tensor maps over buffers and passes them as arguments. */
#include <string.h>

#include <cuda.h>

#include "device/techniques.h"

_Static_assert(sizeof(CUtensorMap) == GPU_TENSOR_MAP_BYTES, "the size of a tensor map");

/* The driver's function, whose library cutune does not link. */
typedef CUresult encode_tiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                              const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *box,
                              const cuuint32_t *element_strides, CUtensorMapInterleave interleave,
                              CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2_promotion,
                              CUtensorMapFloatOOBfill out_of_bounds);

static const CUtensorMapDataType types[TENSOR_TYPE_COUNT] = {
#define TENSOR_TYPE(name, bytes, floating, cuda) CU_TENSOR_MAP_DATA_TYPE_##cuda,
#include "space/tensor_types.def"
#undef TENSOR_TYPE
};

/* A setting's bytes and CUDA's name for them. */
static const struct choice {
    uint16_t bytes, atom, flip;
    int value;
} interleaves[] = {{.value = CU_TENSOR_MAP_INTERLEAVE_NONE},
                   {16, 0, 0, CU_TENSOR_MAP_INTERLEAVE_16B},
                   {32, 0, 0, CU_TENSOR_MAP_INTERLEAVE_32B}},
  swizzles[] = {{0, 16, 0, CU_TENSOR_MAP_SWIZZLE_NONE},
                {32, 16, 0, CU_TENSOR_MAP_SWIZZLE_32B},
                {64, 16, 0, CU_TENSOR_MAP_SWIZZLE_64B},
                {128, 16, 0, CU_TENSOR_MAP_SWIZZLE_128B},
                {128, 32, 0, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B},
                {128, 32, 1, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B},
                {128, 64, 0, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B}},
  promotions[] = {{.value = CU_TENSOR_MAP_L2_PROMOTION_NONE},
                  {64, 0, 0, CU_TENSOR_MAP_L2_PROMOTION_L2_64B},
                  {128, 0, 0, CU_TENSOR_MAP_L2_PROMOTION_L2_128B},
                  {256, 0, 0, CU_TENSOR_MAP_L2_PROMOTION_L2_256B}};

/* -1: none, which the driver refuses. */
static int choose(const struct choice *rows, size_t count, uint16_t bytes, uint16_t atom, uint16_t flip)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].bytes == bytes && rows[i].atom == atom && rows[i].flip == flip)
            return rows[i].value;
    return -1;
}
#define CHOOSE(rows, ...) choose(rows, sizeof(rows) / sizeof *(rows), __VA_ARGS__)

static bool used(const struct launch *launch)
{
    return launch->tensor_map_count > 0;
}

static cudaError_t encode(const struct gpu *gpu, encode_tiled *function, const struct launch_tensor_map *row,
                          unsigned char bytes[GPU_TENSOR_MAP_BYTES])
{
    CUtensorMap map; /* aligned, as the function requires */
    unsigned char *address = gpu->buffers[row->buffer].data + row->offset_bytes;
    CUresult result = function(&map, types[row->type], row->rank, address, row->sizes, row->strides, row->box,
                               row->element_strides, (CUtensorMapInterleave)CHOOSE(interleaves, row->interleave, 0, 0),
                               (CUtensorMapSwizzle)CHOOSE(swizzles, row->swizzle, row->atom, row->flip),
                               (CUtensorMapL2promotion)CHOOSE(promotions, row->l2_promotion, 0, 0),
                               row->out_of_bounds == TENSOR_NAN ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
                                                                : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (result == CUDA_SUCCESS)
        memcpy(bytes, &map, sizeof map);
    return (cudaError_t)result; /* the runtime's numbers are the driver's */
}

/* NULL: the driver does not have it. */
static encode_tiled *find_function(void)
{
    enum { SINCE = 12000 };
    encode_tiled *function = NULL;
    cudaError_t result =
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&function, SINCE, cudaEnableDefault, NULL);
    return result ? NULL : function;
}

static void attach(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement)
{
    encode_tiled *function = find_function();
    for (size_t i = 0; i < kernel->launch.tensor_map_count; i++) {
        const struct launch_tensor_map *row = &kernel->launch.tensor_maps[i];
        if (!row->rank)
            continue;
        cudaError_t result = function ? encode(gpu, function, row, kernel->tensor_maps[i]) : cudaErrorNotSupported;
        if (!result)
            continue;
        gpu_refuse(gpu, result, measurement, "encoding a tensor map over '%s'", gpu->buffers[row->buffer].name);
        return;
    }
}

static const void *argument(const struct gpu_kernel *kernel, const struct launch_argument *argument,
                            const struct gpu_part *part)
{
    (void)part;
    return argument->role == ARGUMENT_TENSOR_MAP ? kernel->tensor_maps[argument->view] : NULL;
}

const struct gpu_technique gpu_technique_tensor_map = {.used = used, .attach = attach, .argument = argument};
