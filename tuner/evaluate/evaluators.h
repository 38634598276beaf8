/* The evaluators that a session chooses from, by what it has. Those in front of others (eval_team.h, eval_corrected.h)
 * are opened by name. */
#ifndef CUTUNE_EVALUATE_EVALUATORS_H
#define CUTUNE_EVALUATE_EVALUATORS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compile/cache.h"
#include "device/device.h"
#include "evaluate/evaluator.h"
#include "journal/journal.h"
#include "space/space.h"
#include "space/valid_set.h"

struct compile_pool;

/* An evaluator uses what concerns it. */
struct evaluator_setup {
    const struct space *space; /* bound */
    const struct valid_set *set;
    const struct journal *journal;      /* replayed; NULL: none */
    bool synthetic;                     /* no device is wanted */
    const struct device_limits *limits; /* of the first device, which the space is bound with; NULL: it has answered,
                                           and tells them itself */
    struct device *const *devices;      /* open and of the same kind, with equal limits. The play-off runs on the
                                           first one */
    size_t device_count;                /* 0: none */
    const struct compile_cache *cache;  /* open cache of compilations; NULL: none */
    size_t jobs;                        /* number of compiler processes */
    struct compile_pool **pool;         /* where a pool for several evaluators, one after the other, is kept, with the
                                           same cache, jobs and timeout; *pool NULL: it is opened when it is needed.
                                           NULL: the evaluator has its own */
    int64_t timeout_ns;                 /* for one compilation; also for verifying and timing one configuration */
    double min_occupancy;               /* 0..1 */
    uint64_t seed;                      /* for random buffers */
    struct sampling sampling;           /* how samples are taken */
    const volatile sig_atomic_t *stop;  /* 2 abandons the set-up and a play-off; may be NULL */
};

struct evaluator_kind {
    bool (*suits)(const struct evaluator_setup *setup); /* not asked of the first one, which suits if no other does */
    int (*open)(struct evaluator *evaluator, const struct evaluator_setup *setup, struct error *error);
};

#define EVALUATOR(name) extern const struct evaluator_kind evaluator_##name;
#include "lists/evaluators.def"
#undef EVALUATOR

/* Opens the last evaluator of the list that suits, so that an extension's goes first. The setup is borrowed with all
 * that it points to and must outlive the evaluator. */
int evaluators_open(struct evaluator *evaluator, const struct evaluator_setup *setup, struct error *error);

#endif
