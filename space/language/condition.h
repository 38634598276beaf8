/* What a space requires of the problem sizes for one configuration: its constraints with the configuration's values in
 * place of the parameters, and the device's in place of the limits, as a text of integers for
 * db/sizes/size_condition.h. */
#ifndef CUTUNE_LANGUAGE_CONDITION_H
#define CUTUNE_LANGUAGE_CONDITION_H

#include <stdbool.h>

#include "base/text.h"
#include "space/space.h"

/* Appends the condition; nothing if all sizes will do. `limits` may be NULL. Includes what launches demand
 * (space/language/demand.h): that each grid has at least one block and each block one thread, at most those that the
 * device allows, that dynamic shared memory is no more than a block can have, and what the techniques ask for. Returns
 * whether it is complete: constraints with floats, words, logarithms or unknown limits, on which the sizes have an
 * influence, are left out. What it never says is whether blocks, a kernel's static shared memory and scratch buffers
 * fit the device. */
bool space_condition(const struct space *space, const struct device_limits *limits, const uint32_t *choices,
                     int64_t static_bytes, struct text *text);

/* Appends the condition for any device: the limits in which architectures differ (base/architecture.h) are names, like
 * the sizes, and what names neither is known to hold. `of_limits`: only what names limits. Otherwise the same. */
bool space_requirement(const struct space *space, const uint32_t *choices, bool of_limits, struct text *text);
/* The same of a configuration as text, "TILE=32 PAD=1". False, and nothing appended: the space does not have it. */
bool space_requirement_of(const struct space *space, const char *configuration, bool of_limits, struct text *text);

/* Appends what one expression of the space is worth for a configuration, such as a grid's size, in the same language.
 * `limits` NULL: with the names of limits, as above. False, and nothing appended: floats, words, logarithms or limits
 * of the device that are not known (0). */
bool space_expression(const struct space *space, const struct expr *expr, const struct device_limits *limits,
                      const uint32_t *choices, struct text *text);

#endif
