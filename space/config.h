/* Configurations inside the rooms of space/; space.h has what other layers need of them. */
#ifndef CUTUNE_SPACE_CONFIG_H
#define CUTUNE_SPACE_CONFIG_H

#include "space/space.h"

/* Fills parameter->order after the values. False when out of memory. */
bool space_order_values(struct space *space, struct parameter *parameter);

/* "TILE=16 BLOCK_ROWS=8" of the first `bound` parameters. */
void space_values_text(const struct space *space, const struct value *values, size_t bound, char *buffer, size_t room);
void space_values(const struct space *space, const uint32_t *choices, struct value values[SPACE_PARAMETERS_MAX]);
/* Advances to the next combination of the parameters in the mask; false after the last. */
bool space_next_choices(const struct space *space, uint64_t parameters, uint32_t *choices);

#endif
