/* The limits of this process's control groups: cgroups(7). */
#ifndef CUTUNE_BASE_GROUPS_H
#define CUTUNE_BASE_GROUPS_H

#include <stdbool.h>
#include <stddef.h>

/* Reads the limit of one group, whose folder has `length` characters; INFINITY: none. `unified`: of version 2. */
typedef double groups_limit(const char *folder, size_t length, bool unified);

/* The least limit of this process's group and those above it, in the unified hierarchy and that of `controller`
 * ("cpu", "memory"). INFINITY without a limit. `root` is prefixed to the paths of /proc and /sys: "" outside of tests.
 */
double groups_least(const char *root, const char *controller, groups_limit *limit);

/* Reads `count` numbers of the file `name` in a group's folder. "max" is not a number. False if it lacks them. */
bool groups_read(const char *folder, size_t length, const char *name, size_t count, double *numbers);

#endif
