/* The device limits of the last run, so that work for a device can begin before the driver has started. They are an
 * assumption: the caller compares them with the device's own limits before it uses any result.
 *
 * Each device has a file, by the name that --device uses: $XDG_STATE_HOME/cutune/device-NAME, else
 * $HOME/.local/state/cutune/device-NAME. A missing, damaged or older file is ignored. */
#ifndef CUTUNE_SESSION_LIMITS_CACHE_H
#define CUTUNE_SESSION_LIMITS_CACHE_H

#include <stdbool.h>

#include "base/limits.h"

/* Loads the limits. False: none are stored. */
bool limits_cache_load(const char *name, struct device_limits *limits);
/* Stores the limits for the next run. A failure is ignored: the next run only starts more slowly. */
void limits_cache_store(const char *name, const struct device_limits *limits);
/* True if work for `a` is valid for `b`: they have the same name and limits, but may be two devices of a kind. */
bool limits_cache_matches(const struct device_limits *a, const struct device_limits *b);

#endif
