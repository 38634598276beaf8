/* The anchors of a run: which device is to measure which of them when, what came of it, and whose times can be
 * corrected by it (evaluate/correction.h). The first configurations that work become anchors, and all devices measure
 * them; later each device measures them again in turn, all at once when one has changed. The fastest configuration
 * joins when it is none of them. Bookkeeping only: the caller submits what anchors_next says. */
#ifndef CUTUNE_EVALUATE_ANCHORS_H
#define CUTUNE_EVALUATE_ANCHORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/measurement.h"
#include "evaluate/correction.h"

struct anchors;

/* At least two devices; `default_index`: stays an anchor; UINT64_MAX: none. */
int anchors_open(struct anchors **anchors, size_t devices, uint64_t default_index, struct error *error);
void anchors_close(struct anchors *anchors);

/* How the device's times are corrected now. NULL: that is not known, or in doubt until all anchors are measured. */
const struct correction *anchors_correction(const struct anchors *anchors, size_t device);
/* Has this device measured so few anchors only because there are no more? Its correction is known from now on, unless
 * there is none at all: NULL again. */
const struct correction *anchors_settle(struct anchors *anchors, size_t device);

/* How many times a device got a correction, again or for the first time, or was left out. */
uint64_t anchors_changes(const struct anchors *anchors);

/* Is there room for one more anchor, which a configuration that works would take? */
bool anchors_wanted(const struct anchors *anchors);
bool anchors_has(const struct anchors *anchors, uint64_t index);

/* A configuration of the search was measured, whatever came of it: the device may measure the next anchor, and is
 * observed for throttling. One that works becomes an anchor if one is wanted. */
void anchors_note(struct anchors *anchors, uint64_t index, size_t device, const struct measurement *measurement);
/* The fastest configuration so far. */
void anchors_best(struct anchors *anchors, uint64_t index);

/* Devices that have an anchor to measure now. Not more than two of a device are in flight. */
size_t anchors_waiting(const struct anchors *anchors);
/* The next of them, which is in flight from now on. False: none waits. */
bool anchors_next(struct anchors *anchors, size_t *device, uint64_t *index);
/* The search submits a configuration, which may be an anchor in flight. */
void anchors_search(struct anchors *anchors, uint64_t index);
/* An evaluation has ended: was it submitted for anchors_next? Takes its time then. `device`: EVALUATOR_ANY_DEVICE if it
 * was not measured at all. */
bool anchors_take(struct anchors *anchors, uint64_t index, size_t device, const struct measurement *measurement);

/* Why the device should measure nothing more, in words that follow its name; NULL: no reason. */
const char *anchors_verdict(struct anchors *anchors, size_t device);
/* It measures nothing more. The last one stays. */
void anchors_leave_out(struct anchors *anchors, size_t device);
bool anchors_left_out(const struct anchors *anchors, size_t device);
/* A device that measures what another one has measured in vain, each in turn: its correction is known, if there is such
 * a device. */
size_t anchors_trusted(struct anchors *anchors);

#endif
