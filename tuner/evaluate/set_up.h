/* Prepares the device processes for their first configuration. */
#ifndef CUTUNE_EVALUATE_SET_UP_H
#define CUTUNE_EVALUATE_SET_UP_H

#include "base/error.h"
#include "compile/pool.h"
#include "evaluate/command.h"
#include "evaluate/eval_gpu.h"

/* Compiles cutune's own kernels and the reference with the options of the default configuration, and passes them to
 * each device, which fills the buffers and runs the reference. A reference that is a command runs once, with the first
 * device's inputs; its results stay in the folder of `command`, which the caller closes after the devices' last job.
 * ERROR_COMPILE with the compiler's first error, ERROR_INTERRUPTED if abandoned, and the errors of device_setup and
 * command_run. */
int set_up_devices(struct compile_pool *pool, const struct gpu_setup *setup, struct command *command,
                   struct error *error);

#endif
