/* The answer of a compiler command: for each kernel, the parts of its launch that the language decides. */
#ifndef CUTUNE_COMPILE_ANSWER_H
#define CUTUNE_COMPILE_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pack.h"

enum { ANSWER_PARAMETERS_MAX = 1024 /* of all kernels of an answer */, ANSWER_RANK_MAX = 5 };

enum answer_kind {
    ANSWER_ARGUMENT, /* the launch's argument */
    ANSWER_EXTENT,   /* number of elements of a buffer argument in a dimension */
    ANSWER_STRIDE,   /* distance of its elements in a dimension, in elements */
    ANSWER_MAP,      /* the argument, a tensor map, with the answer's box and swizzle */
    ANSWER_VALUE,    /* an integer that the answer gives */
    ANSWER_NULL,     /* zeros */
    ANSWER_SCRATCH,  /* address of device memory that no other launch uses; NULL if its size is 0 */
    ANSWER_STRUCT    /* the next `members` parameters side by side, without padding */
};
enum { ANSWER_KINDS = ANSWER_STRUCT + 1 };

/* A parameter of a kernel's code. */
struct answer_parameter {
    uint32_t kind;                 /* enum answer_kind */
    uint32_t argument;             /* number of the launch's argument, from 0 */
    uint32_t dimension;            /* of an extent or stride, from 0 */
    uint32_t bytes;                /* 4 or 8 of an extent, stride or value, 1 to 4096 of zeros; else 0 */
    int64_t value;                 /* of ANSWER_VALUE */
    uint32_t box[ANSWER_RANK_MAX]; /* of ANSWER_MAP, elements, the outermost dimension first */
    uint32_t swizzle;              /* of ANSWER_MAP, bytes */
    uint64_t scratch_bytes;        /* for each block of the grid */
    uint32_t alignment;            /* of the scratch's address and of each block's part, a power of two up to 256 */
    uint32_t members;              /* of ANSWER_STRUCT: each is an argument, an extent, a stride, a value or zeros */
};

struct kernel_answer {
    uint32_t block[3];    /* threads; block[0] 0: not said */
    uint32_t grid[3];     /* blocks; of `grid compiler X`, elements for each block; grid[0] 0: not said */
    uint32_t cluster[3];  /* blocks; cluster[0] 0: no cluster */
    int64_t shared_bytes; /* dynamic, for each block; -1: not said */
    uint32_t cooperative, programmatic;
    uint32_t lists; /* the code takes the next `parameter_count` parameters; otherwise the launch's arguments */
    uint32_t parameter_count; /* with members of structs; 0 unless `lists` */
};

extern const struct pack_table kernel_answer_table, answer_parameter_table; /* without ids */

#endif
