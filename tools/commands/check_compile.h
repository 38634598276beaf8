/* Compiles configurations of a space without a GPU, and says whether a device could run them. */
#ifndef CUTUNE_COMMANDS_CHECK_COMPILE_H
#define CUTUNE_COMMANDS_CHECK_COMPILE_H

#include "base/error.h"
#include "space/space.h"

/* Takes one compilation: what was compiled ("reference NAME", "accept NAME" or a configuration), the name of its
 * status, and the reason or the resources. */
typedef void check_compile_take(void *context, const char *what, const char *status, const char *about);

/* Compiles the reference and the accept kernel, where there are any, and then `count` configurations, each `choices` of
 * its own, for the device with these limits, which the space is bound with, and passes all to `take` in this order.
 * Uses the user's cache of compilations. ERROR_NOT_FOUND without NVRTC; ERROR_COMPILE, after all were taken, names the
 * first that does not compile. What the device's limits rule out is no error. */
int check_compile(const struct space *space, const struct device_limits *limits,
                  const uint32_t (*choices)[SPACE_PARAMETERS_MAX], size_t count, check_compile_take *take,
                  void *context, struct error *error);

#endif
