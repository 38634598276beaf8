/* Parses a command line with argp, from a command's option rows. */
#ifndef CUTUNE_TERMINAL_OPTIONS_H
#define CUTUNE_TERMINAL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "terminal/command.h"

struct options_result {
    const char **arguments; /* the caller's array, with room for argc pointers */
    size_t argument_count;
    bool printed; /* --help, --usage or --version was printed to stdout: nothing is left to do */
};

/* Parses argv[1] .. argv[argc - 1] into `values` (command->values_size bytes, zeroed by the caller) and into `result`.
 * argv[0] is the name in the usage line, "cutune check". --help prints `epilogue` below the options ("" for none).
 * ERROR_USAGE for an unknown option (with the nearest one), a missing, superfluous or wrong value, or a repeated option
 * that is not a list. Also for too few or too many arguments, and for options that have no effect together
 * (command->modes). Option names cannot be abbreviated: a new option would break scripts that rely on it. */
int options_parse(const struct command *command, const char *epilogue, int argc, char **argv, void *values,
                  struct options_result *result, struct error *error);

/* Options of every command: --help, --usage and --version. */
enum { OPTIONS_OWN = 3 };
extern const struct option_row options_own[OPTIONS_OWN];

/* Text of an option in --help: its help, choices and default. Arena memory; NULL when out of memory. */
const char *options_help(struct arena *arena, const struct option_row *row);

#endif
