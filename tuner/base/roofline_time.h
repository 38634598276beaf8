/* The roofline time: the least time that a kernel or pipeline needs at the throughput its device reaches. In ns;
 * NaN: unknown. */
#ifndef CUTUNE_BASE_ROOFLINE_TIME_H
#define CUTUNE_BASE_ROOFLINE_TIME_H

#include "base/measurement.h"
#include "base/provenance.h"

/* The data that a kernel has to move. */
struct traffic {
    double bytes;               /* read and written in device memory; NaN: unknown */
    double in_bytes, out_bytes; /* of a pipeline: over the link to the device and to the host; 0: not a pipeline */
};

/* Returns the roofline time by the copy ceiling or, for a pipeline, by the link's ceilings with both directions at
 * once. */
double roofline_time_of_traffic(const struct traffic *traffic, const struct ceilings *ceilings);

/* Traffic, operations and roofline time of a configuration: per unit of work if its value is, else of a run. */
struct amounts {
    double bytes, flops; /* NaN: unknown */
    double roofline_ns;
};
struct amounts amounts_of(const struct provenance *provenance, const struct measurement *measurement);

/* Returns the recorded roofline time. Files of earlier versions lack it: it then follows from bytes and copy
 * ceiling. */
double roofline_time_of_record(const struct provenance *provenance);

#endif
