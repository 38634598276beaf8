/* Messages between the coordinator and a device process. Each answer has the kind and id of its request. */
#ifndef CUTUNE_DEVICE_MESSAGES_H
#define CUTUNE_DEVICE_MESSAGES_H

#include "base/energy.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/measurement.h"
#include "base/pack.h"
#include "base/text.h"
#include "base/worker.h"
#include "device/device.h"
#include "space/space.h"

enum device_message {
    MESSAGE_HELLO = 1, /* the process's first message, unrequested: limits */
    MESSAGE_SETUP,     /* setup_message, reference, if any, kernels that fill, calibration so far; the id is 1 if the
                          expected results are not computed, else 0; answered with the calibration */
    MESSAGE_INPUTS,    /* as MESSAGE_SETUP, with the folder of the inputs; answered without bytes; the process ends */
    MESSAGE_EXPECT, /* set_message and its kernels, or nothing if the process has them; the id is the number of the set;
                       answered without bytes */
    MESSAGE_MEASURE,  /* a job and its kernels; answered with a measurement of each kernel and the samples */
    MESSAGE_LAST,     /* answer like that to MESSAGE_MEASURE, but the process ends: a kernel spoiled its memory or
                         context */
    MESSAGE_DIFFERS,  /* answer to MESSAGE_MEASURE, without bytes, of a process without expected results: those of a
                         kernel have another checksum; the process ends */
    MESSAGE_ROOFLINE, /* a cubin; answered with a struct roofline */
    MESSAGE_PROFILER, /* as MESSAGE_SETUP, for a process that counts and never measures; answered without bytes */
    MESSAGE_COUNT,    /* a kernel; answered with the evidence of each of its launches: counters, or the times of a
                         pipeline's stages */
    MESSAGE_LAUNCH,   /* from a guarded process, before each launch and after the last: a launch_message; answered with
                         a permit_message, and another one after the results that the first asks for */
    MESSAGE_RESULTS,  /* from a guarded process, passed on to the referee: a results_message; the id is 1 for the last
                         one, else 0. From the referee, without bytes: it cannot map the memory and wants the contents */
    MESSAGE_JUDGE,    /* to the referee: a judge_message, and a kernel without machine code; after the results,
                         answered with a measurement */
    MESSAGE_ERROR     /* answer: code, message, hint; the process ends */
};

/* ---- Guarded measuring ---- */

struct launch_message {
    uint64_t launches; /* of the job, so far */
    bool over;         /* no launch is timed any longer */
    bool ready;        /* the launches of a permit are prepared, and begin with the answer */
    double value_ns;   /* if `over`: median of the timed launches; 0: none */
};
extern const struct pack_table asking_table;

enum permit {
    PERMIT_LAUNCH,  /* launch with inputs of this seed */
    PERMIT_COMPARE, /* send the results of the last launch first */
    PERMIT_STOP,    /* launch no more */
    PERMIT_COUNT
};
struct permit_message {
    enum permit permit;
    uint64_t seed;
    uint32_t count; /* of launches with these inputs: 1, or more, which begin once `ready` is answered */
    bool contents;  /* PERMIT_COMPARE: the referee cannot map the process's memory, so the contents are sent */
};
extern const struct pack_table permit_table;

/* A part of the memory of a buffer, from `at`, in bytes from the begin of its first guard. */
struct results_message {
    uint64_t buffer, at;
    const void *bytes; /* the contents or, if `mapped` is not 0, a cudaIpcMemHandle_t of memory that has them */
    size_t length;
    uint64_t mapped, from; /* size of the part, and where it begins in that memory */
};
extern const struct pack_table results_table;

struct judge_message {
    uint64_t seed;
};
extern const struct pack_table judge_table;

/* ---- Set-ups ---- */

/* The first set-up's measurements of the device, passed to restarted processes. */
struct gpu_calibration {
    struct ceilings ceilings;
    double settled_mhz;       /* highest settled clock of the multiprocessors; NaN: unknown */
    struct event_timer timer; /* of the process that sends it: each measures its own */
    int64_t counter;          /* of the board's energy: gpu_counter_state */
};
extern const struct pack_table calibration_table;

/* A set of expected results. */
struct set_message {
    bool referenced, has_accept; /* a reference and then an accept kernel follow the message */
    const char *reference_name;
};
extern const struct pack_table set_table;

/* The buffers and the sampling. Pointers are borrowed. */
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
        uint64_t offset;         /* FILL_FILE: of the data in the file, in bytes */
        const char *name, *path; /* path: "" unless the fill is FILL_FILE */
        uint64_t expected_offset;
        const char *expected; /* file of the expected results; "": the reference computes them */
    } buffers[SPACE_ARGUMENTS_MAX];
    const char *accept_name, *accept_command, *accept_folder; /* "": none */
    size_t fill_count;                                        /* number of kernels behind the set */
    const char *inputs_folder;                                /* MESSAGE_INPUTS: where the files go; else "" */
    bool transfers; /* runs copy over the host link, so its ceilings are measured */
    bool notes;     /* an output that differs is a note, not a failure */
    const void *helpers;
    size_t helpers_bytes;
};
extern const struct pack_table setup_table;

/* A job without its kernels. */
extern const struct pack_table job_table;

void message_pack_kernel(struct text *text, const struct device_kernel *kernel);
/* Appends a set_message and its kernels. */
void message_pack_set(struct text *text, const struct device_expected *expected);
/* Replaces the text by the setup_message and its attachments except the calibration. ERROR_VALUE for too many
 * buffers. */
int message_pack_setup(struct text *text, const struct device_setup *setup, const char *inputs_folder,
                       struct error *error);
/* Unpacks a kernel. Stores its launch in `launch`, to which kernel->launch then points; a library has none. */
bool message_unpack_kernel(struct unpack *unpack, struct device_kernel *kernel, struct launch *launch);

/* `samples`: device_samples. `energies`: behind the measurements; NULL: none. */
void message_pack_measurements(struct text *text, const struct measurement *measurements, const struct energy *energies,
                               size_t count, const char *samples);
/* Borrows *samples from the message. False if the number of measurements or energies differs. */
bool message_unpack_measurements(const struct message *message, struct measurement *measurements,
                                 struct energy *energies, size_t count, const char **samples);

extern const struct pack_table error_table;
/* Sets the error of a MESSAGE_ERROR, or ERROR_WORKER if the message is garbled; returns the error's code. */
int message_take_error(const struct message *message, struct error *error);

#endif
