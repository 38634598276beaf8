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
#include "evaluate/queue_depth.h"
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
    bool apart;                /* not the search's: not checked for duplicates */
    bool withdrawn;            /* SLOT_DONE without an outcome */
    struct evidence *evidence; /* evidence of its launches, collected when it is compiled with the assembler's report of
                                  spills; the slot is never measured. NULL: not requested */
    uint64_t index, original;  /* as in struct evaluation */
    uint64_t order;            /* number of the submission: the oldest slot goes first */
    uint32_t choices[SPACE_PARAMETERS_MAX]; /* of the index */
    size_t wanted;                          /* device that must measure it; EVALUATOR_ANY_DEVICE: any idle one */
    size_t device;                          /* device that measures or measured it; EVALUATOR_ANY_DEVICE: none */
    uint32_t set;                           /* number of the set of expected results */
    struct worker lister;                   /* lists the machine code for `evidence` */
    struct launch launch;
    struct foreseen *foreseen;   /* its compilation ahead of submission; NULL: none, or taken */
    struct work_amounts amounts; /* of a run */
    struct measurement measurement;
    struct text cubin, names, log; /* names: lowered, consecutive NUL-terminated strings */
    struct text environment;       /* of the accept command, likewise; empty without one */
    size_t environment_count;
    char code[HASH_HEX_BYTES]; /* hash of cubin, launch, work and set */
};

/* State of a device of the setup. */
struct gpu_member {
    double incumbent; /* in the device's own time; per unit of work if the space has `work` */
    /* The power state that the incumbent's time is of: that of the best value measured on the device, unless the
     * incumbent is lower, thus from elsewhere. */
    double best;
    enum power_state best_state;
    bool capped;   /* the power cap has lowered the clock in a job */
    bool left_out; /* measures no more */
};

/* The ceilings of the roofline, measured when evidence is first requested. */
struct gpu_roofline {
    enum roofline_state { ROOFLINE_WANTED, ROOFLINE_COMPILING, ROOFLINE_COMPILED, ROOFLINE_MEASURED } state;
    struct text cubin; /* ROOFLINE_COMPILED; empty: the compilation failed */
    struct evidence ceilings;
};

/* The library to compare with the winner, compiled beside the play-off. */
struct gpu_library_code {
    enum library_state { LIBRARY_WANTED, LIBRARY_COMPILING, LIBRARY_READY } state;
    struct text object; /* the compiled shared object; empty: the library is a file, or missing */
    char missing[256];  /* why the library is missing; "": it is not */
};

struct gpu_evaluator {
    const struct evaluator_setup *setup;
    const struct device_limits *limits;
    struct compile_pool *pool;
    struct set_up *set_up;
    struct command command; /* the reference's; restarted devices read its results again */
    bool started;
    struct evaluator_usage usage;
    int64_t compile_begin_ns, measure_begin_ns; /* start of the first compilation and measurement; 0: not yet */
    struct gpu_member *members;                 /* by device */
    uint64_t orders;
    struct queue_depth queue; /* of the search */
    size_t slot_count;        /* enough for the most in flight and for a play-off */
    struct slot *slots;
    struct worker **workers; /* scratch memory for worker_wait: compilers and devices */
    struct duplicates duplicates;
    struct foreseen *foreseen; /* compilations ahead of submission */
    size_t foreseen_count, foreseen_bytes;
    struct profiler *profiler;    /* of the first device; NULL: not started, or ended for measurements */
    struct gpu_roofline roofline; /* of the first device */
    struct gpu_library_code library;
    struct gpu_set_state *sets[SPACE_SETS_MAX]; /* NULL: not needed so far, or set 0 */
};

/* Ids of compilations: the slots' numbers, then those of the sets' parts, of the set-up, of the roofline's kernels, of
 * the library, and of foreseen configurations. */
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

/* Starts the compilers on the first call, with the code for the set-up. The devices need not have answered. */
int gpu_prepare(struct gpu_evaluator *gpu, struct error *error);
/* Ends the evaluator's own compilers, or empties the borrowed pool. */
void gpu_close_pool(struct gpu_evaluator *gpu);
/* Waits until all devices have answered, while the compilers work. */
int gpu_await_answers(struct gpu_evaluator *gpu, struct error *error);
/* Sets up the devices on the first call; a run that finds everything in its journal never calls it. Without devices,
 * starts only the compilers. */
int gpu_start(struct gpu_evaluator *gpu, struct error *error);
/* worker_wait for all compilers and devices. */
void gpu_wait_for_workers(struct gpu_evaluator *gpu, int64_t until_ns);
/* Returns their descriptors, as evaluator_ops.watch does. */
size_t gpu_watch(void *state, int *descriptors, size_t room);

/* ---- gpu_slots.c ---- */

/* Returns the oldest slot in a state, or NULL. */
struct slot *gpu_slots_oldest(struct gpu_evaluator *gpu, enum slot_state state);
size_t gpu_slots_used(const struct gpu_evaluator *gpu);
/* Returns how many more configurations the search may submit now: evaluator_ops.room. */
size_t gpu_slots_room(const struct gpu_evaluator *gpu, bool learns_at_once);
/* Assigns a configuration to a free slot, which must exist: SLOT_WAITING, or SLOT_DONE if its launch does not fit the
 * devices. The first call starts the compilers and sets up the devices. `taken`: the slot; may be NULL. */
int gpu_slots_submit(struct gpu_evaluator *gpu, uint64_t index, bool exact, bool apart, struct slot **taken,
                     struct error *error);
void gpu_slots_finish(struct slot *slot, enum status status);
/* evaluator_ops.withdraw */
int gpu_slots_withdraw(void *state, enum evaluation_stage stage, struct error *error);
/* Returns the work of a run; 1 if the space has no `work`. */
double gpu_slots_work(const struct slot *slot);
/* Returns the kernel of a compiled slot, to pass to a device; it borrows from the slot. */
struct device_kernel gpu_slots_kernel(const struct slot *slot);
/* Finds the duplicate of a compiled slot, and waits for it or takes its outcome if that applies. Has no effect if a
 * certain device is required. */
int gpu_slots_find_duplicate(struct gpu_evaluator *gpu, struct slot *slot, struct error *error);
/* Records the outcome and passes it to waiting duplicates. Duplicates to which it does not apply are measured. */
int gpu_slots_keep_measured(struct gpu_evaluator *gpu, const struct slot *slot, struct error *error);

/* ---- gpu_sets.c ---- */

/* Requests the compilation of a set's kernels for a configuration that will be measured. */
int gpu_sets_need(struct gpu_evaluator *gpu, uint32_t set, struct error *error);
/* Submits waiting compilations to idle compilers. */
int gpu_sets_start(struct gpu_evaluator *gpu, struct error *error);
/* Takes the result if it is that of a set; else returns false. */
bool gpu_sets_take(struct gpu_evaluator *gpu, const struct compile_result *result);
/* gpu_sets_ready: true if the set's compilations have ended. gpu_sets_compiling: true if those of any set have not. */
bool gpu_sets_ready(const struct gpu_evaluator *gpu, uint32_t set);
bool gpu_sets_compiling(const struct gpu_evaluator *gpu);
/* Returns the outcome of all configurations that need the set if it cannot be computed; else NULL. */
const struct measurement *gpu_sets_refusal(const struct gpu_evaluator *gpu, uint32_t set);
/* Call before a job: defines a ready set on a device. */
int gpu_sets_tell(const struct gpu_evaluator *gpu, uint32_t set, struct device *device, struct error *error);
/* Cancels the compilations of sets; those that a configuration needs later begin again. */
void gpu_sets_withdraw(struct gpu_evaluator *gpu);
void gpu_sets_free(struct gpu_evaluator *gpu);

/* ---- gpu_compile.c ---- */

/* Submits a configuration to an idle compiler. `reports`: the log reports spills. */
int gpu_compile_submit(struct gpu_evaluator *gpu, uint64_t id, const uint32_t *choices, const struct launch *launch,
                       bool reports, struct error *error);
/* Submits waiting compilations to idle compilers: for the set-up, then for slots, then foreseen ones. */
int gpu_compile_start(struct gpu_evaluator *gpu, struct error *error);
/* Collects the compilers' results. A slot that the cubin rules out is SLOT_DONE. */
int gpu_compile_take(struct gpu_evaluator *gpu, struct error *error);
/* Submits, waits for the compilers until `until_ns`, and collects. */
int gpu_compile_waiting(struct gpu_evaluator *gpu, int64_t until_ns, struct error *error);

/* ---- gpu_foreseen.c ---- */

/* Call once, before the start: announces configurations that will probably be submitted. */
int gpu_foresee(struct gpu_evaluator *gpu, const uint64_t *indices, size_t count, struct error *error);
/* Submits foreseen configurations to idle compilers until the devices are set up. */
int gpu_foreseen_start(struct gpu_evaluator *gpu, struct error *error);
/* Abandons a foreseen compilation that no slot waits for, to idle a compiler; false: all are awaited. */
bool gpu_foreseen_abandon(struct gpu_evaluator *gpu);
/* Takes the result if it is that of a foreseen configuration; else returns false. *slot: the slot that waits for it, or
 * NULL. */
bool gpu_foreseen_take(struct gpu_evaluator *gpu, const struct compile_result *result, struct slot **slot);
/* Returns a configuration's compilation ahead of submission; NULL: none, or another slot waits for it. */
struct foreseen *gpu_foreseen_find(struct gpu_evaluator *gpu, uint64_t index);
/* Returns its result, valid until released; NULL: still being compiled. */
const struct compile_result *gpu_foreseen_result(const struct foreseen *foreseen);
/* Call after a slot has taken the result. */
void gpu_foreseen_release(struct gpu_evaluator *gpu, struct slot *slot);
void gpu_foreseen_free(struct gpu_evaluator *gpu);

/* ---- gpu_measure.c ---- */

/* Gives each idle device the oldest compiled slot. */
int gpu_measure_start(struct gpu_evaluator *gpu, struct error *error);
/* Collects the devices' measurements. */
int gpu_measure_take(struct gpu_evaluator *gpu, struct error *error);
/* Sets the outcome of a slot whose set cannot be computed; false: the set can be computed. */
bool gpu_measure_refuse(struct gpu_evaluator *gpu, struct slot *slot);
/* Sets the slot's outcome, as time per unit of work if the space has `work`, and adds the compiler's resource
 * report. */
void gpu_measure_outcome(struct slot *slot, const struct measurement *measured);
/* Returns the power state of the incumbent's time. */
enum power_state gpu_measure_incumbent_state(const struct gpu_member *member);
/* Notes the power states of a finished job. */
void gpu_measure_note_power(struct gpu_member *member, const struct measurement *measurement);
/* Explains in the slot's measurement if its traffic exceeds what the device can move in the time. */
void gpu_measure_doubt(const struct gpu_evaluator *gpu, struct slot *slot, size_t device);

/* ---- gpu_evidence.c ---- */

/* evaluator_ops.evidence, on the first device */
int gpu_evidence(void *state, const uint64_t *indices, size_t count, int64_t until_ns, evaluator_take_evidence *take,
                 void *context, struct error *error);

/* Call before a device measures: ends its profiler, which holds device memory. */
void gpu_evidence_end(struct gpu_evaluator *gpu);

/* ---- gpu_roofline.c ---- */

/* Begins to compile its kernels beside other work, on the first call with an idle compiler. */
int gpu_roofline_begin(struct gpu_evaluator *gpu, struct error *error);
/* Measures the ceilings on the first call, after the set-up. Ceilings that cannot be measured stay unknown.
 * ERROR_INTERRUPTED, and errors after which the evaluator can only be closed. */
int gpu_roofline_measure(struct gpu_evaluator *gpu, struct error *error);
/* Takes the result if it is that of the roofline's kernels; else returns false. */
bool gpu_roofline_take(struct gpu_evaluator *gpu, const struct compile_result *result);

/* ---- gpu_library.c ---- */

/* Begins to compile the library beside other work, on the first call with an idle compiler. */
int gpu_library_begin(struct gpu_evaluator *gpu, struct error *error);
/* Takes the result if it is that of the library; else returns false. */
bool gpu_library_take(struct gpu_evaluator *gpu, const struct compile_result *result);
/* evaluator_ops.library, on the first device, whose own process rests meanwhile */
int gpu_library(void *state, uint64_t index, struct evaluator_library *measured, struct error *error);

/* ---- gpu_energy.c ---- */

/* evaluator_ops.energy */
int gpu_energy(void *state, struct evaluator_energy *asked, struct error *error);

/* ---- gpu_playoff.c ---- */

/* Compiles the waiting slots, mostly from the cache. */
int gpu_playoff_compile(struct gpu_evaluator *gpu, struct error *error);
/* Gives a configuration a slot in a play-off. */
int gpu_playoff_enter(struct gpu_evaluator *gpu, uint64_t index, struct slot **slot, struct error *error);

/* evaluator_ops.playoff, on the first device */
int gpu_playoff(void *state, const uint64_t *indices, size_t count, struct measurement *finals, bool *played,
                struct error *error);

#endif
