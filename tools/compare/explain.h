/* Output of `cutune explain`. */
#ifndef CUTUNE_COMPARE_EXPLAIN_H
#define CUTUNE_COMPARE_EXPLAIN_H

#include <cjson/cJSON.h>

#include "analyse/explain_input.h"
#include "base/text.h"

/* Shown data of a run. */
struct explain_shown {
    const struct explain_input *explained; /* filled by explain_input_make */
    const char *no_counters;               /* reason for missing counters, for people; "" or NULL: unknown */
};

/* Appends the bottlenecks of winner and default, and the effect of each parameter, for people. */
void explain_text(const struct explain_shown *shown, bool markdown, struct text *text);

/* csv: adds rows of (kernel, device, problem, row, configuration, from, parameters, name, value, share, text) to
 * `rows`. */
void explain_rows(const struct explain_input *explained, cJSON *rows);

/* json: one object with all evidence. NULL when out of memory. */
cJSON *explain_object(const struct explain_input *explained);

/* Returns "winner", "default", "winner and default", "neighbour" or, for a requested one, "configuration". */
const char *explain_role(const struct explain_input *explained, size_t configuration);

/* Formats a resource's use for people: "3.95 TB/s"; "" if unknown. */
enum { EXPLAIN_USE_BYTES = 32 };
const char *explain_use(enum resource resource, double use, char buffer[EXPLAIN_USE_BYTES]);

#endif
