#include "analyse/rules.h"

#include <math.h>
#include <string.h>

#include "analyse/launch_numbers.h"
#include "analyse/rule_functions.h"

/* Returns the bytes of a load: the mean in the hottest loop, else in the code. */
static double load_bytes(const struct evidence *e)
{
    double loop =
        (e->loop_global_load_bytes + e->loop_shared_load_bytes) / (e->loop_global_loads + e->loop_shared_loads);
    double code =
        (e->code_global_load_bytes + e->code_shared_load_bytes) / (e->code_global_loads + e->code_shared_loads);
    return isnan(loop) ? code : loop;
}

/* Limits the used bytes to a sector: threads that read the same place use it more than once. */
static double used_bytes(double bytes)
{
    return bytes > 32 ? 32 : bytes;
}

#define RULE(id, kind, decided, threshold, title, gone, what, unit, of, code_what, code_unit, code_of, source)         \
    static double id##_shown(const struct evidence *e)                                                                 \
    {                                                                                                                  \
        return of;                                                                                                     \
    }                                                                                                                  \
    static double id##_code_shown(const struct evidence *e)                                                            \
    {                                                                                                                  \
        (void)e;                                                                                                       \
        return code_of;                                                                                                \
    }
#include "analyse/rules.def"
#undef RULE

#define CODE(id)     rule_##id##_code
#define COUNTERS(id) NULL

const struct rule rule_rows[CAUSE_COUNT] = {
#define RULE(id, kind, decided, threshold, title, gone, what, unit, of, code_what, code_unit, code_of, source)         \
    {#id,                                                                                                              \
     title,                                                                                                            \
     gone,                                                                                                             \
     source,                                                                                                           \
     RULE_##kind,                                                                                                      \
     threshold,                                                                                                        \
     {what, RULE_##unit, id##_shown},                                                                                  \
     {code_what, RULE_##code_unit, id##_code_shown},                                                                   \
     rule_##id##_counters,                                                                                             \
     decided(id)},
#include "analyse/rules.def"
#undef RULE
};

const struct rule *rule_find(const char *id)
{
    for (size_t i = 0; i < CAUSE_COUNT; i++)
        if (strcmp(rule_rows[i].id, id) == 0)
            return &rule_rows[i];
    return NULL;
}

double rule_strength(const struct rule *rule, const struct rule_pair *pair, bool counted)
{
    double (*of)(const struct rule_pair *, double) = counted ? rule->by_counters : rule->by_code;
    double strength = of ? of(pair, rule->threshold) : 0;
    return strength > 0 ? strength : 0;
}
