/* Reads a kernel's resources and parameters from a cubin, without a device. A cubin is an ELF file: sizes are those
 * of its sections; register counts, frame sizes (as printed by `cuobjdump -res-usage`) and parameters are attributes
 * in .nv.info. */
#ifndef CUTUNE_COMPILE_CUBIN_H
#define CUTUNE_COMPILE_CUBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct kernel_resources {
    int64_t registers;      /* per thread */
    int64_t shared_bytes;   /* static, per block, without the system's reserve */
    int64_t local_bytes;    /* per thread: stack frame, including spills and local arrays */
    int64_t constant_bytes; /* __constant__ variables of the module */
    int64_t max_threads;    /* of a block, from __launch_bounds__ and similar; 0: no limit */
};

/* `name` is the lowered name. ERROR_DATA if the bytes are not a cubin or lack the kernel; never reads outside of
 * them. */
int cubin_resources(const void *cubin, size_t bytes, const char *name, struct kernel_resources *resources,
                    struct error *error);

/* Returns the compute capability that the code is for, 90 for sm_90; -1: the bytes are not a cubin. */
int64_t cubin_capability(const void *cubin, size_t bytes);

enum { KERNEL_PARAMETERS_MAX = 128 };

struct kernel_parameters {
    bool known; /* false: the cubin does not list them, or the kernel has none or more than KERNEL_PARAMETERS_MAX */
    size_t count;
    uint32_t bytes[KERNEL_PARAMETERS_MAX]; /* size of each, in order */
};

/* Lists all parameters of the kernel, including unused ones. Errors as above. */
int cubin_parameters(const void *cubin, size_t bytes, const char *name, struct kernel_parameters *parameters,
                     struct error *error);

/* Writes the names of the module's variables that kernels may write, spelled as in the source, to `names`: "a, b",
 * as many as fit in `room` bytes. Initialised ones, among them constant tables, come last. Returns the number of
 * such variables; 0 if the bytes are not a cubin. */
size_t cubin_variables(const void *cubin, size_t bytes, char *names, size_t room);

/* Returns the size of a variable of the module, by its name in the source, as in "ns::table"; -1: the bytes are not a
 * cubin or lack the variable. */
int64_t cubin_variable_bytes(const void *cubin, size_t bytes, const char *variable);

/* Lists the symbols that the module has not itself, so that the driver must supply them: "malloc". `*at` begins as 0.
 * Borrows from the cubin. NULL: the end, or the bytes are not a cubin. */
const char *cubin_undefined(const void *cubin, size_t bytes, size_t *at);
/* Lists the names of the kernels likewise. */
const char *cubin_kernel(const void *cubin, size_t bytes, size_t *at);

/* Finds a section by its name. False: the bytes are not a cubin, or lack it. */
bool cubin_section(const void *cubin, size_t bytes, const char *name, const void **section, size_t *length);

#endif
