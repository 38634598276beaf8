/* `show --for`: the configuration that a program would get on a device, by cutune_database_best. */
#ifndef CUTUNE_COMMANDS_SHOW_FOR_H
#define CUTUNE_COMMANDS_SHOW_FOR_H

#include "base/error.h"
#include "base/option.h"
#include "database/database.h"

struct show_for {
    const char *device;             /* a name or a part of it, see show_for_help */
    int64_t cc, sm_count, l2_bytes; /* 0: those of the device with that name */
    struct option_list defines;     /* each size of the kernel */
    const char *kernel;             /* NULL: the only one of the database */
    const char *path, *journals;    /* the file of `database`, and NULL or journals as for cutune_database_open */
    const char *generation;         /* NULL: any */
    const char *format;             /* of output_format_names */
};

/* Prints the row that is chosen. Without `cc`, the device is that of the database or, next, of the known GPUs whose
 * name is `device`, else the only one with it as a part of whole words in any case. ERROR_NOT_FOUND for an unknown
 * name, ERROR_USAGE for one of several devices, and the errors of cutune_database_best. */
int show_for(const struct show_for *wanted, const struct database *database, struct error *error);

#endif
