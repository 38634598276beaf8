/* What the times of several devices of one model have in common. Devices of one model differ by up to a few per cent;
 * all of them measure the same few configurations, the anchors, and from these times follows by what factor a device's
 * times are multiplied to be those of the first device at the start. Pure: no clock, no devices. */
#ifndef CUTUNE_EVALUATE_CORRECTION_H
#define CUTUNE_EVALUATE_CORRECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/measurement.h"

/* The thresholds, all in one place. */
enum {
    /* The median of eight ratios is about half as uncertain as one of them, two outliers hardly move it, and there is
     * room for the default, fast and slow configurations. */
    CORRECTION_ANCHORS = 8,
    /* While one joins and another leaves. */
    CORRECTION_SLOTS = CORRECTION_ANCHORS + 1,
    /* Of the latest so many measurements of a device so many had samples discarded: it is no short peak of power or
     * heat, which a device gets over by itself. */
    CORRECTION_LATEST = 16,
    CORRECTION_THROTTLED = 12,
    /* A device that fails to measure so many anchors, all of which another one has measured, is broken. One failure may
     * be the anchor's own. */
    CORRECTION_FAILURES = 3
};
/* Part of a device's measuring time that measuring anchors again may take: a second device still almost halves the time
 * of a run, and at 20 ms an evaluation an anchor is measured every 1.3 s, which is faster than a device warms up. */
#define CORRECTION_SHARE 0.015
/* Change of a device's times since its start. Devices of one model differ by 0.7 to 3.5 per cent, and warming up
 * changes one by 1 to 2; one that changes by more than both has a failing fan, or does another's work, too, and changes
 * again between two checks. */
#define CORRECTION_DRIFT 0.05
/* Standard deviation of the anchors about the factor. The factor says nothing if it is no smaller than what devices of
 * one model differ by. */
#define CORRECTION_SPREAD 0.035
/* Taken for it while too few anchors are known: in the middle of what devices of one model differ by. */
#define CORRECTION_SPREAD_UNKNOWN 0.01
/* An anchor that differs from its last time on a device by more than this and by more than noise is reason to measure
 * all of them again: a smaller change is followed soon enough when it is their turn. */
#define CORRECTION_ALARM 0.01

/* The latest time of an anchor on a device. Zeroed: not measured. */
struct correction_time {
    bool measured;
    double log_value; /* natural logarithm of the time */
    double deviation; /* relative standard deviation of the time, from its interval; 0: unknown */
};

/* From a measurement with a value. */
struct correction_time correction_time(const struct measurement *measurement);

/* How a device's times become those of the first device at the start. */
struct correction {
    size_t anchors;  /* behind it; 0: the rest is unknown */
    double factor;   /* of times */
    double spread;   /* relative standard deviation of the anchors about the factor */
    double widening; /* what an interval of 95 per cent gains on each side, relative, in quadrature */
};
extern const struct correction correction_unknown;
/* That of the first device at the start. */
extern const struct correction correction_identity;

/* What is taken for a device's own until that is known: devices of one model differ by less. */
extern const struct correction correction_guess;

/* From the times of `count` anchors (at most CORRECTION_SLOTS) on one device, and the logarithms of their times on the
 * first device at the start (NaN: unknown): the median of the ratios, and how far they scatter about it. */
struct correction correction_from(const struct correction_time *times, const double *references, size_t count);

/* Do two times of an anchor on the same device differ by more than noise? */
bool correction_alarms(const struct correction_time *before, const struct correction_time *now);

/* How much slower a device has become since its first correction, relative: 0.05 is 5 per cent; negative: faster. */
double correction_drift(const struct correction *first, const struct correction *now);

/* Turns times of the device into those of the first one, widens the interval, and notes the factor. Does nothing
 * without a value. */
void correction_apply(const struct correction *correction, struct measurement *measurement);

/* The limit for stopping early on the device that belongs to a value of the first one: a time whose interval lies
 * beyond it lies beyond the value when it is corrected. */
double correction_limit(const struct correction *correction, double value);

/* The anchor that a new one replaces: the one whose neighbours in time are the closest together, so that fast, slow and
 * medium ones remain. Neither the fastest, nor the slowest, nor number `kept` (count: none) goes. `count` if no other
 * is there. All references are known. */
size_t correction_superfluous(const double *references, size_t count, size_t kept);

#endif
