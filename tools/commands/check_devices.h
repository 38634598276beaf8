/* Counts the valid configurations under the limits of absent devices. The devices come from a folder of files written
 * by `cutune devices --format csv`. */
#ifndef CUTUNE_COMMANDS_CHECK_DEVICES_H
#define CUTUNE_COMMANDS_CHECK_DEVICES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/option.h"
#include "commands/find.h"
#include "space/space.h"

/* Returns the CSV files of the folder that CUTUNE_DEVICES names in the environment, else of ./space/devices, else of
 * the installed ones; sorted. The list may be empty. */
int device_files(struct arena *arena, const char *const **paths, size_t *count, struct error *error);

struct device_count {
    char name[256]; /* of the device */
    bool known;     /* false: the set needs too much memory, or an expression has no value with these limits */
    uint64_t valid; /* UINT64_MAX: at least that many */
};

/* Counts the valid configurations of the space in `file` for the device in the file `device`. `sets` and `defines` are
 * those of the space. If the space does not depend on device limits, sets *depends to false and counts nothing. */
int device_count_valid(const struct space_file *file, const char *device, const struct option_list *sets,
                       const char *const *defines, size_t define_count, struct device_count *count, bool *depends,
                       struct error *error);

#endif
