/* A tuned kernel that is loaded on a device, ready to launch: functions, attributes, grids and the bytes of arguments
 * are bound once. */
#ifndef CUTUNE_PYTHON_PLAN_H
#define CUTUNE_PYTHON_PLAN_H

#include <stddef.h>

#include <cutune.h>

#include "driver.h"

enum { PLAN_BUFFERS_MAX = 256 };

/* A launch of the sequence. */
struct bound {
    CUkernel kernel;     /* for every context */
    CUfunction function; /* for the primary context */
    unsigned grid[3];
    CUlaunchAttribute attributes[3];
    unsigned attribute_count;
};

struct plan {
    const struct cutune_sequence *sequence; /* borrowed */
    CUdevice device;
    CUcontext context;    /* the primary one */
    CUlibrary *libraries; /* of each machine code */
    struct bound *launches;
    unsigned *parameters; /* buffers that the caller passes, in the order in which the arguments name them */
    size_t parameter_count;
    size_t full_count;       /* the arguments of the only launch, if a call may give all of them; 0: it may not */
    size_t *scratch_offsets; /* by buffer, within the memory of a call */
    size_t scratch_bytes;    /* 0: none */
    CUmemoryPool pool;       /* of scratch memory */
    CUtensorMap *maps;       /* aligned */
    void **map_addresses;    /* of the buffers for which they are encoded */
    void *memory;            /* of the maps */
    char *values;            /* the bytes of arguments with parts, of one launch */
};

/* Loads the machine code of a sequence, which is borrowed, on a device. The code stays loaded until the process ends,
 * because CUDA graphs may contain the kernels. Returns 0, or -1 with an exception, also for what a call cannot do:
 * statements that are left to the caller, launches that leave a buffer's contents in another's memory. plan_free frees
 * in both cases. */
int plan_open(struct plan *plan, const struct cutune_sequence *sequence, int device);
void plan_free(struct plan *plan);

/* Queues all launches. `buffers` has the address of each buffer of the sequence that is a parameter, and is changed.
 * `numbers`: the values of the only launch's arguments that replace the space's, NULL for the others; NULL: none.
 * Returns 0, or -1 with an exception. */
int plan_launch(struct plan *plan, char **buffers, const void *const *numbers, CUstream stream);

#endif
