/* Guarded measuring in the coordinator, which decides: it draws seeds and lots, starts the referee, and passes results
 * on to it. For answers.c, requests.c and start.c alone. */
#ifndef CUTUNE_DEVICE_GUARDING_H
#define CUTUNE_DEVICE_GUARDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/measurement.h"
#include "base/message.h"
#include "base/text.h"
#include "base/worker.h"
#include "device/choice.h"
#include "device/device.h"

/* The state of a device; all zero: not guarded. */
struct device_guard {
    struct guarding guarding;
    struct device *referee; /* NULL: not started */
    struct worker spare;    /* process of the next candidate, which waits for its set-up; not running: none */
    struct device_opening spare_opening;
    bool fixed;   /* expected results are in files, so the inputs keep the seed of the set-up */
    bool renews;  /* a buffer has random numbers */
    bool special; /* inputs have special values (struct sampling) */
    uint64_t setup_seed;
    uint64_t seed; /* of the last launch */
    uint64_t launches;
    uint32_t compared, compared_after; /* launches of the job, and those of them after timing */
    bool over;                         /* the last launch was after timing */
    struct device_burst {
        uint32_t count, tries;  /* of its launches; of bursts in the job so far */
        bool possible;          /* a run is nothing but launches */
        double allowed_ns;      /* for a launch, besides its time */
        int64_t begin_ns;       /* 0: it does not run */
        int64_t took_ns;        /* the shortest; INT64_MAX: none has ended */
    } burst;                    /* launches in a row that the coordinator times by its own clock */
    uint64_t inout_bytes;       /* that are restored before each launch */
    bool handing_over;          /* results are on their way to the referee */
    bool contents;              /* with their contents, because the referee cannot map the memory that has them */
    bool asked_over;            /* no launch is timed any longer */
    double value_ns;            /* then: the median that the process found; 0: none */
    struct measurement verdict; /* of the first launch that was wrong; else OK */
    struct text kernel;         /* of the job, for the referee: without machine code */
    struct guard_times times;   /* of the job so far, as far as the coordinator knows them */
    int64_t handing_ns;         /* begin of handing results over */
};

/* Starts the referee, sets it up and waits for it, and writes the set-up of the process that measures, which knows
 * neither references nor expected results. Errors of device_setup. */
int device_guard_setup(struct device *device, const struct device_setup *setup, struct error *error);
/* Forgets earlier launches, before the process gets the job, perhaps again. No effect if it is not guarded. */
void device_guard_begin(struct device *device);
/* Takes a job. ERROR_VALUE for one that cannot be guarded. */
int device_guard_submit(struct device *device, const struct device_job *job, struct error *error);
/* Answer the messages of the process that measures. False: the process is to be refused. -1 in *lost after an error of
 * the referee that ends the device. */
bool device_guard_launch(struct device *device, const struct message *message, int *lost, struct error *error);
bool device_guard_results(struct device *device, const struct message *message, int *lost, struct error *error);
/* Adds the verdict to the measurement of the finished job. */
void device_guard_conclude(struct device *device, struct measurement *measurement);
void device_guard_close(struct device_guard *guard);

#endif
