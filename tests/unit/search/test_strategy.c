#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "search/strategy.h"

static const char text[] = "space 2\nkernel k \"k.cu\"\nproblem N = 64\n"
                           "param A = 1..20\nparam B = 1, 2, 4, 8\nparam C = x, y\nrequire A % B == 0\n"
                           "buffer out float[N] output\nargs out\nblock 32\ngrid 1\n"
                           "reference r block 32 grid 1\ndefault A=4 B=2 C=x\n";

static struct valid_set *open_set(struct space **space)
{
    struct error error = {0};
    struct valid_set *set = NULL;
    CU_ASSERT_EQUAL_FATAL(space_parse_text(space, "t.space", text, strlen(text), "A B C", &error), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(*space, NULL, 0, NULL, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, *space, VALID_SET_DEFAULT_BYTES, &error), 0);
    return set;
}

/* A cost with one minimum; every fifth configuration fails. */
static struct cost cost_of(const struct valid_set *set, uint64_t config)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    double value = 100;
    valid_set_get(set, config, choices);
    for (size_t p = 0; p < valid_set_parameter_count(set); p++)
        value += (choices[p] - 1.0) * (choices[p] - 1.0);
    return (struct cost){.ok = config % 5 != 3, .censored = config % 7 == 2, .value = value};
}

enum answers { AT_ONCE, LATE_REVERSED, ALL_FAILED, ANSWERS };

/* Runs a strategy to its end in batches of `room`; returns the number of proposals and counts each configuration. LATE:
 * answers a batch in reverse, after the next one was proposed. First passes `known` configurations. */
static size_t drain(const char *name, const struct space *space, const struct valid_set *set, uint64_t seed,
                    size_t room, enum answers answers, size_t known, uint64_t *order, unsigned *times)
{
    struct error error = {0};
    struct strategy_choice choice = {0};
    uint64_t configs[64], late[64];
    size_t total = 0, count = 0, late_count = 0, in_flight = 0;
    CU_ASSERT_EQUAL_FATAL(strategy_choose(&choice, name, &error), 0);
    const struct strategy_ops *ops = choice.ops;
    void *state = calloc(1, ops->state_size);
    struct strategy_setup setup = {.space = space, .set = set, .seed = seed, .options = choice.options};
    CU_ASSERT_EQUAL_FATAL(ops->start(state, &setup, &error), 0);
    for (uint64_t i = 0; i < known; i++) {
        struct cost cost = cost_of(set, 2 * i);
        ops->tell(state, 2 * i, &cost);
    }
    do {
        CU_ASSERT_EQUAL_FATAL(ops->ask(state, configs, room, &count, &error), 0);
        in_flight = late_count;
        for (size_t i = 0; i < count; i++) {
            CU_ASSERT_FATAL(configs[i] < valid_set_count(set));
            times[configs[i]]++;
            if (total < valid_set_count(set))
                order[total] = configs[i];
            total++;
        }
        for (size_t i = late_count; i-- > 0 && ops->tell;) {
            struct cost cost = cost_of(set, late[i]);
            cost.ok = cost.ok && answers != ALL_FAILED;
            ops->tell(state, late[i], &cost);
        }
        late_count = 0;
        for (size_t i = 0; i < count; i++) {
            struct cost cost = cost_of(set, configs[i]);
            cost.ok = cost.ok && answers != ALL_FAILED;
            if (answers == LATE_REVERSED)
                late[late_count++] = configs[i];
            else if (ops->tell)
                ops->tell(state, configs[i], &cost);
        }
    } while (count || in_flight);
    if (ops->stop)
        ops->stop(state);
    free(state);
    strategy_choice_free(&choice);
    return total;
}

static const struct {
    const char *name;
    bool all; /* continues without outcomes: ignores known ones */
} runs[] = {{"exhaustive", true},
            {"random", false},
            {"surrogate", false},
            {"surrogate:candidates=100", false},
            {"surrogate:initial=1", false}};
enum { RUNS = sizeof runs / sizeof *runs, REPEATED = 8 /* the room in which each run is repeated */ };

/* Every strategy finally proposes everything, nothing twice, in the same order for the same seed. */
static void every_configuration_once(void)
{
    struct space *space = NULL;
    struct valid_set *set = open_set(&space);
    size_t count = (size_t)valid_set_count(set);
    uint64_t *order = calloc(count, sizeof *order), *again = calloc(count, sizeof *again);
    unsigned *times = calloc(count, sizeof *times);
    CU_ASSERT_EQUAL(count, 2 * (20 + 10 + 5 + 2));
    for (size_t r = 0; r < RUNS; r++)
        for (size_t room = 1; room <= 64; room *= 8)
            for (int answers = AT_ONCE; answers < ANSWERS; answers++) {
                memset(times, 0, count * sizeof *times);
                size_t total = drain(runs[r].name, space, set, 7, room, (enum answers)answers, 0, order, times);
                CU_ASSERT_EQUAL(total, count);
                for (size_t i = 0; i < count; i++)
                    CU_ASSERT_EQUAL(times[i], 1);
                if (room != REPEATED)
                    continue;
                drain(runs[r].name, space, set, 7, room, (enum answers)answers, 0, again, times);
                CU_ASSERT_EQUAL(memcmp(order, again, count * sizeof *order), 0);
            }
    free(order);
    free(again);
    free(times);
    valid_set_free(set);
    space_free(space);
}

/* Configurations known before the first proposal are never proposed: from an earlier run, or the default. */
static void nothing_known_is_asked(void)
{
    struct space *space = NULL;
    struct valid_set *set = open_set(&space);
    size_t count = (size_t)valid_set_count(set);
    uint64_t *order = calloc(count, sizeof *order);
    for (size_t r = 0; r < RUNS; r++) {
        unsigned *times = calloc(count, sizeof *times);
        if (!runs[r].all) {
            CU_ASSERT_EQUAL(drain(runs[r].name, space, set, 3, 4, AT_ONCE, 20, order, times), count - 20);
            for (size_t i = 0; i < 20; i++)
                CU_ASSERT_EQUAL(times[2 * i], 0);
        }
        free(times);
    }
    free(order);
    valid_set_free(set);
    space_free(space);
}

/* 10^18 combinations, each with an index: a strategy's memory does not grow with the set. */
static void large_sets(void)
{
    struct error error = {0};
    struct space *space = NULL;
    struct valid_set *set = NULL;
    char large[1024] = "space 2\n";
    for (char name = 'A'; name < 'S'; name++)
        snprintf(large + strlen(large), sizeof large - strlen(large), "param %c = 0..9\n", name);
    strcat(large, "require A + B < 15\n");
    CU_ASSERT_EQUAL_FATAL(space_parse_text(&space, "t.space", large, strlen(large), "", &error), 0);
    CU_ASSERT_EQUAL_FATAL(space_bind(space, NULL, 0, NULL, &error), 0);
    CU_ASSERT_EQUAL_FATAL(valid_set_build(&set, space, VALID_SET_DEFAULT_BYTES, &error), 0);
    for (size_t s = 0; s < strategy_count; s++) {
        struct strategy_choice choice = {0};
        double first = 0, last = 0;
        uint64_t config;
        size_t count;
        CU_ASSERT_EQUAL_FATAL(strategy_choose(&choice, strategies[s]->name, &error), 0);
        void *state = calloc(1, choice.ops->state_size);
        struct strategy_setup setup = {.space = space, .set = set, .seed = 5, .options = choice.options};
        CU_ASSERT_EQUAL_FATAL(choice.ops->start(state, &setup, &error), 0);
        for (int i = 0; i < 50; i++) {
            CU_ASSERT_EQUAL_FATAL(choice.ops->ask(state, &config, 1, &count, &error), 0);
            CU_ASSERT_EQUAL_FATAL(count, 1);
            struct cost cost = cost_of(set, config);
            cost.ok = true;
            cost.censored = false;
            first = i == 0 || (i < 20 && cost.value < first) ? cost.value : first;
            last = i == 0 || cost.value < last ? cost.value : last;
            if (choice.ops->tell)
                choice.ops->tell(state, config, &cost);
        }
        if (strcmp(choice.ops->name, "exhaustive") != 0 && strcmp(choice.ops->name, "random") != 0)
            CU_ASSERT(last < first); /* it learned from the first 20 */
        if (choice.ops->stop)
            choice.ops->stop(state);
        free(state);
        strategy_choice_free(&choice);
    }
    valid_set_free(set);
    space_free(space);
}

static void finding(void)
{
    static const struct {
        const char *name, *found, *hint;
    } cases[] = {{"auto", "surrogate", NULL},
                 {"random", "random", NULL},
                 {"exhaustive", "exhaustive", NULL},
                 {"ramdom", NULL, "did you mean 'random'?"},
                 {"auti", NULL, "did you mean 'auto'?"},
                 {"local", NULL, "it was removed: 'surrogate' finds better configurations"},
                 {"portfolio", NULL, "it was removed: 'surrogate' finds better configurations"},
                 {"quux", NULL, "`cutune strategies` lists them"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error = {0};
        const struct strategy_ops *ops = strategy_find(cases[i].name, &error);
        if (cases[i].found) {
            CU_ASSERT_PTR_NOT_NULL_FATAL(ops);
            CU_ASSERT_STRING_EQUAL(ops->name, cases[i].found);
        } else {
            CU_ASSERT_PTR_NULL(ops);
            CU_ASSERT_EQUAL(error.code, ERROR_USAGE);
            CU_ASSERT_STRING_EQUAL(error.hint, cases[i].hint);
        }
    }
}

static void options(void)
{
    static const struct {
        const char *text, *message, *hint;
    } cases[] = {
        {"auto", NULL, NULL},
        {"surrogate", NULL, NULL},
        {"surrogate:initial=5,candidates=200", NULL, NULL},
        {"random:", NULL, NULL},
        {"surrogate:inital=5", "--strategy: surrogate has no option 'inital'", "did you mean 'initial'?"},
        {"surrogate:quux=5", "--strategy: surrogate has no option 'quux'",
         "`cutune strategies surrogate` lists its options"},
        {"surrogate:facts=yes", "--strategy: surrogate has no option 'facts'",
         "it was removed: surrogate does without it"},
        {"surrogate:initial=-1", "--strategy: surrogate: option initial: '-1' is not allowed",
         "expected a whole number from 0 to 10000"},
        {"surrogate:kappa=3", "--strategy: surrogate has no option 'kappa'",
         "it was removed: surrogate does without it"},
        {"surrogate:initial", "--strategy: option 'initial' of surrogate needs a value", ""},
        {"surrogate:initial=5,initial=6", "--strategy: option 'initial' of surrogate is given twice", ""},
        {"auto:initial=5", "--strategy: auto has no options", "name a strategy to set its options"},
        {"random:initial=5", "--strategy: random has no option 'initial'",
         "`cutune strategies random` lists its options"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error = {0};
        struct strategy_choice choice = {0};
        int code = strategy_choose(&choice, cases[i].text, &error);
        CU_ASSERT_EQUAL(code, cases[i].message ? ERROR_USAGE : 0);
        if (cases[i].message) {
            CU_ASSERT_STRING_EQUAL(error.message, cases[i].message);
            CU_ASSERT_STRING_EQUAL(error.hint, cases[i].hint);
        }
        CU_ASSERT_EQUAL(choice.automatic, strcmp(cases[i].text, "auto") == 0);
        strategy_choice_free(&choice);
    }
}

/* All numeric options have limits. */
static void limits_of_options(void)
{
    static const struct {
        const char *option, *allowed[2], *refused[2];
    } cases[] = {
        {"surrogate:initial=", {"0", "10000"}, {"-1", "10001"}},
        {"surrogate:candidates=", {"100", "200000"}, {"99", "200001"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int end = 0; end < 2; end++) {
            struct strategy_choice choice = {0};
            struct error error = {0};
            char given[64];
            snprintf(given, sizeof given, "%s%s", cases[i].option, cases[i].allowed[end]);
            CU_ASSERT_EQUAL(strategy_choose(&choice, given, &error), 0);
            snprintf(given, sizeof given, "%s%s", cases[i].option, cases[i].refused[end]);
            CU_ASSERT_EQUAL(strategy_choose(&choice, given, &error), ERROR_USAGE);
            strategy_choice_free(&choice);
        }
}

CU_TestInfo tests_strategy[] = {
    {"every configuration is asked for once, in a repeatable order", every_configuration_once},
    {"known configurations are never proposed", nothing_known_is_asked},
    {"sets of 10^18 are searched", large_sets},
    {"a strategy is found by name, auto among them", finding},
    {"options are read after the name", options},
    {"options have limits", limits_of_options},
    CU_TEST_INFO_NULL};
