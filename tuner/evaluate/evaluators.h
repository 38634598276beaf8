/* The evaluators from which a session chooses according to its setup. Evaluators in front of others (eval_team.h,
 * eval_corrected.h) are opened by name. */
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
#include "set/valid_set.h"
#include "space/space.h"

struct compile_pool;
struct kept_samples; /* evaluate/kept_samples.h */

/* Each evaluator uses the members that concern it. */
struct evaluator_setup {
    const struct space *space; /* bound */
    const struct valid_set *set;
    const struct journal *journal;      /* to replay; NULL: none */
    bool synthetic;                     /* simulate instead of using a device */
    const struct device_limits *limits; /* of the first device, with which the space is bound; NULL: the device has
                                           answered and provides them */
    struct device *const *devices;      /* open devices of one model, with equal limits; the play-off runs on the
                                           first */
    size_t device_count;                /* 0: none */
    const struct compile_cache *cache;  /* open cache of compilations; NULL: none */
    const char *compiler_build;         /* of a compiler command, as compile_command_version gives it; NULL: none */
    size_t jobs;                        /* number of compiler processes */
    struct compile_pool **pool;         /* where consecutive evaluators keep a common pool, with the same cache, jobs
                                           and timeout; *pool NULL: opened when needed. NULL: the evaluator has its own
                                           pool */
    int64_t timeout_ns;                 /* for one compilation, and for verifying and timing one configuration */
    double min_occupancy;               /* 0 to 1 */
    uint64_t seed;                      /* for random buffers */
    struct sampling sampling;           /* number of samples and their conditions */
    struct kept_samples *kept;          /* receives the samples of each timed configuration; NULL: they are not kept */
    size_t playoff_processes;           /* device processes in which a play-off's best play, at most
                                           PLAYOFF_PROCESSES_MAX (evaluate/process_medians.h); 0 or 1: only that of the
                                           search */
    bool playoff_extends;               /* in more processes, while half the interval of one of the best is wider than
                                           sampling.target_interval and the time of process_medians_seconds lasts */
    const volatile sig_atomic_t *stop;  /* 2 abandons the set-up and a play-off; may be NULL */
    int64_t end_ns;                     /* on clock_now_ns(): abandons the same from then on; 0: never */
};

struct evaluator_kind {
    bool (*suits)(const struct evaluator_setup *setup); /* unused for the first kind, which is the default */
    int (*open)(struct evaluator *evaluator, const struct evaluator_setup *setup, struct error *error);
};

#define EVALUATOR(name) extern const struct evaluator_kind evaluator_##name;
#include "lists/evaluators.def"
#undef EVALUATOR

/* Opens the last suitable evaluator of the list, so that an extension's precedes. The setup is borrowed with all
 * objects that it points to, and must outlive the evaluator. */
int evaluators_open(struct evaluator *evaluator, const struct evaluator_setup *setup, struct error *error);

#endif
