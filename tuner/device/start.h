/* The coordinator's view of a device process, and its start and end. For answers.c, profile.c, requests.c and
 * start.c alone. */
#ifndef CUTUNE_DEVICE_START_H
#define CUTUNE_DEVICE_START_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/limits.h"
#include "base/measurement.h"
#include "base/text.h"
#include "base/worker.h"
#include "device/device.h"
#include "device/guarding.h"
#include "device/messages.h"
#include "space/space.h"

enum device_state {
    STATE_STARTING, /* forked; no greeting yet */
    STATE_OPEN,     /* greeted; no set-up requested, or another than the process has */
    STATE_INPUTS,   /* writing inputs */
    STATE_SETUP,    /* setting up */
    STATE_READY,    /* accepts a job */
    STATE_EXPECT,   /* computes expected results for the job */
    STATE_BUSY,     /* has a job */
    STATE_ROOFLINE  /* measures the ceilings of the roofline */
};

struct device {
    struct worker worker;
    struct device_opening opening; /* of all its processes */
    enum device_state state;
    bool rests;    /* its process was ended by device_rest */
    bool answered; /* `limits` are known */
    struct device_limits limits;
    struct text inputs; /* message that requests the inputs, kept until they are written; empty: not requested */
    struct text setup;  /* the set-up message, kept for restarts; empty: not set up yet */
    size_t setup_bytes; /* bytes of `setup` before the calibration */
    struct gpu_calibration calibration;
    struct roofline roofline; /* result of device_measure_roofline */
    int restarts;             /* since the last answer other than a greeting */
    bool has_job;             /* queued for the process or sent to it */
    bool again;               /* the job is on its second attempt */
    bool measures_energy;     /* the job does */
    bool is_library;          /* the job has a library, which may use streams of its own */
    bool judges;              /* the device is a referee: its jobs are MESSAGE_JUDGE */
    bool wants_contents;      /* the referee cannot map the results of its job */
    bool has_checksums;       /* of the results of all kernels of the job */
    bool deferred;            /* the process has no expected results, and takes only jobs with checksums */
    size_t kernel_count;      /* of the job */
    struct energy energies[DEVICE_KERNELS_MAX]; /* of the last job that measured energy */
    uint64_t job_id;
    int64_t job_timeout_ns; /* with the time in which the power is measured */
    int64_t power_ns;       /* struct sampling's */
    struct text job;
    struct text samples;                   /* of the last job: device_samples */
    uint32_t job_sets[DEVICE_KERNELS_MAX]; /* sets of the job's kernels */
    struct device_set {
        struct text message;         /* empty: not defined yet */
        bool known;                  /* the process has the set's kernels */
        struct measurement *refusal; /* outcome of jobs that need the set; NULL: it can be computed */
    } sets[SPACE_SETS_MAX];
    uint32_t expected; /* number of the set in STATE_EXPECT */
    uint32_t current;  /* number of the set in use; SPACE_SETS_MAX: unknown */
    struct device_guard guard;
};

/* Starts a process for a device without one. The new process has only the first set of expected results. */
int device_restart(struct device *device, struct error *error);
/* Starts the process of the next candidate ahead, if each has one of its own. */
void device_start_spare(struct device *device);

#endif
