/* The floor of a kernel's time, by its traffic, its operations, and what the device can move and compute. */
#ifndef CUTUNE_COMMANDS_JUDGE_FLOOR_H
#define CUTUNE_COMMANDS_JUDGE_FLOOR_H

#include <stdbool.h>

#include "base/measurement.h"
#include "base/provenance.h"
#include "base/text.h"
#include "space/space.h"

/* NaN: unknown. */
struct judge_floor {
    double l2_bytes;
    double copy;         /* ceiling of the device, bytes/s; unknown for a pipeline, whose traffic is the host link's */
    double peak;         /* of the device, operations/s */
    double bytes, flops; /* of a run; NaN, too, if they differ between configurations */
};

struct judge_floor judge_floor_of(const struct space *space, const struct provenance *provenance);

/* Appends why a time is impossible; false: it is possible, or no floor is known. */
bool judge_floor_explain(const struct judge_floor *floor, const struct measurement *measurement, struct text *why);

#endif
