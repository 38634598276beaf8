/* Special values among random inputs: zeros, infinities, NaN, subnormal and large numbers. */
#ifndef CUTUNE_DEVICE_SPECIAL_H
#define CUTUNE_DEVICE_SPECIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct gpu;
struct gpu_buffer;

/* True if the inputs of the seed suit the launch: ten launches in a row have all kinds of values once, and five times
 * none. The first ten of a job are all compared. */
bool special_suits(uint64_t seed, uint64_t launch);

/* Puts special values into a filled buffer of random floating-point numbers without bounds, if gpu->sampling asks for
 * them and the seed is one with such values. All buffers get the same kind. */
int gpu_make_special(struct gpu *gpu, const struct gpu_buffer *buffer, struct error *error);

#endif
