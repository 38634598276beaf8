/* Saved work of a faster configuration: bytes not moved, instructions not executed, or the time of a pipeline's
 * stage. */
#ifndef CUTUNE_ANALYSE_WORK_H
#define CUTUNE_ANALYSE_WORK_H

#include "analyse/explanation.h"
#include "analyse/rules.h"

struct work {
    const struct rule_shown *shown; /* NULL: too little to explain the speed-up */
    double slow, fast;              /* of a run */
    enum resource resource;         /* that does the work */
    double saved;                   /* share of the resource or, of a stage, of the run that the faster one saves */
    bool binds;                     /* it binds the slower configuration */
};

/* Finds the work that explains most of a speed-up, from the counters of all launches: on a resource that binds the
 * slower configuration, else on any that is not idle. For pipelines, finds the stage. */
struct work work_saved(const struct explanation_configuration *slow, const struct explanation_configuration *fast,
                       double speedup);

#endif
