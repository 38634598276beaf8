#include "base/roofline_time.h"

#include <math.h>

double roofline_time_of_traffic(const struct traffic *traffic, const struct ceilings *ceilings)
{
    double in_bytes = traffic->in_bytes, out_bytes = traffic->out_bytes;
    if (in_bytes + out_bytes == 0)
        return 1e9 * traffic->bytes / ceilings->copy;
    double one_way_s = fmax(in_bytes / ceilings->link_to_device, out_bytes / ceilings->link_to_host);
    return 1e9 * fmax(one_way_s, in_bytes != 0 && out_bytes != 0 ? (in_bytes + out_bytes) / ceilings->link_both : 0);
}

double roofline_time_of_record(const struct provenance *provenance)
{
    return isnan(provenance->roofline_ns)
               ? roofline_time_of_traffic(&(struct traffic){.bytes = provenance->bytes}, &provenance->ceilings)
               : provenance->roofline_ns;
}

struct amounts amounts_of(const struct provenance *provenance, const struct measurement *measurement)
{
    double roofline_ns = roofline_time_of_record(provenance), work = measurement->work;
    if (!measurement_objective(measurement)->per_work)
        return (struct amounts){provenance->bytes, provenance->flops, roofline_ns};
    if (!(work > 0)) /* unknown, as in files of other programs */
        return (struct amounts){NAN, NAN, NAN};
    if (isnan(roofline_ns)) /* traffic that differs between configurations */
        roofline_ns = roofline_time_of_traffic(&(struct traffic){.bytes = measurement->bytes}, &provenance->ceilings);
    return (struct amounts){measurement->bytes / work, measurement->flops / work, roofline_ns / work};
}
