/* `--each`: tunes for devices of different models at the same time. */
#ifndef CUTUNE_COMMANDS_EACH_H
#define CUTUNE_COMMANDS_EACH_H

#include <cjson/cJSON.h>

#include "base/error.h"

/* Work of the process of a model, numbered from 0: tunes on `devices`, as --device names them, with that many
 * compilers. Results go to standard output, or into `rows` if that is not NULL. */
struct each_work {
    int (*run)(void *context, size_t model, const char *devices, size_t jobs, cJSON *rows, struct error *error);
    void *context;
    size_t jobs; /* for all models together; 0: one per usable core less one for each device */
};

/* Runs the work for each model of these devices, in a process of its own. Passes its lines on standard error on with
 * the model's name. Prints its standard output when it ends, in the order of the devices, and adds its rows to `rows`
 * (NULL: the results are text). Passes on signals that end the program. If one fails, the others continue.
 * ERROR_NO_DEVICE without the devices; otherwise the code of the first failed model, which has reported the error. */
int each_model(const char *devices, const struct each_work *work, cJSON *rows, struct error *error);

#endif
