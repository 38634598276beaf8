/* Within a compiler process: compiles files that contain host code, such as a `main`, with nvcc. Its front end
 * compiles the source, followed by a table whose entries are the kernels, to assembly. The entries instantiate
 * templates and name each kernel in the assembly. Then nvcc assembles it without the entries. */
#ifndef CUTUNE_COMPILE_NVCC_H
#define CUTUNE_COMPILE_NVCC_H

#include "base/error.h"
#include "base/text.h"
#include "compile/compile_reply.h"
#include "compile/pool.h"

/* Finds nvcc in the toolkit or in $PATH; `path` is emptied first. ERROR_NOT_FOUND without an nvcc. */
int nvcc_find(struct text *path, struct error *error);
/* Likewise among `count` NUL-terminated paths. */
int nvcc_find_among(const struct text *paths, size_t count, struct text *path, struct error *error);

/* Asks nvcc for its version. `build` begins with "nvcc ". ERROR_NOT_FOUND: no nvcc; ERROR_WORKER: it prints no
 * version. */
int nvcc_identify(struct nvrtc_version *version, struct error *error);

/* Appends the values of the environment variables that affect nvcc's output. */
void nvcc_environment(struct text *text);

/* Compiles. Writes the NUL-terminated paths of all files that nvcc has read to `dependencies`; if these cannot be
 * determined, the answer is not lasting. */
void nvcc_compile(const struct request *request, struct compile_reply *reply, struct text *dependencies);

#endif
