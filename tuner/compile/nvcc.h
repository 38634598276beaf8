/* Within a compiler process: compiles files that have host code in them, such as a `main`, with nvcc. Its front end
 * makes assembly of the source and of a table behind it, whose entries are the kernels: so instances of templates
 * exist, and the assembly names each kernel. Then nvcc assembles that, without the entries. */
#ifndef CUTUNE_COMPILE_NVCC_H
#define CUTUNE_COMPILE_NVCC_H

#include "base/error.h"
#include "base/text.h"
#include "compile/answer.h"
#include "compile/pool.h"

/* Finds nvcc in the toolkit or in $PATH; `path` is emptied first. ERROR_NOT_FOUND if there is none. */
int nvcc_find(struct text *path, struct error *error);
/* Likewise among `count` NUL-terminated paths. */
int nvcc_find_among(const struct text *paths, size_t count, struct text *path, struct error *error);

/* Asks nvcc for its version. `build` begins with "nvcc ". ERROR_NOT_FOUND: no nvcc; ERROR_WORKER: it gives no version.
 */
int nvcc_identify(struct nvrtc_version *version, struct error *error);

/* Appends the values of the environment's variables that change what nvcc makes. */
void nvcc_environment(struct text *text);

/* Compiles. `dependencies` gets the paths of all files that nvcc has read, NUL-terminated; if these cannot be
 * determined, the answer is not lasting. */
void nvcc_compile(const struct request *request, struct answer *answer, struct text *dependencies);

#endif
