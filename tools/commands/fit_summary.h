/* The summary of a fit over sizes. */
#ifndef CUTUNE_COMMANDS_FIT_SUMMARY_H
#define CUTUNE_COMMANDS_FIT_SUMMARY_H

#include "base/error.h"
#include "fit/fit_run.h"

/* Prints it to standard output. `database`: the file that has the fit as a row; NULL: none. */
int fit_summary_print(const struct fit_result *result, const char *database, enum database_outcome outcome,
                      struct error *error);

#endif
