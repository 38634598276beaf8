#include "commands/limit.h"

#include <math.h>

double floor_of_space(const struct space *space, const struct ceilings *ceilings)
{
    double in_bytes, out_bytes;
    space_transfers(space, &in_bytes, &out_bytes);
    if (in_bytes + out_bytes == 0)
        return 1e9 * space->bytes / ceilings->copy;
    double one_way_s = fmax(in_bytes / ceilings->link_to_device, out_bytes / ceilings->link_to_host);
    return 1e9 * fmax(one_way_s, in_bytes != 0 && out_bytes != 0 ? (in_bytes + out_bytes) / ceilings->link_both : 0);
}

double floor_of_journal(const struct journal_header *header)
{
    return isnan(header->floor_ns) ? 1e9 * header->bytes / header->copy_ceiling : header->floor_ns;
}
