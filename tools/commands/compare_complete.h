/* compare --complete: measures missing entries of the portability matrix on the device at hand. */
#ifndef CUTUNE_COMMANDS_COMPARE_COMPLETE_H
#define CUTUNE_COMMANDS_COMPARE_COMPLETE_H

#include <signal.h>

#include "analyse/comparison.h"

struct complete_setup {
    const char *space;  /* path or name; NULL: the kernel's name */
    const char *replay; /* a journal in place of the device; nothing is saved then. NULL: the device */
    const char *device; /* as in device/choice.h */
    bool untrusted;     /* as in find_space_file */
    const volatile sig_atomic_t *stop;
    struct progress *progress; /* shows the measurements */
};

/* For every comparison, measures the other runs' winners that the last journal of the device at hand lacks. Records
 * them in that journal and appends them to its measured run; *added is their number. The caller must make the
 * comparisons again. ERROR_NOT_FOUND if no run is of this device. */
int compare_complete(const struct complete_setup *setup, struct measured_runs *measured,
                     const struct comparisons *comparisons, size_t *added, struct error *error);

#endif
