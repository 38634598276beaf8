/* What a source says about the functions and variables that a compiler takes for the host's. It is read as far as that
 * needs: blocks, their heads and the names in them, without comments, literals and directives. */
#ifndef CUTUNE_EVALUATE_HOST_CODE_H
#define CUTUNE_EVALUATE_HOST_CODE_H

#include <stdbool.h>

struct host_code {
    bool defined;   /* the name occurs outside of functions with __device__ or __global__ */
    bool on_device; /* and inside of one */
    bool of_host;   /* the function with that name whose head is in the line does what only the host can: it is `main`,
                       launches a kernel, or calls the CUDA runtime or the host's library */
};

/* `line`: of the function's name; 0: any. */
struct host_code host_code_of(const char *text, const char *name, int line);

/* Does the source include a header whose name begins so? */
bool host_code_includes(const char *text, const char *header);

#endif
