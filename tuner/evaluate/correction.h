/* Corrects the times of several devices of one model, which differ by up to a few per cent. All devices measure the
 * same few calibration configurations. Their times give the factor that converts a device's times to those
 * of the first device at the start. Pure: no clock, no devices. */
#ifndef CUTUNE_EVALUATE_CORRECTION_H
#define CUTUNE_EVALUATE_CORRECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/measurement.h"

/* All thresholds. */
enum {
    /* The median of eight ratios is about half as uncertain as one ratio, and two outliers hardly move it. Eight have
     * room for the default, fast and slow configurations. */
    CORRECTION_CALIBRATIONS = 8,
    /* one more while a calibration configuration joins and another leaves */
    CORRECTION_SLOTS = CORRECTION_CALIBRATIONS + 1,
    /* A device is throttled if so many of its latest measurements had samples discarded, more than a short peak of
     * power or heat causes. */
    CORRECTION_LATEST = 16,
    CORRECTION_THROTTLED = 12,
    /* A device that fails to measure so many calibration configurations, all measured by another device, is broken. A
     * single failure may be the calibration configuration's. */
    CORRECTION_FAILURES = 3
};
/* Part of a device's measuring time for repeated measurements of calibration configurations. Little enough that a
 * second device still almost halves a run's time, and enough to follow a device that warms up. */
#define CORRECTION_SHARE 0.015
/* Limit on the change of a device's times since its start. Different devices of one model, and warming up, change times
 * less. A larger change means a failing fan or another process, and will change again between two checks. */
#define CORRECTION_DRIFT 0.05
/* Limit on the standard deviation of the calibration configurations about the factor. Beyond it, devices of one model
 * differ as much without a correction. */
#define CORRECTION_SPREAD 0.035
/* Assumed deviation while few calibration configurations are known: typical of devices of one model. */
#define CORRECTION_SPREAD_UNKNOWN 0.01
/* If a calibration configuration's time on a device changes by more than this and by more than noise, all calibration
 * configurations are measured again. Their regular measurements follow smaller changes. */
#define CORRECTION_ALARM 0.01

/* The latest time of a calibration configuration on a device. Zeroed: not measured. */
struct correction_time {
    bool measured;
    double log_value; /* natural logarithm of the time */
    double deviation; /* relative standard deviation, from the interval of the time; 0: unknown */
};

/* Converts a measurement with a value. */
struct correction_time correction_time(const struct measurement *measurement);

/* The conversion of a device's times to those of the first device at the start. */
struct correction {
    size_t calibration; /* number of calibration configurations used; 0: the rest is unknown */
    double factor;      /* to multiply times by */
    double spread;      /* relative standard deviation of the calibration configurations about the factor */
    double widening;    /* relative widening of an interval of 95 per cent on each side, in quadrature */
};
extern const struct correction correction_unknown;
/* The correction of the first device at the start. */
extern const struct correction correction_identity;

/* An assumption for a device without a correction: devices of one model differ by less. */
extern const struct correction correction_guess;

/* Computes a correction from the times of `count` calibration configurations (at most CORRECTION_SLOTS) on one device,
 * and the logarithms of their times on the first device at the start (NaN: unknown). The factor is the median of the
 * ratios, and the spread their scatter about it. */
struct correction correction_from(const struct correction_time *times, const double *references, size_t count);

/* True if two times of a calibration configuration on the same device differ by more than noise. */
bool correction_alarms(const struct correction_time *before, const struct correction_time *now);

/* Returns the relative slowdown of a device since its first correction: 0.05 is 5 per cent; negative: faster. */
double correction_drift(const struct correction *first, const struct correction *now);

/* Converts times of the device to those of the first one, widens the interval, and records the factor. Changes nothing
 * without a value. */
void correction_apply(const struct correction *correction, struct measurement *measurement);

/* Returns the device's limit for stopping early that corresponds to a value of the first device: an interval beyond the
 * limit lies beyond the value once it is corrected. */
double correction_limit(const struct correction *correction, double value);

/* Returns the calibration configuration that a new one replaces: the one whose neighbours in time are closest together,
 * so that fast, slow and medium calibration configurations remain. Keeps the fastest, the slowest, and number `kept`
 * (count: none). Returns `count` if no calibration configuration may go. All references must be known. */
size_t correction_superfluous(const double *references, size_t count, size_t kept);

#endif
