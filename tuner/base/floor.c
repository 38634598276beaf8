#include "base/floor.h"

#include <math.h>

double floor_of_traffic(const struct traffic *traffic, const struct ceilings *ceilings)
{
    double in_bytes = traffic->in_bytes, out_bytes = traffic->out_bytes;
    if (in_bytes + out_bytes == 0)
        return 1e9 * traffic->bytes / ceilings->copy;
    double one_way_s = fmax(in_bytes / ceilings->link_to_device, out_bytes / ceilings->link_to_host);
    return 1e9 * fmax(one_way_s, in_bytes != 0 && out_bytes != 0 ? (in_bytes + out_bytes) / ceilings->link_both : 0);
}

double floor_of_record(const struct provenance *provenance)
{
    return isnan(provenance->floor_ns)
               ? floor_of_traffic(&(struct traffic){.bytes = provenance->bytes}, &provenance->ceilings)
               : provenance->floor_ns;
}

struct amounts amounts_of(const struct provenance *provenance, const struct measurement *measurement)
{
    double floor_ns = floor_of_record(provenance), work = measurement->work;
    if (!measurement_objective(measurement)->per_work)
        return (struct amounts){provenance->bytes, provenance->flops, floor_ns};
    if (!(work > 0)) /* unknown, as in files of other programs */
        return (struct amounts){NAN, NAN, NAN};
    if (isnan(floor_ns)) /* traffic that differs between configurations */
        floor_ns = floor_of_traffic(&(struct traffic){.bytes = measurement->bytes}, &provenance->ceilings);
    return (struct amounts){measurement->bytes / work, measurement->flops / work, floor_ns / work};
}
