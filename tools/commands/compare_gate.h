/* compare --fail-on: whether later runs are as good as the baseline, and whether all of it was compared. */
#ifndef CUTUNE_COMMANDS_COMPARE_GATE_H
#define CUTUNE_COMMANDS_COMPARE_GATE_H

#include "compare/compared.h"

/* Notes on stderr, by name, each result that regressed and each run or fit of the baseline that was compared with
 * nothing. The baseline is all that stands before the last file; of a single one, all. ERROR_REGRESSION if there is any
 * such; ERROR_NOT_FOUND if no two runs can be compared. `fail_on`: "slower", "ambiguous". `kernel` NULL: all. */
int compare_gate(const char *fail_on, const struct compared *compared, const char *kernel, struct error *error);

#endif
