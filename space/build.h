/* Builds the diagram of parameters that constraints tie together. */
#ifndef CUTUNE_SPACE_BUILD_H
#define CUTUNE_SPACE_BUILD_H

#include "space/diagram.h"
#include "space/space.h"
#include "space/terms.h"

/* Parameters that constraints tie together, in the order of the diagram's levels. */
struct component {
    size_t count;
    uint16_t parameters[SPACE_PARAMETERS_MAX];
    uint32_t root_node;
    bool is_free;                                /* one parameter, all of whose values are valid */
    uint32_t value_counts[SPACE_PARAMETERS_MAX]; /* by level */
    uint8_t steps[SPACE_PARAMETERS_MAX];         /* by level: quarterings that find an arc among a node's */
    bool has_arcs[SPACE_PARAMETERS_MAX];         /* by level: an arc may have several values */
    uint64_t configurations;                     /* saturates at UINT64_MAX */
    bool faulted; /* the diagram was given up: a constraint has no value where the others allow a configuration */
    uint32_t fault[SPACE_PARAMETERS_MAX]; /* that configuration, by level */
};

struct build_setup {
    const struct space *space;
    const struct terms *terms;
    struct diagram *diagram;
    size_t max_bytes;    /* for the diagram with all that building needs */
    bool faults_exclude; /* a constraint without a value excludes the configuration instead of being an error */
};

/* Chooses the order of the component's parameters, then adds its nodes to the diagram and sets root_node. ERROR_MEMORY
 * when it needs more than max_bytes, with the constraints to blame. Sets `faulted` instead of root_node and
 * configurations at the first configuration that no constraint excludes and where one has no value. */
int build_component(const struct build_setup *setup, struct component *component, struct error *error);

#endif
