/* The floor: the least time of a kernel, or of a whole pipeline, by what its device reaches. In ns; NaN: unknown. */
#ifndef CUTUNE_BASE_FLOOR_H
#define CUTUNE_BASE_FLOOR_H

#include "base/provenance.h"

/* What a kernel has to move. */
struct traffic {
    double bytes;               /* read and written in device memory; NaN: unknown */
    double in_bytes, out_bytes; /* of a pipeline: over the link to the device and to the host; both 0: no pipeline */
};

/* The traffic at the copy ceiling or, of a pipeline, the transfers over the link to the host, both ways at once. */
double floor_of_traffic(const struct traffic *traffic, const struct ceilings *ceilings);

/* As recorded; records of earlier versions have NaN: then by their bytes and copy ceiling. */
double floor_of_record(const struct provenance *provenance);

#endif
