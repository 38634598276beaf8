/* Runs another program as the reference. It reads the inputs from .npy files in a folder and writes the expected
 * results there. A separate process runs the program. */
#ifndef CUTUNE_EVALUATE_COMMAND_H
#define CUTUNE_EVALUATE_COMMAND_H

#include <signal.h>

#include "base/arena.h"
#include "base/program.h"
#include "base/worker.h"
#include "device/device.h"
#include "space/space.h"

/* Zeroed: not open. */
struct command {
    struct worker keeper;
    struct program_folder folder;
    struct arena arena; /* holds the paths of the expected files */
};

/* Makes an empty folder for the inputs of the space's command. */
int command_open(struct command *command, const struct space *space, struct error *error);

/* Runs the command with a configuration's parameters in its environment, finds the outputs that it computes, and sets
 * `expected`, by buffer. ERROR_VALUE if it cannot be run, fails, exceeds the time or omits an output; ERROR_DATA if an
 * output has another type, shape or size; ERROR_INTERRUPTED when *stop, which may be NULL, becomes 2. */
int command_run(struct command *command, const struct space *space, const uint32_t *choices, int64_t timeout_ns,
                const volatile sig_atomic_t *stop, struct device_file *expected, struct error *error);

/* Ends the command if it runs, and removes the folder. */
void command_close(struct command *command);

#endif
