/* Runs one tuning session: turns options into a request, and events into terminal output. */
#ifndef CUTUNE_COMMANDS_TUNE_H
#define CUTUNE_COMMANDS_TUNE_H

#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "base/error.h"
#include "base/option.h"
#include "commands/find.h"
#include "tuner/conditions.h"

/* Values of the options. */
struct tune_values {
    const char *space, *database, *journal, *strategy, *replay, *format, *learn_from, *explain;
    struct option_list defines, sets, configs;
    const char *part;
    struct conditions conditions;
    const char *device;
    int64_t max_evals, patience, seed, jobs, finalists, space_memory_mib, warm_start;
    double max_time_s, target_percent;
    bool no_cache, quiet, verbose, each;
};

struct tune_setup {
    const struct tune_values *values;
    const struct space_file *space; /* of values->space; NULL: none */
    size_t number, count;           /* number of the session, from 0, and their total */
    cJSON *rows;                    /* csv and json: the result is added here; NULL: text is printed */
};

/* What the options say together: session_check. */
int tune_check(const struct tune_values *values, struct error *error);

/* `defines`: values->defines.count strings "NAME=VALUE". Errors are those of session_run. */
int tune_once(const struct tune_setup *setup, const char *const *defines, struct error *error);

#endif
