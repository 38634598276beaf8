/* Builds the decision diagram of a component: parameters that constraints connect. */
#ifndef CUTUNE_SET_BUILD_H
#define CUTUNE_SET_BUILD_H

#include "set/diagram.h"
#include "set/roots.h"
#include "space/space.h"

/* Parameters that constraints connect, in the order of the diagram's levels. */
struct component {
    size_t count;
    uint16_t parameters[SPACE_PARAMETERS_MAX];
    uint32_t root_node;
    bool is_free;                                /* a single parameter, all of whose values are valid */
    uint32_t value_counts[SPACE_PARAMETERS_MAX]; /* by level */
    uint8_t steps[SPACE_PARAMETERS_MAX];         /* by level: number of quarterings that find an arc of a node */
    bool has_arcs[SPACE_PARAMETERS_MAX];         /* by level: arcs may hold several values */
    uint64_t configurations;                     /* saturates at UINT64_MAX */
    bool faulted; /* not built: a constraint has no value at a configuration that all other constraints allow */
    uint32_t fault[SPACE_PARAMETERS_MAX]; /* choices of that configuration, by level */
};

struct build_setup {
    const struct space *space;
    const struct roots *roots;
    struct diagram *diagram;
    size_t max_bytes;    /* for the diagram and all that building needs */
    bool faults_exclude; /* a constraint without a value excludes the configuration; otherwise it is an error */
};

/* Orders the component's parameters, adds its nodes to the diagram and sets root_node. Fails with ERROR_MEMORY, naming
 * the responsible constraints, if it needs more than max_bytes. If a constraint has no value at a configuration that no
 * other constraint excludes, sets `faulted` instead of root_node and configurations. */
int build_component(const struct build_setup *setup, struct component *component, struct error *error);

#endif
