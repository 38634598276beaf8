/* One tuning run: ask the strategy, evaluate, tell the strategy, record. Knows the journal, but no screen, options or
 * other files. */
#ifndef CUTUNE_RUN_RUN_H
#define CUTUNE_RUN_RUN_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/measurement.h"
#include "evaluate/evaluator.h"
#include "journal/journal.h"
#include "journal/winner.h"
#include "search/strategy.h"
#include "space/space.h"
#include "space/valid_set.h"

enum { RUN_EXCHANGE = 5, RUN_EXCHANGED_MAX = 8 };

/* RUN_AUTOMATIC_S: an automatic run without a time limit evaluates everything if that is expected to take no longer, in
 * seconds, and otherwise searches for so long. RUN_SAMPLE: evaluations that this is judged by. */
enum { RUN_AUTOMATIC_S = 600, RUN_SAMPLE = 8 };

/* What the search does, and how long that should take. Seconds are those of the evaluator. */
struct run_plan {
    const struct strategy_ops *strategy; /* proposes now */
    bool open;                           /* it is to be decided whether everything is evaluated instead */
    uint64_t known;                      /* outcomes that the journal had at the start */
    int64_t limit_ns;                    /* of the search; 0: none */
    double whole_s;                      /* expected from the start to `total` outcomes; NaN: unknown */
    double left_s;                       /* expected until the search ends; NaN: unknown */
};

/* May an automatic run evaluate everything, by `max_evals` (0: no limit)? */
bool run_may_exhaust(const struct valid_set *set, uint64_t max_evals);
/* Does it in any case, because a sample would not be much less? */
bool run_will_exhaust(const struct valid_set *set, uint64_t max_evals);
/* Draws the configurations that it is judged by: uniformly, since a strategy's proposals may all be expensive, or all
 * cheap. Some may be equal. */
void run_sample(const struct valid_set *set, uint64_t seed, uint64_t sample[RUN_SAMPLE]);

struct run_progress {
    struct run_plan plan;
    uint64_t evaluated; /* configurations with a known outcome, recorded or new */
    uint64_t total;     /* the most there will be */
    uint64_t fresh;     /* of these: not from the journal */
    uint64_t waited;    /* outcomes since the best one, without duplicates */
    uint64_t counts[STATUS_COUNT];
    bool has_best, has_default;
    uint64_t best_index, default_index; /* default_index: the space's default configuration */
    struct measurement best, default_;  /* after a play-off: its outcomes */
    uint64_t unsettled;       /* of `evaluated`, after the run: stopped early, but perhaps as fast as the best */
    uint64_t bound_index;     /* of these, the one whose few samples are the fastest */
    struct measurement bound; /* its outcome */
    uint64_t finalists, tied; /* of the play-off, as in struct winner */
    char unplayed[MEASUREMENT_MESSAGE_BYTES]; /* why a play-off failed; empty: it did not */
    uint64_t first_count, first_index;        /* setup->first: number evaluated, index of the fastest */
    struct measurement first;                 /* its outcome; time NaN: none was timed */
    double weights[LANDSCAPES_MAX];           /* of setup->landscapes at the end (strategy_ops.weigh) */
    uint64_t idle;                 /* bit p: no value of parameter p changed the machine code (tuner/run/idle.h) */
    uint64_t discarded;            /* samples discarded because the device was throttled */
    int64_t elapsed_ns, search_ns; /* of the whole run; of the search without the play-off. In the evaluator's
                                      time: recorded seconds in a replay */
    int64_t coordinator_ns;        /* processor time of this process during the search */
};

struct run_setup {
    const struct space *space;
    const struct valid_set *set; /* not empty */
    const struct strategy_ops *strategy;
    const void *strategy_options; /* strategy->options_size bytes; NULL: defaults */
    bool automatic;               /* evaluates everything instead, if max_evals and the time allow (RUN_AUTOMATIC_S) */
    struct evaluator *evaluator;
    struct journal *journal; /* NULL: nothing is recorded or resumed */
    const uint64_t *first;   /* evaluated right after the default, within the budget; the strategy begins after their
                                outcomes */
    size_t first_count;
    const struct landscape_elsewhere *landscapes; /* for the strategy (strategy_setup.elsewhere) */
    size_t landscape_count;
    uint64_t seed;
    uint64_t max_evals;                /* 0: no limit. Includes all configurations of the journal */
    int64_t max_time_ns;               /* of the search; 0: no limit. In the evaluator's time */
    const struct objective *objective; /* of what the evaluator measures; NULL: objective_default() */
    double target;                     /* 0: none. A best value as good as it ends the search */
    uint64_t patience;                 /* 0: none. This many outcomes in a row without improvement end the search */
    size_t finalists;                  /* 0: no play-off; at most FINALISTS_MAX */
    bool exact;                        /* no configuration is stopped early for being slower than others, nor was */
    const volatile sig_atomic_t *stop; /* 1: start nothing new, finish what is in flight; 2: stop now. May be NULL */
    /* Called after every outcome and at least ten times a second. May be NULL. `measurement`: the latest outcome, of
     * configuration `index`; NULL: nothing new. `fresh`: measured now, not read from the journal. */
    void (*observe)(void *context, const struct run_progress *progress, uint64_t index,
                    const struct measurement *measurement, bool fresh);
    /* Called at the start and whenever progress->plan changes; left_s changes without. May be NULL. */
    void (*announce)(void *context, const struct run_progress *progress);
    /* Finds the efficiency of configurations on other devices (struct measurement) for the play-off; NaN: unknown. May
     * be NULL. */
    int (*elsewhere)(void *context, const uint64_t *indices, size_t count, double *efficiencies, struct error *error);
    /* Finds configurations that others have found to be the fastest, at most `room`, to be evaluated next as far as
     * they are new. Called while a strategy that learns has evaluated RUN_EXCHANGE configurations, and each time that
     * they have doubled. May be NULL. */
    int (*exchange)(void *context, uint64_t *indices, size_t room, size_t *count, struct error *error);
    void *context;
    /* Called with the compiler's log of a configuration that did not compile; an error ends the run. NULL: logs are
     * dropped. */
    int (*keep_log)(void *context, uint64_t index, const char *log, struct error *error);
    void *log_context;
};

/* Runs until the strategy, the budget or a stop ends the search, then measures the fastest configurations again
 * together and chooses the winner (db/journal/winner.h). Their new rows in the journal replace earlier ones; a run that
 * finds all of them there measures nothing again. What the journal says was stopped early, against others that are not
 * in the set, is measured again, the most promising first, until the rest is slower than the best. Evaluates the
 * default configuration first if it is valid: speed-ups refer to it. Fills *progress even after an error: recorded rows
 * stay recorded. */
int run_tune(const struct run_setup *setup, struct run_progress *progress, struct error *error);

#endif
