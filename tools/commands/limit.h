/* The least time of a kernel, or of a whole pipeline, by what its device reaches; ns, NaN when that is not known. */
#ifndef CUTUNE_COMMANDS_LIMIT_H
#define CUTUNE_COMMANDS_LIMIT_H

#include "base/limits.h"
#include "db/journal.h"
#include "space/space.h"

/* To move the traffic by the copy ceiling or, of a pipeline, to transfer what goes over the link to the host, both ways
 * at once. The space is bound. */
double floor_of_space(const struct space *space, const struct ceilings *ceilings);

/* As recorded; of a journal of an earlier version, by its copy ceiling. */
double floor_of_journal(const struct journal_header *header);

#endif
