/* The resource that binds a configuration: how much of each resource of the device its run uses. */
#ifndef CUTUNE_ANALYSE_BINDING_H
#define CUTUNE_ANALYSE_BINDING_H

#include "analyse/explanation.h"
#include "base/text.h"

/* Below this share a resource does not bind, and latency does (Nsight Compute documentation, GPU Speed Of Light: a
 * throughput below 60 per cent indicates latency). */
static const double binding_least = 0.6;

/* Appends "DRAM", `verb` and "94% of the copy ceiling", or "the copy ceiling". */
void binding_print(struct text *text, const struct explain_input_configuration *bound, enum resource resource,
                   const char *verb);

/* Returns "hardware counters", or for a pipeline the measurements in their place. */
const char *binding_missing(const struct explain_input_configuration *bound);

/* True for a stage of a pipeline, whose share is of the run. */
bool binding_is_stage(enum resource resource);
/* Appends "copies to the device take 83% of the run", for the stage that binds. */
void binding_print_stage(struct text *text, const struct explain_input_configuration *bound);

/* Fills `bound` for one configuration of the input. ERROR_MEMORY is the only error. */
int binding_of(struct explain_input_configuration *bound, struct arena *arena, const struct explanation_input *input,
               const struct explanation_configuration *configuration, struct error *error);

#endif
