/* Chooses the devices of the option --device: by number, by UUID, or all of them. */
#ifndef CUTUNE_DEVICE_CHOICE_H
#define CUTUNE_DEVICE_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { DEVICES_MAX = 64, DEVICE_NAME_BYTES = 64 };

/* Names of devices: a number in CUDA's order, or the UUID of a GPU or of a MIG instance, which may be shortened. */
struct device_choice {
    size_t count; /* at least 1 */
    char names[DEVICES_MAX][DEVICE_NAME_BYTES];
};

/* Reads names separated by commas, or "all", which counts the devices in a child process. NULL or "": device 0.
 * ERROR_USAGE for anything else, for a name that occurs twice, and for more than DEVICES_MAX. ERROR_NO_DEVICE if "all"
 * finds no device. */
int device_choose(const char *text, struct device_choice *choice, struct error *error);

/* Reads one name; ERROR_USAGE for several. */
int device_choose_one(const char *text, char name[DEVICE_NAME_BYTES], struct error *error);

/* A process's share of the devices of its host: every `sharers`th item of a list, from item `number` on. Zeroes: all
 * items. */
struct device_share {
    size_t number, sharers;
};

/* Keeps only the share of the devices. ERROR_NO_DEVICE if the share is empty. */
int device_divide(struct device_choice *choice, const struct device_share *share, struct error *error);

/* How a device process opens its device. */
struct device_opening {
    char name[DEVICE_NAME_BYTES]; /* as in struct device_choice */
    bool streams;                 /* runs may queue work in several streams */
    uint64_t places;              /* seed of the buffers' places in memory; 0: where the driver puts them */
};

/* Prepares a process that has not called CUDA yet. Hides all devices but one, so that CUDA starts faster and a MIG
 * instance, which has no number, is device 0. A number is an index into CUDA_VISIBLE_DEVICES if that is set. Sets
 * CUDA_DEVICE_MAX_CONNECTIONS to 1, unless it is set or `streams` is true. Each connection takes the driver time to
 * open, and work in one stream needs only one; several streams would wait for one another on it (CUDA C++ Programming
 * Guide, environment variables). ERROR_NO_DEVICE if CUDA_VISIBLE_DEVICES names fewer devices. */
int device_prepare(const struct device_opening *opening, struct error *error);

#endif
