/* A space without a kernel, for evaluators that need none. */
#ifndef CUTUNE_TESTS_EVALUATE_SYNTHETIC_H
#define CUTUNE_TESTS_EVALUATE_SYNTHETIC_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "set/valid_set.h"

static inline struct space *synthetic_space(const char *statements)
{
    struct space *space = NULL;
    struct error error = {0};
    char text[256];
    snprintf(text, sizeof text, "space 2\n%s", statements);
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", text, strlen(text), "", &error), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, &error), 0);
    return space;
}

#endif
