/* Compares what a launch passes with what the machine code takes. A wrong number or size of arguments is read as
 * garbage on the device. */
#ifndef CUTUNE_EVALUATE_ARGUMENTS_H
#define CUTUNE_EVALUATE_ARGUMENTS_H

#include <stdbool.h>

#include "compile/cubin.h"
#include "device/device.h"
#include "space/space.h"

/* Whether number and sizes agree; if not, `why` says the difference. `kernel` is its name for the message. True for
 * parameters that are not known. */
bool arguments_agree(const struct kernel_parameters *parameters, const struct launch_argument *arguments, size_t count,
                     const char *kernel, char *why, size_t room);

/* Same for a step of the launch of `code` and its machine code. */
bool arguments_suit(const struct device_kernel *code, const struct launch_step *step, const char *kernel, char *why,
                    size_t room);

#endif
