/* Which devices to use, as the option --device names them: by number, by UUID, or all of them. */
#ifndef CUTUNE_DEVICE_CHOICE_H
#define CUTUNE_DEVICE_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum { DEVICES_MAX = 64, DEVICE_NAME_BYTES = 64 };

/* Names of devices: a number as CUDA counts them, or the UUID of a GPU or of a MIG instance, perhaps shortened. */
struct device_choice {
    size_t count; /* at least 1 */
    char names[DEVICES_MAX][DEVICE_NAME_BYTES];
};

/* Reads names separated by commas, or "all", for which it counts the devices in a child process. NULL or "": device 0.
 * ERROR_USAGE for anything else, for a name that occurs twice, and for more than DEVICES_MAX. ERROR_NO_DEVICE if "all"
 * are none. */
int device_choose(const char *text, struct device_choice *choice, struct error *error);

/* Likewise, but ERROR_USAGE for more than one. */
int device_choose_one(const char *text, char name[DEVICE_NAME_BYTES], struct error *error);

/* A process's share of what all processes of a host use: each has every `sharers`th item of a list, from item `number`
 * on. Zeroes: everything. */
struct device_share {
    size_t number, sharers;
};

/* Leaves the share of the devices. ERROR_NO_DEVICE if that is none. */
int device_divide(struct device_choice *choice, const struct device_share *share, struct error *error);

/* What a device process is started for. */
struct device_opening {
    char name[DEVICE_NAME_BYTES]; /* as in struct device_choice */
    bool streams;                 /* its runs may queue work in several streams */
};

/* In a process that has not called CUDA yet: hides all devices but one from it, so that CUDA starts faster and so that
 * a MIG instance, which has no number, is device 0. A number counts what CUDA_VISIBLE_DEVICES names, where it is set.
 * Work in one stream needs one connection to the device, and each takes the driver time to open:
 * CUDA_DEVICE_MAX_CONNECTIONS becomes 1, unless it is set or there are several streams, which would wait for one
 * another (CUDA C++ Programming Guide, environment variables). ERROR_NO_DEVICE if CUDA_VISIBLE_DEVICES names fewer
 * devices. */
int device_prepare(const struct device_opening *opening, struct error *error);

#endif
