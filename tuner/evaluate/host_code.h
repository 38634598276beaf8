/* Finds the functions and variables of a source that a compiler takes for host code. Reads only blocks, their heads and
 * the names in them; skips comments, literals and directives. */
#ifndef CUTUNE_EVALUATE_HOST_CODE_H
#define CUTUNE_EVALUATE_HOST_CODE_H

#include <stdbool.h>

struct host_code {
    bool defined;   /* the name occurs outside functions with __device__ or __global__ */
    bool on_device; /* the name occurs inside such a function */
    bool of_host;   /* the function with that name and its head on the line can run on the host only: it is `main`,
                       launches a kernel, or calls the CUDA runtime or the host's library */
};

/* `line`: of the function's name; 0: any */
struct host_code host_code_of(const char *text, const char *name, int line);

/* True if a parenthesis follows the name where it first occurs outside such functions. */
bool host_code_is_function(const char *text, const char *name);

/* True if the source includes a header whose name begins with `header`. */
bool host_code_includes(const char *text, const char *header);

#endif
