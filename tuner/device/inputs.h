/* The contents of buffers as NumPy files. */
#ifndef CUTUNE_DEVICE_INPUTS_H
#define CUTUNE_DEVICE_INPUTS_H

#include "base/error.h"

struct gpu;
struct setup_message;

/* Writes the contents of the filled buffers to FOLDER/NAME.npy. `setup` has their types. */
int gpu_write_inputs(struct gpu *gpu, const struct setup_message *setup, struct error *error);

#endif
