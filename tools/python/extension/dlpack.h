/* The parts of DLPack 1.3 that a consumer of its C exchange table reads. A type of arrays has the table as
 * `__dlpack_c_exchange_api__`, a capsule named "dlpack_exchange_api", which lives as long as the process. */
#ifndef CUTUNE_PYTHON_DLPACK_H
#define CUTUNE_PYTHON_DLPACK_H

#include <stdint.h>

enum { DLPACK_MAJOR = 1 };

enum dlpack_device { DLPACK_CUDA = 2, DLPACK_CUDA_MANAGED = 13 };
enum dlpack_code {
    DLPACK_INT = 0,
    DLPACK_UINT = 1,
    DLPACK_FLOAT = 2,
    DLPACK_OPAQUE = 3,
    DLPACK_BFLOAT = 4,
    DLPACK_COMPLEX = 5,
    DLPACK_BOOL = 6,
    DLPACK_FLOAT8_FIRST = 7, /* up to the last: formats of eight bits */
    DLPACK_FLOAT8_LAST = 14
};

struct dlpack_tensor {
    void *data;
    int32_t device_type, device_id;
    int32_t rank;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides; /* in elements; strides NULL: contiguous */
    uint64_t byte_offset;
};

struct dlpack_table {
    uint32_t major, minor;
    const struct dlpack_table *previous; /* an older major version */
    void *allocate, *managed_from_object, *object_from_managed;
    int (*tensor_from_object)(void *object, struct dlpack_tensor *tensor); /* NULL: none. Its shape is borrowed */
    int (*current_stream)(int32_t device_type, int32_t device_id, void **stream);
};

#endif
