/* `--each`: devices of different models, tuned at the same time. */
#ifndef CUTUNE_COMMANDS_EACH_H
#define CUTUNE_COMMANDS_EACH_H

#include <cjson/cJSON.h>

#include "base/error.h"

/* What the process of a model, numbered from 0, does: tunes on `devices`, as --device names them, with that many
 * compilers. Results go to standard output, or into `rows` if that is not NULL. */
struct each_work {
    int (*run)(void *context, size_t model, const char *devices, size_t jobs, cJSON *rows, struct error *error);
    void *context;
    size_t jobs; /* for all models together; 0: one per usable core less one for each device */
};

/* Runs the work for each model of these devices, in a process of its own. Lines that it writes to standard error are
 * passed on with the model's name; what it writes to standard output appears when it ends, in the order of the devices,
 * and its rows are added to `rows` (NULL: the results are text). Signals that end the program are passed on. If one
 * fails, the others go on. ERROR_NO_DEVICE without the devices; otherwise the code of the first model that failed,
 * which has told why. */
int each_model(const char *devices, const struct each_work *work, cJSON *rows, struct error *error);

#endif
