/* Steadiness of a play-off's finalists: how much their times vary from round to round. */
#ifndef CUTUNE_DEVICE_STEADINESS_H
#define CUTUNE_DEVICE_STEADINESS_H

#include <stdbool.h>
#include <stddef.h>

#include "device/device.h"

/* True if a finalist's times in the rounds vary measurably more than the leader's. All of this must hold for the
 * absolute deviations of each from its own median, relative to it:
 * - A rank test (statistics_larger) finds the finalist's larger, with the confidence of the sampling.
 * - Their median is more than UNSTEADY times the leader's.
 * - Their median exceeds the target interval: a smaller one does no harm, and may be the timer's resolution.
 * `count` rounds, at most ROUNDS_MAX. */
bool gpu_unsteady(const double *rounds_ns, const double *leader_ns, size_t count, const struct sampling *sampling);

#endif
