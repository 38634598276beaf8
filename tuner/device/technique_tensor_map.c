/* tensor_map: encodes tensor maps over buffers and passes them as arguments. */
#include <string.h>

#include <cuda.h>

#include "device/check.h"
#include "device/gpu.h"
#include "device/techniques.h"

_Static_assert(sizeof(CUtensorMap) == TENSOR_MAP_BYTES, "the size of a tensor map");

/* A function of the driver's library, which cutune does not link. */
typedef CUresult encode_tiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                              const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *box,
                              const cuuint32_t *element_strides, CUtensorMapInterleave interleave,
                              CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2_promotion,
                              CUtensorMapFloatOOBfill out_of_bounds);

#define TENSOR_TYPE(name, bytes, floating, cuda)                                                                       \
    _Static_assert((int)TENSOR_##name == (int)CU_TENSOR_MAP_DATA_TYPE_##cuda, "the number of " #cuda);
#include "space/tensor_types.def"
#undef TENSOR_TYPE
#define TENSOR_CODE(setting, bytes, atom, flip, cuda, number)                                                          \
    _Static_assert((int)CU_TENSOR_MAP_##cuda == (number), "the number of " #cuda);
#include "space/tensor_codes.def"
#undef TENSOR_CODE

static bool used(const struct launch *launch)
{
    return launch->tensor_map_count > 0;
}

static cudaError_t encode(const struct gpu *gpu, encode_tiled *function, const struct launch_tensor_map *row,
                          unsigned char bytes[TENSOR_MAP_BYTES])
{
    CUtensorMap map; /* aligned, as the function requires */
    unsigned char *address = gpu->buffers[row->buffer].data + row->offset_bytes;
    const struct tensor_codes codes = space_tensor_codes(row);
    CUresult result =
        function(&map, (CUtensorMapDataType)codes.type, row->rank, address, row->sizes, row->strides, row->box,
                 row->element_strides, (CUtensorMapInterleave)codes.interleave, (CUtensorMapSwizzle)codes.swizzle,
                 (CUtensorMapL2promotion)codes.l2_promotion, (CUtensorMapFloatOOBfill)codes.out_of_bounds);
    if (result == CUDA_SUCCESS)
        memcpy(bytes, &map, sizeof map);
    return (cudaError_t)result; /* the runtime and the driver use the same numbers */
}

/* Returns NULL if the driver lacks the function. */
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
