/* What the limits of devices that are not in the machine would leave of a space: the files that `cutune devices
 * --format csv` writes, one folder of them. */
#ifndef CUTUNE_COMMANDS_CHECK_DEVICES_H
#define CUTUNE_COMMANDS_CHECK_DEVICES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/option.h"
#include "commands/find.h"
#include "space/space.h"

/* The CSV files of the folder that CUTUNE_DEVICES names in the environment, else of ./space/devices, else of the
 * installed ones; sorted. None is no error. */
int device_files(struct arena *arena, const char *const **paths, size_t *count, struct error *error);

struct device_count {
    char name[256]; /* of the device */
    bool known;     /* else: the set needs too much memory, or an expression has no value with these limits */
    uint64_t valid; /* UINT64_MAX: that many or more */
};

/* Counts the valid configurations of the space in a file for the device of one file. `sets` and `defines` as
 * they are bound for the space. *depends is false when no device limit matters to the space: then nothing is counted.
 */
int device_count_valid(const struct space_file *file, const char *device, const struct option_list *sets,
                       const char *const *defines, size_t define_count, struct device_count *count, bool *depends,
                       struct error *error);

#endif
