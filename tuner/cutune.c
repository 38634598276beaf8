#include "tuner/cutune.h"

#include <stdio.h>
#include <string.h>

#include "db/database.h"

const char *cutune_version(void)
{
    return CUTUNE_VERSION;
}

/* The row, or NULL and the error. */
static const struct best *find(const struct database *database, const char *kernel, const char *device,
                               const char *problem, struct error *error)
{
    for (size_t i = 0; i < database_count(database); i++) {
        const struct best *row = database_get(database, i);
        if (strcmp(row->kernel, kernel) == 0 && strcmp(row->device, device) == 0 &&
            strcmp(row->problem, problem) == 0 && strcmp(row->objective, "time") == 0)
            return row;
    }
    error_set(error, ERROR_NOT_FOUND, "no result for %s, %s on %s", kernel, problem, device);
    return NULL;
}

int cutune_find(const char *database, const char *kernel, const char *device, const char *problem,
                struct cutune_best *best, char *message, size_t room)
{
    struct database *opened = NULL;
    struct error error = {0};
    int outcome = -1;
    if (database_open(&opened, database, &error) == 0) {
        const struct best *row = find(opened, kernel, device, problem, &error);
        outcome = row ? 0 : 1;
        if (row && snprintf(best->configuration, sizeof best->configuration, "%s", row->configuration) >=
                       (int)sizeof best->configuration) {
            error_set(&error, ERROR_DATA, "the configuration of %s is too long", kernel);
            outcome = -1;
        }
        if (outcome == 0) {
            best->time_ns = row->time_ns;
            best->low_ns = row->low_ns;
            best->high_ns = row->high_ns;
            best->speedup = row->speedup;
        }
    }
    if (message && room)
        error_format(&error, message, room);
    if (message && room && outcome == 0)
        message[0] = '\0';
    database_close(opened);
    return outcome;
}
