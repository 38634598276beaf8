/* What is known of one configuration after its evaluation: the currency between evaluators, strategies and files. */
#ifndef CUTUNE_BASE_MEASUREMENT_H
#define CUTUNE_BASE_MEASUREMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/pack.h"

enum status {
#define STATUS(code, name, class, t4, description) STATUS_##code,
#include "base/statuses.def"
#undef STATUS
    STATUS_COUNT
};

/* What a status, or all that is known of a configuration, comes to. */
enum outcome_class {
    OUTCOME_UNKNOWN, /* nothing is known */
    OUTCOME_TIMED,   /* has a number that may be compared */
    OUTCOME_BOUND,   /* stopped early: worse than its number says */
    OUTCOME_FAILED
};

/* What the play-off says of a configuration: the outcome of one that took part replaces what was measured before. */
enum playoff {
    PLAYOFF_NONE, /* an ordinary evaluation */
    PLAYOFF_LEADER,
    PLAYOFF_TIED, /* no slower than the leader, as far as the samples can tell */
    PLAYOFF_LOST,
    PLAYOFF_COUNT
};

/* Who named a configuration. */
enum proposer {
    PROPOSER_UNKNOWN,
    PROPOSER_DEFAULT,    /* the space: it is its default */
    PROPOSER_WARM_START, /* the database: the winner of another device, or of other sizes */
    PROPOSER_STRATEGY,
    PROPOSER_RESUME, /* a run that goes on: it measures the best of its journal again (db/outcomes.h) */
    PROPOSER_COUNT
};

struct measurement {
    enum status status;
    enum playoff playoff;
    enum proposer proposer;
    uint32_t samples;                  /* timed launches behind time_ns */
    uint32_t discarded;                /* timed launches that do not count: the device was throttled */
    double time_ns;                    /* median; NaN: not timed */
    double low_ns, high_ns;            /* confidence interval of the median; NaN: not timed */
    double occupancy;                  /* resident warps / most resident warps, 0..1; NaN: unknown */
    int64_t registers;                 /* per thread; -1: unknown, like all that follow */
    int64_t shared_bytes, local_bytes; /* static + dynamic, per block; local memory (spills and arrays), per thread */
    int64_t compile_ns, measure_ns;    /* what the evaluation cost: NVRTC; verifying and timing */
    int64_t clock_mhz;                 /* of the multiprocessors behind the samples, the lowest that was seen */
    int64_t throttle_reasons;          /* NVML's clock event reasons behind the samples, as its bits; 0: none */
    char message[256];                 /* why the status is not ok, in one line; empty: nothing to say */
};

/* All of it. */
extern const struct pack_table measurement_table;

/* A measurement of which nothing but the status is known. */
struct measurement measurement_unknown(enum status status);

/* The class of its status; OUTCOME_FAILED without a number. */
enum outcome_class measurement_class(const struct measurement *measurement);

/* Has a number that may be compared: is OUTCOME_TIMED. */
bool measurement_timed(const struct measurement *measurement);

/* Has a number at all, be it only a bound: is not OUTCOME_FAILED. */
bool measurement_has_time(const struct measurement *measurement);

/* < 0: `a` needs less of a multiprocessor than `b`: fewer registers, or as many and less shared memory. */
int measurement_compare_cost(const struct measurement *a, const struct measurement *b);

/* Whether a number of nanoseconds can be a time: positive, less than the age of anything, and so that the ratio of two
 * is a number with a logarithm. */
bool measurement_is_time(double time_ns);

/* The order of what was timed: the faster one; of equally fast ones the one that did not lose a play-off, which tells
 * more apart than its times do; then the cheaper, which leaves more of a multiprocessor to others; then the one of the
 * lower index, so that the winner does not depend on the order of the search. */
bool measurement_better(const struct measurement *a, uint64_t a_index, const struct measurement *b, uint64_t b_index);

/* What the compiler says of a configuration, so that it can be known before anything is measured. */
enum compiler_metric {
    COMPILER_REGISTERS,
    COMPILER_LOCAL_BYTES,
    COMPILER_SHARED_BYTES,
    COMPILER_OCCUPANCY,
    COMPILER_METRICS
};
/* In the units of struct measurement; NaN: unknown. */
double measurement_compiler_metric(const struct measurement *measurement, enum compiler_metric metric);

/* Writes the reason, cut to the room, with newlines and control characters as spaces. */
void measurement_explain(struct measurement *measurement, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Says whose number a measurement takes: "the same machine code and launch as CONFIGURATION: REASON". `reason`: why
 * that one has no time, or ""; it may be such a message itself. */
void measurement_explain_duplicate(struct measurement *measurement, const char *configuration, const char *reason);
/* The configuration in such a message, *length bytes of it. NULL: the message names none, or has no room for it. */
const char *measurement_duplicate(const struct measurement *measurement, size_t *length);

const char *status_name(enum status status);
const char *status_description(enum status status);
enum outcome_class status_class(enum status status);
/* The sum of the counts of a class. */
uint64_t status_class_count(const uint64_t counts[STATUS_COUNT], enum outcome_class class);
/* The word for it in T4, the community's schema for tuning results. */
const char *status_t4(enum status status);
/* True and the first status of that T4 word, in letters of either case. */
bool status_find_t4(const char *word, enum status *status);
/* True and the status when `name` is one. */
bool status_find(const char *name, enum status *status);

/* "" for PLAYOFF_NONE, else "leader", "tied", "lost". */
const char *playoff_name(enum playoff playoff);
bool playoff_find(const char *name, enum playoff *playoff);

/* "" for PROPOSER_UNKNOWN, else "default", "warm_start", "strategy", "resume". */
const char *proposer_name(enum proposer proposer);
bool proposer_find(const char *name, enum proposer *proposer);

#endif
