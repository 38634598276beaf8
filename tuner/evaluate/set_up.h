/* Prepares the set-up of the device processes: cutune's own kernels, the reference and the accept kernel with the
 * options of the default configuration, and the kernels that fill buffers. They are compiled beside other work, in any
 * order. */
#ifndef CUTUNE_EVALUATE_SET_UP_H
#define CUTUNE_EVALUATE_SET_UP_H

#include "base/error.h"
#include "compile/pool.h"
#include "evaluate/command.h"
#include "evaluate/eval_gpu.h"

struct set_up;

/* most compilations */
enum { SET_UP_JOBS = 3 + SPACE_FILL_KERNELS_MAX };

/* Makes the compilations, with ids from `first_id` on, for compute capability `cc`. Errors of the launches, after which
 * *set_up must be closed, too. */
int set_up_open(struct set_up **set_up, const struct evaluator_setup *setup, int64_t cc, uint64_t first_id,
                struct error *error);
void set_up_close(struct set_up *set_up); /* accepts NULL */

/* Submits waiting compilations to idle compilers. */
int set_up_start(struct set_up *set_up, struct compile_pool *pool, struct error *error);
/* Takes the result if it belongs to the set-up; else, or if `set_up` is NULL, returns false. */
bool set_up_take(struct set_up *set_up, const struct compile_result *result);
/* Returns the name of a compilation that has not ended, "the reference kernel"; NULL: all have ended. */
const char *set_up_compiling(const struct set_up *set_up);

/* Completes the set-up after all compilations. Runs the reference's command, if any, with the first device's inputs;
 * its results stay in the folder of `command`, which the caller closes after the devices' last job. ERROR_COMPILE with
 * the compiler's first error, ERROR_DATA for arguments that do not suit a kernel, and the errors of command_run. */
int set_up_finish(struct set_up *set_up, struct command *command, struct error *error);
/* True if the devices measure the ceilings of the host link, which devices of a host share. Call after
 * set_up_finish. */
bool set_up_transfers(const struct set_up *set_up);
/* Begins the set-up of a device (device_begin_setup). Call after set_up_finish. */
int set_up_device(const struct set_up *set_up, struct device *device, struct error *error);

#endif
