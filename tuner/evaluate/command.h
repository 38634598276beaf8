/* The run's reference as another program. It finds the inputs as .npy files in a folder and writes the expected results
 * there. A process of its own keeps the folder: it runs the command, and removes the folder if this process dies. */
#ifndef CUTUNE_EVALUATE_COMMAND_H
#define CUTUNE_EVALUATE_COMMAND_H

#include <limits.h>
#include <signal.h>

#include "base/arena.h"
#include "base/worker.h"
#include "device/device.h"
#include "space/space.h"

/* Zeroed: not open. */
struct command {
    struct worker keeper;
    char folder[PATH_MAX]; /* absolute */
    struct arena arena;    /* of the expected files' paths */
};

/* Makes an empty folder for the inputs of the space's command. */
int command_open(struct command *command, const struct space *space, struct error *error);

/* Runs the command with the parameters of a configuration in its environment, and finds the results of the outputs that
 * it computes: sets `expected`, by buffer. ERROR_VALUE if it cannot be run, fails, does not finish in time or leaves an
 * output out; ERROR_DATA if an output has another type, shape or size; ERROR_INTERRUPTED when *stop, which may be NULL,
 * becomes 2. */
int command_run(struct command *command, const struct space *space, const uint32_t *choices, int64_t timeout_ns,
                const volatile sig_atomic_t *stop, struct device_file *expected, struct error *error);

/* Ends the command if it runs, and removes the folder. */
void command_close(struct command *command);

#endif
