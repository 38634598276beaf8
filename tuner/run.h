/* One tuning run: ask the strategy, evaluate, tell it, record. Knows nothing of screens, options or files but the
 * journal. */
#ifndef CUTUNE_TUNER_RUN_H
#define CUTUNE_TUNER_RUN_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/measurement.h"
#include "db/journal.h"
#include "evaluate/evaluator.h"
#include "search/strategy.h"
#include "space/space.h"
#include "space/valid_set.h"

enum { RUN_FINALISTS_MAX = 64, RUN_COMPILER_METRICS_MAX = 50000 };

struct run_progress {
    uint64_t evaluated; /* configurations whose outcome is known to this run, from the journal or new */
    uint64_t total;     /* how many there will be at most */
    uint64_t fresh;     /* of the evaluated: not from the journal */
    uint64_t waited;    /* outcomes since the best one; duplicates do not count */
    uint64_t counts[STATUS_COUNT];
    bool has_best, has_default;
    uint64_t best_index, default_index; /* default_index: the space's default configuration */
    struct measurement best, default_;  /* by the play-off, once there was one */
    uint64_t finalists, tied;           /* of the play-off: who took part; who was as fast as the fastest, beside it.
                                           finalists 0: there was none */
    char unplayed[256];                 /* why a play-off that was due has no outcome; empty: it has one */
    uint64_t known;                     /* configurations whose compiler metrics were asked for before the search, */
    int64_t known_ns;                   /* and how long that took, of elapsed_ns */
    uint64_t first_count, first_index;  /* setup->first: how many of them were evaluated, the fastest of these, */
    struct measurement first;           /* and its outcome; no time: none of them was timed to the end */
    uint64_t discarded;                 /* samples that were timed on a throttled device, and do not count */
    int64_t elapsed_ns, search_ns;      /* of the whole run and, without the play-off, of the search; in the
                                           evaluator's time: recorded seconds in a replay */
    int64_t coordinator_ns;             /* processor time of this process in the search */
};

struct run_setup {
    const struct space *space;
    const struct valid_set *set; /* not empty */
    const struct strategy_ops *strategy;
    const void *strategy_options; /* strategy->options_size bytes; NULL: the defaults */
    struct evaluator *evaluator;
    struct journal *journal; /* NULL: nothing is recorded or resumed */
    const uint64_t *first; /* evaluated right after the default, within the budget; the strategy begins when it knows */
    size_t first_count;    /* what became of them */
    uint64_t seed;
    uint64_t max_evals;                /* 0: no limit. All configurations that the journal knows count */
    int64_t max_time_ns;               /* 0: no limit. Of the evaluator's time */
    double target_ns;                  /* 0: none. A best time at or below it ends the search */
    uint64_t patience;                 /* 0: none. So many outcomes in a row that are no better end the search */
    size_t finalists;                  /* 0: no play-off; at most RUN_FINALISTS_MAX */
    const volatile sig_atomic_t *stop; /* NULL, or: 1 take nothing new and finish what is in flight; 2 stop now */
    /* Called after every outcome, and at least ten times a second. NULL: nobody looks. `measurement` is the latest
     * outcome and `index` whose it is; NULL: nothing new. `fresh`: measured now, not read from the journal. */
    void (*observe)(void *context, const struct run_progress *progress, uint64_t index,
                    const struct measurement *measurement, bool fresh);
    void *context;
    /* Called with the compiler's log of a configuration that did not compile, when there is one; an error ends the run.
     * NULL: not kept. */
    int (*keep_log)(void *context, uint64_t index, const char *log, struct error *error);
    void *log_context;
};

/* Runs to the end of the strategy, the budget or the stop; then the best few are measured again together, and the
 * winner is chosen among them (tuner/playoff.h). Their rows in the journal replace the earlier ones; a run that finds
 * them all there measures nothing again. The default configuration, when it is valid, is always evaluated first: the
 * speed-up is over it. A strategy that wants compiler metrics gets them first, as far as max_time_ns allows for them
 * and when the journal leaves something of the budget, of RUN_COMPILER_METRICS_MAX configurations at most: ERROR_USAGE
 * for a larger set. *progress is filled also when an error ends the run: what was recorded stays recorded.
 */
int run_tune(const struct run_setup *setup, struct run_progress *progress, struct error *error);

#endif
