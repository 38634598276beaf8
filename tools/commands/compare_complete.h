/* compare --complete: measures on the device at hand what the portability matrix lacks. */
#ifndef CUTUNE_COMMANDS_COMPARE_COMPLETE_H
#define CUTUNE_COMMANDS_COMPARE_COMPLETE_H

#include <signal.h>

#include "analyse/comparison.h"

struct complete_setup {
    const char *space;  /* path or name; NULL: the kernel's name */
    const char *replay; /* a journal that answers in the device's place; nothing is saved then. NULL: the device */
    int64_t device;     /* ordinal */
    const volatile sig_atomic_t *stop;
};

/* For every comparison: the winners of the other runs that the last journal of the device at hand does not know are
 * measured, recorded in that journal and appended to its measured run; *added is how many. Then the comparisons have to
 * be made anew. ERROR_NOT_FOUND when no run is of this device. */
int compare_complete(const struct complete_setup *setup, struct measured_runs *measured,
                     const struct comparisons *comparisons, size_t *added, struct error *error);

#endif
