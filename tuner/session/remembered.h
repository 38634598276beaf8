/* The limits that a device had in the last run, so that work for it can begin before the driver has started. They are
 * an assumption: whoever works with them compares them with the device's own before any result is used.
 *
 * A file for each device, by the name that --device chooses it with: $XDG_STATE_HOME/cutune/device-NAME, else
 * $HOME/.local/state/cutune/device-NAME. A missing,
 * damaged or older one counts as none. */
#ifndef CUTUNE_SESSION_REMEMBERED_H
#define CUTUNE_SESSION_REMEMBERED_H

#include <stdbool.h>

#include "base/limits.h"

/* False if nothing is remembered. */
bool remembered_load(const char *name, struct device_limits *limits);
/* Remembers the limits for the next run. If that fails, it takes longer. */
void remembered_store(const char *name, const struct device_limits *limits);
/* Does all work for `a` hold for `b`? True if they have the same name and limits; they may be two devices of a kind. */
bool remembered_alike(const struct device_limits *a, const struct device_limits *b);

#endif
