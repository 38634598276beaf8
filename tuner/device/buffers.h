/* The buffers on the device, and cutune's own kernels that work on memory. */
#ifndef CUTUNE_DEVICE_BUFFERS_H
#define CUTUNE_DEVICE_BUFFERS_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "device/gpu.h"

/* GUARD_BYTES: the least size of the guards before and behind a buffer. CANARY: a byte that fills erased memory. */
enum { GUARD_BYTES = 4096, CANARY = 0xc5 };

cudaError_t gpu_allocate_flush(struct gpu *gpu);        /* call once */
int gpu_allocate(struct gpu *gpu, struct error *error); /* as described in gpu->buffers */
void gpu_free_buffers(struct gpu *gpu);                 /* all of it but gpu->flush */
/* Sets the sizes of scratch buffers for a launch, fills them with `poison`, unless it is GPU_SCRATCH_KEPT, and guards
 * the memory behind them. */
enum { GPU_SCRATCH_KEPT = -1 };
cudaError_t gpu_set_scratch(struct gpu *gpu, const struct launch *launch, int poison);
/* Copies `bytes` of a buffer's contents from a file to device memory. */
int gpu_read_file(struct gpu *gpu, const struct gpu_buffer *buffer, const char *path, uint64_t offset, uint64_t bytes,
                  unsigned char *to, struct error *error);
/* Moves the buffers to other places, which depend on the seed, if they have several. Their contents are lost. */
void gpu_move_buffers(struct gpu *gpu, uint64_t seed);
/* Carries all buffers with their contents to another place in memory, which depends on the seed, and waits. Objects
 * with addresses of buffers must be made again. Has no effect if a kernel fills a buffer, perhaps with addresses of
 * others, or if memory is scarce. Returns CUDA's error. */
cudaError_t gpu_carry_buffers(struct gpu *gpu, uint64_t seed);
/* Points the compared buffers into a set's memory; NULL: they have no expected results. */
void gpu_point_to_set(struct gpu *gpu, unsigned char *memory);
/* True if a run leaves results in the buffer, which are judged. */
bool gpu_is_result(const struct gpu_buffer *buffer);
/* True if the buffer is compared with expected results. */
bool gpu_is_compared(const struct gpu_buffer *buffer);
/* Returns the size of a result without the elements that are not compared. */
uint64_t gpu_judged_bytes(const struct gpu_buffer *buffer);
/* Queues copies of the initial contents to all inout buffers. */
cudaError_t gpu_restore(struct gpu *gpu);
/* Writes a wrong value for each element of `from` to `to`, as far from the right one as the type allows. */
int gpu_poison(struct gpu *gpu, const struct gpu_buffer *buffer, unsigned char *to, const unsigned char *from,
               struct error *error);
/* Writes the guards of a buffer, whose bytes nothing but its number and places determine; with a verdict, counts those
 * that differ instead. */
cudaError_t gpu_queue_guards(struct gpu *gpu, const struct gpu_buffer *buffer, struct gpu_verdict *verdict);
int gpu_helper(struct gpu *gpu, enum helper helper, uint64_t items, void **arguments, struct error *error);
int gpu_load_helpers(struct gpu *gpu, const void *cubin, struct error *error);

#endif
