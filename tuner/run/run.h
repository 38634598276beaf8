/* One tuning run: asks the strategy, evaluates, tells the strategy, records. Uses the journal, but no screen, options
 * or other files. */
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
#include "set/valid_set.h"
#include "space/space.h"

enum { RUN_EXCHANGE = 5, RUN_EXCHANGED_MAX = 8 };

/* RUN_AUTOMATIC_S: an automatic run without a time limit evaluates everything if it expects to end within this many
 * seconds, and otherwise searches this long. RUN_SAMPLE: evaluations for that estimate. */
enum { RUN_AUTOMATIC_S = 600, RUN_SAMPLE = 8 };

/* The plan of a search and its expected time, in seconds of the evaluator. */
struct run_plan {
    const struct strategy_ops *strategy; /* strategy that proposes now */
    bool open;                           /* undecided: a sample will show whether to evaluate everything */
    uint64_t known;                      /* outcomes in the journal at the start */
    int64_t limit_ns;                    /* of the search; 0: none */
    double whole_s;                      /* expected from the start to `total` outcomes; NaN: unknown */
    double left_s;                       /* expected until the search ends; NaN: unknown */
};

/* True if an automatic run may evaluate everything, by `max_evals` (0: no limit). */
bool run_may_exhaust(const struct valid_set *set, uint64_t max_evals);
/* True if an automatic run does so without a sample, which would save little. */
bool run_will_exhaust(const struct valid_set *set, uint64_t max_evals);
/* Draws the sample: uniformly, since a strategy's proposals may all be expensive or all cheap. It may have
 * duplicates. */
void run_sample(const struct valid_set *set, uint64_t seed, uint64_t sample[RUN_SAMPLE]);

/* Returns the time of a play-off of so many finalists and the default in so many device processes, roughly the most if
 * their kernels are fast. `sustained`: each process begins with a load. */
int64_t run_playoff_ns(size_t finalists, size_t processes, bool sustained);

struct run_progress {
    struct run_plan plan;
    uint64_t evaluated; /* configurations with a known outcome, recorded or new */
    uint64_t total;     /* upper limit of `evaluated` */
    uint64_t fresh;     /* of `evaluated`: not from the journal */
    uint64_t waited;    /* outcomes since the best one, without duplicates */
    uint64_t counts[STATUS_COUNT];
    bool has_best, has_default;
    uint64_t best_index, default_index; /* default_index: the space's default configuration */
    struct measurement best, default_;  /* after a play-off: its outcomes */
    uint64_t unsettled;             /* of `evaluated`, after the run: stopped early, but perhaps as fast as the best */
    uint64_t censored_index;        /* of the unsettled: the fastest by its few samples */
    struct measurement censored;    /* its outcome */
    uint64_t finalists, tied;       /* of the play-off, as in struct winner */
    bool played;                    /* this run held a play-off */
    enum incumbent_verdict verdict; /* of the play-off on setup->incumbent; INCUMBENT_NONE also for setup->confirms
                             without a new play-off */
    double incumbent_ratio;         /* as in winner_verdict; NaN without a verdict */
    char unplayed[MEASUREMENT_MESSAGE_BYTES]; /* error of a failed play-off; empty: no failure */
    uint64_t first_count, first_index;        /* setup->first: number evaluated, index of the fastest */
    struct measurement first;                 /* its outcome; time NaN: none was timed */
    int64_t announced_ns;                     /* of a play-off after setup->max_time_ns, roughly at most; 0: none */
    double weights[PRIOR_RUNS_MAX];           /* relevance of each prior run at the end (strategy_ops.weigh) */
    uint64_t idle;      /* bit p: no value of parameter p changed the machine code (tuner/run/idle.h) */
    uint64_t in_flight; /* configurations at the evaluator */
    uint64_t withdrawn; /* configurations that the time limit ended before their measurement: not of `evaluated` */
    uint64_t discarded; /* samples discarded because the device was throttled */
    int64_t elapsed_ns, search_ns; /* elapsed_ns: whole run; search_ns: without the play-off. In the evaluator's time:
                                      recorded seconds in a replay */
    int64_t coordinator_ns;        /* processor time of this process during the search */
};

enum run_event_kind {
    RUN_PLAN,    /* progress->plan is new, apart from left_s */
    RUN_OUTCOME, /* `measurement` of configuration `index`; `fresh`: measured now, not read from the journal */
    RUN_TICK,    /* no outcome for a tenth of a second, or the end of the run */
    RUN_WAIT,    /* the next event may take seconds: `waits` says why */
    RUN_LOG      /* the compiler's `log` of configuration `index`, which did not compile */
};

/* Everything is borrowed and valid only during the call. */
struct run_event {
    enum run_event_kind kind;
    const struct run_progress *progress;
    uint64_t index;
    const struct measurement *measurement;
    bool fresh;
    const char *waits; /* "the play-off of 8 finalists" */
    const char *log;
};

/* The energy of the best configurations. */
struct run_energy {
    double front;           /* given: relative distance of a candidate's time from the best */
    int64_t end_ns;         /* given: on clock_now_ns(), when measuring must have ended; 0: no limit */
    size_t count, left_out; /* candidates; those beyond ENERGY_CANDIDATES_MAX */
    uint64_t indices[ENERGY_CANDIDATES_MAX];
    struct energy energies[ENERGY_CANDIDATES_MAX];          /* without rounds: no number */
    struct measurement measurements[ENERGY_CANDIDATES_MAX]; /* if measured: why there is no number */
    bool measured;                                          /* by this run, instead of read from the journal */
    bool late;                                              /* the time limit left no time for it */
    const char *missing; /* why the device's energy cannot be measured; NULL: it can */
    int64_t took_ns;     /* if measured */
};

struct run_setup {
    const struct space *space;
    const struct valid_set *set; /* not empty */
    const struct strategy_ops *strategy;
    const void *strategy_options; /* strategy->options_size bytes; NULL: defaults */
    bool automatic;               /* evaluate everything instead, if max_evals and the time allow (RUN_AUTOMATIC_S) */
    struct evaluator *evaluator;
    struct journal *journal;   /* NULL: no recording or resuming */
    struct kept_samples *kept; /* of the evaluator, for the journal's column; NULL: they are not kept */
    const uint64_t
        *first; /* evaluated right after the default, within the budget; the strategy waits for their outcomes */
    size_t first_count;
    /* Index of the configuration that the database has, or that the replayed run had; NULL: none. Plays in the
     * play-off, where it wins its ties. */
    const uint64_t *incumbent;
    bool replays;                       /* the evaluator has a recorded search: the incumbent is not evaluated first */
    bool confirms;                      /* hold the play-off again, even if the journal has it */
    const struct prior_run *prior_runs; /* prior runs for the strategy (strategy_setup.prior_runs) */
    size_t prior_run_count;
    uint64_t seed;
    uint64_t max_evals;                /* 0: no limit. Includes all configurations in the journal */
    int64_t max_time_ns;               /* limit of the search in the evaluator's time; 0: none. Configurations whose
                                          measurement has not begun by then are withdrawn */
    int64_t end_ns;                    /* on clock_now_ns(): end of the play-off, which has fewer finalists if it is
                                          near, and of waiting for measurements; 0: none */
    const struct objective *objective; /* of the evaluator's values; NULL: objective_default() */
    double target;                     /* a best value at least this good ends the search; 0: none */
    uint64_t patience;                 /* this many outcomes in a row without improvement end the search; 0: none */
    size_t playoff_processes;          /* of the evaluator's play-off, to announce its time, and to repeat a recorded
                                          one of fewer processes; 0: one */
    bool sustained;                    /* each of them begins with a load */
    size_t finalists;                  /* maximum, at most FINALISTS_MAX; 0: no play-off */
    struct run_energy *energy;         /* measured in the end; NULL: not wanted */
    bool exact; /* time every configuration to the end, including recorded ones that were stopped early */
    const volatile sig_atomic_t
        *stop; /* 1: start nothing new, finish configurations in flight; 2: stop now. May be NULL */
    /* Receives every event. An error ends the run; events may follow it. May be NULL. */
    int (*on)(void *context, const struct run_event *event, struct error *error);
    /* Sets the efficiencies of the finalists on other devices and at other sizes (struct measurement). May be NULL. */
    int (*elsewhere)(void *context, const uint64_t *indices, size_t count, struct measurement *finals,
                     struct error *error);
    /* Finds the fastest configurations of concurrent runs, at most `room`; new ones are evaluated next. Called with a
     * strategy that learns, after RUN_EXCHANGE configurations and at each doubling. May be NULL. */
    int (*exchange)(void *context, uint64_t *indices, size_t room, size_t *count, struct error *error);
    void *context;
};

/* Runs until the strategy, the budget or a stop ends the search, then measures the fastest configurations again
 * together and chooses the winner (db/journal/winner.h). Their new rows in the journal replace earlier ones; a run that
 * finds all of these rows measures nothing again, unless they know another incumbent. Recorded configurations that were
 * stopped early, because of others outside the set, are measured again, the most promising first, until the rest is
 * slower than the best. Evaluates the default configuration first if it is valid, because speed-ups refer to it, and
 * then the incumbent. Fills *progress even after an error: recorded rows stay recorded. */
int run_tune(const struct run_setup *setup, struct run_progress *progress, struct error *error);

struct search_run;

/* Like run_tune, but leaves the run open, also after an error, until run_close. *setup is copied; what it names, and
 * *progress, must stay. *opened NULL: out of memory. */
int run_open(struct search_run **opened, const struct run_setup *setup, struct run_progress *progress,
             struct error *error);
/* Holds the play-off of an open run again with another incumbent, which is evaluated before if its outcome is unknown,
 * and chooses the winner. The progress counts on. Without time for a play-off, or if the incumbent has no time, the
 * verdict is INCUMBENT_NONE. */
int run_play_again(struct search_run *run, uint64_t incumbent, struct error *error);
void run_close(struct search_run *run); /* may be NULL */

#endif
