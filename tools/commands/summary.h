/* The end of a tuning run, as people and programs read it. */
#ifndef CUTUNE_COMMANDS_SUMMARY_H
#define CUTUNE_COMMANDS_SUMMARY_H

#include <cjson/cJSON.h>

#include "db/database.h"
#include "terminal/progress.h"
#include "tuner/run.h"
#include "tuner/warm_start.h"

struct summary {
    const struct space *space;
    const struct valid_set *set;
    const struct run_progress *run;
    const struct progress *progress;
    const struct best *best; /* the row as it is or would be in the database */
    const char *journal;     /* path; NULL: none */
    bool has_log;            /* JOURNAL.log got compile logs in this run */
    const char *database;    /* path; NULL: not saved */
    enum database_outcome outcome;
    double previous_time_ns;             /* of the row that was in the database; NaN: none */
    const char *replayed;                /* path of the journal that was searched; NULL: measured on the device */
    const char *recorded;                /* when that was recorded */
    double confidence;                   /* of the interval */
    const struct evaluator_usage *usage; /* NULL: there were no processes */
    const struct warm_start *warm_start; /* what came first */
    bool interrupted;
};

/* Prints it to stdout as a table of facts. */
int summary_print(const struct summary *summary, struct error *error);

/* The same as a record for csv and json: the database's columns, the counts of every status, and `replayed`, which is
 * true when nothing was measured; then elapsed_s is of the recorded time. The caller's; NULL when memory is out. */
cJSON *summary_record(const struct summary *summary);

#endif
