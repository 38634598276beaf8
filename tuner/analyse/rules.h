/* The rules: the faults shown by a difference between two launches, and their costs. rules.def lists them. */
#ifndef CUTUNE_ANALYSE_RULES_H
#define CUTUNE_ANALYSE_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/evidence.h"

enum cause {
#define RULE(id, ...) CAUSE_##id,
#include "analyse/rules.def"
#undef RULE
    CAUSE_COUNT
};

enum rule_kind { RULE_PIPELINE, RULE_ACCESS, RULE_SHAPE, RULE_ORDER };
enum rule_unit { RULE_COUNT, RULE_BYTES, RULE_TIME, RULE_SHARE, RULE_RATIO, RULE_FLAG };

/* A number shown of both launches. */
struct rule_shown {
    const char *what;
    enum rule_unit unit;
    double (*of)(const struct evidence *e);
};

/* The slower and the faster launch. */
struct rule_pair {
    const struct evidence *slow, *fast;
};

struct rule {
    const char *id, *title, *gone, *source;
    enum rule_kind kind;
    double threshold;
    struct rule_shown counters, code; /* with measurements, and with static evidence alone */
    /* Return the share of the slow launch's time that the fault costs, 0..1; 0: the rule does not apply. NULL: unknown
     * from static evidence. */
    double (*by_counters)(const struct rule_pair *pair, double threshold);
    double (*by_code)(const struct rule_pair *pair, double threshold);
};

extern const struct rule rule_rows[CAUSE_COUNT];
/* Returns the row of an id; NULL: unknown id. */
const struct rule *rule_find(const char *id);

/* Returns the strength of one cause; 0 if its rule does not apply or its evidence is unknown. `counted`: use the
 * hardware counters of both launches, or the stages of both pipelines; otherwise static evidence. */
double rule_strength(const struct rule *rule, const struct rule_pair *pair, bool counted);

#endif
