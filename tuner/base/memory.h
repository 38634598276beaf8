/* The memory that this machine has left. */
#ifndef CUTUNE_BASE_MEMORY_H
#define CUTUNE_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Returns the bytes that new processes can use without swapping (MemAvailable of /proc/meminfo), or fewer if the
 * process's control group, or one above, leaves less. UINT64_MAX: unknown. `root` as in base/cores.h. */
uint64_t memory_available(const char *root);

/* The number of processes of this size that half of the memory holds, at least 1. `running` of them run already, and
 * `available_bytes` is what they leave. */
size_t memory_processes(uint64_t available_bytes, size_t running, uint64_t process_bytes);

#endif
