/* Common to all programs: start, run of a command, and end. */
#ifndef CUTUNE_TERMINAL_PROGRAM_H
#define CUTUNE_TERMINAL_PROGRAM_H

#include "base/error.h"
#include "terminal/command.h"

/* Finds and runs the requested command. */
typedef int program_dispatch(int argc, char **argv, struct error *error);

/* Body of main: turns an error into a message and the exit status that it returns. */
int program_main(program_dispatch *dispatch, int argc, char **argv);

/* Parses a command's options (terminal/options.h, also for `epilogue` and argv[0]) and runs it. *surplus: after an
 * error, the first argument in argv, or NULL. */
int program_command(const struct command *command, const char *epilogue, int argc, char **argv, const char **surplus,
                    struct error *error);

#endif
