/* The internals of a run: known outcomes and counts (tally.c), what it does (plan.c), configurations at the evaluator
 * (in_flight.c), measuring again (again.c) and choosing the winner (playoff.c). Private to these,
 * tuner/run/run.c and tuner/run/list.c, which evaluates without a search. */
#ifndef CUTUNE_RUN_RUN_STATE_H
#define CUTUNE_RUN_RUN_STATE_H

#include "evaluate/rows.h"
#include "journal/outcomes.h"
#include "run/estimate.h"
#include "run/run.h"

/* Marks of outcomes, besides ROWS_OUTSIDE. */
enum {
    CHARGED = 2,    /* counted in the budget */
    COUNTED = 4,    /* counted in the progress */
    IN_FLIGHT = 8,  /* submitted but not finished */
    EXCHANGED = 16, /* setup->exchange found it */
    FRESH = 32      /* measured by this run */
};

struct search_run {
    const struct run_setup *setup;
    struct run_progress *progress;
    void *strategy;     /* NULL: a list is evaluated (tuner/run/list.c) */
    struct arena arena; /* owns the measurements of the outcomes */
    struct outcomes outcomes;
    size_t recorded; /* outcomes from the journal, which come first */
    size_t inside;   /* those within the set */
    size_t in_flight;
    enum proposer proposer;             /* without a strategy: of all outcomes */
    enum proposer again;                /* why outcomes in flight are measured again; PROPOSER_UNKNOWN: they are new */
    bool exhausted;                     /* the strategy has no more proposals for now */
    size_t begun;                       /* number of setup->first submitted */
    uint64_t sample[RUN_SAMPLE];        /* evaluated next, where the plan is open */
    size_t sampled;                     /* number of them submitted */
    struct estimate estimate;           /* from all counted outcomes */
    bool estimated;                     /* the expected time was announced, or is not worth it */
    bool searching;                     /* the strategy has begun */
    double incumbent, least_end;        /* if there is a best: the least of all that are timed */
    uint64_t charged;                   /* distinct configurations charged to the budget */
    uint64_t exchange_at;               /* when others are asked next */
    uint64_t theirs[RUN_EXCHANGED_MAX]; /* what they had found; `exchanged` of them were looked at */
    size_t their_count, exchanged;
    int64_t start_ns;
};

/* ---- tally.c: known outcomes and their counts ---- */

/* Adds the outcomes of the journal; run_adopt counts them. */
int run_load(struct search_run *run, struct error *error);
void run_adopt(struct search_run *run);

/* Appends a measurement to the journal, if there is one. */
int run_record(struct search_run *run, uint64_t index, const struct measurement *measurement, struct error *error);
/* Adds a measurement to the known outcomes. `original`: as in struct evaluation; `final`: it comes from a play-off. */
int run_learn(struct search_run *run, uint64_t index, uint64_t original, const struct measurement *measurement,
              bool final, struct error *error);

/* The measurement that the search uses for a configuration with a row. */
struct measurement run_searched(const struct search_run *run, const struct outcome *outcome);
/* Is it counted by this run, with a time? False for NULL. */
bool run_timed(const struct search_run *run, const struct outcome *outcome);

/* Adds one outcome to the counts, the default's time and the best; true: it is the new best. run_rank_again recomputes
 * all after a counted outcome has changed. Both tell the evaluator about a new best. */
bool run_rank(struct search_run *run, const struct outcome *outcome, const struct measurement *measurement);
void run_rank_again(struct search_run *run);
/* Counts an outcome once, whoever measured it. */
void run_count(struct search_run *run, struct outcome *outcome, bool fresh);

/* The value beyond which a configuration may be stopped early: it is slower than one that is timed. */
double run_incumbent(const struct search_run *run);
/* The end of an interval that no other lies below: a configuration that is certainly slower is not the best. */
double run_least_end(const struct search_run *run);

/* Calls the observer; `measurement` NULL: nothing new. */
void run_look(struct search_run *run, uint64_t index, const struct measurement *measurement, bool fresh);
void run_tell(struct search_run *run, const struct outcome *outcome); /* tells the strategy */

/* The evaluator's time: recorded seconds in a replay. */
int64_t run_now(const struct search_run *run);
int run_stop_asked(const struct search_run *run);
bool run_time_left(const struct search_run *run);
bool run_budget_left(const struct search_run *run);
/* May known outcomes be measured again? Not by an evaluator that never stops early. */
bool run_settles(const struct search_run *run);

/* ---- plan.c: what the run does, and how long that should take ---- */

/* Makes and announces the plan, after the journal's outcomes are counted. */
void run_plan_begin(struct search_run *run);
/* Continues it after new outcomes: decides what is open, and announces the expected time once. True: another strategy
 * proposes from now on. */
bool run_plan_follow(struct search_run *run);
/* Updates the time left. */
void run_plan_look(struct search_run *run);

/* ---- in_flight.c: configurations at the evaluator ---- */

/* Submits a configuration to the evaluator. */
int run_submit(struct search_run *run, struct outcome *outcome, bool exact, struct error *error);
/* Waits briefly and processes the outcomes that arrive. */
int run_collect(struct search_run *run, struct error *error);
/* Does so until the evaluator has room for another one, or until nothing is in flight; returns early at an immediate
 * stop. */
int run_await_room(struct search_run *run, struct error *error);
int run_drain(struct search_run *run, struct error *error);

/* ---- again.c: measuring again ---- */

/* Measures the best of a resumed journal again, or else what may be the best, which shows whether the device is as fast
 * as before (db/journal/outcomes.h) and is the reference for new times. If it fails, the next best follows. Measures
 * the default again when the device has changed. Does nothing if nothing will be measured. */
int run_refresh(struct search_run *run, struct error *error);
/* Measures again what was stopped early as slower than others that this run does not have, the most promising first,
 * until the rest is slower than those here; and to its end what was named (setup->exact) and the default. Does nothing
 * in a replay, which has no more to say. */
int run_settle(struct search_run *run, struct error *error);
/* Counts in the progress what was stopped early and is not certainly slower than the best. */
void run_count_unsettled(struct search_run *run);

/* ---- playoff.c ---- */

/* Repeats the play-off until no finalist fails. Does not repeat an earlier run's play-off. */
int run_play_off(struct search_run *run, struct error *error);
/* Makes the winner (db/journal/winner.h) the best of run->progress. */
void run_crown(struct search_run *run);

#endif
