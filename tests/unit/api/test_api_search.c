#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include <cutune.h>

static const char *const tiles[] = {"8", "16", "32", "64"}, *const rows[] = {"1", "2", "4", "8", "16"},
                         *const loads[] = {"ca", "cg"};
static const struct cutune_search_parameter parameters[] = {{"TILE", 4, tiles}, {"ROWS", 5, rows}, {"LOAD", 2, loads}};
static const char *const constraints[] = {"TILE % ROWS == 0", "TILE > 16 => LOAD == cg"};
static const struct cutune_search_space small = {
    .parameter_count = 3, .parameters = parameters, .constraint_count = 2, .constraints = constraints};
enum { VALID = 28 };

static struct cutune_search *open_search(const struct cutune_search_space *space, const char *strategy,
                                         unsigned long long seed)
{
    struct cutune_search *search = NULL;
    struct cutune_error error = {0};
    if (cutune_search_open(&search, space, strategy, seed, &error))
        printf("%s\n", error.message);
    CU_ASSERT_EQUAL_FATAL(error.code, 0);
    return search;
}

/* A value with one minimum; every fifth configuration fails. */
static struct cutune_answer answer_of(const struct cutune_search *search, unsigned long long configuration)
{
    unsigned choices[CUTUNE_PARAMETERS_MAX];
    struct cutune_answer answer = {.value = 10, .effort_s = 0.5 + (double)(configuration % 3)};
    cutune_search_choices(search, configuration, choices, NULL);
    for (size_t p = 0; p < cutune_search_parameter_count(search); p++)
        answer.value += ((double)choices[p] - 1) * ((double)choices[p] - 1);
    if (configuration % 5 == 3)
        answer = (struct cutune_answer){.kind = CUTUNE_ANSWER_FAILURE, .cause = 2};
    else if (configuration % 5 == 4)
        answer.kind = CUTUNE_ANSWER_STOPPED;
    return answer;
}

static void tell(struct cutune_search *search, unsigned long long configuration)
{
    const struct cutune_answer answer = answer_of(search, configuration);
    CU_ASSERT_EQUAL_FATAL(cutune_search_tell(search, configuration, &answer, NULL), 0);
}

/* Asks for one; ULLONG_MAX: none. */
static unsigned long long ask(struct cutune_search *search)
{
    unsigned long long configuration;
    size_t count;
    CU_ASSERT_EQUAL_FATAL(cutune_search_ask(search, &configuration, 1, &count, NULL), 0);
    return count ? configuration : ULLONG_MAX;
}

/* ---- The space ---- */

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

/* ---- The dialogue ---- */

static const char *const strategies[] = {"surrogate", "random", "exhaustive", "surrogate:initial=4,candidates=100"};
enum { STRATEGIES = sizeof strategies / sizeof *strategies };

/* Each configuration is proposed once, except those told before, in rooms of several sizes. */
static void proposes_everything_once(void)
{
    for (size_t s = 0; s < STRATEGIES; s++)
        for (size_t room = 1; room <= 70; room += 23) {
            struct cutune_search *search = open_search(&small, strategies[s], 7);
            unsigned times[VALID] = {0};
            unsigned long long configurations[70];
            size_t count, asked = 0;
            tell(search, 2);
            tell(search, 9);
            while (!cutune_search_ask(search, configurations, room, &count, NULL) && count) {
                CU_ASSERT_EQUAL(cutune_search_in_flight(search, NULL, 0), count);
                CU_ASSERT_FATAL(count <= room);
                for (size_t i = 0; i < count; i++) {
                    times[configurations[i]]++;
                    tell(search, configurations[i]);
                }
                asked += count;
            }
            CU_ASSERT_EQUAL(asked, VALID - 2);
            for (size_t c = 0; c < VALID; c++)
                CU_ASSERT_EQUAL(times[c], c != 2 && c != 9);
            CU_ASSERT_EQUAL(cutune_search_in_flight(search, NULL, 0), 0);
            cutune_search_close(search);
        }
}

static void knows_what_is_in_flight(void)
{
    struct cutune_search *search = open_search(&small, "surrogate:initial=6", 7);
    unsigned long long asked[32], listed[32] = {0};
    size_t count = 0, more = 1;
    CU_ASSERT_EQUAL(cutune_search_ask(search, asked, 32, &count, NULL), 0);
    CU_ASSERT_EQUAL(count, 6); /* the opening: the others gain from an answer */
    CU_ASSERT_EQUAL(cutune_search_ask(search, asked + count, 32 - count, &more, NULL), 0);
    CU_ASSERT_EQUAL(more, 0);
    tell(search, asked[1]);
    CU_ASSERT_EQUAL(cutune_search_ask(search, asked + count, 4, &more, NULL), 0);
    CU_ASSERT_EQUAL(more, 4);
    CU_ASSERT_EQUAL(cutune_search_in_flight(search, listed, 32), 9);
    CU_ASSERT_EQUAL(listed[0], asked[0]);
    CU_ASSERT_EQUAL(listed[1], asked[2]);
    CU_ASSERT_EQUAL(listed[8], asked[9]);
    listed[2] = ULLONG_MAX;
    CU_ASSERT_EQUAL(cutune_search_in_flight(search, listed, 2), 9);
    CU_ASSERT_EQUAL(listed[2], ULLONG_MAX);
    cutune_search_close(search);
}

static void depends_on_seed_and_answers_alone(void)
{
    for (size_t s = 0; s < STRATEGIES; s++) {
        struct cutune_search *search = open_search(&small, strategies[s], 3);
        struct cutune_search *same = open_search(&small, strategies[s], 3);
        struct cutune_search *other = open_search(&small, strategies[s], 4);
        size_t differing = 0;
        for (size_t i = 0; i < VALID; i++) {
            unsigned long long configuration = ask(search), others = ask(other);
            CU_ASSERT_EQUAL(ask(same), configuration);
            tell(search, configuration);
            tell(same, configuration);
            tell(other, others);
            differing += others != configuration;
        }
        CU_ASSERT_EQUAL(differing > 0, strcmp(strategies[s], "exhaustive") != 0);
        cutune_search_close(search);
        cutune_search_close(same);
        cutune_search_close(other);
    }
}

static const struct {
    struct cutune_answer answer;
    enum cutune_error_code code;
} answers[] = {
    {{.value = 1}, CUTUNE_OK},
    {{.value = 5e-324}, CUTUNE_OK},
    {{.value = 1.7e308}, CUTUNE_OK},
    {{.value = 1, .effort_s = NAN}, CUTUNE_OK},
    {{.value = 1, .least = -1}, CUTUNE_OK}, /* `least` is of stopped ones */
    {{.kind = CUTUNE_ANSWER_STOPPED, .value = 2, .least = 1}, CUTUNE_OK},
    {{.kind = CUTUNE_ANSWER_STOPPED, .value = 2}, CUTUNE_OK},
    {{.kind = CUTUNE_ANSWER_FAILURE}, CUTUNE_OK},
    {{.kind = CUTUNE_ANSWER_FAILURE, .cause = UINT_MAX, .value = NAN, .effort_s = 3}, CUTUNE_OK},
    {{.value = 0}, CUTUNE_ERROR_VALUE},
    {{.value = -1}, CUTUNE_ERROR_VALUE},
    {{.value = NAN}, CUTUNE_ERROR_VALUE},
    {{.value = INFINITY}, CUTUNE_ERROR_VALUE},
    {{.value = -INFINITY}, CUTUNE_ERROR_VALUE},
    {{.kind = CUTUNE_ANSWER_STOPPED, .value = NAN, .least = 1}, CUTUNE_ERROR_VALUE},
    {{.kind = CUTUNE_ANSWER_STOPPED, .value = 2, .least = NAN}, CUTUNE_ERROR_VALUE},
    {{.kind = CUTUNE_ANSWER_STOPPED, .value = 2, .least = -1}, CUTUNE_ERROR_VALUE},
    {{.value = 1, .effort_s = -1}, CUTUNE_ERROR_VALUE},
    {{.value = 1, .effort_s = INFINITY}, CUTUNE_ERROR_VALUE},
    {{.kind = -1, .value = 1}, CUTUNE_ERROR_USAGE},
    {{.kind = 3, .value = 1}, CUTUNE_ERROR_USAGE},
};

/* A refused answer changes nothing: the configuration stays in flight. */
static void refuses_impossible_answers(void)
{
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        struct cutune_search *search = open_search(&small, NULL, 1);
        unsigned long long configuration = ask(search);
        struct cutune_error error = {0};
        int code = cutune_search_tell(search, configuration, &answers[i].answer, &error);
        if (code != (int)answers[i].code)
            printf("row %zu: %d %s\n", i, code, error.message);
        CU_ASSERT_EQUAL(code, (int)answers[i].code);
        CU_ASSERT_EQUAL(cutune_search_in_flight(search, NULL, 0), code != 0);
        CU_ASSERT_EQUAL(cutune_search_tell(search, configuration, &(struct cutune_answer){.value = 2}, NULL),
                        code ? 0 : CUTUNE_ERROR_USAGE); /* one answer each */
        for (size_t more = 0; more < VALID - 1; more++)
            tell(search, ask(search));
        CU_ASSERT_EQUAL(ask(search), ULLONG_MAX);
        CU_ASSERT_EQUAL(cutune_search_tell(search, VALID, &(struct cutune_answer){.value = 2}, NULL),
                        CUTUNE_ERROR_USAGE);
        cutune_search_close(search);
    }
}

static void finds_the_best(void)
{
    struct cutune_search *search = open_search(&small, NULL, 1);
    unsigned long long configuration = 99;
    double value = 99;
    CU_ASSERT_EQUAL(cutune_search_best(search, &configuration, &value, NULL), CUTUNE_ERROR_NOTHING_VALID);
    cutune_search_tell(search, 4, &(struct cutune_answer){.kind = CUTUNE_ANSWER_FAILURE}, NULL);
    cutune_search_tell(search, 5, &(struct cutune_answer){.kind = CUTUNE_ANSWER_STOPPED, .value = 1}, NULL);
    CU_ASSERT_EQUAL(cutune_search_best(search, &configuration, &value, NULL), CUTUNE_ERROR_NOTHING_VALID);
    CU_ASSERT(configuration == 99 && value == 99);
    cutune_search_tell(search, 8, &(struct cutune_answer){.value = 3}, NULL);
    cutune_search_tell(search, 2, &(struct cutune_answer){.value = 3}, NULL);
    cutune_search_tell(search, 3, &(struct cutune_answer){.value = 4}, NULL);
    CU_ASSERT_EQUAL(cutune_search_best(search, &configuration, &value, NULL), 0);
    CU_ASSERT(configuration == 8 && value == 3);
    CU_ASSERT_EQUAL(cutune_search_best(search, NULL, NULL, NULL), 0);
    cutune_search_close(search);
}

/* It is near the optimum of a large set after few answers: strategy and answers are connected. */
static void learns(void)
{
    static const char *const values[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"};
    struct cutune_search_parameter many[6];
    const char *const names[] = {"A", "B", "C", "D", "E", "F"};
    for (size_t p = 0; p < 6; p++)
        many[p] = (struct cutune_search_parameter){names[p], 10, values};
    const struct cutune_search_space space = {.parameter_count = 6, .parameters = many};
    struct cutune_search *search = open_search(&space, NULL, 1);
    double value = INFINITY;
    CU_ASSERT_EQUAL(cutune_search_count(search), 1000000);
    for (size_t i = 0; i < 150; i++)
        tell(search, ask(search));
    CU_ASSERT_EQUAL(cutune_search_best(search, NULL, &value, NULL), 0);
    CU_ASSERT(value < 13); /* 10 is the least; a uniform draw is below 13 once in 5000 */
    cutune_search_close(search);
}

/* A long search, to the end of its set: each proposal is new, with few and with many in flight. */
static void asks_ten_thousand_times(void)
{
    static const char *const values[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"};
    const struct cutune_search_parameter many[] = {
        {"A", 10, values}, {"B", 10, values}, {"C", 10, values}, {"D", 10, values}};
    const struct cutune_search_space space = {.parameter_count = 4, .parameters = many};
    struct cutune_search *search = open_search(&space, NULL, 1);
    static bool seen[10000];
    unsigned long long flying[8];
    size_t in_flight = 0;
    for (size_t told = 0; told < 10000; told++) {
        size_t count, room = told % 500 ? 1 : 8 - in_flight;
        CU_ASSERT_EQUAL_FATAL(cutune_search_ask(search, flying + in_flight, room, &count, NULL), 0);
        for (size_t i = in_flight; i < in_flight + count; i++) {
            CU_ASSERT_FATAL(flying[i] < 10000 && !seen[flying[i]]);
            seen[flying[i]] = true;
        }
        in_flight += count;
        CU_ASSERT_FATAL(in_flight > 0);
        size_t ended = told % in_flight;
        tell(search, flying[ended]);
        flying[ended] = flying[--in_flight];
    }
    CU_ASSERT_EQUAL(ask(search), ULLONG_MAX);
    cutune_search_close(search);
}

/* ---- Saving ---- */

static void restores_what_was_saved(void)
{
    char folder[] = "/tmp/cutune-search-XXXXXX", path[64];
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/search.txt", folder);
    struct cutune_search_space spaces[] = {small, small};
    spaces[1].default_ = "TILE=16 ROWS=4 LOAD=ca";
    for (size_t row = 0; row < STRATEGIES * 2 * (VALID + 1); row++) {
        const struct cutune_search_space *space = &spaces[row % 2];
        const char *strategy = strategies[row / 2 % STRATEGIES];
        size_t before = row / 2 / STRATEGIES;
        struct cutune_search *saved = open_search(space, strategy, 5), *restored = NULL;
        unsigned long long flying[VALID], again[VALID];
        size_t in_flight = 0, count;
        int same = -1;
        if (before % 3 == 1)
            tell(saved, 6);                            /* not asked for */
        for (size_t told = 0; told < before; told++) { /* three in flight, answered last first */
            CU_ASSERT_EQUAL_FATAL(cutune_search_ask(saved, flying + in_flight, 3 - in_flight, &count, NULL), 0);
            in_flight += count;
            if (in_flight)
                tell(saved, flying[--in_flight]);
        }
        CU_ASSERT_EQUAL_FATAL(cutune_search_save(saved, path, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(cutune_search_restore(&restored, space, path, &same, NULL), 0);
        CU_ASSERT_EQUAL(same, 1);
        double value = 0, restored_value = 0;
        unsigned long long best = 1, restored_best = 2;
        CU_ASSERT_EQUAL(cutune_search_best(saved, &best, &value, NULL),
                        cutune_search_best(restored, &restored_best, &restored_value, NULL));
        CU_ASSERT(value == restored_value && (value == 0 || best == restored_best));
        CU_ASSERT_EQUAL(cutune_search_in_flight(restored, again, VALID), in_flight);
        CU_ASSERT_EQUAL(cutune_search_in_flight(saved, flying, VALID), in_flight);
        CU_ASSERT_EQUAL(memcmp(again, flying, in_flight * sizeof *again), 0);
        for (size_t i = 0; i < in_flight; i++) {
            tell(saved, flying[i]);
            tell(restored, flying[i]);
        }
        for (unsigned long long next = 0; next != ULLONG_MAX;) {
            next = ask(saved);
            CU_ASSERT_EQUAL(ask(restored), next);
            if (next != ULLONG_MAX) {
                tell(saved, next);
                tell(restored, next);
            }
        }
        cutune_search_close(saved);
        cutune_search_close(restored);
    }
    CU_ASSERT_EQUAL(unlink(path), 0);
    CU_ASSERT_EQUAL(rmdir(folder), 0);
}

static void refuses_other_files(void)
{
    struct cutune_search *search = open_search(&small, NULL, 1), *restored = (struct cutune_search *)&search;
    struct cutune_error error = {0};
    CU_ASSERT_EQUAL(cutune_search_save(search, "/nowhere/search.txt", &error), CUTUNE_ERROR_IO);
    CU_ASSERT_EQUAL(cutune_search_restore(&restored, &small, "/nowhere/search.txt", NULL, &error),
                    CUTUNE_ERROR_NOT_FOUND);
    CU_ASSERT_PTR_NULL(restored);
    CU_ASSERT_EQUAL(cutune_search_restore(&restored, &small, SOURCE_FOLDER, NULL, &error), CUTUNE_ERROR_IO);
    CU_ASSERT_EQUAL(cutune_search_restore(&restored, &small, SOURCE_FOLDER "/LICENSE", NULL, &error),
                    CUTUNE_ERROR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.source, "LICENSE"));
    cutune_search_close(search);
}

static void null_is_an_error(void)
{
    struct cutune_search *search = open_search(&small, NULL, 1), *none = NULL;
    const struct cutune_answer answer = {.value = 1};
    unsigned long long configuration;
    size_t count;
    char text[8];
    const int codes[] = {cutune_search_open(NULL, &small, NULL, 1, NULL),
                         cutune_search_open(&none, NULL, NULL, 1, NULL),
                         cutune_search_choices(NULL, 0, (unsigned[3]){0}, NULL),
                         cutune_search_choices(search, 0, NULL, NULL),
                         cutune_search_text(NULL, 0, text, 8, NULL),
                         cutune_search_text(search, 0, NULL, 8, NULL),
                         cutune_search_find(NULL, "", &configuration, NULL),
                         cutune_search_find(search, NULL, &configuration, NULL),
                         cutune_search_find(search, "", NULL, NULL),
                         cutune_search_find_choices(NULL, (unsigned[3]){0}, &configuration, NULL),
                         cutune_search_find_choices(search, NULL, &configuration, NULL),
                         cutune_search_find_choices(search, (unsigned[3]){0}, NULL, NULL),
                         cutune_search_ask(NULL, &configuration, 1, &count, NULL),
                         cutune_search_ask(search, NULL, 1, &count, NULL),
                         cutune_search_ask(search, &configuration, 1, NULL, NULL),
                         cutune_search_tell(NULL, 0, &answer, NULL),
                         cutune_search_tell(search, 0, NULL, NULL),
                         cutune_search_best(NULL, &configuration, NULL, NULL),
                         cutune_search_save(NULL, "x", NULL),
                         cutune_search_save(search, NULL, NULL),
                         cutune_search_restore(NULL, &small, "x", NULL, NULL),
                         cutune_search_restore(&none, NULL, "x", NULL, NULL),
                         cutune_search_restore(&none, &small, NULL, NULL, NULL)};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        CU_ASSERT_EQUAL(codes[i], CUTUNE_ERROR_USAGE);
    CU_ASSERT_EQUAL(cutune_search_count(NULL), 0);
    CU_ASSERT_EQUAL(cutune_search_parameter_count(NULL), 0);
    CU_ASSERT_EQUAL(cutune_search_in_flight(NULL, NULL, 0), 0);
    CU_ASSERT_PTR_NULL(cutune_search_parameter(NULL, 0));
    CU_ASSERT_PTR_NULL(cutune_search_value(NULL, 0, 0));
    cutune_search_close(NULL);
    cutune_search_close(search);
}

CU_TestInfo tests_api_search[] = {
    {"names configurations", names_configurations},
    {"lists valid configurations", lists_valid_configurations},
    {"opens a space file", opens_a_space_file},
    {"applies the limits of a device", applies_the_limits_of_a_device},
    {"refuses other spaces", refuses_other_spaces},
    {"says why a configuration is not valid", says_why_a_configuration_is_not_valid},
    {"proposes everything once", proposes_everything_once},
    {"knows what is in flight", knows_what_is_in_flight},
    {"depends on seed and answers alone", depends_on_seed_and_answers_alone},
    {"refuses impossible answers", refuses_impossible_answers},
    {"finds the best", finds_the_best},
    {"learns", learns},
    {"asks ten thousand times", asks_ten_thousand_times},
    {"restores what was saved", restores_what_was_saved},
    {"refuses other files", refuses_other_files},
    {"NULL is an error", null_is_an_error},
    CU_TEST_INFO_NULL,
};
