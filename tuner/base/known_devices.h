/* The GPUs of space/devices, with their limits: for planning and choosing without that GPU and without its file. */
#ifndef CUTUNE_BASE_KNOWN_DEVICES_H
#define CUTUNE_BASE_KNOWN_DEVICES_H

#include <stddef.h>

#include "base/limits.h"

extern const struct device_limits known_devices[];
extern const size_t known_device_count;

/* Returns the GPU of that CUDA name ("NVIDIA H200"), or NULL. */
const struct device_limits *known_device_find(const char *name);

#endif
