/* What travels between the coordinator and a device process. Each answer has the kind and id of its question. */
#ifndef CUTUNE_DEVICE_MESSAGES_H
#define CUTUNE_DEVICE_MESSAGES_H

#include "base/error.h"
#include "base/limits.h"
#include "base/measurement.h"
#include "base/pack.h"
#include "base/text.h"
#include "device/device.h"
#include "space/space.h"

enum device_message {
    MESSAGE_HELLO = 1, /* answer, unasked, at the start: limits */
    MESSAGE_SETUP,     /* setup_message, reference, calibration so far; the answer is the calibration */
    MESSAGE_MEASURE,   /* a job and its kernels; the answer is a measurement of each */
    MESSAGE_LAST,      /* the same answer, and the process ends: a kernel spoiled its memory or context */
    MESSAGE_ERROR      /* answer: code, message, hint; the process ends */
};

/* What the first set-up finds out about the device; a restarted process is told it. */
struct gpu_calibration {
    struct ceilings ceilings;
    double settled_mhz; /* the multiprocessors' highest settled clock; NaN: unknown */
};
extern const struct pack_table calibration_table;

/* The buffers, and how times are taken. Pointers borrow. */
struct setup_message {
    uint64_t seed;
    struct sampling sampling;
    double relative, absolute; /* tolerance */
    size_t buffer_count;
    struct setup_buffer {
        uint32_t type; /* index into element_types */
        uint64_t count;
        enum buffer_fill fill;
        bool output;
        const char *name, *path; /* path: "" unless the fill is FILL_FILE */
    } buffers[SPACE_ARGUMENTS_MAX];
    const void *helpers;
    size_t helpers_bytes;
};
extern const struct pack_table setup_table;

/* Of a job, all but its kernels. */
extern const struct pack_table job_table;

void message_pack_kernel(struct text *text, const struct device_kernel *kernel);
/* kernel->launch is `launch`, which is filled. */
bool message_unpack_kernel(struct unpack *unpack, struct device_kernel *kernel, struct launch *launch);

void message_pack_measurements(struct text *text, const struct measurement *measurements, size_t count);
/* False when the bytes are not just so many. */
bool message_unpack_measurements(const struct message *message, struct measurement *measurements, size_t count);

extern const struct pack_table error_table;

#endif
