/* `cutune check --compile`: selects configurations and architectures, and makes the rows about them. */
#ifndef CUTUNE_COMMANDS_CHECK_COMPILED_H
#define CUTUNE_COMMANDS_CHECK_COMPILED_H

#include <cjson/cJSON.h>

#include "base/error.h"
#include "base/option.h"
#include "commands/find.h"
#include "set/valid_set.h"
#include "space/space.h"

struct check_compiled {
    const struct space_file *file;
    const struct option_list *sets;
    const char *const *defines;
    size_t define_count, space_bytes;
    const char *which;         /* "default", a number of random ones besides it, or "all" */
    const char *architectures; /* "sm_80,sm_90a"; NULL: that of `limits` */
    const struct space *space; /* bound with the limits */
    const struct valid_set *set;
    const struct device_limits *limits; /* NULL: no device */
    cJSON *rows;                        /* receives the rows */
};

/* Compiles, and adds a row for each architecture, compilation and launch. Fails with all errors of the sources and
 * arguments (ERROR_COMPILE or ERROR_DATA), with ERROR_USAGE for a wrong option, with ERROR_NOT_FOUND without NVRTC. */
int check_compiled(const struct check_compiled *all, struct error *error);

/* Adds the members of compilation rows to every other row, as null: CSV needs the same members in all. */
void check_compiled_complete(cJSON *rows);

/* Draws different valid configurations, the same in each run. Returns their number. */
size_t check_draw(const struct valid_set *set, uint64_t *taken, size_t count);

#endif
