/* The inside of the evaluator `gpu`: configurations in slots, on their way from the compilers to the devices. */
#ifndef CUTUNE_EVALUATE_GPU_EVALUATOR_H
#define CUTUNE_EVALUATE_GPU_EVALUATOR_H

#include "base/hash.h"
#include "base/text.h"
#include "compile/pool.h"
#include "evaluate/duplicates.h"
#include "evaluate/eval_gpu.h"

enum slot_state {
    SLOT_FREE,
    SLOT_WAITING,
    SLOT_COMPILING,
    SLOT_COMPILED,
    SLOT_DUPLICATE, /* the same code and launch as a slot that is compiled or measuring */
    SLOT_MEASURING,
    SLOT_DONE
};

/* A configuration on its way. */
struct slot {
    enum slot_state state;
    bool exact;            /* never stopped early */
    bool apart;            /* from the search: its code has no duplicates */
    uint64_t index, order; /* order: of submission, so that the oldest goes first */
    size_t device;         /* SLOT_MEASURING: which of the setup's devices has it */
    struct launch launch;
    struct measurement measurement;
    struct text cubin, name, log;
    char code[HASH_HEX_BYTES]; /* of the cubin and the launch: what is measured */
};

struct gpu_evaluator {
    const struct gpu_setup *setup;
    struct compile_pool *pool;
    bool started;
    struct evaluator_usage usage;
    int64_t compile_begin_ns, measure_begin_ns; /* of the first one of each; 0: none yet */
    double incumbent_ns;                        /* for the jobs of all devices */
    uint64_t orders;
    uint64_t asked;    /* configurations that were compiled for their compiler metrics, or are being so */
    size_t depth;      /* how many may be on their way in the search */
    size_t slot_count; /* of those, and of a play-off */
    struct slot *slots;
    struct worker **workers; /* room for worker_wait: compilers and devices */
    struct duplicates duplicates;
};

/* ---- gpu_slots.c ---- */

/* The oldest slot in a state; NULL when there is none. */
struct slot *gpu_slots_oldest(struct gpu_evaluator *gpu, enum slot_state state);
/* How many more configurations may be on their way in the search. */
size_t gpu_slots_room(const struct gpu_evaluator *gpu);
/* Gives a configuration a free slot, which must be there: SLOT_WAITING, or SLOT_DONE when its launch fits no device.
 * Starts the compilers and sets up the devices when it is the first. `taken`: the slot; NULL: nobody asks. */
int gpu_slots_submit(struct gpu_evaluator *gpu, uint64_t index, bool exact, bool apart, struct slot **taken,
                     struct error *error);
void gpu_slots_finish(struct slot *slot, enum status status);
/* What a device is given of a compiled slot; borrows it. */
struct device_kernel gpu_slots_kernel(const struct slot *slot);
/* A compiled slot with the same code as another one waits for that, or takes its outcome if that serves. */
int gpu_slots_find_duplicate(struct gpu_evaluator *gpu, struct slot *slot, struct error *error);
/* Keeps what was measured, and gives it to the slots that wait for it. One whom it does not serve is measured itself.
 */
int gpu_slots_keep_measured(struct gpu_evaluator *gpu, const struct slot *slot, struct error *error);

/* ---- gpu_compile.c ---- */

/* Hands the compilers what is waiting, as far as they are idle. */
int gpu_compile_start(struct gpu_evaluator *gpu, struct error *error);
/* Takes what the compilers have done. What a cubin rules out is SLOT_DONE. */
int gpu_compile_take(struct gpu_evaluator *gpu, struct error *error);
/* Both, with a wait for the compilers, no longer than `until_ns`, in between. */
int gpu_compile_waiting(struct gpu_evaluator *gpu, int64_t until_ns, struct error *error);
/* evaluator_ops.compiler_metrics */
int gpu_compile_metrics(void *state, int64_t end_ns, double *compiler_metrics, uint64_t *done, bool *more,
                        struct error *error);

/* ---- gpu_measure.c ---- */

/* Gives each idle device the oldest compiled slot. */
int gpu_measure_start(struct gpu_evaluator *gpu, struct error *error);
/* Takes what the devices have measured. */
int gpu_measure_take(struct gpu_evaluator *gpu, struct error *error);
/* The slot has this outcome, and what is known of it from the compiler. */
void gpu_measure_outcome(struct slot *slot, const struct measurement *measured);

/* ---- gpu_playoff.c ---- */

/* evaluator_ops.playoff, on the first device */
int gpu_playoff(void *state, const uint64_t *indices, size_t count, struct measurement *finals, bool *played,
                struct error *error);

/* ---- eval_gpu.c ---- */

/* Started by the first need, so that a run that finds everything in its journal compiles and measures nothing. */
int gpu_start(struct gpu_evaluator *gpu, struct error *error);

#endif
