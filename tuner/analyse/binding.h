/* What binds a configuration: how much of each resource of the device its run uses. */
#ifndef CUTUNE_ANALYSE_BINDING_H
#define CUTUNE_ANALYSE_BINDING_H

#include "analyse/explanation.h"

/* Fills `bound` for one configuration of the input. ERROR_MEMORY is the only error. */
int binding_of(struct explained_configuration *bound, struct arena *arena, const struct explanation_input *input,
               const struct explanation_configuration *configuration, struct error *error);

#endif
