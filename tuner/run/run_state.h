/* The internals of a run: known outcomes and counts (outcome_counts.c), the plan (plan.c), configurations at the
 * evaluator (in_flight.c), measuring again (remeasure.c) and choosing the winner (playoff.c). Private to these,
 * tuner/run/run.c and tuner/run/list.c, which evaluates without a search. */
#ifndef CUTUNE_RUN_RUN_STATE_H
#define CUTUNE_RUN_RUN_STATE_H

#include "evaluate/rows.h"
#include "journal/outcomes.h"
#include "run/estimate.h"
#include "run/run.h"
#include "search/search.h"

/* Marks of outcomes, besides ROWS_OUTSIDE. */
enum {
    CHARGED = 2,    /* counted in the budget */
    COUNTED = 4,    /* counted in the progress */
    IN_FLIGHT = 8,  /* submitted but not finished */
    EXCHANGED = 16, /* found by setup->exchange */
    FRESH = 32      /* measured by this run */
};

struct search_run {
    const struct run_setup *setup;
    struct run_setup own; /* of an open run: `setup` */
    uint64_t newcomer;    /* the incumbent of run_play_again */
    struct run_progress *progress;
    struct search search; /* empty: a list is evaluated (tuner/run/list.c) */
    struct arena arena;   /* owns the measurements of the outcomes */
    struct outcomes outcomes;
    size_t recorded; /* outcomes from the journal, which come first */
    size_t inside;   /* recorded outcomes within the set */
    size_t in_flight;
    enum proposer proposer;      /* without a strategy: of all outcomes */
    enum proposer again;         /* why the outcomes in flight are measured again; PROPOSER_UNKNOWN: they are new */
    bool exhausted;              /* the strategy has no more proposals for now */
    size_t begun;                /* number of setup->first submitted */
    uint64_t sample[RUN_SAMPLE]; /* evaluated next while the plan is open */
    size_t sampled;              /* number of sample configurations submitted */
    struct estimate estimate;    /* from all counted outcomes; compile times of new ones only */
    bool estimated;              /* the expected time was announced, or is too short to announce */
    bool searching;              /* the strategy has begun */
    double incumbent, least_end; /* of run_incumbent and run_least_end, if has_best */
    uint64_t charged;            /* distinct configurations charged to the budget */
    uint64_t exchange_at;        /* `charged` at the next exchange */
    uint64_t theirs[RUN_EXCHANGED_MAX]; /* found by setup->exchange; `exchanged` of them were tried */
    size_t their_count, exchanged;
    int64_t start_ns;
    bool closing;              /* the time does not suffice for another compilation: nothing more begins */
    unsigned withdrawn_stages; /* bit s: enum evaluation_stage s was withdrawn */
    int told;                  /* first error code of setup->on: everything stops */
    struct error *error;
};

/* ---- outcome_counts.c: known outcomes and their counts ---- */

/* Adds the outcomes of the journal; run_adopt counts them. */
int run_load(struct search_run *run, struct error *error);
void run_adopt(struct search_run *run);

/* Appends a measurement to the journal, if there is one. `samples`: as in struct journal_row. */
int run_record(struct search_run *run, uint64_t index, const struct measurement *measurement, const char *samples,
               struct error *error);
/* Adds a measurement to the known outcomes. `original`: as in struct evaluation; `final`: it comes from a play-off. */
int run_learn(struct search_run *run, uint64_t index, uint64_t original, const struct measurement *measurement,
              bool final, struct error *error);

/* Returns the measurement that the search uses for a configuration with a row. */
struct measurement run_searched(const struct search_run *run, const struct outcome *outcome);
/* True if this run counts the outcome and it has a time; false for NULL. */
bool run_timed(const struct search_run *run, const struct outcome *outcome);

/* Adds one outcome to the counts, the default's time and the best; returns true for a new best. run_rank_remeasured
 * recomputes all of them after a counted outcome has changed. Both tell the evaluator about a new best. */
bool run_rank(struct search_run *run, const struct outcome *outcome, const struct measurement *measurement);
void run_rank_remeasured(struct search_run *run);
/* Counts an outcome once, even if another run measured it. */
void run_count(struct search_run *run, struct outcome *outcome, bool fresh);

/* Returns the value beyond which a configuration may be stopped early: a timed configuration is faster. */
double run_incumbent(const struct search_run *run);
/* Returns the least upper end of all intervals: a configuration whose interval lies above it is not the best. */
double run_least_end(const struct search_run *run);

/* Updates the elapsed and left time, adds the progress to the event and passes it to setup->on. */
void run_send(struct search_run *run, struct run_event event);
void run_tell(struct search_run *run, const struct outcome *outcome); /* tells the strategy */

/* Returns the evaluator's time: recorded seconds in a replay. */
int64_t run_now(const struct search_run *run);
int run_stop_asked(const struct search_run *run);
/* Returns the time left for the search; INT64_MAX: no limit. */
int64_t run_left_ns(const struct search_run *run);
/* True if another configuration may begin: it can be compiled in the time left, and no stop was asked for. */
bool run_time_left(const struct search_run *run);
bool run_budget_left(const struct search_run *run);
/* True if known outcomes may be measured again: the evaluator stops early, and time remains. */
bool run_settles(const struct search_run *run);

/* ---- plan.c: the plan and its expected time ---- */

/* Makes and announces the plan, after the journal's outcomes are counted. */
void run_plan_begin(struct search_run *run);
/* Continues the plan after new outcomes: decides an open plan, and announces the expected time once. True: another
 * strategy proposes from now on. */
bool run_plan_follow(struct search_run *run);
/* Sets the time limit of the search; 0: none. */
void run_limit(struct search_run *run, int64_t limit_ns);
/* Updates the time left. */
void run_plan_look(struct search_run *run);

/* ---- in_flight.c: configurations at the evaluator ---- */

/* Submits a configuration to the evaluator. */
int run_submit(struct search_run *run, struct outcome *outcome, bool exact, struct error *error);
/* Waits briefly and processes the outcomes that arrive. */
int run_collect(struct search_run *run, struct error *error);
/* Collects until the evaluator has room for another configuration, or until nothing is in flight; returns early at an
 * immediate stop. */
int run_await_room(struct search_run *run, struct error *error);
int run_drain(struct search_run *run, struct error *error);

/* ---- remeasure.c: measuring again ---- */

/* True for the default, the incumbent and named configurations: they are timed to the end, however slow. */
bool run_is_exact(const struct search_run *run, uint64_t key);
/* Measures the best configuration of a resumed journal again, or else the most promising, which shows whether the
 * device is as fast as before (db/journal/outcomes.h) and is the reference for new times. If it fails, the next best
 * follows. Measures the default again when the device has changed. Returns at once if nothing remains to be
 * measured. */
int run_refresh(struct search_run *run, struct error *error);
/* Measures configurations again that were stopped early because of configurations outside this run, the most promising
 * first, until the rest is slower than the best of this run. Times those of run_is_exact to
 * the end. Returns at once in a replay, which has no more data. */
int run_settle(struct search_run *run, struct error *error);
/* Counts in the progress the configurations that were stopped early and are not certainly slower than the best. */
void run_count_unsettled(struct search_run *run);

/* ---- playoff.c ---- */

/* Repeats the play-off until no finalist fails. Repeats that of an earlier run only for another incumbent or for
 * setup->confirms. */
int run_play_off(struct search_run *run, struct error *error);
/* Makes the winner (db/journal/winner.h) the best of run->progress. */
void run_choose_winner(struct search_run *run);

#endif
