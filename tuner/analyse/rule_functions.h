/* The functions of rules.def; rules.h describes their results. */
#ifndef CUTUNE_ANALYSE_RULE_FUNCTIONS_H
#define CUTUNE_ANALYSE_RULE_FUNCTIONS_H

#include "analyse/rules.h"

#define RULE(id, ...)                                                                                                  \
    double rule_##id##_counters(const struct rule_pair *pair, double threshold);                                       \
    double rule_##id##_code(const struct rule_pair *pair, double threshold);
#include "analyse/rules.def"
#undef RULE

/* Strength of a fault that static evidence shows without its cost. */
static const double rule_code_strength = 0.5;

#endif
