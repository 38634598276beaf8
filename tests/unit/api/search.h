/* A search of a small space by the public API. */
#ifndef CUTUNE_TESTS_API_SEARCH_H
#define CUTUNE_TESTS_API_SEARCH_H

#include <limits.h>
#include <stdio.h>

#include <CUnit/Basic.h>

#include <cutune.h>

static const char *const tiles[] = {"8", "16", "32", "64"}, *const rows[] = {"1", "2", "4", "8", "16"},
                         *const loads[] = {"ca", "cg"};
static const struct cutune_search_parameter parameters[] = {{"TILE", 4, tiles}, {"ROWS", 5, rows}, {"LOAD", 2, loads}};
static const char *const constraints[] = {"TILE % ROWS == 0", "TILE > 16 => LOAD == cg"};
static const struct cutune_search_space small = {
    .parameter_count = 3, .parameters = parameters, .constraint_count = 2, .constraints = constraints};
enum { VALID = 28 };

static inline struct cutune_search *open_search(const struct cutune_search_space *space, const char *strategy,
                                                unsigned long long seed)
{
    struct cutune_search *search = NULL;
    struct cutune_error error = {0};
    if (cutune_search_open(&search, space, strategy, seed, &error))
        printf("%s\n", error.message);
    CU_ASSERT_EQUAL_FATAL(error.code, 0);
    return search;
}

/* Asks for one; ULLONG_MAX: none. */
static inline unsigned long long ask(struct cutune_search *search)
{
    unsigned long long configuration;
    size_t count;
    CU_ASSERT_EQUAL_FATAL(cutune_search_ask(search, &configuration, 1, &count, NULL), 0);
    return count ? configuration : ULLONG_MAX;
}

#endif
