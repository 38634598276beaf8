/* Memory techniques evaluated for one configuration: an L2 window, constant memory, textures, surfaces, tensor maps,
 * the L1 carve-out, thread block clusters, and the pipeline of transfers around the kernel. Only each technique's own
 * file knows the contents of its statements (techniques.def). */
#ifndef CUTUNE_SPACE_TECHNIQUE_H
#define CUTUNE_SPACE_TECHNIQUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
#define TECHNIQUE(name, effect) TECHNIQUE_##name,
#include "lists/techniques.def"
#undef TECHNIQUE
    TECHNIQUE_COUNT
};
enum {
    SPACE_VARIABLES_MAX = 32,
    SPACE_TEXTURES_MAX = 32, /* and surfaces */
    SPACE_TENSOR_MAPS_MAX = 16,
    SPACE_COPIES_MAX = 16,
    SPACE_SYMBOL_BYTES = 128
};
enum {
    PIPELINE_STREAMS_MAX = 128,
    PIPELINE_CHUNKS_MAX = 4096,
    PIPELINE_PIECES_MAX = 65536,
    PIPELINE_WORK_NS_MAX = 1000000000
};

enum l2_property { L2_NORMAL, L2_STREAMING, L2_PERSISTING }; /* same values as CUDA's */
enum host_memory {
    HOST_PAGEABLE,
    HOST_PINNED,
    HOST_REGISTERED,
    HOST_WRITE_COMBINED,
    HOST_MAPPED,  /* the kernel accesses host memory: no transfers */
    HOST_MANAGED, /* prefetched instead of copied */
    HOST_COUNT
};
enum pipeline_order { ORDER_DEPTH, ORDER_BREADTH };
enum host_placement { PLACEMENT_BEFORE, PLACEMENT_OVERLAPPED };
enum device_allocation { ALLOCATION_REUSE, ALLOCATION_EACH, ALLOCATION_POOL };
enum texture_filter { FILTER_POINT, FILTER_LINEAR };
enum texture_address { ADDRESS_CLAMP, ADDRESS_WRAP, ADDRESS_MIRROR, ADDRESS_BORDER, ADDRESS_COUNT };
enum texture_unit { UNIT_ELEMENTS, UNIT_NORMALIZED }; /* of coordinates, and of the values that are read */
enum texture_memory { MEMORY_BUFFER, MEMORY_ARRAY, MEMORY_SURFACE };
enum tensor_fill { TENSOR_ZERO, TENSOR_NAN };
enum { TENSOR_RANK_MAX = 5, TEXTURE_RANK_MAX = 3, TENSOR_MAP_BYTES = 128, TENSOR_MAP_ALIGNMENT = 64 };

/* Element types of tensor maps: space/tensor_types.def. */
enum tensor_type {
#define TENSOR_TYPE(name, bytes, floating, cuda) TENSOR_##name,
#include "space/tensor_types.def"
#undef TENSOR_TYPE
    TENSOR_TYPE_COUNT
};

/* ---- Parts of struct launch, all zero if unused. Settings without effect are normalised (a window of 0 bytes has no
 * hit ratio), so that equal launches are equal bytes. ---- */

struct launch_window {
    uint64_t bytes; /* 0: no window and no set-aside L2 */
    uint64_t set_aside_bytes;
    double hit_ratio; /* 0..1 */
    uint32_t buffer;
    uint16_t hit, miss; /* enum l2_property */
};

/* A variable of the machine code that is set before a run. */
struct launch_variable {
    char name[SPACE_SYMBOL_BYTES]; /* in the source: "ns::table" */
    uint32_t argument;             /* its value, among the arguments of the launch */
    uint16_t contents;             /* it gets the contents of that buffer, not the address */
    uint16_t restored;             /* before each run, because a kernel may change it */
};

/* A texture or a surface. */
struct launch_texture {
    uint64_t width, height, depth; /* elements; 0: no such dimension; width 0: this configuration has no such surface */
    uint64_t layers;               /* 0: not layered */
    uint32_t buffer;
    uint16_t type;                      /* index into element_types */
    uint16_t filter;                    /* enum texture_filter */
    uint16_t address[TEXTURE_RANK_MAX]; /* enum texture_address, x first */
    uint16_t coordinates, read;         /* enum texture_unit */
    uint16_t memory;                    /* enum texture_memory; a texture with a depth or layers has MEMORY_ARRAY */
};

struct launch_tensor_map {
    uint64_t offset_bytes;                 /* offset of the first element in the buffer */
    uint64_t sizes[TENSOR_RANK_MAX];       /* elements; the innermost dimension first, like all that follow */
    uint64_t strides[TENSOR_RANK_MAX - 1]; /* bytes, of dimension 1 and up */
    uint32_t box[TENSOR_RANK_MAX], element_strides[TENSOR_RANK_MAX];
    uint32_t buffer;
    uint16_t rank;                                    /* 0: this configuration has no such map */
    uint16_t type;                                    /* enum tensor_type */
    uint16_t interleave, swizzle, atom, l2_promotion; /* bytes; 0: none; the atom is never 0 */
    uint16_t flip;                                    /* 0 or 1 */
    uint16_t out_of_bounds;                           /* enum tensor_fill */
};
/* Settings for cuTensorMapEncodeTiled: the numbers of CUDA's enumerations; -1: no such setting. */
struct tensor_codes {
    int type, interleave, swizzle, l2_promotion, out_of_bounds;
};
struct tensor_codes space_tensor_codes(const struct launch_tensor_map *map);

struct launch_pipeline {
    uint64_t total;        /* number of units to split: elements, rows, ...; 0: no pipeline */
    uint64_t chunk_length; /* of each chunk; the last may be smaller; 1 .. total */
    uint64_t host_work_ns;
    uint32_t streams; /* at most as many as chunks */
    uint32_t pieces;  /* transfers per chunk and buffer */
    uint16_t order, host_memory, packed, placement, allocation;
    uint16_t copy_count;
    struct launch_copy {
        uint32_t buffer;
        uint16_t in, out;
    } copies[SPACE_COPIES_MAX];
};

/* Meanings of an argument other than a buffer or a scalar. */
enum argument_role {
    ARGUMENT_PLAIN,
    ARGUMENT_TEXTURE,
    ARGUMENT_SURFACE,
    ARGUMENT_TENSOR_MAP,
    ARGUMENT_CHUNK_OFFSET,
    ARGUMENT_CHUNK_LENGTH,
    ARGUMENT_WORKSPACE /* address within the workspace of the launch */
};

/* The words for an argument that is a view of a buffer: "texture", and the type of its parameter. NULL: other roles. */
struct view_words {
    const char *what, *parameter;
};
const struct view_words *view_words_of(enum argument_role role);

#endif
