/* The objective of a search and its measurements: the median and interval of one quantity. Its row holds everything
 * that depends on the quantity: names, unit, which way is better, how to print a value. */
#ifndef CUTUNE_BASE_OBJECTIVE_H
#define CUTUNE_BASE_OBJECTIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Names in journals and the database: "time_ns", ... */
struct objective_columns {
    const char *value, *low, *high, *default_value;
};

/* A unit to print in. */
struct objective_unit {
    const char *name;
    double size; /* in the objective's own unit */
};

/* Bounds of the useful work of one run, the statement `work`. */
#define WORK_LEAST 1e-30
#define WORK_MOST  1e30

struct objective {
    const char *name; /* in files and tables: "time" */
    const char *aim;  /* objectives with the same aim exclude each other: the version of the space decides between them;
                         NULL: the name */
    const char *unit; /* of all values: "ns" */
    bool higher_is_better;
    bool per_work;                      /* values are per unit of work, not per run */
    double least, most;                 /* a value lies between them; both are positive */
    double reach;                       /* resolution: two runs that are no further apart may be equal */
    double seconds;                     /* of one unit; 0: not a duration, so it gives no rate and no roofline time */
    const char *expected;               /* expected content of a cell, for messages */
    const struct objective_unit *units; /* the smallest first; the last has no name */
    const char *(*print)(char *buffer, size_t room, double value); /* for people: "44.71 us"; returns buffer */
};

#define OBJECTIVE(name, value, low, high, default_value) extern const struct objective objective_row_##name;
#include "lists/objectives.def"
#undef OBJECTIVE

/* Numbers of objectives, as a measurement has them. */
enum {
#define OBJECTIVE(name, value, low, high, default_value) OBJECTIVE_##name,
#include "lists/objectives.def"
#undef OBJECTIVE
    OBJECTIVE_COUNT
};
extern const struct objective *const objective_rows[OBJECTIVE_COUNT];

/* Finds the objective of that name; NULL for an unknown name. */
const struct objective *objective_find(const char *name);
/* The aim of the objective of that name; the name itself if it is unknown. */
const char *objective_aim(const char *name);
/* Its number. */
uint32_t objective_number(const struct objective *objective);
const struct objective_columns *objective_columns(const struct objective *objective);
/* The objective of a search by default: the first. */
const struct objective *objective_default(void);

/* True if the number is a possible value. */
bool objective_is_value(const struct objective *objective, double value);
/* True if `a` is better than `b`. Nothing is better or worse than NaN. */
bool objective_better(const struct objective *objective, double a, double b);
/* The better of two; of NaN and a number, the number. */
double objective_best(const struct objective *objective, double a, double b);
/* The value that is worse than all others: an infinity. */
double objective_worst(const struct objective *objective);
/* The end of an interval to the better and to the worse. */
double objective_better_end(const struct objective *objective, double low, double high);
double objective_worse_end(const struct objective *objective, double low, double high);
/* Returns a positive number to be minimised: the quotient of two says how many times worse one value is. */
double objective_cost(const struct objective *objective, double value);

/* How many times better `to` is than `from`; NaN if either is unknown. */
double objective_gain(const struct objective *objective, double from, double to);
/* An amount, such as bytes or operations, per second of a value. NaN: the objective is not a duration. */
double objective_rate(const struct objective *objective, double amount, double value);
/* A duration, such as a roofline time, in per cent of a value. NaN: the objective is not a duration. */
double objective_percent(const struct objective *objective, double duration_ns, double value);

#endif
