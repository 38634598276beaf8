/* Runs tuning sessions: turns options into requests, and events into terminal output. */
#ifndef CUTUNE_COMMANDS_TUNE_H
#define CUTUNE_COMMANDS_TUNE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/option.h"
#include "commands/session_values.h"

/* Values of the options. */
struct tune_values {
    struct session_values session;
    const char *space, *database, *replay, *format, *learn_from, *explain, *early_stop, *part, *objectives, *front;
    struct option_list defines, configs;
    int64_t patience, finalists, playoff_processes, warm_start;
    const char *max_time; /* "10m" or "total=10m" */
    double target_percent;
    bool verbose, each, untrusted, confirm, keep_samples;
};

/* The other processes of a run. */
struct tune_team {
    struct team_link *links; /* connections to the agents */
    size_t link_count;
    double silence_s; /* as in struct session_request, like the rest */
    struct device_share device_share;
    size_t core_sharers;
};

/* The main command: tunes for each combination of problem sizes in the options, and prints the results. `team` NULL: a
 * single process. Errors are those of session_run. */
int tune_run(const struct tune_values *values, const struct tune_team *team, struct error *error);

#endif
