#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "search/strategy.h"

static const char text[] = "space 1\nkernel k \"k.cu\"\nproblem N = 64\n"
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

/* Asks in pieces of `room` until the strategy has no more; how many, and how often each configuration came. */
static size_t drain(const struct strategy_ops *ops, const struct valid_set *set, uint64_t seed, size_t room,
                    uint64_t *order, unsigned *times)
{
    struct error error = {0};
    void *state = calloc(1, ops->state_size);
    uint64_t configs[64];
    size_t total = 0, count;
    CU_ASSERT_EQUAL_FATAL(ops->start(state, set, seed, NULL, &error), 0);
    while ((count = ops->ask(state, configs, room)) > 0)
        for (size_t i = 0; i < count; i++) {
            CU_ASSERT_FATAL(configs[i] < valid_set_count(set));
            times[configs[i]]++;
            order[total++] = configs[i];
            if (ops->tell)
                ops->tell(state, configs[i], &(struct cost){.ok = true, .value = 1});
        }
    if (ops->stop)
        ops->stop(state);
    free(state);
    return total;
}

static void every_configuration_once(void)
{
    struct space *space = NULL;
    struct valid_set *set = open_set(&space);
    size_t count = (size_t)valid_set_count(set);
    CU_ASSERT_EQUAL(count, 2 * (20 + 10 + 5 + 2));
    for (size_t s = 0; s < strategy_count; s++)
        for (size_t room = 1; room <= 64; room *= 4) {
            uint64_t *order = calloc(count, sizeof *order), *again = calloc(count, sizeof *again);
            unsigned *times = calloc(count, sizeof *times);
            CU_ASSERT_EQUAL(drain(strategies[s], set, 7, room, order, times), count);
            for (size_t i = 0; i < count; i++)
                CU_ASSERT_EQUAL(times[i], 1);
            drain(strategies[s], set, 7, 64 / room, again, times);
            CU_ASSERT_EQUAL(memcmp(order, again, count * sizeof *order), 0);
            free(order);
            free(again);
            free(times);
        }
    valid_set_free(set);
    space_free(space);
}

static void random_follows_its_seed(void)
{
    struct space *space = NULL;
    struct valid_set *set = open_set(&space);
    struct error error = {0};
    size_t count = (size_t)valid_set_count(set);
    uint64_t *one = calloc(count, sizeof *one), *two = calloc(count, sizeof *two);
    unsigned *times = calloc(count, sizeof *times);
    const struct strategy_ops *ops = strategy_find("random", count, 0, &error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(ops);
    drain(ops, set, 1, 5, one, times);
    drain(ops, set, 2, 5, two, times);
    CU_ASSERT_NOT_EQUAL(memcmp(one, two, count * sizeof *one), 0);
    free(one);
    free(two);
    free(times);
    valid_set_free(set);
    space_free(space);
}

static void finding(void)
{
    static const struct {
        const char *name, *found, *hint;
        uint64_t max_evals;
    } cases[] = {{"auto", "exhaustive", NULL, 0},
                 {"auto", "exhaustive", NULL, 74},
                 {"auto", "random", NULL, 73},
                 {"random", "random", NULL, 0},
                 {"exhaustive", "exhaustive", NULL, 5},
                 {"ramdom", NULL, "did you mean 'random'?", 0},
                 {"quux", NULL, "expected auto, exhaustive or random", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error = {0};
        const struct strategy_ops *ops = strategy_find(cases[i].name, 74, cases[i].max_evals, &error);
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

CU_TestInfo tests_strategy[] = {
    {"every configuration is asked for once, in a repeatable order", every_configuration_once},
    {"random follows its seed", random_follows_its_seed},
    {"a strategy is found by name, auto by budget", finding},
    CU_TEST_INFO_NULL};
