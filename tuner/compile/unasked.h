/* Kernels of a source that a job does not ask for: of a file of ten, one alone compiles in a quarter to a third of the
 * time. NVRTC makes machine code of every kernel that is not a template, so that a copy of the source has functions in
 * place of the others, which nobody calls:
 *
 *     extern "C" __global__ void cutune_unasked_0() {} static __device__ void naive(float *a) { ... }
 *
 * The preprocessor sees the same names in the same lines, and the compiler still checks the function. The empty kernel
 * keeps the order in which the compiler inlines what kernels call; where there is nothing to call, or nothing that is
 * asked for behind it, it is only declared. A kernel becomes a function only if its declarations alone mention it, and
 * if it uses no function, variable, type or string that other code may use, so that the machine code of the others
 * stays as it is.
 */
#ifndef CUTUNE_COMPILE_UNASKED_H
#define CUTUNE_COMPILE_UNASKED_H

#include <stddef.h>

#include "base/text.h"
#include "compile/pool.h"

/* Writes the job's source without such kernels to `alone`, and returns their number; 0: there is none, or memory is
 * out. `included`: the texts of all files outside the toolkit that the source may include, NUL-terminated, one after
 * the other. Whoever compiles this copy compiles the source itself if that fails: a function cannot have all that a
 * kernel may have.
 */
size_t unasked_source(const struct compile_job *job, const char *included, size_t included_count, struct text *alone);

#endif
