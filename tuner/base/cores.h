/* The number of processes that can compute at once on this machine. */
#ifndef CUTUNE_BASE_CORES_H
#define CUTUNE_BASE_CORES_H

#include <stddef.h>

/* Returns the processors of this process's affinity mask, or fewer if its control group, or one above, has less
 * processor time: as many as that time keeps busy, rounded up. At least 1. Limits that cannot be read are ignored.
 * `root` is prefixed to the paths of /proc and /sys: "" outside of tests. cgroups(7), sched_setaffinity(2). */
size_t cores_usable(const char *root);

#endif
