/* The calibration configurations of a run, from whose times on several devices the devices' corrections
 * follow (evaluate/correction.h). The first feasible configurations become calibration configurations, and all devices
 * measure them. Later each device measures its calibration configurations again in turn, or all at once if one has
 * changed. The fastest configuration joins them. This module only keeps the records: the caller submits the
 * measurements that calibration_next returns. */
#ifndef CUTUNE_EVALUATE_CALIBRATION_H
#define CUTUNE_EVALUATE_CALIBRATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/measurement.h"
#include "evaluate/correction.h"

struct calibration;

/* `devices`: at least two. `default_index`: stays a calibration configuration; UINT64_MAX: none. */
int calibration_open(struct calibration **calibration, size_t devices, uint64_t default_index, struct error *error);
void calibration_close(struct calibration *calibration);

/* Returns the current correction of the device's times. NULL: unknown, or in doubt until all calibration configurations
 * are measured. */
const struct correction *calibration_correction(const struct calibration *calibration, size_t device);
/* Accepts a correction from few calibration configurations, because no more will come. Returns NULL if there are none
 * at all. */
const struct correction *calibration_settle(struct calibration *calibration, size_t device);

/* Counts the corrections that devices got, first ones included, and the exclusions of devices. */
uint64_t calibration_changes(const struct calibration *calibration);

/* True if another calibration configuration is needed. */
bool calibration_wanted(const struct calibration *calibration);
bool calibration_has(const struct calibration *calibration, uint64_t index);

/* Records any outcome of the search: the device may measure its next calibration configuration, and is observed for
 * throttling. A feasible configuration becomes a calibration configuration if one is needed. */
void calibration_note(struct calibration *calibration, uint64_t index, size_t device,
                      const struct measurement *measurement);
/* Sets the fastest configuration so far. */
void calibration_best(struct calibration *calibration, uint64_t index);

/* Returns the number of devices with a calibration configuration to measure now. At most two calibration configurations
 * of a device are in flight. */
size_t calibration_waiting(const struct calibration *calibration);
/* Returns the next calibration configuration to measure, which is then in flight. False: none waits. */
bool calibration_next(struct calibration *calibration, size_t *device, uint64_t *index);
/* Records that the search submits a configuration, which may be a calibration configuration in flight. */
void calibration_search(struct calibration *calibration, uint64_t index);
/* Records the end of an evaluation. True if it was submitted for calibration_next; its time is then recorded. `device`:
 * EVALUATOR_ANY_DEVICE if none measured it. */
bool calibration_take(struct calibration *calibration, uint64_t index, size_t device,
                      const struct measurement *measurement);

/* Records that an evaluation was withdrawn. True if it was submitted for calibration_next. */
bool calibration_withdraw(struct calibration *calibration, uint64_t index);

/* Returns the reason to exclude the device, in words that follow its name; NULL: no reason. */
const char *calibration_verdict(struct calibration *calibration, size_t device);
/* Excludes a device, unless it is the last one. */
void calibration_leave_out(struct calibration *calibration, size_t device);
bool calibration_left_out(const struct calibration *calibration, size_t device);
/* Returns a device to repeat measurements whose results were discarded, in turn among those with a correction, if
 * any. */
size_t calibration_trusted(struct calibration *calibration);

#endif
