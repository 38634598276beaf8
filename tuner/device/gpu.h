/* The inside of the device process: the only place with a CUDA context. Nothing here runs in the coordinator. */
#ifndef CUTUNE_DEVICE_GPU_H
#define CUTUNE_DEVICE_GPU_H

#include <cuda_runtime_api.h>

#include "base/error.h"
#include "base/limits.h"
#include "base/measurement.h"
#include "base/text.h"
#include "base/worker.h"
#include "device/device.h"
#include "device/messages.h"
#include "space/space.h"

enum { GUARD_BYTES = 4096, CANARY = 0xc5, GPU_BUFFERS_MAX = SPACE_ARGUMENTS_MAX, GPU_BATCH_MAX = 32 };

/* A buffer as the process keeps it. */
struct gpu_buffer {
    char name[64];
    const char *path;   /* FILL_FILE: borrowed from the message that sets up */
    enum scalar scalar; /* what a component is */
    uint64_t count;     /* components */
    uint64_t bytes;
    enum buffer_fill fill;
    bool output;
    unsigned char *data;      /* on the device, between two guards of GUARD_BYTES */
    unsigned char *reference; /* outputs: the reference's result, on the device, out of the kernels' reach */
    unsigned char *initial;   /* in/out buffers: what every run starts from, directly behind `reference`; NULL: zeros */
    uint64_t checksum;        /* of data for inputs, of reference for outputs: what must not change */
};

struct gpu_verdict { /* the same as in kernels.cu; all zero says that all is well */
    unsigned long long different, nan, unwritten, first_complement, touched, checksum;
};

enum helper { HELPER_FILL, HELPER_POISON, HELPER_COMPARE, HELPER_GUARD, HELPER_CHECKSUM, HELPER_CLOCK, HELPER_COUNT };

/* What cutune_clock in kernels.cu writes: how far both counters came meanwhile. */
struct gpu_clock {
    unsigned long long cycles, ns;
};

/* NVML, as far as this process has it. */
struct gpu_nvml {
    void *device; /* NULL: NVML is not there, or does not know the device */
    int (*reasons)(void *device, unsigned long long *reasons);
    int64_t last; /* what it said; -1: unknown */
    int64_t asked_ns;
};

/* Host memory of a kind, made when a pipeline wants it; by the pipeline's copies, which are the same for all
 * configurations of a space. */
struct gpu_host {
    unsigned char *regions[SPACE_COPIES_MAX]; /* guard, data, guard, as on the device */
    unsigned char *staging[SPACE_COPIES_MAX]; /* data alone, packed */
    uint64_t bytes;
};

struct gpu_pipeline {
    size_t stream_count;
    cudaStream_t streams[PIPELINE_STREAMS_MAX];
    cudaEvent_t start, ends[PIPELINE_STREAMS_MAX], arrived[PIPELINE_CHUNKS_MAX]; /* made when they are needed */
    struct gpu_host hosts[HOST_COUNT];
};

struct gpu {
    struct device_limits limits;
    cudaStream_t stream;
    cudaLibrary_t helper_library;
    cudaKernel_t helpers[HELPER_COUNT];
    uint64_t seed;
    double relative, absolute;
    size_t buffer_count;
    struct gpu_buffer buffers[GPU_BUFFERS_MAX];
    unsigned char *tested, *kept;      /* two allocations: what kernels are given, and what they must not reach */
    uint64_t tested_bytes, held_bytes; /* of the first; of both and the flushed one */
    unsigned char *flush;              /* as large as the L2 */
    size_t flush_bytes;
    struct gpu_verdict *verdicts;          /* on the device, of each buffer */
    struct gpu_verdict *judged;            /* the same in host memory, once read */
    cudaEvent_t events[2 * GPU_BATCH_MAX]; /* begin and end of each sample of a batch */
    struct gpu_clock *clock;               /* in host memory that the device writes to */
    struct gpu_nvml nvml;
    struct sampling sampling;
    struct gpu_pipeline pipeline;
    struct gpu_calibration calibration;
    cudaError_t refusal; /* of the last kernel that could not be loaded or launched */
    bool spoiled;        /* a kernel wrote where it must not, or broke the context: this process has to end */
};

/* A kernel that is loaded. */
struct gpu_kernel {
    const void *cubin; /* borrowed from the message that brought it */
    const char *name;
    cudaLibrary_t library;
    cudaKernel_t function;
    struct launch launch;
    cudaTextureObject_t textures[SPACE_TEXTURES_MAX];
};

/* Where the kernel finds each buffer. */
struct gpu_places {
    unsigned char *data[GPU_BUFFERS_MAX];
};

/* A CUDA call that must succeed: ERROR_DEVICE with what was tried and CUDA's own words. */
int gpu_check(cudaError_t result, const char *what, struct error *error);

/* query.c: fills the limits of device `ordinal`; makes no context. */
int gpu_query(int ordinal, struct device_limits *limits, struct error *error);

/* buffers.c */
cudaError_t gpu_allocate_flush(struct gpu *gpu);        /* once */
int gpu_allocate(struct gpu *gpu, struct error *error); /* from the descriptions in gpu->buffers */
int gpu_fill_all(struct gpu *gpu, struct error *error); /* inputs, guards and in/out buffers */
/* An output whose contents before a run matter: the space fills it, and kernels may read what they find. */
bool gpu_is_inout(const struct gpu_buffer *buffer);
/* Queues what gives every in/out buffer its initial contents again. */
cudaError_t gpu_restore(struct gpu *gpu);
/* Writes to `to` what no right result in `from` can be taken for: each element at the largest distance. */
int gpu_poison(struct gpu *gpu, const struct gpu_buffer *buffer, unsigned char *to, const unsigned char *from,
               struct error *error);
int gpu_helper(struct gpu *gpu, enum helper helper, uint64_t items, void **arguments, struct error *error);
int gpu_load_helpers(struct gpu *gpu, const void *cubin, struct error *error);

/* launch.c */
/* Loads the kernel from its cubin; the dynamic shared memory is opted in, the carve-out is set. A CUDA error is
 * returned as it is. */
cudaError_t gpu_load(struct gpu_kernel *kernel);
void gpu_unload(struct gpu_kernel *kernel);
/* Fills its constants and makes its textures, once the buffers are filled; says whether its clusters fit. What cannot
 * be becomes the measurement's status. */
void gpu_attach(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement);
/* Queues one launch, or the whole pipeline, with the buffers as arguments. */
cudaError_t gpu_launch(struct gpu *gpu, struct gpu_kernel *kernel);
struct gpu_places gpu_own_places(const struct gpu *gpu);
/* Queues a launch for one chunk. */
cudaError_t gpu_launch_part(struct gpu_kernel *kernel, const struct gpu_places *places, cudaStream_t stream,
                            uint64_t offset, uint64_t length);

/* views.c: parts of gpu_attach and gpu_unload */
void gpu_fill_constants(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement);
void gpu_make_textures(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement);
void gpu_free_textures(struct gpu_kernel *kernel);

/* policy.c: what a configuration sets on the device for its own runs (L2 window, pool), before them and behind them. */
cudaError_t gpu_enter(struct gpu *gpu, struct gpu_kernel *kernel);
cudaError_t gpu_leave(struct gpu *gpu, const struct gpu_kernel *kernel);

/* host.c: the host memory of a pipeline's kind, unless it is there already; *made: a region was not. */
cudaError_t gpu_host_make(struct gpu *gpu, const struct launch_pipeline *pipeline, bool *made);

/* pipeline.c: transfer, compute, transfer. */
/* Makes the streams, the events and the host memory of a kernel's pipeline, with what the buffers hold. */
cudaError_t gpu_pipeline_open(struct gpu *gpu, struct gpu_kernel *kernel);
/* Before a run that is verified: everything of the buffers to the host, poison in their place. */
int gpu_pipeline_prepare(struct gpu *gpu, struct gpu_kernel *kernel, struct error *error);
/* One run, queued or over when it returns, what is left of it on gpu->stream. `checked`: memory that it allocates gets
 * the buffers' contents and guards, and is put in their place at the end. */
cudaError_t gpu_pipeline_run(struct gpu *gpu, struct gpu_kernel *kernel, bool checked);
/* What came back to the host in the buffers' place; of a run that failed, what they held before it. */
int gpu_pipeline_collect(struct gpu *gpu, struct gpu_kernel *kernel, bool failed, struct error *error);
/* The host's part of gpu_restore, behind it. */
cudaError_t gpu_pipeline_restore(struct gpu *gpu, struct gpu_kernel *kernel);
/* Before each timed run: the data is where a run begins, and the device is idle. `context` is the kernel. */
cudaError_t gpu_pipeline_settle(struct gpu *gpu, void *context);

/* verify.c: the reference's results, and whether a kernel gives the same. */
int gpu_reference(struct gpu *gpu, struct gpu_kernel *reference, struct error *error);
/* Runs once over poisoned outputs and compares. measurement->status becomes OK, WRONG_RESULT, LAUNCH_ERROR or CRASHED.
 * Returns an error only when the device or the buffers cannot be trusted any more for another reason. */
int gpu_verify(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement, struct error *error);
/* Whether the outputs, in/out buffers included, still equal the reference's after timing, and nothing else was written.
 */
int gpu_recheck(struct gpu *gpu, struct gpu_kernel *kernel, struct measurement *measurement, struct error *error);

/* clock.c: the multiprocessors' clock, and what slows it down. */
int gpu_open_clock(struct gpu *gpu, int ordinal, struct error *error);
/* Keeps the device busy until neither its clock nor the time of a flush changes any more, a second at most. Raises
 * gpu->calibration.settled_mhz to the clock that it finds, and never lowers it: a process that starts on a throttled
 * device knows what the device did before. */
int gpu_settle(struct gpu *gpu, struct error *error);
/* Queues a look at the clock; gpu_clock_read has its result after the stream was waited for. */
cudaError_t gpu_clock_queue(struct gpu *gpu);
struct gpu_condition {
    double mhz;      /* NaN: unknown */
    int64_t reasons; /* NVML's clock event reasons; -1: unknown */
    bool throttled;  /* what was timed meanwhile does not count */
};
struct gpu_condition gpu_clock_read(struct gpu *gpu);
typedef cudaError_t gpu_queue(struct gpu *gpu, void *context);
/* What is timed. Each run: restore, flush of the L2 unless `warm`, settle; then, timed, queue. */
struct gpu_timed {
    gpu_queue *restore; /* queues what gives a run its initial data; NULL: nothing */
    gpu_queue *settle;  /* waits until the data is where a run begins; NULL: nothing */
    gpu_queue *queue;   /* queues one run on gpu->stream */
    void *context;
    bool warm; /* the L2 is not flushed, and the first run of a batch is not timed */
};
/* A kernel, between gpu_enter and gpu_leave. */
struct gpu_timed gpu_timed_kernel(const struct gpu *gpu, struct gpu_kernel *kernel);
/* measure.c: times `batch` runs, at most GPU_BATCH_MAX, and notes in `measurement` what the clock did meanwhile. A
 * batch of a throttled device is discarded and repeated after a pause, unless the device stays throttled or `until_ns`
 * (on clock_now_ns()) has come. */
cudaError_t gpu_run_batch(struct gpu *gpu, const struct gpu_timed *timed, size_t batch, int64_t until_ns,
                          double *samples_ns, struct measurement *measurement);

/* Times runs until there are enough samples: time, interval and samples of `measurement`, and STATUS_SLOWER when it was
 * stopped early. `timeout_ns`: how long it may take in all, even if that leaves it without enough samples. */
cudaError_t gpu_sample(struct gpu *gpu, const struct gpu_timed *timed, double incumbent_ns, int64_t timeout_ns,
                       struct measurement *measurement);
/* The same for a verified kernel; one that fails now has that as its status. */
void gpu_measure(struct gpu *gpu, struct gpu_kernel *kernel, double incumbent_ns, int64_t timeout_ns,
                 struct measurement *measurement);
/* A call for a kernel returned `result`: waits for the device, and says in `measurement` whether the kernel was refused
 * (LAUNCH_ERROR, gpu->refusal) or broke the context (CRASHED, gpu->spoiled). `when`: how the message begins. Nothing
 * changes when neither is so. */
extern const char gpu_when_repeated[]; /* of a verified kernel that is timed */
void gpu_note_failure(struct gpu *gpu, cudaError_t result, const char *when, struct measurement *measurement);

/* playoff.c: times the kernels whose measurement is OK in turn, and sets time, interval, samples and `playoff` of each.
 * One that fails has that as its status, and the others no times. At the end of `timeout_ns` the rounds that were
 * played count; when they are too few for an interval, the messages say so, and the interval is their range. */
void gpu_play_off(struct gpu *gpu, struct gpu_kernel *kernels, struct measurement *measurements, size_t count,
                  int64_t timeout_ns);

/* ceilings.c: the best that copies reach. Sets gpu->calibration.ceilings; what does not fit the memory stays unknown.
 */
int gpu_measure_ceilings(struct gpu *gpu, struct error *error);

/* process.c: the process itself. `context` is an int: the ordinal. */
worker_main device_process;
worker_main device_count_process;

#endif
