/* Compares the arguments of a launch with the parameters of the machine code. The device would read a wrong number or
 * size of arguments as garbage. */
#ifndef CUTUNE_EVALUATE_ARGUMENTS_H
#define CUTUNE_EVALUATE_ARGUMENTS_H

#include <stdbool.h>

#include "compile/cubin.h"
#include "device/device.h"
#include "space/space.h"

/* True if number and sizes agree, or the parameters are unknown; else `why` is the difference. `kernel`: its name for
 * the message. */
bool arguments_agree(const struct kernel_parameters *parameters, const struct launch_argument *arguments, size_t count,
                     const char *kernel, char *why, size_t room);

/* Compares a step of the launch of `code`, and the values of variables, with its machine code. */
bool arguments_suit(const struct device_kernel *code, const struct launch_step *step, const char *kernel, char *why,
                    size_t room);

#endif
