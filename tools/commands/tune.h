/* One tuning run of the program: a space with its sizes, on one device or journal. */
#ifndef CUTUNE_COMMANDS_TUNE_H
#define CUTUNE_COMMANDS_TUNE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "base/error.h"
#include "base/option.h"
#include "commands/find.h"
#include "tuner/list.h"

/* The options. */
struct tune_values {
    const char *space, *database, *journal, *strategy, *cache, *replay, *format;
    struct option_list defines, sets, configs;
    int64_t device, max_evals, patience, seed, jobs, samples, finalists, space_memory_mib, warm_start;
    double max_time_s, target_percent, timeout_s, min_occupancy, confidence, target_interval_percent;
    bool no_cache, quiet, verbose;
};

/* Instead of a search: exactly these configurations are measured, each to its end, and recorded in a journal that is
 * there. */
struct tune_list {
    const char *journal, *fingerprint; /* the file, and of what it is; now another one is ERROR_DATA */
    struct list_work work;
};

struct tune_setup {
    const struct tune_values *values;
    const struct space_file *space;    /* of values->space; NULL: not read yet */
    const char *const *defines;        /* values->defines.count of "NAME=VALUE" */
    const volatile sig_atomic_t *stop; /* 1: end in order; 2: at once */
    size_t number, count;              /* of the run, from 0, and how many there are */
    const struct tune_list *list;      /* NULL: a search */
    cJSON *rows;                       /* csv and json: the result is added here; NULL: printed as text */
};

/* Saves and reports the best also when the run ends early; ERROR_INTERRUPTED after a stop. */
int tune_once(const struct tune_setup *setup, struct error *error);

#endif
