/* compare --fail-on: compares later runs with the baseline, and checks that all of it was compared. */
#ifndef CUTUNE_COMMANDS_COMPARE_GATE_H
#define CUTUNE_COMMANDS_COMPARE_GATE_H

#include "compare/compared.h"

/* Notes on stderr, by name, each regressed result and each run or fit of the baseline without a partner. The baseline
 * is all before the last file; of a single file, all. ERROR_REGRESSION if there is any such result; ERROR_NOT_FOUND if
 * no two runs can be compared. `fail_on`: "slower", "ambiguous". `kernel` NULL: all. */
int compare_gate(const char *fail_on, const struct compared *compared, const char *kernel, struct error *error);

#endif
