/* The floor of a kernel's time, by its traffic and what the device was measured to move. */
#ifndef CUTUNE_COMMANDS_JUDGE_FLOOR_H
#define CUTUNE_COMMANDS_JUDGE_FLOOR_H

#include <stdbool.h>

#include "base/measurement.h"
#include "base/provenance.h"
#include "base/text.h"
#include "space/space.h"

struct judge_floor {
    bool known;
    double l2_bytes, copy; /* of the device; bytes/s */
    double bytes;          /* least traffic of a run; NaN: it differs between configurations */
};

/* Unknown for a pipeline, whose traffic is that of the host link, without a `bytes` statement, and without a measured
 * ceiling. */
struct judge_floor judge_floor_of(const struct space *space, const struct provenance *provenance);

/* Appends why a time is impossible; false: it is possible, or the floor is unknown. */
bool judge_floor_explain(const struct judge_floor *floor, const struct measurement *measurement, struct text *why);

#endif
