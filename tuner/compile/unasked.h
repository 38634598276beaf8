/* Kernels of a source that a job does not ask for: of a file of ten, one alone compiles in a quarter to a third of the
 * time. NVRTC compiles every kernel that is not a template, so that options make templates of the others, which nobody
 * instantiates:
 *
 *     -Dnaive(...)=cutune_unasked_naive(); template <int> __global__ void naive(__VA_ARGS__)
 *
 * turns `__global__ void naive(float *a) { ... }` into a declaration and a template. Where the name has another use
 * before a parenthesis, this is an error of the compiler's, never another meaning: whoever compiles with these options
 * compiles without them if that fails. */
#ifndef CUTUNE_COMPILE_UNASKED_H
#define CUTUNE_COMPILE_UNASKED_H

#include <stddef.h>

#include "base/text.h"
#include "compile/pool.h"

/* Appends such an option for each kernel that the job's source defines and its name expressions do not name, as
 * NUL-terminated strings one after the other. Returns their number. None for templates, static kernels, names that
 * macros stand for, and sources with an `extern "C"` block, in which there are no templates. */
size_t unasked_options(const struct compile_job *job, struct text *options);

#endif
