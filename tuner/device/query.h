/* The limits of a device. */
#ifndef CUTUNE_DEVICE_QUERY_H
#define CUTUNE_DEVICE_QUERY_H

#include "base/error.h"
#include "base/limits.h"

/* Fills in the limits of the only visible device without creating a context. `name`: the name that chose it. */
int gpu_query(const char *name, struct device_limits *limits, struct error *error);

#endif
