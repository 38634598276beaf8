#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "search.h"

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
    CU_ASSERT(value < 13); /* 10 is the least; a uniform draw is below 13 once in 13,700 */
    cutune_search_close(search);
}

enum { SEARCHES = 6, ASKS = 100, ASKS_MAX = 300 };

/* Asks so often, with few and with many in flight; each proposal is new. */
static void ask_often(const struct cutune_search_space *space, unsigned long long seed, size_t asks)
{
    struct cutune_search *search = open_search(space, NULL, seed);
    unsigned long long seen[ASKS_MAX + 8], flying[8];
    size_t in_flight = 0, asked = 0;
    for (size_t told = 0; told < asks; told++) {
        size_t count, room = told % 50 ? 1 : 8 - in_flight;
        CU_ASSERT_EQUAL_FATAL(cutune_search_ask(search, flying + in_flight, room, &count, NULL), 0);
        for (size_t i = in_flight; i < in_flight + count; i++) {
            bool is_new = true;
            for (size_t k = 0; k < asked; k++)
                is_new &= seen[k] != flying[i];
            CU_ASSERT_FATAL(is_new);
            CU_ASSERT_FATAL(flying[i] < cutune_search_count(search));
            seen[asked++] = flying[i];
        }
        in_flight += count;
        CU_ASSERT_FATAL(in_flight > 0);
        size_t ended = told % in_flight;
        tell(search, flying[ended]);
        flying[ended] = flying[--in_flight];
    }
    cutune_search_close(search);
}

static void asks_on_and_on(void)
{
    static const char *const names[] = {"A", "B", "C", "D", "E", "F", "G", "H", "I"};
    static const char *const values[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"};
    struct cutune_search_parameter many[9];
    for (size_t p = 0; p < 9; p++)
        many[p] = (struct cutune_search_parameter){names[p], 10, values};
    for (unsigned long long seed = 0; seed < SEARCHES; seed++) {
        const struct cutune_search_space space = {.parameter_count = seed % 2 ? 9 : 4, .parameters = many};
        ask_often(&space, seed, seed ? ASKS : ASKS_MAX);
    }
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
    {"proposes everything once", proposes_everything_once},
    {"knows what is in flight", knows_what_is_in_flight},
    {"depends on seed and answers alone", depends_on_seed_and_answers_alone},
    {"refuses impossible answers", refuses_impossible_answers},
    {"finds the best", finds_the_best},
    {"learns", learns},
    {"asks on and on", asks_on_and_on},
    {"restores what was saved", restores_what_was_saved},
    {"refuses other files", refuses_other_files},
    {"NULL is an error", null_is_an_error},
    CU_TEST_INFO_NULL,
};
