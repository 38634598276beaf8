/* The begin and end of a set-up's state. */
#ifndef CUTUNE_DEVICE_CLEAR_SETUP_H
#define CUTUNE_DEVICE_CLEAR_SETUP_H

#include <stdbool.h>

#include "base/error.h"

struct gpu;

/* Frees the state of a set-up and its jobs, so that the process takes another set-up as a new process would. Keeps the
 * device's state. False: the context is broken, and the process must end. */
bool gpu_clear_setup(struct gpu *gpu);
/* Creates the stream with which each set-up begins. */
int gpu_open_stream(struct gpu *gpu, struct error *error);

#endif
