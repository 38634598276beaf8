/* The result of evaluating one configuration, as passed between evaluators, strategies and files. */
#ifndef CUTUNE_BASE_MEASUREMENT_H
#define CUTUNE_BASE_MEASUREMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/objective.h"
#include "base/pack.h"
#include "base/power.h"

enum status {
#define STATUS(code, name, class, t4, description) STATUS_##code,
#include "base/statuses.def"
#undef STATUS
    STATUS_COUNT
};

/* Classes of outcomes. */
enum outcome_class {
    OUTCOME_UNKNOWN,  /* not evaluated */
    OUTCOME_TIMED,    /* has a time that can be compared */
    OUTCOME_CENSORED, /* censored: stopped early, its time is a lower bound */
    OUTCOME_FAILED
};

/* Result of the play-off. The outcome of a finalist replaces its earlier measurement. */
enum playoff {
    PLAYOFF_NONE, /* an ordinary evaluation */
    PLAYOFF_LEADER,
    PLAYOFF_TIED, /* not measurably slower than the leader */
    PLAYOFF_LOST,
    PLAYOFF_UNSTEADY, /* not measurably slower, but its times vary measurably more: not tied */
    PLAYOFF_COUNT
};

/* The source of a proposed configuration. */
enum proposer {
    PROPOSER_UNKNOWN,
    PROPOSER_DEFAULT,    /* the space's default */
    PROPOSER_WARM_START, /* the winner for another device or other sizes, or the best configuration so far there */
    PROPOSER_STRATEGY,
    PROPOSER_RESUME,    /* a resumed run, which remeasures the best of its journal (db/journal/outcomes.h) */
    PROPOSER_FIT,       /* a fit over sizes, which measures the same configurations at all sizes */
    PROPOSER_INCUMBENT, /* the database, whose row for the run's question it is; in a play-off, it wins its ties */
    PROPOSER_COUNT
};

/* The launches of a configuration that were verified and right. Values of the column `verified` of journals. */
enum verified {
    VERIFIED_UNKNOWN = -1, /* never ran, or was measured by an earlier version, which compared no launch after timing */
    VERIFIED_NONE,         /* the first launch was wrong or failed */
    VERIFIED_FIRST,        /* only the first: the evaluation was stopped early, or a later launch was wrong or failed */
    VERIFIED_TIMED         /* the first, and another one after timing */
};

/* Kinds of evidence against a kernel, found by guarded measuring. */
enum suspicion {
#define SUSPICION(name, weight, meaning) SUSPICION_##name,
#include "base/suspicions.def"
#undef SUSPICION
    SUSPICION_COUNT
};

/* The weight of such evidence. */
enum suspicion_weight {
    SUSPICION_REMARK, /* honest kernels show it, too */
    SUSPICION_DOUBT,  /* a person decides */
    SUSPICION_WRONG   /* the results are wrong as well */
};

/* The times of the checks of guarded measuring; -1: unknown, as in journals. */
struct guard_times {
#define GUARD_TIME(name, meaning) int64_t name##_ns;
#include "base/guard_times.def"
#undef GUARD_TIME
};
extern const struct guard_times guard_times_unknown;

enum { MEASUREMENT_MESSAGE_BYTES = 384 };

struct measurement {
    enum status status;
    enum playoff playoff;
    enum proposer proposer;
    uint32_t samples;   /* number of samples behind the value */
    uint32_t discarded; /* timed launches discarded because the device was throttled */
    uint32_t objective; /* index of the value's objective in objective_rows */
    double value;       /* median, in the objective's unit; NaN: none */
    double low, high;   /* confidence interval of the median; NaN: none */
    double mean_ns;     /* mean of the samples, time of a run; NaN: unknown, as in a play-off */
    double power_w;     /* mean power of the board while the run was repeated; NaN: unknown, or not asked for */
    /* Only in a space with a `work` statement and for configurations with a value; otherwise NaN. */
    double work;                     /* useful work of one run; the value is per unit of it */
    double run_ns;                   /* median time of a run */
    double bytes, flops;             /* least traffic and operations of a run; NaN: not given */
    double occupancy;                /* resident warps / maximum of resident warps, 0..1; NaN: unknown */
    double efficiency_other_devices; /* of a finalist: its lowest efficiency (winner_efficiency) on other devices; NaN:
                                    unknown */
    double efficiency_other_sizes;   /* likewise on this device at other problem sizes */
    int64_t registers;               /* per thread; -1: unknown, likewise below */
    int64_t shared_bytes, local_bytes; /* static + dynamic, per block; local memory (spills and arrays), per thread */
    int64_t compile_ns, measure_ns;    /* cost of the evaluation: compiling with NVRTC; verifying and timing */
    int64_t clock_mhz;                 /* lowest multiprocessor clock during the samples */
    int64_t throttle_reasons;          /* NVML's clock event reasons during the samples, as bits; 0: none */
    int64_t verified;                  /* enum verified */
    uint64_t suspicions;               /* of guarded measuring: a bit for each kind of evidence, 1 << enum suspicion */
    uint32_t launches, compared;       /* ... launches so far, and those whose results were compared; 0: not guarded */
    int64_t guarding_ns;               /* ... time for all but the launches; -1: not guarded */
    struct guard_times guard_times;    /* ... parts of it */
    int64_t processes; /* of a finalist: device processes behind the value, which is the median of their medians if
                          there are several; -1: unknown, as in journals of earlier versions, which used one */
    uint64_t results_checksum; /* of a finalist: checksum of its right results, for further processes, not for journals;
                                  0: unknown, or not the same in all runs */
    double correction; /* factor that converted the times of the measuring device to those of the run's first device;
                          NaN: none */
    char uuid[48];     /* of the measuring device; "": that of the journal, or unknown */
    char kernel[64];   /* of a sequence: the kernel (perhaps cut off) whose launch has this occupancy, registers, shared
                          and local bytes; "": there is one kernel */
    char states[POWER_STATES_BYTES];         /* of the device in the batches or rounds behind the value; "": unknown */
    char message[MEASUREMENT_MESSAGE_BYTES]; /* reason of a status other than ok, in one line; empty: none */
};

/* Forgets the states, clock and reasons of discarded samples. */
void measurement_forget_states(struct measurement *measurement);

/* Packs all fields. */
extern const struct pack_table measurement_table;

/* A measurement with a status and all other fields unknown. */
struct measurement measurement_unknown(enum status status);

/* Turns the measured time of a run into time per unit of work: value and interval become the objective
 * `time_per_work`'s. No effect if `amounts->work` is NaN, or without a value. */
struct work_amounts {
    double work, bytes, flops; /* as in struct measurement */
};
void measurement_per_work(struct measurement *measurement, const struct work_amounts *amounts);

/* The resolution of its value: the objective's reach, per unit of work if the value is. */
double measurement_reach(const struct measurement *measurement);

/* The class of its status; OUTCOME_FAILED if it has no time. */
enum outcome_class measurement_class(const struct measurement *measurement);

/* True if the class is OUTCOME_TIMED. */
bool measurement_timed(const struct measurement *measurement);

/* True if it has a time, even a censored one: unless the class is OUTCOME_FAILED. */
bool measurement_has_value(const struct measurement *measurement);

/* Decides between equally fast configurations: first by the efficiency on other devices and then at other sizes, in
 * whole per cents, then by the multiprocessor resources that the kernels use, registers before shared memory. A
 * configuration of unknown efficiency comes after those that work elsewhere and before those that fail there. Negative:
 * `a` wins. */
int measurement_compare_tied(const struct measurement *a, const struct measurement *b);

const struct objective *measurement_objective(const struct measurement *measurement);

/* objective_cost of its value. */
double measurement_cost(const struct measurement *measurement);

/* The ends of its interval to the better and to the worse; NaN: unknown. */
double measurement_better_end(const struct measurement *measurement);
double measurement_worse_end(const struct measurement *measurement);

/* Orders timed measurements: the faster one first. A tie goes to the configuration that did not lose a play-off,
 * which resolves more than the times. The next criterion is the cheaper one, which leaves more of a multiprocessor
 * to others. The last is the lower index, so that the winner does not depend on the order of the search. */
bool measurement_better(const struct measurement *a, uint64_t a_index, const struct measurement *b, uint64_t b_index);

/* Formats the reason. Cuts it at the buffer's end and replaces newlines and control characters by spaces. */
void measurement_explain(struct measurement *measurement, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Explains a duplicate: "the same machine code and launch as CONFIGURATION: REASON". `reason`: why the original has
 * no time, or ""; may itself be such a message. */
void measurement_explain_duplicate(struct measurement *measurement, const char *configuration, const char *reason);
/* Finds the configuration in such a message, *length bytes long. NULL if the message names none or was cut off. */
const char *measurement_duplicate(const struct measurement *measurement, size_t *length);

/* Adds evidence, and explains the first in a measurement without a message. `detail`: ends the message; "": none */
void measurement_suspect(struct measurement *measurement, enum suspicion suspicion, const char *detail);
/* Finds the evidence that a message has, also one from a journal of an earlier version, which has no `suspicions`;
 * NULL: none. */
const char *measurement_evidence(const struct measurement *measurement);

/* The name, the meaning and the weight of a kind of evidence. */
const char *suspicion_name(enum suspicion suspicion);
const char *suspicion_description(enum suspicion suspicion);
enum suspicion_weight suspicion_weight(enum suspicion suspicion);
/* The names of all kinds of `suspicions`, separated by '/', in a text of at least SUSPICIONS_BYTES; and back. False for
 * an unknown name. */
enum { SUSPICIONS_BYTES = 64 };
void suspicions_print(uint64_t suspicions, char text[SUSPICIONS_BYTES]);
bool suspicions_find(const char *text, uint64_t *suspicions);

const char *status_name(enum status status);
const char *status_description(enum status status);
enum outcome_class status_class(enum status status);
/* The sum of the counts of one class. */
uint64_t status_class_count(const uint64_t counts[STATUS_COUNT], enum outcome_class class);
/* The status in T4, the community's schema for tuning results. */
const char *status_t4(enum status status);
/* Finds the first status with this T4 word, ignoring case. False for an unknown word. */
bool status_find_t4(const char *word, enum status *status);
/* Finds the status of that name. False for an unknown name. */
bool status_find(const char *name, enum status *status);

/* "" for PLAYOFF_NONE, else "leader", "tied", "lost", "unsteady". */
const char *playoff_name(enum playoff playoff);
const char *playoff_description(enum playoff playoff);
bool playoff_find(const char *name, enum playoff *playoff);
/* True if the finalist is neither the leader nor tied with it: `lost` and `unsteady`. */
bool playoff_beaten(enum playoff playoff);

/* "" for PROPOSER_UNKNOWN, else "default", "warm_start", ... */
const char *proposer_name(enum proposer proposer);
const char *proposer_description(enum proposer proposer);
bool proposer_find(const char *name, enum proposer *proposer);

#endif
