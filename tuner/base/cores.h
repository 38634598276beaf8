/* How many processes can compute at once here. */
#ifndef CUTUNE_BASE_CORES_H
#define CUTUNE_BASE_CORES_H

#include <stddef.h>

/* The processors of this process's affinity mask, or fewer if a control group of it, or of one above, has less
 * processor time: as many as that time keeps busy, rounded up. At least 1. What cannot be read does not limit. `root`
 * is prefixed to the paths of /proc and /sys: "" outside of tests. cgroups(7), sched_setaffinity(2). */
size_t cores_usable(const char *root);

#endif
