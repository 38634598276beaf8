/* The floor: the least time that a kernel or pipeline needs at the throughput its device reaches. In ns; NaN: unknown.
 */
#ifndef CUTUNE_BASE_FLOOR_H
#define CUTUNE_BASE_FLOOR_H

#include "base/measurement.h"
#include "base/provenance.h"

/* The data that a kernel has to move. */
struct traffic {
    double bytes;               /* read and written in device memory; NaN: unknown */
    double in_bytes, out_bytes; /* of a pipeline: over the link to the device and to the host; 0: not a pipeline */
};

/* The floor from the copy ceiling or, for a pipeline, from the link's ceilings with both directions at once. */
double floor_of_traffic(const struct traffic *traffic, const struct ceilings *ceilings);

/* What a configuration moves and computes, and its floor: of a unit of work where its value is of one, else of a run.
 */
struct amounts {
    double bytes, flops; /* NaN: unknown */
    double floor_ns;
};
struct amounts amounts_of(const struct provenance *provenance, const struct measurement *measurement);

/* The floor as recorded. Earlier versions did not record it: then it follows from bytes and copy ceiling. */
double floor_of_record(const struct provenance *provenance);

#endif
