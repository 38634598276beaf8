/* The internals of the evaluator `gpu`: configurations in slots, from compilation to measurement. */
#ifndef CUTUNE_EVALUATE_GPU_EVALUATOR_H
#define CUTUNE_EVALUATE_GPU_EVALUATOR_H

#include "base/evidence.h"
#include "base/hash.h"
#include "base/text.h"
#include "compile/pool.h"
#include "device/profile.h"
#include "evaluate/command.h"
#include "evaluate/duplicates.h"
#include "evaluate/eval_gpu.h"
#include "evaluate/flow.h"
#include "evaluate/set_code.h"
#include "evaluate/set_up.h"

enum slot_state {
    SLOT_FREE,
    SLOT_WAITING,
    SLOT_COMPILING,
    SLOT_COMPILED,
    SLOT_DUPLICATE, /* waits for a slot with the same code and launch */
    SLOT_MEASURING,
    SLOT_DONE
};

/* A configuration in progress. */
struct slot {
    enum slot_state state;
    bool exact;                /* never stopped early */
    bool apart;                /* not from the search: not checked for duplicates */
    struct evidence *evidence; /* of its launches, made when it is compiled, with the assembler's report of spills; such
                                  a slot is never measured. NULL: not wanted */
    uint64_t index, original;  /* as in struct evaluation */
    uint64_t order;            /* of submission: the oldest slot goes first */
    uint32_t choices[SPACE_PARAMETERS_MAX]; /* of the index */
    size_t wanted;        /* the device that must measure it; EVALUATOR_ANY_DEVICE: whichever is idle */
    size_t device;        /* the device that measures it or did; EVALUATOR_ANY_DEVICE: none */
    uint32_t set;         /* of expected results */
    struct worker lister; /* lists the machine code for `evidence` */
    struct launch launch;
    struct foreseen *foreseen;   /* compiled before its submission, or being compiled; NULL: not, or taken */
    struct work_amounts amounts; /* of a run */
    struct measurement measurement;
    struct text cubin, names, log; /* names: lowered, NUL-terminated strings one after the other */
    char code[HASH_HEX_BYTES];     /* hash of cubin, launch, work and set */
};

/* A device of the setup in the search. */
struct gpu_member {
    double incumbent; /* in its own time; of a unit of work where the space has `work` */
    bool left_out;    /* measures nothing more */
};

/* The ceilings, measured when evidence is first wanted. */
struct gpu_roofline {
    enum roofline_state { ROOFLINE_WANTED, ROOFLINE_COMPILING, ROOFLINE_COMPILED, ROOFLINE_MEASURED } state;
    struct text cubin; /* COMPILED; empty: it did not compile */
    struct evidence ceilings;
};

/* The library that the winner is compared with, compiled beside the play-off. */
struct gpu_library_code {
    enum library_state { LIBRARY_WANTED, LIBRARY_COMPILING, LIBRARY_READY } state;
    struct text object; /* the shared object; empty: it is a file, or there is none */
    char missing[256];  /* why there is none; "": there is */
};

struct gpu_evaluator {
    const struct evaluator_setup *setup;
    const struct device_limits *limits;
    struct compile_pool *pool;
    struct set_up *set_up;
    struct command command; /* of the reference; restarted devices read its results again */
    bool started;
    struct evaluator_usage usage;
    int64_t compile_begin_ns, measure_begin_ns; /* when the first compilation and measurement began; 0: not yet */
    struct gpu_member *members;                 /* by device */
    uint64_t orders;
    struct flow flow;  /* of the search */
    size_t slot_count; /* room for the most in flight and for a play-off */
    struct slot *slots;
    struct worker **workers; /* memory for worker_wait: compilers and devices */
    struct duplicates duplicates;
    struct foreseen *foreseen; /* what was compiled ahead */
    size_t foreseen_count, foreseen_bytes;
    struct profiler *profiler;    /* of the first device; NULL: none, or ended because it measures again */
    struct gpu_roofline roofline; /* of the first device */
    struct gpu_library_code library;
    struct gpu_set_state *sets[SPACE_SETS_MAX]; /* NULL: not needed so far, or the first one */
};

/* Ids of compilations: the slots' numbers, then those of the sets' parts, of the set-up, of the roofline's kernels, of
 * the library, and of what was foreseen. */
static inline uint64_t gpu_set_id(const struct gpu_evaluator *gpu, size_t set, enum set_part part)
{
    return gpu->slot_count + set * SET_PARTS + part;
}
static inline uint64_t gpu_set_up_id(const struct gpu_evaluator *gpu)
{
    return gpu_set_id(gpu, SPACE_SETS_MAX, 0);
}
static inline uint64_t gpu_roofline_id(const struct gpu_evaluator *gpu)
{
    return gpu_set_up_id(gpu) + SET_UP_JOBS;
}
static inline uint64_t gpu_library_id(const struct gpu_evaluator *gpu)
{
    return gpu_roofline_id(gpu) + 1;
}
static inline uint64_t gpu_foreseen_id(const struct gpu_evaluator *gpu, size_t number)
{
    return gpu_library_id(gpu) + 1 + number;
}

/* ---- gpu_start.c ---- */

/* Starts the compilers on the first call, with what the set-up needs. The devices need not have answered. */
int gpu_prepare(struct gpu_evaluator *gpu, struct error *error);
/* Ends the evaluator's own compilers, or empties the pool that it was lent. */
void gpu_close_pool(struct gpu_evaluator *gpu);
/* Waits until all devices have answered, while the compilers work. */
int gpu_await_answers(struct gpu_evaluator *gpu, struct error *error);
/* Sets up the devices on the first call: a run that finds everything in its journal does not need it. Without devices
 * only the compilers start. */
int gpu_start(struct gpu_evaluator *gpu, struct error *error);
/* worker_wait for all compilers and devices. */
void gpu_wait_for_workers(struct gpu_evaluator *gpu, int64_t until_ns);
/* Their descriptors, as struct evaluator_ops watches them. */
size_t gpu_watch(void *state, int *descriptors, size_t room);

/* ---- gpu_slots.c ---- */

/* The oldest slot in a state; NULL if there is none. */
struct slot *gpu_slots_oldest(struct gpu_evaluator *gpu, enum slot_state state);
size_t gpu_slots_used(const struct gpu_evaluator *gpu);
/* How many more configurations the search may submit now: evaluator_ops.room. */
size_t gpu_slots_room(const struct gpu_evaluator *gpu, bool learns_at_once);
/* Assigns a configuration a free slot, which must exist: SLOT_WAITING, or SLOT_DONE if its launch does not fit the
 * devices. The first call starts the compilers and sets up the devices. `taken`: the slot; may be NULL. */
int gpu_slots_submit(struct gpu_evaluator *gpu, uint64_t index, bool exact, bool apart, struct slot **taken,
                     struct error *error);
void gpu_slots_finish(struct slot *slot, enum status status);
/* Work of a run; 1 if the space has no `work`. */
double gpu_slots_work(const struct slot *slot);
/* The kernel of a compiled slot, to pass to a device; borrows from the slot. */
struct device_kernel gpu_slots_kernel(const struct slot *slot);
/* Finds the duplicate of a compiled slot: waits for it, or takes over its outcome if that applies. Without effect if a
 * certain device is wanted. */
int gpu_slots_find_duplicate(struct gpu_evaluator *gpu, struct slot *slot, struct error *error);
/* Records the outcome and passes it to waiting duplicates. Those that it does not apply to are measured. */
int gpu_slots_keep_measured(struct gpu_evaluator *gpu, const struct slot *slot, struct error *error);

/* ---- gpu_sets.c ---- */

/* A configuration that will be measured needs a set: its kernels are compiled. */
int gpu_sets_need(struct gpu_evaluator *gpu, uint32_t set, struct error *error);
/* Submits waiting compilations to idle compilers. */
int gpu_sets_start(struct gpu_evaluator *gpu, struct error *error);
/* Takes the result of such a compilation; false if it is none. */
bool gpu_sets_take(struct gpu_evaluator *gpu, const struct compile_result *result);
/* Are all kernels of the set compiled, if they compile? Is any set not ready? */
bool gpu_sets_ready(const struct gpu_evaluator *gpu, uint32_t set);
bool gpu_sets_compiling(const struct gpu_evaluator *gpu);
/* The outcome of all configurations that need the set, if it cannot be computed; otherwise NULL. */
const struct measurement *gpu_sets_refusal(const struct gpu_evaluator *gpu, uint32_t set);
/* Before a job: tells a device about a set that is ready. */
int gpu_sets_tell(const struct gpu_evaluator *gpu, uint32_t set, struct device *device, struct error *error);
void gpu_sets_free(struct gpu_evaluator *gpu);

/* ---- gpu_compile.c ---- */

/* Submits a configuration to a compiler, which must be idle. `reports`: the log reports spills. */
int gpu_compile_submit(struct gpu_evaluator *gpu, uint64_t id, const uint32_t *choices, const struct launch *launch,
                       bool reports, struct error *error);
/* Submits what waits to idle compilers: first for the set-up, then for slots, then what was foreseen. */
int gpu_compile_start(struct gpu_evaluator *gpu, struct error *error);
/* Collects the compilers' results. A slot that the cubin rules out is SLOT_DONE. */
int gpu_compile_take(struct gpu_evaluator *gpu, struct error *error);
/* Both of the above, with a wait for the compilers until `until_ns` in between. */
int gpu_compile_waiting(struct gpu_evaluator *gpu, int64_t until_ns, struct error *error);

/* ---- gpu_foreseen.c ---- */

/* Before the start, once: these configurations will probably be submitted. */
int gpu_foresee(struct gpu_evaluator *gpu, const uint64_t *indices, size_t count, struct error *error);
/* Submits some of them to idle compilers, until the devices are set up. */
int gpu_foreseen_start(struct gpu_evaluator *gpu, struct error *error);
/* Ends one of them that no slot waits for, to make a compiler idle; false: there is none. */
bool gpu_foreseen_abandon(struct gpu_evaluator *gpu);
/* Takes the result of such a compilation; false if it is none. *slot: the one that waits for it, or NULL. */
bool gpu_foreseen_take(struct gpu_evaluator *gpu, const struct compile_result *result, struct slot **slot);
/* What was compiled ahead, or is being compiled, for a configuration; NULL: nothing, or another slot waits for it. */
struct foreseen *gpu_foreseen_find(struct gpu_evaluator *gpu, uint64_t index);
/* Its result, until it is released; NULL: still being compiled. */
const struct compile_result *gpu_foreseen_result(const struct foreseen *foreseen);
/* After a slot has taken over the result. */
void gpu_foreseen_release(struct gpu_evaluator *gpu, struct slot *slot);
void gpu_foreseen_free(struct gpu_evaluator *gpu);

/* ---- gpu_measure.c ---- */

/* Gives each idle device the oldest compiled slot. */
int gpu_measure_start(struct gpu_evaluator *gpu, struct error *error);
/* Collects the devices' measurements. */
int gpu_measure_take(struct gpu_evaluator *gpu, struct error *error);
/* Gives a slot whose set cannot be computed its outcome; false: it can be. */
bool gpu_measure_refuse(struct gpu_evaluator *gpu, struct slot *slot);
/* Sets the slot's outcome, as time per unit of work if the space has `work`, and adds what the compiler reported. */
void gpu_measure_outcome(struct slot *slot, const struct measurement *measured);
/* Explains in the slot's measurement if its traffic is more than the device can have moved in the time. */
void gpu_measure_doubt(const struct gpu_evaluator *gpu, struct slot *slot, size_t device);

/* ---- gpu_evidence.c ---- */

/* evaluator_ops.evidence, on the first device */
int gpu_evidence(void *state, const uint64_t *indices, size_t count, int64_t until_ns, evaluator_take_evidence *take,
                 void *context, struct error *error);

/* Before a device measures: ends its profiler, which holds its memory. */
void gpu_evidence_end(struct gpu_evaluator *gpu);

/* ---- gpu_roofline.c ---- */

/* Begins to compile their kernels beside other work, on the first call with an idle compiler. */
int gpu_roofline_begin(struct gpu_evaluator *gpu, struct error *error);
/* Measures the ceilings on the first call, which the set-up precedes; what cannot be measured stays unknown.
 * ERROR_INTERRUPTED, and errors after which the evaluator can only be closed. */
int gpu_roofline_measure(struct gpu_evaluator *gpu, struct error *error);
/* Takes the result of such a compilation; false if it is none. */
bool gpu_roofline_take(struct gpu_evaluator *gpu, const struct compile_result *result);

/* ---- gpu_library.c ---- */

/* Begins to compile the library beside other work, on the first call with an idle compiler. */
int gpu_library_begin(struct gpu_evaluator *gpu, struct error *error);
/* Takes the result of such a compilation; false if it is none. */
bool gpu_library_take(struct gpu_evaluator *gpu, const struct compile_result *result);
/* evaluator_ops.library, on the first device, whose process rests meanwhile */
int gpu_library(void *state, uint64_t index, struct evaluator_library *measured, struct error *error);

/* ---- gpu_playoff.c ---- */

/* Compiles the slots that wait, mostly from the cache. */
int gpu_playoff_compile(struct gpu_evaluator *gpu, struct error *error);
/* Gives a configuration a slot in a play-off. */
int gpu_playoff_enter(struct gpu_evaluator *gpu, uint64_t index, struct slot **slot, struct error *error);

/* evaluator_ops.playoff, on the first device */
int gpu_playoff(void *state, const uint64_t *indices, size_t count, struct measurement *finals, bool *played,
                struct error *error);

#endif
