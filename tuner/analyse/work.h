/* Work that a faster configuration is spared: bytes that it does not move, instructions that it does not execute, or
 * the time of a pipeline's stage. */
#ifndef CUTUNE_ANALYSE_WORK_H
#define CUTUNE_ANALYSE_WORK_H

#include "analyse/explanation.h"
#include "analyse/rules.h"

struct work {
    const struct rule_shown *shown; /* NULL: not enough to explain the speed-up */
    double slow, fast;              /* of a run */
    enum resource resource;         /* which does it */
    double saved;                   /* share of it, of a stage: of the run, that the faster one is spared */
    bool binds;                     /* it binds the slower configuration */
};

/* The work that explains most of a speed-up, from the counters of all launches: on a resource that binds the slower
 * configuration, else on any that is not idle. Of pipelines: the stage that does. */
struct work work_saved(const struct explanation_configuration *slow, const struct explanation_configuration *fast,
                       double speedup);

#endif
