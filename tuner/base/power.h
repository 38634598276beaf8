/* The power state of a measurement: whether the device's power cap lowered its clock meanwhile.
 *
 * Readings of the device, one for each batch of samples, are kept as the text of a journal's column `states`: runs
 * "COUNTxMHZ:REASONS:CELSIUS" separated by '/', of consecutive readings that agree. REASONS are NVML's clock event
 * reasons as bits, except that of the power cap, which says if the cap lowered the clock; an unknown number is '-'. */
#ifndef CUTUNE_BASE_POWER_H
#define CUTUNE_BASE_POWER_H

#include <stdbool.h>
#include <stdint.h>

/* NVML's clock event reason for a clock that the power cap lowers. */
enum { POWER_CAP_REASON = 0x4 };

enum {
    POWER_RUNS_MAX = 8,
    POWER_STATES_BYTES = 256, /* of a text with the most runs */
    POWER_TEXT_BYTES = 64
};

enum power_state {
    POWER_UNKNOWN, /* no reasons are known */
    POWER_BURST,   /* no reading at the power cap */
    POWER_CAP,     /* most readings at the power cap */
    POWER_MIXED,   /* some readings at the power cap */
    POWER_STATE_COUNT
};

struct power_reading {
    double mhz;      /* NaN: unknown */
    int64_t reasons; /* -1: unknown */
    int64_t celsius; /* -1: unknown */
};

struct power {
    enum power_state state;
    double mhz; /* median clock; NaN: unknown */
};

/* Adds a reading to a text of states, "" at first. A run has the clock of its first reading, within a hundredth, and
 * the highest temperature. Further readings than fit into POWER_RUNS_MAX runs join the run with the nearest clock, but
 * those at the power cap and others stay apart. A malformed text is replaced by the reading. */
void power_states_add(char states[POWER_STATES_BYTES], const struct power_reading *reading);

/* Adds the readings of another text, the same way. */
void power_states_join(char states[POWER_STATES_BYTES], const char *other);

/* Computes the state and the median clock; unknown for a malformed text. */
struct power power_of(const char *states);

/* "burst", "cap", "mixed"; "": unknown. */
const char *power_state_name(enum power_state state);

/* True if times of the two states must not be compared: one is measured at the power cap, the other one without it. */
bool power_differs(enum power_state a, enum power_state b);

/* The least factor from times of one state to times of another. The time of a kernel at the power cap can shrink
 * without the cap by the ratio of the clocks at most; all other changes of state lengthen it or are unknown: 1.
 * `settled_mhz`: the clock without the cap; NaN: unknown, the factor is then 0. */
double power_least_factor(struct power from, enum power_state to, double settled_mhz);

/* Writes "at 1.98 GHz", "at the power cap, 1.60 GHz" or "partly at the power cap, 1.80 GHz"; "" if neither the state
 * nor the clock is known. Returns `text`. */
const char *power_text(char text[POWER_TEXT_BYTES], struct power power);

#endif
