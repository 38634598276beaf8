/* Conditions of a space on the problem sizes for one configuration: its constraints as a text of integers for
 * db/sizes/size_condition.h. The configuration's values replace the parameters, and the device's limits the names of
 * limits. */
#ifndef CUTUNE_LANGUAGE_CONDITION_H
#define CUTUNE_LANGUAGE_CONDITION_H

#include <stdbool.h>

#include "base/text.h"
#include "space/space.h"

/* Appends the condition; nothing if it holds for all sizes. `limits` may be NULL. The condition includes the demands of
 * launches (space/language/demand.h): at least one block per grid and one thread per block, the device's maxima of
 * both, the limit of dynamic shared memory, and the demands of techniques. It does not say whether blocks, static
 * shared memory and scratch buffers fit the device. Omits constraints that depend on the sizes and have floats, words,
 * logarithms or unknown limits. True if nothing was omitted. */
bool space_condition(const struct space *space, const struct device_limits *limits, const uint32_t *choices,
                     int64_t static_bytes, struct text *text);

/* Appends the condition for any device: limits that differ between architectures (base/architecture.h) are names, like
 * the sizes. Parts that name neither sizes nor limits are known to hold. `of_limits`: appends only the parts that name
 * limits. Otherwise as space_condition. */
bool space_requirement(const struct space *space, const uint32_t *choices, bool of_limits, struct text *text);
/* Same for a configuration as text, "TILE=32 PAD=1". False, with nothing appended, if the space lacks the
 * configuration. */
bool space_requirement_of(const struct space *space, const char *configuration, bool of_limits, struct text *text);

/* Appends one expression of the space for a configuration, such as a grid's size, in the same notation. `limits` NULL:
 * limits are names, as above. False, with nothing appended, for floats, words, logarithms and unknown limits (0). */
bool space_expression(const struct space *space, const struct expr *expr, const struct device_limits *limits,
                      const uint32_t *choices, struct text *text);

#endif
