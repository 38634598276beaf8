/* The samples of measurements (base/samples_text.h) of a run that keeps them, beside their measurements: from the time
 * at which a device has taken them until the row of the configuration is written. A configuration may have samples of
 * several devices. */
#ifndef CUTUNE_EVALUATE_KEPT_SAMPLES_H
#define CUTUNE_EVALUATE_KEPT_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

/* Empty when zeroed. A NULL pointer keeps nothing. */
struct kept_samples {
    struct kept_item {
        uint64_t index;
        size_t device; /* as in struct evaluation */
        char *samples;
    } * items;
    size_t count, room;
};

/* Keeps a copy, in place of earlier samples of the same configuration and device; "": forgets those. */
int kept_samples_put(struct kept_samples *kept, uint64_t index, size_t device, const char *samples,
                     struct error *error);

/* Moves the samples of a configuration and a device behind the text; nothing if there are none. */
void kept_samples_take(struct kept_samples *kept, uint64_t index, size_t device, struct text *samples);

void kept_samples_free(struct kept_samples *kept);

#endif
