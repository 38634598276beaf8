#include "search/archive.h"

#include "set.h"

/* Known values are found; the best is the least feasible one, also after growth. */
static void remembers(void)
{
    enum { COUNT = 3000 };
    struct strategy_setup setup = set_open("param A = 1..60\nparam B = 1..60\n", 1);
    struct archive archive;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(archive_open(&archive, &setup, &error), 0);
    CU_ASSERT_EQUAL(archive.best, SIZE_MAX);
    for (uint64_t i = 0; i < COUNT; i++) {
        const struct cost cost = {.ok = i % 3 != 0, .censored = i % 5 == 0, .value = (double)(COUNT - i)};
        CU_ASSERT_PTR_NULL(archive_find(&archive, i));
        CU_ASSERT_PTR_NOT_NULL(archive_tell(&archive, i, &cost));
        CU_ASSERT(i == 0 ? archive.best == SIZE_MAX : archive.entries[archive.best].index == (i % 3 ? i : i - 1));
    }
    CU_ASSERT_EQUAL(archive.count, COUNT);
    for (uint64_t i = 0; i < COUNT; i++) {
        const struct archive_entry *entry = archive_find(&archive, i);
        CU_ASSERT_PTR_NOT_NULL_FATAL(entry);
        CU_ASSERT(entry->told && entry->index == i && entry->ok == (i % 3 != 0));
        CU_ASSERT(entry->censored == (i % 3 != 0 && i % 5 == 0) && entry->value == (double)(COUNT - i));
    }
    /* A repeated outcome: the same entry with the new value. */
    CU_ASSERT(archive_tell(&archive, 1, &(struct cost){.ok = true, .value = 0.5}) == &archive.entries[1]);
    CU_ASSERT_EQUAL(archive.entries[archive.best].index, 1);
    CU_ASSERT_EQUAL(archive.count, COUNT);
    archive_close(&archive);
    set_close(&setup);
}

/* A feasible outcome beats a failure; then the value decides, and the first of equals stays. */
static void which_is_better(void)
{
    static const struct {
        struct cost first, second;
        size_t best;
    } rows[] = {{{.ok = true, .value = 2}, {.ok = true, .value = 1}, 1},
                {{.ok = true, .value = 1}, {.ok = true, .value = 2}, 0},
                {{.ok = true, .value = 1}, {.ok = true, .value = 1}, 0},
                {{.ok = false, .value = 1}, {.ok = true, .value = 9}, 1},
                {{.ok = true, .value = 9}, {.ok = false, .value = 1}, 0},
                {{.ok = false, .value = 9}, {.ok = false, .value = 1}, SIZE_MAX}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct strategy_setup setup = set_open("param A = 1..2\n", 3);
        struct archive archive;
        struct error error = {0};
        CU_ASSERT_EQUAL_FATAL(archive_open(&archive, &setup, &error), 0);
        archive_tell(&archive, 0, &rows[i].first);
        archive_tell(&archive, 1, &rows[i].second);
        CU_ASSERT_EQUAL(archive.best, rows[i].best);
        archive_close(&archive);
        set_close(&setup);
    }
}

/* The best few feasible ones, from any order and with repetitions; of equal ones, those known first. A censored value
 * counts with its estimate, but not below its lower bound. */
static void best_few(void)
{
    enum { COUNT = 60 };
    struct strategy_setup setup = set_open("param A = 1..60\n", 1);
    struct random random;
    struct archive archive;
    struct error error = {0};
    random_seed(&random, 5);
    CU_ASSERT_EQUAL_FATAL(archive_open(&archive, &setup, &error), 0);
    for (int told = 0; told < 400; told++) {
        const struct cost cost = {.ok = random_below(&random, 4) > 0,
                                  .censored = random_below(&random, 4) == 0,
                                  .value = (double)random_below(&random, 12),
                                  .least = (double)random_below(&random, 12)};
        size_t best[ARCHIVE_BEST_MAX], most = told % (ARCHIVE_BEST_MAX + 1), found = 0, last = SIZE_MAX;
        const struct archive_entry *entry =
            archive_tell(&archive, random_below(&random, told < 200 ? COUNT / 2 : COUNT), &cost);
        CU_ASSERT_EQUAL(entry->value, cost.censored && cost.least > cost.value ? cost.least : cost.value);
        size_t count = archive_best_few(&archive, best, most);
        for (double value = 0; value < 12; value++)
            for (size_t i = 0; i < archive.count && found < most; i++)
                if (archive.entries[i].ok && archive.entries[i].value == value) {
                    CU_ASSERT_FATAL(found < count);
                    CU_ASSERT_EQUAL(best[found], i);
                    last = best[found++];
                }
        CU_ASSERT_EQUAL(found, count);
        CU_ASSERT(count == 0 || last == best[count - 1]);
    }
    archive_close(&archive);
    set_close(&setup);
}

/* Fresh configurations are proposed once, known ones never; then there are no more. */
static void fresh_ones(void)
{
    struct strategy_setup setup = set_open("param A = 1..50\n", 3);
    struct archive archive;
    struct error error = {0};
    bool seen[50] = {false};
    uint64_t index;
    size_t count = 0;
    CU_ASSERT_EQUAL_FATAL(archive_open(&archive, &setup, &error), 0);
    for (uint64_t known = 0; known < 50; known += 5)
        archive_tell(&archive, known, &(struct cost){.ok = false});
    for (; archive_fresh(&archive, &index); count++) {
        CU_ASSERT_FATAL(index < 50 && index % 5 != 0 && !seen[index]);
        seen[index] = true;
    }
    CU_ASSERT_EQUAL(count, 40);
    archive_close(&archive);
    set_close(&setup);
}

static void neighbours(void)
{
    struct strategy_setup setup = set_open("param A = 1..5\nparam B = 1..4\nrequire A + B < 9\n", 3);
    struct archive archive;
    struct error error = {0};
    struct random random;
    uint64_t middle, neighbour, found[4] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    random_seed(&random, 1);
    CU_ASSERT_EQUAL_FATAL(archive_open(&archive, &setup, &error), 0);
    CU_ASSERT_FATAL(valid_set_find(setup.set, (uint32_t[]){2, 2}, &middle));
    CU_ASSERT_EQUAL(archive_around(&archive, middle, NEIGHBOURS_ADJACENT), 4);
    CU_ASSERT_EQUAL(archive_around(&archive, middle, NEIGHBOURS_ANY), 4 + 3);
    for (size_t i = 0; i < 4; i++) { /* one after the other, until all are known */
        CU_ASSERT_FATAL(archive_neighbour(&archive, middle, NEIGHBOURS_ADJACENT, &random, &neighbour));
        for (size_t k = 0; k < i; k++)
            CU_ASSERT_NOT_EQUAL(found[k], neighbour);
        found[i] = neighbour;
        archive_tell(&archive, neighbour, &(struct cost){.ok = true, .value = 1});
    }
    CU_ASSERT_FALSE(archive_neighbour(&archive, middle, NEIGHBOURS_ADJACENT, &random, &neighbour));
    CU_ASSERT(archive_neighbour(&archive, middle, NEIGHBOURS_ANY, &random, &neighbour));
    archive_close(&archive);
    set_close(&setup);
}

/* Proposes 7 once, then 7 again, then nothing. */
static bool propose(void *state, uint64_t *index)
{
    size_t *calls = state;
    *index = 7;
    return ++*calls <= 2;
}

static void asks(void)
{
    struct strategy_setup setup = set_open("param A = 1..10\n", 3);
    struct archive archive;
    struct error error = {0};
    uint64_t configs[16];
    size_t calls = 0, count;
    bool seen[10] = {false};
    CU_ASSERT_EQUAL_FATAL(archive_open(&archive, &setup, &error), 0);
    CU_ASSERT_EQUAL(archive_ask(&archive, propose, &calls, configs, 1, &count, &error), 0);
    CU_ASSERT(count == 1 && configs[0] == 7);
    CU_ASSERT_EQUAL(archive_ask(&archive, propose, &calls, configs, 16, &count, &error), 0);
    CU_ASSERT_EQUAL(count, 9);
    for (size_t i = 0; i < count; i++) {
        CU_ASSERT_FATAL(configs[i] < 10 && configs[i] != 7 && !seen[configs[i]]);
        seen[configs[i]] = true;
        CU_ASSERT(!archive_find(&archive, configs[i])->told);
    }
    archive.failed = true;
    CU_ASSERT_EQUAL(archive_ask(&archive, propose, &calls, configs, 16, &count, &error), ERROR_MEMORY);
    archive_close(&archive);
    set_close(&setup);
}

CU_TestInfo tests_archive[] = {{"remembers what was told", remembers},
                               {"which is better", which_is_better},
                               {"the best few", best_few},
                               {"what is fresh", fresh_ones},
                               {"neighbours that are unknown", neighbours},
                               {"asks for nothing twice", asks},
                               CU_TEST_INFO_NULL};
