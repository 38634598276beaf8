/* Memory techniques that a space can request: an L2 window, constant memory, textures, the L1's carve-out, thread block
 * clusters, and a pipeline of transfers around the kernel. First as written in the file, then evaluated for one
 * configuration. */
#ifndef CUTUNE_SPACE_TECHNIQUE_H
#define CUTUNE_SPACE_TECHNIQUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct expr;         /* space/expr.h */
struct element_type; /* space/space.h */

enum { SPACE_CONSTANTS_MAX = 8, SPACE_TEXTURES_MAX = 16, SPACE_COPIES_MAX = 16, SPACE_SYMBOL_BYTES = 64 };
enum {
    PIPELINE_STREAMS_MAX = 128,
    PIPELINE_CHUNKS_MAX = 4096,
    PIPELINE_PIECES_MAX = 65536,
    PIPELINE_WORK_NS_MAX = 1000000000
};

/* The words of a clause in the order of their enum, from 0. */
struct word_list {
    const char *what; /* "a kind of host memory" */
    size_t count;
    const char *words[8];
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
extern const struct word_list hit_words, miss_words, host_memory_words, order_words, placement_words, allocation_words,
    filter_words;

/* ---- As written in the file: expressions, NULL for an omitted clause. Memory belongs to the space. ---- */

/* A clause: an expression, or a literal word. */
struct setting {
    const struct expr *value; /* NULL: see `word`, the literal or the clause's default */
    int word;
};

struct window_statement {
    uint32_t buffer;
    struct setting bytes, hit_ratio, hit, miss, set_aside;
};

struct pipeline_copy {
    uint32_t buffer;
    bool in, out;
};

struct pipeline_statement {
    size_t copy_count;
    struct pipeline_copy copies[SPACE_COPIES_MAX];
    struct setting split, chunks; /* both or neither */
    struct setting streams, order, host_memory, pieces, packed, host_work, placement, allocation;
};

struct constant_statement {
    const char *symbol;
    uint32_t buffer;
};

struct texture_statement {
    const char *name;
    uint32_t buffer;
    const struct element_type *type;
    const struct expr *width, *height; /* elements; height NULL: one-dimensional */
    struct setting filter;
    int line;
};

/* ---- For one configuration: part of struct launch, all zero if unused. Settings without effect are normalised (a
 * window of 0 bytes has no hit ratio), so that equal launches are equal bytes. ---- */

struct launch_window {
    uint64_t bytes; /* 0: no window and no set-aside L2 */
    uint64_t set_aside_bytes;
    double hit_ratio; /* 0..1 */
    uint32_t buffer;
    uint16_t hit, miss; /* enum l2_property */
};

struct launch_constant {
    char symbol[SPACE_SYMBOL_BYTES];
    uint32_t buffer;
};

struct launch_texture {
    uint64_t width, height; /* elements; height 0: one-dimensional, over linear memory */
    uint32_t buffer;
    uint16_t type;   /* index into element_types */
    uint16_t filter; /* enum texture_filter */
};

struct launch_pipeline {
    uint64_t total;        /* what is split: elements, rows, ...; 0: no pipeline */
    uint64_t chunk_length; /* of each chunk but the last, which may be smaller; 1 .. total */
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

/* Meanings of an argument besides a buffer or a scalar. */
enum argument_role { ARGUMENT_PLAIN, ARGUMENT_TEXTURE, ARGUMENT_CHUNK_OFFSET, ARGUMENT_CHUNK_LENGTH };

#endif
