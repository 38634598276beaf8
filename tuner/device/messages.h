/* Messages between the coordinator and a device process. Each answer has the kind and id of its request. */
#ifndef CUTUNE_DEVICE_MESSAGES_H
#define CUTUNE_DEVICE_MESSAGES_H

#include "base/error.h"
#include "base/limits.h"
#include "base/measurement.h"
#include "base/pack.h"
#include "base/text.h"
#include "base/worker.h"
#include "device/device.h"
#include "space/space.h"

enum device_message {
    MESSAGE_HELLO = 1, /* answer, sent first and unasked: limits */
    MESSAGE_SETUP, /* setup_message, reference if there is one, kernels that fill, calibration so far; answered with the
                      calibration */
    MESSAGE_INPUTS, /* the same message, with the folder; answered without bytes. The process ends */
    MESSAGE_EXPECT, /* set_message and its kernels, or nothing if the process has them; the id is the number of the set;
                       answered with nothing */
    MESSAGE_MEASURE,  /* a job and its kernels; answered with a measurement of each */
    MESSAGE_LAST,     /* like MESSAGE_MEASURE's answer, but the process ends: a kernel spoiled its memory or context */
    MESSAGE_ROOFLINE, /* a cubin; answered with a struct roofline */
    MESSAGE_PROFILER, /* as MESSAGE_SETUP, of a process that counts and never measures; answered with nothing */
    MESSAGE_COUNT,    /* a kernel; answered with the evidence of each of its launches: counters, or the times of
                         the stages of a pipeline */
    MESSAGE_ERROR     /* answer: code, message, hint; the process ends */
};

/* What the first set-up measures about the device, passed to restarted processes. */
struct gpu_calibration {
    struct ceilings ceilings;
    double settled_mhz; /* highest settled clock of the multiprocessors; NaN: unknown */
};
extern const struct pack_table calibration_table;

/* A set of expected results. */
struct set_message {
    bool referenced, has_accept; /* the message has a reference and then an accept kernel */
    const char *reference_name;
};
extern const struct pack_table set_table;

/* The buffers, and how samples are taken. Pointers borrow. */
struct setup_message {
    uint64_t seed;
    struct sampling sampling;
    size_t buffer_count;
    struct setup_buffer {
        uint32_t type; /* index into element_types */
        uint64_t count;
        enum buffer_fill fill;
        enum buffer_role role;
        struct fill_range range;
        struct tolerance tolerance;
        uint64_t ignored; /* elements at the end that are not compared */
        bool accepted;
        uint64_t offset;         /* FILL_FILE: of the data in the file */
        const char *name, *path; /* path: "" unless the fill is FILL_FILE */
        uint64_t expected_offset;
        const char *expected; /* file of the expected results; "": the reference computes them */
    } buffers[SPACE_ARGUMENTS_MAX];
    const char *accept_name;
    size_t fill_count;         /* kernels behind the set */
    const char *inputs_folder; /* MESSAGE_INPUTS: for the files; else "" */
    bool transfers;            /* runs copy over the host link: its ceilings matter */
    const void *helpers;
    size_t helpers_bytes;
};
extern const struct pack_table setup_table;

/* A job without its kernels. */
extern const struct pack_table job_table;

void message_pack_kernel(struct text *text, const struct device_kernel *kernel);
/* A set_message and its kernels. */
void message_pack_set(struct text *text, const struct device_expected *expected);
/* The setup_message with all that follows it but the calibration; replaces the text's contents. ERROR_VALUE for too
 * many buffers. */
int message_pack_setup(struct text *text, const struct device_setup *setup, const char *inputs_folder,
                       struct error *error);
/* Unpacks a kernel and stores its launch, which a library does not have, in `launch`, which kernel->launch points to.
 */
bool message_unpack_kernel(struct unpack *unpack, struct device_kernel *kernel, struct launch *launch);

void message_pack_measurements(struct text *text, const struct measurement *measurements, size_t count);
/* False if the number of measurements differs. */
bool message_unpack_measurements(const struct message *message, struct measurement *measurements, size_t count);

extern const struct pack_table error_table;
/* Sets the error of a MESSAGE_ERROR, or ERROR_WORKER if it is garbled; returns its code. */
int message_take_error(const struct message *message, struct error *error);

#endif
