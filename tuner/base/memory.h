/* The memory that this machine has left. */
#ifndef CUTUNE_BASE_MEMORY_H
#define CUTUNE_BASE_MEMORY_H

#include <stdint.h>

/* Returns the bytes that new processes can use without swapping (MemAvailable of /proc/meminfo), or fewer if the
 * process's control group, or one above, leaves less. UINT64_MAX: unknown. `root` as in base/cores.h. */
uint64_t memory_available(const char *root);

#endif
