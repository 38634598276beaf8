/* The power of the board while runs follow each other without pause, by NVML's counter of the board's energy. */
#ifndef CUTUNE_DEVICE_ENERGY_WINDOW_H
#define CUTUNE_DEVICE_ENERGY_WINDOW_H

#include <stdint.h>

#include "device/clock.h"
#include "device/measure.h"

struct gpu_series {
    gpu_queue *queue; /* queues one run; NULL: nothing runs */
    void *context;
    double run_ns;   /* approximate duration of a run */
    uint64_t queued; /* launches of a run; 0: a run waits for the device */
    int64_t lead_ns; /* before the counter is asked */
    int64_t for_ns;  /* between the advances of the counter at which the window begins and ends, at least */
};

struct gpu_window {
    double watts;  /* NaN: the counter did not advance for long enough */
    double read_w; /* the board's own reading of its power, behind the last answer; NaN: unknown */
    double run_ns; /* mean time of a run; NaN without runs */
    uint64_t runs;
    struct gpu_condition condition; /* of the device at the end; unknown without runs */
};

/* Measures the power during a series. Errors of its runs. */
cudaError_t gpu_run_window(struct gpu *gpu, const struct gpu_series *series, struct gpu_window *window);
/* Most time that a window takes, besides a run. */
int64_t gpu_window_limit_ns(int64_t lead_ns, int64_t for_ns);
/* Most time that the first window takes besides: nothing runs then. */
int64_t gpu_learn_limit_ns(void);

/* Returns 0 if the counter answers, else why not: NVML's error, or GPU_COUNTER_NO_NVML, GPU_COUNTER_NO_FUNCTION. */
enum { GPU_COUNTER_NO_NVML = 10000, GPU_COUNTER_NO_FUNCTION };
int64_t gpu_counter_state(const struct gpu *gpu);

#endif
