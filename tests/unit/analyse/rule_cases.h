/* Cases of rules: two launches and the strength of a cause. */
#ifndef CUTUNE_TESTS_RULE_CASES_H
#define CUTUNE_TESTS_RULE_CASES_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "analyse/rules.h"
#include "base/error.h"

static inline struct evidence parse(const char *common, const char *own)
{
    char text[2048];
    struct evidence evidence = evidence_unknown();
    struct error error = {0};
    CU_ASSERT_FATAL(snprintf(text, sizeof text, "%s %s", common, own) < (int)sizeof text);
    CU_ASSERT_EQUAL_FATAL(evidence_parse(text, &evidence, &error), 0);
    return evidence;
}

struct strength_case {
    const char *id, *common, *slow, *fast;
    double strength; /* 0: the rule does not apply */
};

static inline void check_strengths(const struct strength_case *cases, size_t count, bool counted)
{
    for (size_t i = 0; i < count; i++) {
        const struct rule *rule = NULL;
        for (size_t r = 0; r < CAUSE_COUNT; r++)
            if (strcmp(rule_rows[r].id, cases[i].id) == 0)
                rule = &rule_rows[r];
        CU_ASSERT_PTR_NOT_NULL_FATAL(rule);
        const struct evidence slow = parse(cases[i].common, cases[i].slow),
                              fast = parse(cases[i].common, cases[i].fast);
        double strength = rule_strength(rule, &(struct rule_pair){&slow, &fast}, counted);
        if (!(fabs(strength - cases[i].strength) < 0.005))
            printf("\n    %s, case %zu: %g instead of %g\n", cases[i].id, i, strength, cases[i].strength);
        CU_ASSERT_DOUBLE_EQUAL(strength, cases[i].strength, 0.005);
    }
}

#endif
