/* Compiles kernels of a space without a GPU, compares their arguments with their parameters, and reports their resource
 * usage. */
#ifndef CUTUNE_COMMANDS_CHECK_COMPILE_H
#define CUTUNE_COMMANDS_CHECK_COMPILE_H

#include "base/error.h"
#include "base/work.h"
#include "commands/check_notes.h"
#include "compile/cubin.h"
#include "compile/spills.h"
#include "space/space.h"

struct check_compile {
    const struct space *space;                       /* bound with the limits */
    const struct device_limits *limits;              /* NULL: unknown, and so is the occupancy */
    int64_t cc;                                      /* 90 for sm_90a */
    const uint32_t (*choices)[SPACE_PARAMETERS_MAX]; /* of the configurations */
    size_t count;
    struct work *work;         /* hears of the compilations */
    struct check_notes *notes; /* NULL: collects no notes */
};

/* Resource usage of a launch of a configuration. */
struct check_usage {
    const char *kernel;
    struct kernel_resources resources;
    int64_t dynamic_bytes; /* of shared memory */
    bool has_spills;       /* the spill counts are known */
    struct kernel_spills spills;
    double occupancy;     /* NaN: unknown */
    const char *accesses; /* in the form of compile/accesses.h; NULL: unknown */
};

/* Takes the result of one compilation: its subject ("reference NAME", "NAME fills BUFFER", "accept NAME" or a
 * configuration), the name of its status and the reason. Called for each launch of a compiled configuration. */
typedef void check_compile_take(void *context, const char *what, const char *status, const char *why,
                                const struct check_usage *usage);

/* Compiles the reference, the kernels that fill buffers or accept outputs, and the configurations, and passes all to
 * `take` in this order. Uses the user's compilation cache. ERROR_NOT_FOUND without NVRTC. Adds failed compilations and
 * mismatched arguments to `errors`, each once, with their places; configurations beyond the device's limits are no
 * errors. A signal that ends the program ends all compilers first: ERROR_INTERRUPTED. */
int check_compile(const struct check_compile *wanted, check_compile_take *take, void *context,
                  struct error_list *errors, struct error *error);

#endif
