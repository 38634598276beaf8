/* The state of the device process, which alone has a CUDA context. The modules that act on it have headers of their
 * own. The coordinator uses none of it. */
#ifndef CUTUNE_DEVICE_GPU_H
#define CUTUNE_DEVICE_GPU_H

#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bundle.h"
#include "base/limits.h"
#include "base/program.h"
#include "device/device.h"
#include "device/messages.h"
#include "device/nvml_types.h"
#include "device/stamps.h"
#include "space/space.h"

/* GPU_STAMPS: index of the verdict behind all others, which has the stamps of the global timer */
enum { GPU_BUFFERS_MAX = SPACE_ARGUMENTS_MAX, GPU_BATCH_MAX = SERIES_BATCH_MAX, GPU_STAMPS = GPU_BUFFERS_MAX + 1 };

/* A buffer in the device process. */
struct gpu_buffer {
    char name[64];
    const char *path;   /* FILL_FILE: borrowed from the set-up message */
    enum scalar scalar; /* type of a component */
    const struct element_type *type;
    uint64_t count;       /* components */
    uint64_t bytes;       /* scratch: size in the current configuration */
    uint64_t spare_bytes; /* scratch: additional size for larger configurations, here a part of the second guard */
    enum buffer_fill fill;
    struct fill_range range;
    uint64_t offset; /* FILL_FILE: of the data in the file, in bytes */
    enum buffer_role role;
    const char *expected;       /* compared buffers: file of the expected results; NULL: the reference computes them */
    uint64_t expected_offset;   /* of the data in that file, in bytes */
    struct tolerance tolerance; /* of a compared buffer */
    uint64_t ignored;           /* components at the end that are not compared */
    bool accepted;              /* judged by the accept kernel instead of compared */
    unsigned char *data;        /* on the device, between two guards of at least GUARD_BYTES */
    unsigned char *first;       /* of guarded measuring: lowest place of the data; NULL: they have one place */
    unsigned char *reference;   /* compared buffers: the reference's result on the device, out of the kernels' reach;
                                   NULL: not computed */
    unsigned char *fp64;        /* likewise, its double-precision results; NULL also without a tolerance in fp64 */
    unsigned char *initial;     /* inout: initial contents of every run, out of the kernels' reach; NULL: zeros */
    uint64_t checksum;          /* of data that must not change: inputs, reference and initial contents */
};

struct gpu_verdict { /* as in kernels.cu; all zero: no fault found */
    unsigned long long different, nan, unwritten, first_complement, touched, checksum;
    double largest_error, largest, squared_error, squares; /* against the double-precision results */
    unsigned long long unusable;
};

enum helper {
    HELPER_FILL,
    HELPER_POISON,
    HELPER_COMPARE,
    HELPER_GUARD,
    HELPER_CHECKSUM,
    HELPER_CLOCK,
    HELPER_GATE,
    HELPER_STORE,
    HELPER_STAMP,
    HELPER_WIDEN,
    HELPER_ERROR,
    HELPER_SPECIAL,
    HELPER_COUNT
};

/* Output of cutune_clock in kernels.cu: the advance of both counters. */
struct gpu_clock {
    unsigned long long cycles, ns;
};

/* The times at which NVML's counter of energy advances: the line through those that were seen. */
struct gpu_beat {
    uint64_t count;
    int64_t origin_ns, last_ns;               /* times of the first and the last one */
    double phase_ns, period_ns;               /* of the line, from the origin; known with two advances */
    double numbers, times, squares, products; /* sums */
};

/* NVML in this process. */
struct gpu_nvml {
    pthread_t starter; /* if `starting` */
    bool starting;
    struct nvmlDevice_st *device; /* NULL: NVML is missing or does not know the device */
    gpu_nvml_reasons *reasons;
    gpu_nvml_temperature *temperature; /* NULL: NVML lacks it */
    gpu_nvml_energy *energy;           /* NULL: NVML lacks it */
    gpu_nvml_power_limit *power_limit; /* NULL: NVML lacks it */
    gpu_nvml_fields *fields;           /* NULL: NVML lacks it */
    int64_t last, celsius;             /* the last answers; -1: unknown */
    int64_t asked_ns;                  /* 0: the next reading asks */
};

/* Host memory of one kind, allocated when a pipeline first needs it. Indexed by the pipeline's copies, which are the
 * same for all configurations of a space. */
struct gpu_host {
    unsigned char *regions[SPACE_COPIES_MAX]; /* guard, data, guard, as on the device */
    unsigned char *staging[SPACE_COPIES_MAX]; /* packed data only */
    uint64_t bytes;
};

struct gpu_pipeline {
    size_t stream_count;
    cudaStream_t streams[PIPELINE_STREAMS_MAX];
    cudaEvent_t start, ends[PIPELINE_STREAMS_MAX], arrived[PIPELINE_CHUNKS_MAX]; /* created on demand */
    struct gpu_host hosts[HOST_COUNT];
    bool dropped; /* the last run had its own memory, and nobody copied it into the buffers */
};

/* A configuration's loaded kernels and launches. */
struct gpu_kernel {
    const void *cubin; /* or a bundle; borrowed from the message with the kernel, like the names */
    size_t cubin_bytes;
    const char *names;       /* NUL-terminated strings one after the other, in the order of launch.kernels */
    double work;             /* of a run */
    uint32_t set;            /* number of the set of expected results */
    bool finalist;           /* of a play-off: its results are summed up */
    bool varies;             /* its right results do not always have the same checksum */
    const char *environment; /* as in struct device_kernel */
    size_t environment_count;
    const char *variables; /* likewise */
    size_t variable_count;
    uint64_t accepted_checksum; /* of the results that the accept command has accepted; 0: none so far */
    uint64_t results_checksum;  /* of its first right results, perhaps in an earlier process; 0: unknown */
    cudaLibrary_t libraries[BUNDLE_PARTS_MAX];  /* the parts of the cubin; NULL: not loaded */
    cudaKernel_t functions[SPACE_LAUNCHES_MAX]; /* in the same order */
    int64_t local_bytes;                        /* the most of them, after gpu_load */
    struct launch launch;                       /* includes the size of resident grids after gpu_attach */
    cudaGraphExec_t graph;
    unsigned long long textures[SPACE_TEXTURES_MAX]; /* cudaTextureObject_t, or cudaSurfaceObject_t of a surface */
    cudaArray_t texture_arrays[SPACE_TEXTURES_MAX];  /* of the textures in arrays and of the surfaces; NULL: none */
    unsigned char tensor_maps[SPACE_TENSOR_MAPS_MAX][TENSOR_MAP_BYTES];
    void *symbols[SPACE_VARIABLES_MAX][BUNDLE_PARTS_MAX]; /* addresses of the launch's variables; NULL: not in a part */
    unsigned char *values;                                /* their values, on the device; NULL: none */
    unsigned char *workspace;                             /* launch.workspace_bytes on the device; NULL: none */
    struct gpu_library *shared_object;                    /* a library instead of kernels; NULL: the kernels */
    bool placed; /* a run has set `places`: where the contents of each buffer are after it */
    uint32_t places[GPU_BUFFERS_MAX];
    int64_t verify_ns; /* duration of the first run's verification; 0: not verified yet */
};

/* A set of expected results, with its reference and accept kernel. */
struct gpu_set {
    struct gpu_kernel reference; /* cubin NULL: none */
    struct gpu_kernel accept;    /* cubin NULL: none; loaded by its check */
    bool computed, checked;      /* the memory holds the expected results; the accept kernel is checked */
    char name[128];              /* begins messages about the reference */
    unsigned char *memory; /* of the expected results on the device, in the buffers' order; NULL: another set uses it */
    uint64_t checksums[GPU_BUFFERS_MAX]; /* gpu_buffer.checksum of the results */
    struct gpu_errors { /* of the reference against the double-precision results: relative, in both norms */
        double maximum, euclidean;
    } errors[GPU_BUFFERS_MAX];
    uint64_t used; /* number of the last use */
    char *message; /* memory that the kernels borrow; owned, may be NULL */
};

struct gpu {
    /* State of the device, which lives as long as the process. */
    struct device_limits limits;
    cudaEvent_t events[2 * GPU_BATCH_MAX + 1]; /* begin and end of each sample of a batch, and one that nobody reads */
    struct gpu_clock *clock;                   /* in host memory that the device writes */
    unsigned *released; /* in host memory that the device reads: number of the last gpu_release */
    unsigned held;      /* number of the last gpu_close_gate */
    struct gpu_nvml nvml;
    struct gpu_beat beat;
    struct gpu_power {
        bool capped;   /* the power cap has lowered the clock */
        bool at_cap;   /* in the last batch */
        int64_t parts; /* duration of a rest after the clock is back, as a multiple of the work that follows */
        size_t failed; /* consecutive rests that did not bring the clock back */
    } power;
    unsigned char *flush; /* as large as the L2 cache */
    size_t flush_bytes;
    int64_t flush_ns; /* least duration of a flush; 0: unknown */
    int64_t awake_ns; /* start of the time for which the device has been busy, which counts as settling; 0: idle so
                         far */
    int64_t idle_ns;  /* start of the wait for a message */
    uint64_t places;  /* as in struct device_opening */
    void *spacer;     /* block that gpu_allocate puts before the buffers, until the process ends; NULL: none yet */
    struct gpu_calibration calibration;
    struct gpu_timer {
        bool known;
        struct event_timer timer;
    } timers[2];              /* of this process, for a cold and for a warm cache */
    struct cupti *cupti;      /* in a process that counts; NULL: the process measures times */
    int socket;               /* to the coordinator */
    int64_t aside_ns;         /* time so far that guarded measuring took between launches */
    struct gpu_stamps stamps; /* of the samples of its job */
    struct guarded *guarded;  /* its job; NULL: none */
    bool spoiled;             /* a kernel wrote out of bounds or broke the context: this process must end */

    /* State of a set-up: gpu_clear_setup frees it and zeroes everything from here on. */
    cudaStream_t stream;
    cudaLibrary_t helper_library;
    cudaKernel_t helpers[HELPER_COUNT];
    uint64_t seed;
    size_t buffer_count;
    struct gpu_buffer buffers[GPU_BUFFERS_MAX];
    struct gpu_kernel fills[SPACE_FILL_KERNELS_MAX]; /* of the buffers with FILL_KERNEL, in order */
    struct gpu_set *sets[SPACE_SETS_MAX];            /* NULL: unknown to this process, or not needed yet */
    struct gpu_set *set;                             /* in use; NULL: none */
    bool notes;                                      /* an output that differs is a note, not a failure */
    bool erased;                                     /* a referee's buffers lost inputs and guards after a job */
    bool deferred;                                   /* results are judged by kernels' checksums, without sets */
    uint64_t set_bytes, set_uses;                    /* device memory of a set; number of the last use of any set */
    struct gpu_kernel *accept;                       /* of the set in use; NULL or without a cubin: none */
    char accept_name[SPACE_KERNEL_NAME_MAX + 1];     /* in the space file */
    const char *accept_command, *accept_folder;      /* borrowed from the message of the set-up; "" or NULL: none */
    struct program_folder accept_outputs;            /* the outputs for that command; made when it first runs */
    unsigned char *tested, *kept;      /* memory that kernels may access, and an allocation out of their reach */
    unsigned char *sites;              /* allocation that has `tested` at one of its sites */
    uint64_t site_count;               /* 1: as large as `tested` */
    uint64_t tested_bytes, held_bytes; /* of `tested`; of the allocations of `tested` and `kept`, and of `flush` */
    struct gpu_verdict *verdicts;      /* on the device, one for each buffer and one for the accept kernel, whose
                                          `different` counts faults */
    struct gpu_verdict *judged;        /* their copy in host memory */
    struct sampling sampling;
    struct text samples; /* of the job, if they are kept */
    struct gpu_pipeline pipeline;
    cudaError_t refusal; /* of the last kernel that failed to load or launch */
    struct {
        const struct launch_until *until; /* condition that did not hold after the last round; NULL: all held */
        uint64_t bits;                    /* the element instead */
    } endless;                            /* of the last run */
};

#endif
