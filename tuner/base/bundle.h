/* The machine code of a configuration: a cubin, or several in one range of bytes if launches have macros of their
 * own. */
#ifndef CUTUNE_BASE_BUNDLE_H
#define CUTUNE_BASE_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum { BUNDLE_PARTS_MAX = 16, BUNDLE_KERNELS_MAX = 96 };

/* Which kernels are compiled together, by the macros that they share. */
struct bundle_plan {
    size_t part_count;                      /* 0 or 1: one compilation */
    size_t option_counts[BUNDLE_PARTS_MAX]; /* of each part: its part of all options, one after the other */
    uint32_t of[BUNDLE_KERNELS_MAX];        /* by kernel: its part */
};

/* Number of options of all parts. */
size_t bundle_option_count(const struct bundle_plan *plan);

struct bundle {
    size_t part_count;
    struct bundle_part {
        const char *bytes;
        size_t length;
    } parts[BUNDLE_PARTS_MAX];
    uint32_t of[BUNDLE_KERNELS_MAX]; /* by kernel: its part */
};

/* Appends a bundle of several parts. */
void bundle_write(struct text *text, const struct bundle *bundle, size_t kernel_count);
/* Finds the parts; a cubin is its own only part. Borrows. False for a damaged bundle. */
bool bundle_read(const void *bytes, size_t length, struct bundle *bundle);
/* The part with a kernel; all bytes if they are damaged. */
struct bundle_part bundle_part_of(const void *bytes, size_t length, size_t kernel);

/* Appends the line in front of a part's log, and finds the log behind that line; the whole log without such lines. */
void bundle_log_begin(struct text *log, size_t part);
const char *bundle_log(const char *log, size_t part);

#endif
