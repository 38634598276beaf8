/* The launches of a run with one configuration, in the form in which other processes get them. */
#ifndef CUTUNE_SPACE_LAUNCH_H
#define CUTUNE_SPACE_LAUNCH_H

#include "base/pack.h"
#include "base/text.h"
#include "space/technique.h"

enum {
    SPACE_ARGUMENTS_MAX = 64, /* of one launch */
    SPACE_SCRATCH_MAX = 16,
    SPACE_ARGUMENT_BYTES_MAX = 4096, /* of one argument: the total that all devices accept for a kernel */
    SPACE_LAUNCHES_MAX = 64,         /* `launch` statements, or those of a reference */
    SPACE_POOL_MAX = 512,            /* arguments of these */
    SPACE_PARTS_MAX = 512,           /* addresses and objects in the structs of these */
    SPACE_SWAPS_MAX = 64,            /* of these */
    SPACE_REPEATS_MAX = 1000000,     /* launches in a row; rounds of loops in a run */
    SPACE_LOOPS_MAX = 64,            /* `loop` statements */
};

/* Comparisons that end a loop. */
enum until_sign { UNTIL_EQUAL, UNTIL_NOT_EQUAL, UNTIL_LESS, UNTIL_AT_MOST, UNTIL_GREATER, UNTIL_AT_LEAST };
/* Left to the answer of a compiler command: the block (0 until then), the dynamic shared memory (0), the grid (the
 * elements that it covers). */
enum launch_undecided { UNDECIDED_BLOCK = 1, UNDECIDED_SHARED = 2, UNDECIDED_GRID = 4 };
enum { UNTIL_SIGN_COUNT = UNTIL_AT_LEAST + 1 };
extern const char *const until_signs[UNTIL_SIGN_COUNT]; /* "==" */

struct launch_swap {
    uint32_t a, b; /* buffers */
};

/* Number of 8-byte words that hold `bytes` bytes. */
#define LAUNCH_WORDS(bytes) (((size_t)(bytes) + 7) / 8)
enum {
    LAUNCH_WORDS_MAX = 2048,
    LAUNCH_FIELDS_MAX = 512,
    LAUNCH_UNTILS_MAX = SPACE_LOOPS_MAX,
    LAUNCH_LOOPS_MAX = 2048,
    LAUNCH_CALLS_MAX = 8192,
    LAUNCH_VALUES_MAX = 16384
};

/* The launches of a run. Without loops, a run makes all steps in order. With loops, `calls` is their order, and a step
 * is as in its first call; later calls may have other values of its fields. */
struct launch {
    uint64_t scratch_bytes[SPACE_SCRATCH_MAX]; /* of the scratch buffers in order */
    size_t kernel_count;
    uint16_t kernels[SPACE_LAUNCHES_MAX]; /* indices into space->kernels of the kernels in use, in order of first use */
    size_t step_count;
    struct launch_step {
        uint16_t kernel;                    /* index into `kernels` */
        uint16_t from;                      /* number of its step in the space; not sent to other processes */
        uint16_t cooperative, programmatic; /* programmatic: may begin before the launch before it ends */
        uint32_t block[3], grid[3];         /* of a pipeline: of each chunk. grid[0] 0: as many blocks as run at once */
        uint32_t cluster[3];                /* blocks; 0: no cluster */
        uint32_t repeat;                    /* launches in a row, at least 1 */
        uint32_t argument_first, argument_count, swap_first, swap_count; /* in `arguments` and `swaps` */
        uint32_t field_first, field_count;                               /* in `fields` */
        uint64_t shared_bytes;                                           /* dynamic */
        uint16_t undecided;                                              /* bits of enum launch_undecided */
        uint16_t fp64; /* gets the results in double precision instead of the buffers that have them */
    } steps[SPACE_LAUNCHES_MAX];
    size_t swap_count;
    struct launch_swap swaps[SPACE_SWAPS_MAX];
    size_t argument_count, part_count;
    struct launch_argument {
        int buffer; /* index into the space's buffers; -1: see `role` */
        uint16_t role;
        uint16_t view;         /* of a texture or surface: index into textures; of a tensor map: into tensor_maps */
        uint32_t bytes;        /* ARGUMENT_PLAIN; or of a chunk's offset or length */
        uint32_t word;         /* ARGUMENT_PLAIN: where its bytes begin in `words` */
        uint64_t offset_bytes; /* of a pointer into the buffer */
        uint32_t part_first, part_count; /* ARGUMENT_PLAIN: in `parts`, whose values replace bytes of it */
        uint32_t at;                     /* of a part: its place among those bytes */
    } arguments[SPACE_POOL_MAX], parts[SPACE_PARTS_MAX]; /* a part has no parts */
    size_t word_count;
    struct launch_word {
        uint64_t bits;
    } words[LAUNCH_WORDS_MAX]; /* the bytes of arguments as they are in memory */
    uint64_t workspace_bytes;  /* device memory for ARGUMENT_WORKSPACE, whose offset_bytes are within it */
    uint16_t graph;            /* runs as a CUDA graph */
    uint16_t has_carveout;
    uint16_t carveout; /* preferred shared memory in percent */
    uint16_t variable_count, texture_count, tensor_map_count;
    struct launch_window window;
    struct launch_variable variables[SPACE_VARIABLES_MAX];
    struct launch_texture textures[SPACE_TEXTURES_MAX];
    struct launch_tensor_map tensor_maps[SPACE_TENSOR_MAPS_MAX];
    struct launch_pipeline pipeline;
    size_t field_count;
    struct launch_field { /* a number that differs among the calls of a step */
        uint16_t kind;    /* enum launch_field_kind */
        uint16_t index;   /* dimension, or index into `arguments`, `parts` or `words` */
    } fields[LAUNCH_FIELDS_MAX];
    size_t until_count;
    struct launch_until { /* a condition on the first element of a buffer */
        uint32_t buffer;
        uint16_t type; /* index into element_types: one component, an integer, float or double */
        uint16_t sign; /* enum until_sign */
        uint64_t bits; /* the value: of an int64_t, a uint64_t or a double, by the type's family */
    } untils[LAUNCH_UNTILS_MAX];
    size_t loop_count, call_count, value_count; /* call_count 0: no loops */
    struct launch_loop {                        /* in the order of their ends, inner ones first */
        uint32_t first, end;                    /* its calls */
        uint32_t rounds;                        /* at least 1 */
        uint32_t inner;                         /* number of the first loop that ends behind `first` */
        uint32_t until;                         /* index into untils, plus 1; 0: none */
        uint32_t exit, next; /* with `until`, once it holds: the next call, and the first loop that may end there */
        uint32_t last;       /* with `until`: an error if it does not hold after the last round */
    } loops[LAUNCH_LOOPS_MAX];
    struct launch_call {
        uint32_t step;
        uint32_t value; /* index into `values` of the step's first field */
    } calls[LAUNCH_CALLS_MAX];
    struct launch_value {
        uint64_t bits;
    } values[LAUNCH_VALUES_MAX];
};

/* FIELD_OFFSET: of an argument. FIELD_PART: the offset of a part. */
enum launch_field_kind {
    FIELD_BLOCK,
    FIELD_GRID,
    FIELD_CLUSTER,
    FIELD_SHARED,
    FIELD_REPEAT,
    FIELD_OFFSET,
    FIELD_PART,
    FIELD_WORD
};
enum { LAUNCH_FIELD_KINDS = FIELD_WORD + 1 };

/* Bytes of an argument's value: an address, a texture or a surface has 8, a tensor map 128. */
uint32_t space_argument_bytes(const struct launch_argument *argument);

/* Copies a launch; cheaper than an assignment, because most launches have few calls. */
void space_launch_copy(struct launch *to, const struct launch *from);

/* The calls of a run, one after the other: launch_walk_start, and launch_walk_next while walk.call.step is not
 * LAUNCH_WALK_END. */
#define LAUNCH_WALK_END UINT32_MAX
struct launch_walk {
    struct launch_call call;
    uint32_t at, loop, done[LAUNCH_LOOPS_MAX];
};
void launch_walk_start(struct launch_walk *walk, const struct launch *launch);
/* Asks for the conditions that end loops; other results than 0 end the walk. NULL: none ever holds. */
typedef int launch_ask(void *context, const struct launch_until *until, bool *holds);
/* Returns 0, or what `ask` returned. *over: the condition that does not hold after the last round of its loop, which
 * ends the walk; NULL: none. It is not asked for if `over` is NULL. */
int launch_walk_next(struct launch_walk *walk, const struct launch *launch, launch_ask *ask, void *context,
                     const struct launch_until **over);
/* Sets the step and its arguments to those of a call. */
void launch_enter(struct launch *launch, const struct launch_call *call);
/* The step of a call, without its arguments. */
struct launch_step launch_step_of(const struct launch *launch, const struct launch_call *call);
/* The number of calls in the order of `calls`, or of steps without loops; and one of them. */
size_t launch_call_count(const struct launch *launch);
struct launch_call launch_call_at(const struct launch *launch, size_t number);

/* Number of launches in a run, repetitions included; of loops with a condition, all rounds. */
uint64_t space_launch_count(const struct launch *launch);
/* Number of those that a step makes. */
uint64_t space_step_count(const struct launch *launch, size_t step);

/* Finds the buffer in whose memory each buffer's contents are after a run: places[b] is b unless launches swapped
 * it. Loops with a condition count as one round. */
void space_launch_places(const struct launch *launch, size_t buffer_count, uint32_t *places);
/* Exchanges the buffers of a step's swaps, as after one of its launches. */
void launch_swap_places(const struct launch *launch, const struct launch_step *step, uint32_t *places);
/* True if the places depend on the number of rounds that conditions allow. */
bool space_launch_moves(const struct launch *launch);

extern const struct pack_table launch_table;
/* A launch as bytes, equal for equal launches; another process can read them (base/pack.h). False, with unpack->failed
 * set, for bytes that do not encode a launch. */
void space_pack_launch(struct text *text, const struct launch *launch);
bool space_unpack_launch(struct unpack *unpack, struct launch *launch);

#endif
