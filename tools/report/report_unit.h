/* Values, units and devices as the report prints them. */
#ifndef CUTUNE_REPORT_REPORT_UNIT_H
#define CUTUNE_REPORT_REPORT_UNIT_H

#include "analyse/measured_run.h"
#include "base/objective.h"

enum { REPORT_NUMBER_BYTES = 48 };

/* A unit and its number of decimals. */
struct report_unit {
    const struct objective *objective;
    const char *name;
    double size;
    int digits;
};

/* Unit in which values near `value` have four figures. */
struct report_unit report_unit(const struct objective *objective, double value);

/* Value in the unit, without the unit's name: "133.2"; "–" for NaN and infinity. Returns `buffer` or "–". */
const char *report_value(const struct report_unit *unit, double value, char buffer[REPORT_NUMBER_BYTES]);

/* Value in a suitable unit, with the name: "133.2 µs"; "–" for NaN. */
const char *report_with_unit(const struct objective *objective, double value, char buffer[REPORT_NUMBER_BYTES]);

/* Number with that many decimals; "–" for NaN and infinity. */
const char *report_number(double number, int digits, char buffer[REPORT_NUMBER_BYTES]);

/* Throughput for that many bytes and that value, in GB/s; NaN: unknown. */
double report_rate(const struct objective *objective, double bytes, double value);

/* Name of the run's device, or "unknown device". */
const char *report_device(const struct measured_run *measured_run);

#endif
