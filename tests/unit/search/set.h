/* A valid set of a few parameters, as passed to a strategy. */
#ifndef CUTUNE_TESTS_SEARCH_SET_H
#define CUTUNE_TESTS_SEARCH_SET_H

#include <string.h>

#include <CUnit/Basic.h>

#include "search/strategy.h"

/* Parses "space 2" and the statements. Close with set_close. */
static inline struct strategy_setup set_open(const char *statements, uint64_t seed)
{
    struct error error = {0};
    struct space *space = NULL;
    struct valid_set *set = NULL;
    char text[512] = "space 2\n";
    strcat(text, statements);
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", text, strlen(text), "", &error), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, space, VALID_SET_DEFAULT_BYTES, &error), 0);
    return (struct strategy_setup){.space = space, .set = set, .seed = seed};
}

static inline void set_close(struct strategy_setup *setup)
{
    valid_set_free((struct valid_set *)setup->set);
    space_free((struct space *)setup->space);
}

/* Number of parameters in which two configurations differ. */
static inline size_t set_differences(const struct valid_set *set, uint64_t a, uint64_t b)
{
    uint32_t one[SPACE_PARAMETERS_MAX], other[SPACE_PARAMETERS_MAX];
    size_t count = 0;
    valid_set_get(set, a, one);
    valid_set_get(set, b, other);
    for (size_t p = 0; p < valid_set_parameter_count(set); p++)
        count += one[p] != other[p];
    return count;
}

#endif
