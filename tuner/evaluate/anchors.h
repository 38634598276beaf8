/* The calibration configurations ("anchors") of a run, from whose times on several devices the devices' corrections
 * follow (evaluate/correction.h). The first feasible configurations become anchors, and all devices measure them. Later
 * each device measures its anchors again in turn, or all at once if one has changed. The fastest configuration joins
 * them. This module only keeps the records: the caller submits the measurements that anchors_next returns. */
#ifndef CUTUNE_EVALUATE_ANCHORS_H
#define CUTUNE_EVALUATE_ANCHORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/measurement.h"
#include "evaluate/correction.h"

struct anchors;

/* `devices`: at least two. `default_index`: stays an anchor; UINT64_MAX: none. */
int anchors_open(struct anchors **anchors, size_t devices, uint64_t default_index, struct error *error);
void anchors_close(struct anchors *anchors);

/* Returns the current correction of the device's times. NULL: unknown, or in doubt until all anchors are measured. */
const struct correction *anchors_correction(const struct anchors *anchors, size_t device);
/* Accepts a correction from few anchors, because no more will come. Returns NULL if there are none at all. */
const struct correction *anchors_settle(struct anchors *anchors, size_t device);

/* Counts the corrections that devices got, first ones included, and the exclusions of devices. */
uint64_t anchors_changes(const struct anchors *anchors);

/* True if another anchor is needed. */
bool anchors_wanted(const struct anchors *anchors);
bool anchors_has(const struct anchors *anchors, uint64_t index);

/* Records any outcome of the search: the device may measure its next anchor, and is observed for throttling. A feasible
 * configuration becomes an anchor if one is needed. */
void anchors_note(struct anchors *anchors, uint64_t index, size_t device, const struct measurement *measurement);
/* Sets the fastest configuration so far. */
void anchors_best(struct anchors *anchors, uint64_t index);

/* Returns the number of devices with an anchor to measure now. At most two anchors of a device are in flight. */
size_t anchors_waiting(const struct anchors *anchors);
/* Returns the next anchor to measure, which is then in flight. False: none waits. */
bool anchors_next(struct anchors *anchors, size_t *device, uint64_t *index);
/* Records that the search submits a configuration, which may be an anchor in flight. */
void anchors_search(struct anchors *anchors, uint64_t index);
/* Records the end of an evaluation. True if it was submitted for anchors_next; its time is then recorded. `device`:
 * EVALUATOR_ANY_DEVICE if none measured it. */
bool anchors_take(struct anchors *anchors, uint64_t index, size_t device, const struct measurement *measurement);

/* Returns the reason to exclude the device, in words that follow its name; NULL: no reason. */
const char *anchors_verdict(struct anchors *anchors, size_t device);
/* Excludes a device, unless it is the last one. */
void anchors_leave_out(struct anchors *anchors, size_t device);
bool anchors_left_out(const struct anchors *anchors, size_t device);
/* Returns a device to repeat measurements whose results were discarded, in turn among those with a correction, if
 * any. */
size_t anchors_trusted(struct anchors *anchors);

#endif
