/* Evaluates on GPUs: a device process for each, and one pool of compilers for all. */
#ifndef CUTUNE_EVALUATE_EVAL_GPU_H
#define CUTUNE_EVALUATE_EVAL_GPU_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compile/cache.h"
#include "device/device.h"
#include "evaluate/evaluator.h"
#include "space/space.h"
#include "space/valid_set.h"

struct compile_pool;

struct gpu_setup {
    const struct space *space;          /* bound with these limits: */
    const struct device_limits *limits; /* of the first device; NULL: it has answered, and tells them itself */
    const struct valid_set *set;
    struct device *const *devices;     /* open and of the same kind, with equal limits. The play-off runs on the
                                          first one */
    size_t device_count;               /* 0: only evidence of launch and machine code */
    const struct compile_cache *cache; /* open cache of compilations; NULL: none */
    size_t jobs;                       /* number of compiler processes */
    struct compile_pool **pool;        /* where a pool for several evaluators, one after the other, is kept, with the
                                          same cache, jobs and timeout; *pool NULL: it is opened when it is needed.
                                          NULL: the evaluator has its own */
    int64_t timeout_ns;                /* for one compilation; also for verifying and timing one configuration */
    double min_occupancy;              /* 0..1 */
    uint64_t seed;                     /* for random buffers */
    struct sampling sampling;          /* how samples are taken */
    const volatile sig_atomic_t *stop; /* 2 abandons the set-up and a play-off; may be NULL */
};

int evaluator_open_gpu(struct evaluator *evaluator, const struct gpu_setup *setup, struct error *error);

/* Before anything else, at most once: starts the compilers with what the devices' set-up needs and with configurations
 * that will probably be submitted first. Their results are kept until then, and dropped if they are not. The devices
 * need not have answered. */
int evaluator_gpu_foresee(struct evaluator *evaluator, const uint64_t *indices, size_t count, struct error *error);
/* Waits until all devices have answered, while the compilers work. The errors of device_open. */
int evaluator_gpu_await(struct evaluator *evaluator, struct error *error);

/* Was an immediate end requested? */
static inline bool gpu_given_up(const struct gpu_setup *setup)
{
    return setup->stop && *setup->stop >= 2;
}

#endif
