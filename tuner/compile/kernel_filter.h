/* Omits kernels of a source that a job does not request. NVRTC compiles every kernel that is not a template to machine
 * code, so a copy of the source has uncalled functions in place of the others:
 *
 *     extern "C" __global__ void cutune_left_out_0() {} static __device__ void naive(float *a) { ... }
 *
 * The preprocessor sees the same names in the same lines, and the compiler still checks the function. The empty
 * kernel keeps the order in which the compiler inlines functions that kernels call; without such functions, or
 * without a requested kernel behind it, it is only declared. A kernel becomes a function only if nothing but its
 * declarations mentions it. It must not use a function, variable, type or string that other code may use, so that
 * the machine code of the others does not change. */
#ifndef CUTUNE_COMPILE_KERNEL_FILTER_H
#define CUTUNE_COMPILE_KERNEL_FILTER_H

#include <stddef.h>

#include "base/text.h"
#include "compile/pool.h"

/* Writes the job's source without such kernels to `alone`. Returns the number of omitted kernels; 0 also when out of
 * memory. `included` has the texts of all files outside the toolkit that the source may include, NUL-terminated, one
 * after the other. If the copy fails to compile, compile the source itself: some properties of a kernel are
 * impossible for a function. */
size_t kernel_filter_source(const struct compile_job *job, const char *included, size_t included_count,
                            struct text *alone);

#endif
