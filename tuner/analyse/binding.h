/* What binds a configuration: how much of each resource of the device its run uses. */
#ifndef CUTUNE_ANALYSE_BINDING_H
#define CUTUNE_ANALYSE_BINDING_H

#include "analyse/explanation.h"
#include "base/text.h"

/* Below this share a resource does not bind: what the launch waits for does (Nsight Compute documentation, GPU Speed Of
 * Light: a throughput below 60 per cent indicates latency). */
static const double binding_least = 0.6;

/* Appends "DRAM", `verb` and "94% of the copy ceiling", or "the copy ceiling". */
void binding_print(struct text *text, const struct explained_configuration *bound, enum resource resource,
                   const char *verb);

/* Fills `bound` for one configuration of the input. ERROR_MEMORY is the only error. */
int binding_of(struct explained_configuration *bound, struct arena *arena, const struct explanation_input *input,
               const struct explanation_configuration *configuration, struct error *error);

#endif
