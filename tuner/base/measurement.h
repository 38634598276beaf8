/* The result of evaluating one configuration, as passed between evaluators, strategies and files. */
#ifndef CUTUNE_BASE_MEASUREMENT_H
#define CUTUNE_BASE_MEASUREMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/objective.h"
#include "base/pack.h"

enum status {
#define STATUS(code, name, class, t4, description) STATUS_##code,
#include "base/statuses.def"
#undef STATUS
    STATUS_COUNT
};

/* Classes of outcomes. */
enum outcome_class {
    OUTCOME_UNKNOWN, /* not evaluated */
    OUTCOME_TIMED,   /* has a time that can be compared */
    OUTCOME_BOUND,   /* stopped early: slower than its time says */
    OUTCOME_FAILED
};

/* Result of the play-off. The outcome of a finalist replaces its earlier measurement. */
enum playoff {
    PLAYOFF_NONE, /* an ordinary evaluation */
    PLAYOFF_LEADER,
    PLAYOFF_TIED, /* not measurably slower than the leader */
    PLAYOFF_LOST,
    PLAYOFF_COUNT
};

/* Who proposed a configuration. */
enum proposer {
    PROPOSER_UNKNOWN,
    PROPOSER_DEFAULT,    /* it is the space's default */
    PROPOSER_WARM_START, /* the winner for another device or other sizes, or the best there so far */
    PROPOSER_STRATEGY,
    PROPOSER_RESUME, /* a resumed run, which measures the best of its journal again (db/journal/outcomes.h) */
    PROPOSER_FIT,    /* a fit over sizes, which measures the same configurations at all sizes */
    PROPOSER_COUNT
};

/* Which launches of a configuration were verified and right. Numbers of the column `verified` of journals. */
enum verified {
    VERIFIED_UNKNOWN = -1, /* an earlier version measured it, which compared no launch after timing; or it never ran */
    VERIFIED_NONE,         /* its first launch was wrong or failed */
    VERIFIED_FIRST,        /* the first alone: it was stopped early, or was wrong or failed later */
    VERIFIED_TIMED         /* the first, and another after timing */
};

enum { MEASUREMENT_MESSAGE_BYTES = 384 };

struct measurement {
    enum status status;
    enum playoff playoff;
    enum proposer proposer;
    uint32_t samples;   /* behind the value */
    uint32_t discarded; /* timed launches discarded because the device was throttled */
    uint32_t objective; /* what the value is of: its number in objective_rows */
    double value;       /* median, in the objective's unit; NaN: none */
    double low, high;   /* confidence interval of the median; NaN: none */
    /* Of a space with a `work` statement, for configurations with a value; otherwise NaN. */
    double work;                       /* useful work of one run: the value is of a unit of it */
    double run_ns;                     /* median time of a run */
    double bytes, flops;               /* least traffic and operations of a run; NaN: not given */
    double occupancy;                  /* resident warps / maximum of resident warps, 0..1; NaN: unknown */
    double efficiency_elsewhere;       /* of a finalist: the least of its efficiencies (winner_efficiency) on other
                                          devices; NaN: unknown */
    int64_t registers;                 /* per thread; -1: unknown, likewise below */
    int64_t shared_bytes, local_bytes; /* static + dynamic, per block; local memory (spills and arrays), per thread */
    int64_t compile_ns, measure_ns;    /* cost of the evaluation: compiling with NVRTC; verifying and timing */
    int64_t clock_mhz;                 /* lowest multiprocessor clock seen during the samples */
    int64_t throttle_reasons;          /* NVML's clock event reasons during the samples, as bits; 0: none */
    int64_t verified;                  /* enum verified */
    double correction;                 /* factor that turned the times of the device that measured into those of the
                                          first device of the run; NaN: none */
    char uuid[48];                     /* of the device that measured; "": that of the journal, or unknown */
    char kernel[64];                   /* of a sequence: the kernel, perhaps cut off, of the launch that occupancy,
                                          registers, shared and local bytes are of; "": there is one kernel */
    char message[MEASUREMENT_MESSAGE_BYTES]; /* why the status is not ok, in one line; empty: no reason */
};

/* Packs all fields. */
extern const struct pack_table measurement_table;

/* A measurement with a status and all other fields unknown. */
struct measurement measurement_unknown(enum status status);

/* Turns the measured time of a run into time per unit of work: value and interval become the objective
 * `time_per_work`'s. Does nothing if `amounts->work` is NaN, or without a value. */
struct work_amounts {
    double work, bytes, flops; /* as in struct measurement */
};
void measurement_per_work(struct measurement *measurement, const struct work_amounts *amounts);

/* The resolution of its value: the objective's reach, of a unit of work. */
double measurement_reach(const struct measurement *measurement);

/* The class of its status; OUTCOME_FAILED if it has no time. */
enum outcome_class measurement_class(const struct measurement *measurement);

/* Is the class OUTCOME_TIMED? */
bool measurement_timed(const struct measurement *measurement);

/* Has it a time, if only a bound? True unless the class is OUTCOME_FAILED. */
bool measurement_has_value(const struct measurement *measurement);

/* Decides between equally fast configurations: the efficiency on other devices in whole per cents, then the
 * multiprocessor resources that the kernels use, registers before shared memory. A configuration without a known
 * efficiency comes after those that work elsewhere and before those that fail there. Negative: `a` is kept. */
int measurement_compare_tied(const struct measurement *a, const struct measurement *b);

const struct objective *measurement_objective(const struct measurement *measurement);

/* objective_cost of its value. */
double measurement_cost(const struct measurement *measurement);

/* The ends of its interval to the better and to the worse; NaN: unknown. */
double measurement_better_end(const struct measurement *measurement);
double measurement_worse_end(const struct measurement *measurement);

/* Orders timed measurements: the faster one first; of equally fast ones the one that did not lose a play-off, which
 * resolves more than the times; then the cheaper one, which leaves more of a multiprocessor to others; then the lower
 * index, so that the winner does not depend on the order of the search. */
bool measurement_better(const struct measurement *a, uint64_t a_index, const struct measurement *b, uint64_t b_index);

/* Formats the reason. Cuts it at the buffer's end and replaces newlines and control characters by spaces. */
void measurement_explain(struct measurement *measurement, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Explains a duplicate: "the same machine code and launch as CONFIGURATION: REASON". `reason`: why the original has no
 * time, or ""; may be such a message itself. */
void measurement_explain_duplicate(struct measurement *measurement, const char *configuration, const char *reason);
/* Finds the configuration in such a message, *length bytes long. NULL if the message names none or was cut off. */
const char *measurement_duplicate(const struct measurement *measurement, size_t *length);

const char *status_name(enum status status);
const char *status_description(enum status status);
enum outcome_class status_class(enum status status);
/* The sum of the counts of one class. */
uint64_t status_class_count(const uint64_t counts[STATUS_COUNT], enum outcome_class class);
/* The status in T4, the community's schema for tuning results. */
const char *status_t4(enum status status);
/* Finds the first status with this T4 word; case does not matter. False if there is none. */
bool status_find_t4(const char *word, enum status *status);
/* Finds the status of that name; false if there is none. */
bool status_find(const char *name, enum status *status);

/* "" for PLAYOFF_NONE, else "leader", "tied", "lost". */
const char *playoff_name(enum playoff playoff);
const char *playoff_description(enum playoff playoff);
bool playoff_find(const char *name, enum playoff *playoff);

/* "" for PROPOSER_UNKNOWN, else "default", "warm_start", "strategy", "resume". */
const char *proposer_name(enum proposer proposer);
const char *proposer_description(enum proposer proposer);
bool proposer_find(const char *name, enum proposer *proposer);

#endif
