/* Shared by the suites of the device process's inside: the kernel of device_kit.h in this process (test_gpu_open), with
 * virtual time. */
#ifndef CUTUNE_TESTS_FAKE_GPU_H
#define CUTUNE_TESTS_FAKE_GPU_H

#include "device/gpu.h"
#include "device_kit.h"

/* `twice` with a script, not loaded. */
static inline struct gpu_kernel test_kernel(const char *script)
{
    return (struct gpu_kernel){.cubin = script, .names = "twice", .work = 1, .launch = test_launch()};
}

/* Forgets the state, which test_gpu_begin or test_gpu_open made, and resets `fake`. */
void test_gpu_close(struct gpu *gpu);
/* Prepares buffers, guards and helpers, but neither runs a reference nor settles the clock. Resets `fake`; later
 * settings of the test take effect. `fill`: of the output, FILL_NONE for a pure output. */
void test_gpu_begin(struct gpu *gpu, enum buffer_fill fill);
/* Allocates and fills the buffers after a change of gpu->buffers. */
void test_gpu_refill(struct gpu *gpu);
/* Computes the expected results with a reference that is not loaded. */
void test_gpu_refer(struct gpu *gpu, struct gpu_kernel *reference);
/* Like a device process after its set-up, without the ceilings. */
void test_gpu_open(struct gpu *gpu, enum buffer_fill fill);

#endif
