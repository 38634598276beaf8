#include <stdio.h>
#include <string.h>

#include "search.h"

static void names_configurations(void)
{
    struct cutune_search *search = open_search(&small, NULL, 1);
    unsigned long long seen = 0;
    CU_ASSERT_EQUAL(cutune_search_count(search), VALID);
    CU_ASSERT_EQUAL(cutune_search_parameter_count(search), 3);
    CU_ASSERT_STRING_EQUAL(cutune_search_parameter(search, 1), "ROWS");
    CU_ASSERT_STRING_EQUAL(cutune_search_value(search, 2, 1), "cg");
    CU_ASSERT_PTR_NULL(cutune_search_parameter(search, 3));
    CU_ASSERT_PTR_NULL(cutune_search_value(search, 2, 2));
    for (unsigned long long c = 0; c < VALID; c++) {
        char text[64], expected[64];
        unsigned choices[3];
        unsigned long long by_text = ULLONG_MAX, by_choices = ULLONG_MAX;
        CU_ASSERT_EQUAL_FATAL(cutune_search_choices(search, c, choices, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(cutune_search_text(search, c, text, sizeof text, NULL), 0);
        snprintf(expected, sizeof expected, "TILE=%s ROWS=%s LOAD=%s", tiles[choices[0]], rows[choices[1]],
                 loads[choices[2]]);
        CU_ASSERT_STRING_EQUAL(text, expected);
        CU_ASSERT_EQUAL(cutune_search_find(search, text, &by_text, NULL), 0);
        CU_ASSERT_EQUAL(cutune_search_find_choices(search, choices, &by_choices, NULL), 0);
        CU_ASSERT(by_text == c && by_choices == c);
        CU_ASSERT_EQUAL(cutune_search_text(search, c, text, strlen(expected), NULL), CUTUNE_ERROR_VALUE);
        seen |= 1ULL << (choices[0] * 10 + choices[1] * 2 + choices[2]);
    }
    CU_ASSERT_EQUAL(__builtin_popcountll(seen), VALID);
    CU_ASSERT_EQUAL(cutune_search_choices(search, VALID, (unsigned[3]){0}, NULL), CUTUNE_ERROR_USAGE);
    cutune_search_close(search);
}

static void lists_valid_configurations(void)
{
    static const unsigned listed[] = {0, 0, 1, /**/ 3, 4, 0, /**/ 2, 1, 1, /**/ 0, 0, 1};
    const struct cutune_search_space space = {.parameter_count = 3,
                                              .parameters = parameters,
                                              .configuration_count = 4,
                                              .configurations = listed,
                                              .default_ = "LOAD=cg TILE=32 ROWS=2"};
    struct cutune_search *search = open_search(&space, "random", 1);
    unsigned long long configuration;
    char text[64];
    CU_ASSERT_EQUAL(cutune_search_count(search), 3);
    CU_ASSERT_EQUAL(cutune_search_find_choices(search, listed + 3, &configuration, NULL), 0);
    CU_ASSERT_EQUAL(cutune_search_text(search, ask(search), text, sizeof text, NULL), 0);
    CU_ASSERT_STRING_EQUAL(text, "TILE=32 ROWS=2 LOAD=cg"); /* the default is first */
    cutune_search_close(search);
}

static void opens_a_space_file(void)
{
    const struct cutune_search_space space = {.path = SOURCE_FOLDER "/templates/transpose.space",
                                              .problem = "ROWS=4096"};
    const struct cutune_search_space odd = {.path = space.path, .problem = "ROWS=4095"};
    struct cutune_search *search = open_search(&space, NULL, 1), *fewer = open_search(&odd, NULL, 1);
    char text[256];
    CU_ASSERT_EQUAL(cutune_search_text(search, ask(search), text, sizeof text, NULL), 0);
    CU_ASSERT_STRING_EQUAL(text, "TILE=32 BLOCK_ROWS=8 PAD=1 SWIZZLE=0 VEC=1 UNROLL=1 SWAP_GRID=0");
    CU_ASSERT(cutune_search_count(fewer) > 0);
    CU_ASSERT(cutune_search_count(fewer) < cutune_search_count(search)); /* VEC divides ROWS */
    cutune_search_close(search);
    cutune_search_close(fewer);
}

/* Constraints on limits of a device count if it has limits. */
static void applies_the_limits_of_a_device(void)
{
    static const char *const limited[] = {"TILE * ROWS <= max_threads"};
    struct cutune_device *device = cutune_device_new("any", 90, 132, 62914560);
    struct cutune_search_space space = {.parameter_count = 3,
                                        .parameters = parameters,
                                        .constraint_count = 1,
                                        .constraints = limited,
                                        .device = device};
    struct cutune_search *all = open_search(&space, NULL, 1);
    CU_ASSERT_EQUAL(cutune_search_count(all), 40);
    CU_ASSERT_EQUAL(cutune_device_set(device, "max_threads", 128, NULL), 0);
    struct cutune_search *few = open_search(&space, NULL, 1);
    CU_ASSERT_EQUAL(cutune_search_count(few), 28);
    cutune_search_close(all);
    cutune_search_close(few);
    cutune_device_free(device);
}

static const struct {
    struct cutune_search_space space;
    const char *strategy;
    enum cutune_error_code code;
    const char *message;
    int line;
} bad_spaces[] = {
    {{0}, NULL, CUTUNE_ERROR_USAGE, "a search needs a space file or parameters", 0},
    {{.path = "x.space", .parameter_count = 3, .parameters = parameters}, NULL, CUTUNE_ERROR_USAGE, "not both", 0},
    {{.path = "/nowhere/x.space"}, NULL, CUTUNE_ERROR_NOT_FOUND, "x.space", 0},
    {{.path = "x.space", .default_ = "TILE=8"}, NULL, CUTUNE_ERROR_USAGE, "has its own", 0},
    {{.parameter_count = 65, .parameters = parameters}, NULL, CUTUNE_ERROR_USAGE, "65 parameters are more than 64", 0},
    {{.parameter_count = 3}, NULL, CUTUNE_ERROR_USAGE, "is NULL", 0},
    {{.parameter_count = 3, .parameters = parameters, .problem = "N=1"}, NULL, CUTUNE_ERROR_USAGE, "sizes", 0},
    {{.parameter_count = 1, .parameters = (struct cutune_search_parameter[]){{"8X", 4, tiles}}},
     NULL,
     CUTUNE_ERROR_USAGE,
     "'8X'",
     0},
    {{.parameter_count = 1, .parameters = (struct cutune_search_parameter[]){{NULL, 4, tiles}}},
     NULL,
     CUTUNE_ERROR_USAGE,
     "identifier",
     0},
    {{.parameter_count = 1, .parameters = (struct cutune_search_parameter[]){{"X", 0, NULL}}},
     NULL,
     CUTUNE_ERROR_SYNTAX,
     "",
     2},
    {{.parameter_count = 1, .parameters = (struct cutune_search_parameter[]){{"X", 1, NULL}}},
     NULL,
     CUTUNE_ERROR_VALUE,
     "value 1 of 'X'",
     0},
    {{.parameter_count = 1, .parameters = (struct cutune_search_parameter[]){{"X", 1, (const char *[]){"1..4"}}}},
     NULL,
     CUTUNE_ERROR_VALUE,
     "'1..4'",
     0},
    {{.parameter_count = 1,
      .parameters = (struct cutune_search_parameter[]){{"X", 1, (const char *[]){"1\nparam Y = 2"}}}},
     NULL,
     CUTUNE_ERROR_VALUE,
     "value 1 of 'X'",
     0},
    {{.parameter_count = 1, .parameters = (struct cutune_search_parameter[]){{"X", 2, (const char *[]){"1", "1.0"}}}},
     NULL,
     CUTUNE_ERROR_SYNTAX,
     "",
     2},
    {{.parameter_count = 2, .parameters = (struct cutune_search_parameter[]){{"X", 4, tiles}, {"X", 4, tiles}}},
     NULL,
     CUTUNE_ERROR_SYNTAX,
     "X",
     3},
    {{.parameter_count = 3,
      .parameters = parameters,
      .constraint_count = 2,
      .constraints = (const char *[]){"TILE > 8", "TIEL > ROWS"}},
     NULL,
     CUTUNE_ERROR_SYNTAX,
     "TIEL",
     6},
    {{.parameter_count = 3, .parameters = parameters, .constraint_count = 1, .constraints = (const char *[]){NULL}},
     NULL,
     CUTUNE_ERROR_SYNTAX,
     "",
     5},
    {{.parameter_count = 3,
      .parameters = parameters,
      .constraint_count = 1,
      .constraints = (const char *[]){"TILE > 8\nrequire ROWS > 1"}},
     NULL,
     CUTUNE_ERROR_USAGE,
     "character 10",
     0},
    {{.parameter_count = 3,
      .parameters = parameters,
      .constraint_count = 1,
      .constraints = (const char *[]){"TILE < 0"}},
     NULL,
     CUTUNE_ERROR_NOTHING_VALID,
     "no configuration",
     0},
    {{.parameter_count = 3,
      .parameters = parameters,
      .constraint_count = 2,
      .constraints = constraints,
      .configuration_count = 1,
      .configurations = (unsigned[3]){0}},
     NULL,
     CUTUNE_ERROR_USAGE,
     "not both",
     0},
    {{.parameter_count = 3,
      .parameters = parameters,
      .configuration_count = 1,
      .configurations = (unsigned[3]){0, 5, 0}},
     NULL,
     CUTUNE_ERROR_USAGE,
     "choice 5 of 'ROWS'",
     0},
    {{.parameter_count = 3,
      .parameters = parameters,
      .constraint_count = 2,
      .constraints = constraints,
      .default_ = "TILE=64 ROWS=1 LOAD=ca"},
     NULL,
     CUTUNE_ERROR_NOTHING_VALID,
     "the default",
     0},
    {{.parameter_count = 3, .parameters = parameters, .default_ = "TILE=7 ROWS=1 LOAD=ca"},
     NULL,
     CUTUNE_ERROR_SYNTAX,
     "TILE has no such value",
     5},
    {{.parameter_count = 3, .parameters = parameters}, "anneal", CUTUNE_ERROR_USAGE, "anneal", 0},
    {{.parameter_count = 3, .parameters = parameters}, "surrogate:initial=x", CUTUNE_ERROR_USAGE, "initial", 0},
};

static void refuses_other_spaces(void)
{
    for (size_t i = 0; i < sizeof bad_spaces / sizeof *bad_spaces; i++) {
        struct cutune_search *search = (struct cutune_search *)&search;
        struct cutune_error error = {0};
        int code = cutune_search_open(&search, &bad_spaces[i].space, bad_spaces[i].strategy, 1, &error);
        if (code != (int)bad_spaces[i].code || !strstr(error.message, bad_spaces[i].message) ||
            error.line != bad_spaces[i].line)
            printf("row %zu: %d %s:%d: %s\n", i, code, error.source, error.line, error.message);
        CU_ASSERT_EQUAL(code, (int)bad_spaces[i].code);
        CU_ASSERT_EQUAL(error.code, code);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, bad_spaces[i].message));
        CU_ASSERT_EQUAL(error.line, bad_spaces[i].line);
        CU_ASSERT_PTR_NULL(search);
    }
}

static const struct {
    const char *text;
    enum cutune_error_code code;
    const char *message;
} members[] = {
    {"TILE=64 ROWS=16 LOAD=cg", CUTUNE_OK, ""},
    {"LOAD=cg ROWS=16 TILE=64", CUTUNE_OK, ""},
    {"TILE=64 ROWS=16 LOAD=ca", CUTUNE_ERROR_NOTHING_VALID, "TILE > 16 => LOAD == cg does not hold"},
    {"TILE=8 ROWS=16 LOAD=ca", CUTUNE_ERROR_NOTHING_VALID, "TILE % ROWS == 0 does not hold"},
    {"TILE=7 ROWS=1 LOAD=ca", CUTUNE_ERROR_DATA, "TILE"},
    {"TILE=8 ROWS=1", CUTUNE_ERROR_DATA, "LOAD"},
    {"TILE=8 ROWS=1 LOAD=ca PAD=1", CUTUNE_ERROR_DATA, "PAD"},
    {"", CUTUNE_ERROR_DATA, ""},
};

static void says_why_a_configuration_is_not_valid(void)
{
    struct cutune_search *search = open_search(&small, NULL, 1);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        unsigned long long configuration = ULLONG_MAX;
        struct cutune_error error = {0};
        int code = cutune_search_find(search, members[i].text, &configuration, &error);
        if (code != (int)members[i].code || !strstr(error.message, members[i].message))
            printf("row %zu: %d %s\n", i, code, error.message);
        CU_ASSERT_EQUAL(code, (int)members[i].code);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, members[i].message));
        CU_ASSERT_EQUAL(configuration == ULLONG_MAX, code != 0);
    }
    CU_ASSERT_EQUAL(cutune_search_find_choices(search, (unsigned[3]){0, 5, 0}, &(unsigned long long){0}, NULL),
                    CUTUNE_ERROR_DATA);
    CU_ASSERT_EQUAL(cutune_search_find_choices(search, (unsigned[3]){3, 0, 0}, &(unsigned long long){0}, NULL),
                    CUTUNE_ERROR_NOTHING_VALID);
    cutune_search_close(search);
}

CU_TestInfo tests_api_search_space[] = {
    {"names configurations", names_configurations},
    {"lists valid configurations", lists_valid_configurations},
    {"opens a space file", opens_a_space_file},
    {"applies the limits of a device", applies_the_limits_of_a_device},
    {"refuses other spaces", refuses_other_spaces},
    {"says why a configuration is not valid", says_why_a_configuration_is_not_valid},
    CU_TEST_INFO_NULL,
};
