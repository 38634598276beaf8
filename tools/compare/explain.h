/* Output of `cutune explain`. */
#ifndef CUTUNE_COMPARE_EXPLAIN_H
#define CUTUNE_COMPARE_EXPLAIN_H

#include <cjson/cJSON.h>

#include "analyse/explained.h"
#include "base/text.h"

/* What is shown of a run. */
struct explain_shown {
    const struct explained *explained; /* explained_make has been called */
    const char *no_counters;           /* why there are no counters, for people; "" or NULL: not known */
};

/* For people: appends what binds winner and default, and what each parameter changes. */
void explain_text(const struct explain_shown *shown, bool markdown, struct text *text);

/* csv: adds rows of (kernel, device, problem, row, configuration, from, parameters, name, value, share, text) to
 * `rows`. */
void explain_rows(const struct explained *explained, cJSON *rows);

/* json: one object with all evidence. NULL if memory is out. */
cJSON *explain_object(const struct explained *explained);

/* "winner", "default", "winner and default", "neighbour" or "configuration", which was asked for. */
const char *explain_role(const struct explained *explained, size_t configuration);

/* A resource's use for people: "3.95 TB/s"; "" if unknown. */
enum { EXPLAIN_USE_BYTES = 32 };
const char *explain_use(enum resource resource, double use, char buffer[EXPLAIN_USE_BYTES]);

#endif
