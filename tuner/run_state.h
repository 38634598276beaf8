/* The inside of a run: what it knows and counts (tally.c), what it measures again (again.c) and how it chooses the
 * winner (playoff.c). Shared by these and tuner/run.c; nobody else includes it. */
#ifndef CUTUNE_TUNER_RUN_STATE_H
#define CUTUNE_TUNER_RUN_STATE_H

#include "db/outcomes.h"
#include "evaluate/rows.h"
#include "tuner/run.h"

/* Marks of outcomes, beside ROWS_OUTSIDE. */
enum {
    CHARGED = 2,  /* to the budget */
    COUNTED = 4,  /* in the progress */
    IN_FLIGHT = 8 /* submitted, and not ended */
};

struct search_run {
    const struct run_setup *setup;
    struct run_progress *progress;
    void *strategy;
    struct arena arena; /* measurements of the outcomes */
    struct outcomes outcomes;
    size_t recorded; /* outcomes that the journal knows: the first ones */
    size_t inside;   /* of them in the set */
    size_t in_flight;
    enum proposer again;      /* what is in flight is measured again, for this reason; PROPOSER_UNKNOWN: it is new */
    bool exhausted;           /* the strategy has nothing more to ask for now */
    size_t begun;             /* of setup->first: taken up */
    bool searching;           /* the strategy is asked */
    double *compiler_metrics; /* by metric and configuration; NULL: nobody wants them */
    uint64_t charged;         /* distinct configurations that this run has taken up */
    int64_t start_ns;
};

/* ---- tally.c: what is known, and what it comes to ---- */

/* Adds all that the journal knows to the outcomes; run_adopt counts it. */
int run_load(struct search_run *run, struct error *error);
void run_adopt(struct search_run *run);

/* Appends a measurement to the journal, if there is one. */
int run_record(struct search_run *run, uint64_t index, const struct measurement *measurement, struct error *error);
/* Adds a measurement to what is known; `final`: it is of a play-off. */
int run_learn(struct search_run *run, uint64_t index, const struct measurement *measurement, bool final,
              struct error *error);

/* What the search knows of a configuration that has a row. */
struct measurement run_searched(const struct search_run *run, const struct outcome *outcome);
/* Known to this run, and with a time. NULL is neither. */
bool run_timed(const struct search_run *run, const struct outcome *outcome);

/* Counts the status, the default's time and the best of one more (true: it is the best now); run_rank_again: of all
 * once more, after something that was counted has changed. The evaluator hears of a new best. */
bool run_rank(struct search_run *run, const struct outcome *outcome, const struct measurement *measurement);
void run_rank_again(struct search_run *run);
/* Counts an outcome that this run has asked for, whoever measured it, once. */
void run_count(struct search_run *run, struct outcome *outcome, bool fresh);

/* From what time on a configuration may be stopped early. */
double run_incumbent_ns(const struct search_run *run);

/* Tells whoever looks; `measurement` NULL: nothing new. */
void run_look(struct search_run *run, uint64_t index, const struct measurement *measurement, bool fresh);
void run_tell(struct search_run *run, const struct outcome *outcome); /* the strategy */

/* The evaluator's time: a replay's seconds are those that were recorded. */
int64_t run_now(const struct search_run *run);
int run_stop_asked(const struct search_run *run);
bool run_time_left(const struct search_run *run);
bool run_budget_left(const struct search_run *run);

/* ---- run.c ---- */

/* Hands a configuration to the evaluator. */
int run_submit(struct search_run *run, struct outcome *outcome, bool exact, struct error *error);
/* Waits a little and handles what has ended. */
int run_collect(struct search_run *run, struct error *error);

/* ---- again.c: what is measured again ---- */

/* Is the device as fast as when the journal was recorded? Its best, measured again, says so (db/outcomes.h), and is
 * what new times are held against. One that fails now gives way to the next; the default is measured again when the
 * device has changed. Nothing is measured when nothing new will be. */
int run_refresh(struct search_run *run, struct error *error);
/* Measures again what was stopped early against a time that proved wrong since, and may be as fast as the best that is
 * left. */
int run_settle(struct search_run *run, struct error *error);

/* ---- playoff.c ---- */

/* Plays off until no finalist fails, and names the winner in run->progress. What an earlier run has played off stays.
 */
int run_play_off(struct search_run *run, struct error *error);

#endif
