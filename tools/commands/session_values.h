/* Shared by `tune` and `fit`: rows of option tables, their values, the resulting session request, and the progress of a
 * search. Also the request to a session that continues a recorded run. */
#ifndef CUTUNE_COMMANDS_SESSION_VALUES_H
#define CUTUNE_COMMANDS_SESSION_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/option.h"
#include "commands/find.h"
#include "compile/pool.h"
#include "session/session.h"
#include "terminal/progress.h"

/* Member `session` of a command's values. */
struct session_values {
    const char *device, *journal, *strategy;
    struct option_list sets;
    struct conditions conditions;
    int64_t max_evals, seed, jobs, space_memory_mib;
    bool no_cache, quiet;
};

/* Makes the request from the values, without space, sizes, budget in seconds, database and listener. Borrows from
 * them. */
struct session_request session_values_request(const struct session_values *values);

/* Sets the origin of a recorded run's results: space, sizes and conditions. `space` and `untrusted` as in
 * find_run_space_file. Arena memory. ERROR_NOT_FOUND without a space, ERROR_DATA for an unreadable provenance. */
int session_values_again(struct session_request *request, struct arena *arena, const struct provenance *provenance,
                         const char *space, bool untrusted, struct error *error);

/* Shows a note, unless `quiet`, and the progress of a search; installs the signal handlers when the search begins.
 * Ignores other events. */
void session_values_show(struct progress *progress, bool quiet, const struct session_event *event);

#define SESSION_VALUE(structure, member) .offset = offsetof(structure, session.member)

#define SESSION_DEVICE_OPTION(structure)                                                                               \
    {                                                                                                                  \
        .name = "device", .argument = "DEVICES", .type = OPTION_TEXT, SESSION_VALUE(structure, device),                \
        .default_ = "0",                                                                                               \
        .help = "CUDA devices to measure on, by number or UUID, separated by commas, or all: GPUs of one model share " \
                "the work"                                                                                             \
    }

#define SESSION_JOURNAL_OPTION(structure)                                                                              \
    {                                                                                                                  \
        .name = "journal", .argument = "DIR", .type = OPTION_TEXT, SESSION_VALUE(structure, journal),                  \
        .default_ = "cutune.d", .help = "directory of the journals; a run continues those of an earlier one"           \
    }

#define SESSION_STRATEGY_OPTION(structure)                                                                             \
    {                                                                                                                  \
        .name = "strategy", .values = "strategies", .argument = "S[:OPTION=V,...]", .type = OPTION_TEXT,               \
        SESSION_VALUE(structure, strategy), .default_ = "auto",                                                        \
        .help = "search strategy; `cutune strategies` lists them and their options"                                    \
    }

/* `usual`: the default. `text`: the help. */
#define SESSION_MAX_EVALS_OPTION(structure, usual, text)                                                               \
    {                                                                                                                  \
        .name = "max-evals", .argument = "N", .type = OPTION_INT, SESSION_VALUE(structure, max_evals), .min = 1,       \
        .max = 1e15, .default_ = usual, .help = text                                                                   \
    }

/* `whose`: the random choices. */
#define SESSION_SEED_OPTION(structure, whose)                                                                          \
    {                                                                                                                  \
        .name = "seed", .argument = "N", .type = OPTION_INT, SESSION_VALUE(structure, seed), .min = 0,                 \
        .max = 9007199254740992.0, .default_ = "1", .help = "seed of " whose                                           \
    }

/* `more`: the rest of the help. */
#define SESSION_JOBS_OPTION(structure, more)                                                                           \
    {                                                                                                                  \
        .name = "jobs", .argument = "N", .type = OPTION_INT, SESSION_VALUE(structure, jobs), .min = 1,                 \
        .max = POOL_JOBS_MAX, .help = "compiler processes, by default one per usable core less one" more               \
    }

#define SESSION_NO_CACHE_OPTION(structure)                                                                             \
    {                                                                                                                  \
        .name = "no-cache", .type = OPTION_FLAG, SESSION_VALUE(structure, no_cache),                                   \
        .help = "compile everything, and neither read nor write the cache of compiled kernels"                         \
    }

#define SESSION_QUIET_OPTION(structure)                                                                                \
    {                                                                                                                  \
        .name = "quiet", .short_name = 'q', .type = OPTION_FLAG, SESSION_VALUE(structure, quiet),                      \
        .help = "no progress, no notes"                                                                                \
    }

#endif
