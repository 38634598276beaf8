/* Counts the valid configurations that a run would refuse before compiling (`pruned_limit`): their techniques exceed
 * the device or the buffers. */
#ifndef CUTUNE_COMMANDS_CHECK_FITS_H
#define CUTUNE_COMMANDS_CHECK_FITS_H

#include <stdint.h>

#include "base/error.h"
#include "set/valid_set.h"
#include "space/space.h"

/* Larger sets take too long to be evaluated one by one. */
enum { CHECK_FITS_MAX = 65536 };

struct check_refused {
    uint64_t count;
    uint32_t first[SPACE_PARAMETERS_MAX]; /* choices of the first one */
    char why[256];
};

/* Evaluates every launch. The space must be bound with a device's limits and have a kernel, and the set at most
 * CHECK_FITS_MAX configurations. Fails at a configuration without a launch, as a run does. */
int check_fits(const struct space *space, const struct valid_set *set, struct check_refused *refused,
               struct error *error);

#endif
