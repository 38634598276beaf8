/* What the device processes need before their first configuration: cutune's own kernels, the reference and the accept
 * kernel with the options of the default configuration, and the kernels that fill buffers. They are compiled while
 * other work goes on, in any order. */
#ifndef CUTUNE_EVALUATE_SET_UP_H
#define CUTUNE_EVALUATE_SET_UP_H

#include "base/error.h"
#include "compile/pool.h"
#include "evaluate/command.h"
#include "evaluate/eval_gpu.h"

struct set_up;

/* Most compilations. */
enum { SET_UP_JOBS = 4 };

/* Makes the compilations, with ids from `first_id` on, for compute capability `cc`. Errors are those of the launches;
 * *set_up must be closed after these, too. */
int set_up_open(struct set_up **set_up, const struct evaluator_setup *setup, int64_t cc, uint64_t first_id,
                struct error *error);
void set_up_close(struct set_up *set_up); /* accepts NULL */

/* Submits waiting compilations to idle compilers. */
int set_up_start(struct set_up *set_up, struct compile_pool *pool, struct error *error);
/* Takes the result of such a compilation; false if it is none, or `set_up` is NULL. */
bool set_up_take(struct set_up *set_up, const struct compile_result *result);
/* What is not compiled yet, "the reference kernel"; NULL: nothing. */
const char *set_up_compiling(const struct set_up *set_up);

/* Once all is compiled. A reference that is a command runs here, with the first device's inputs; its results stay in
 * the folder of `command`, which the caller closes after the devices' last job. ERROR_COMPILE with the compiler's first
 * error, ERROR_DATA for arguments that do not suit a kernel, and the errors of command_run. */
int set_up_finish(struct set_up *set_up, struct command *command, struct error *error);
/* After that: do the devices measure the ceilings of the host link, which those of a host share? */
bool set_up_transfers(const struct set_up *set_up);
/* Then, for each device: begins its set-up (device_begin_setup). */
int set_up_device(const struct set_up *set_up, struct device *device, struct error *error);

#endif
