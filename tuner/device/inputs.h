/* The contents of buffers as NumPy files. */
#ifndef CUTUNE_DEVICE_INPUTS_H
#define CUTUNE_DEVICE_INPUTS_H

#include "base/error.h"

struct gpu;
struct gpu_buffer;
struct setup_message;

/* Writes FOLDER/NAME.npy with the buffer's contents, which are at `data` on the device. ERROR_IO. */
int gpu_write_buffer(struct gpu *gpu, const struct gpu_buffer *buffer, const unsigned char *data, const char *folder,
                     struct error *error);
/* Writes all filled buffers to the folder of the message. */
int gpu_write_inputs(struct gpu *gpu, const struct setup_message *setup, struct error *error);

#endif
