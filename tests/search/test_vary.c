#include "search/vary.h"

#include <stdlib.h>

#include "set.h"

static struct mover open_mover(struct strategy_setup *setup)
{
    struct mover mover;
    struct error error = {0};
    *setup = set_open("param A = 1..8\nparam B = 1..8\nrequire A <= B\n", 2);
    CU_ASSERT_EQUAL_FATAL(mover_open(&mover, setup, &error), 0);
    return mover;
}

/* Owners of proposals: each flight lands once, with its owner, in any order. */
static void flights(void)
{
    enum { COUNT = 200 };
    struct strategy_setup setup;
    struct mover mover = open_mover(&setup);
    size_t owner = 0;
    for (uint64_t i = 0; i < COUNT; i++)
        mover_launch(&mover, 1000 + i, (size_t)(3 * i));
    CU_ASSERT_FALSE(mover_land(&mover, 5, &owner));
    for (uint64_t i = 0; i < COUNT; i++) {
        uint64_t at = random_permute(1, COUNT, i);
        CU_ASSERT(mover_land(&mover, 1000 + at, &owner));
        CU_ASSERT_EQUAL(owner, 3 * at);
        CU_ASSERT_FALSE(mover_land(&mover, 1000 + at, &owner));
    }
    mover_close(&mover);
    set_close(&setup);
}

/* Begins with a design of the requested size. */
static void begins(void)
{
    struct strategy_setup setup;
    struct mover mover = open_mover(&setup);
    uint64_t index;
    for (int i = 0; i < 4; i++) {
        CU_ASSERT_FATAL(mover_begin(&mover, 4, &index));
        archive_tell(&mover.archive, index, &(struct cost){.ok = true, .value = 1});
    }
    CU_ASSERT_FALSE(mover_begin(&mover, 4, &index));
    mover_close(&mover);
    set_close(&setup);
}

/* Takes a valid place as it is, the nearest valid one for an invalid one, an unknown neighbour for a known one. */
static void settles(void)
{
    static const struct {
        uint32_t wanted[2];
        unsigned away; /* steps along lists from the wanted place */
    } rows[] = {{{2, 5}, 0}, {{5, 4}, 1}, {{7, 7}, 0}, {{7, 5}, 2}};
    struct strategy_setup setup;
    struct mover mover = open_mover(&setup);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t choices[2] = {rows[i].wanted[0], rows[i].wanted[1]}, found[SPACE_PARAMETERS_MAX];
        uint64_t index, other;
        CU_ASSERT_FATAL(vary_settle(&mover, choices, &index));
        valid_set_get(setup.set, index, found);
        unsigned away = (unsigned)abs((int)found[0] - (int)rows[i].wanted[0]) +
                        (unsigned)abs((int)found[1] - (int)rows[i].wanted[1]);
        CU_ASSERT_EQUAL(away, rows[i].away);
        archive_tell(&mover.archive, index, &(struct cost){.ok = true, .value = 1});
        CU_ASSERT_FATAL(vary_settle(&mover, choices, &other));
        CU_ASSERT_NOT_EQUAL(other, index);
        CU_ASSERT_PTR_NULL(archive_find(&mover.archive, other));
    }
    mover_close(&mover);
    set_close(&setup);
}

/* Half of the steps go to the next value, besides those that "any value" makes there. */
static void steps_near_and_far(void)
{
    struct strategy_setup setup = set_open("param A = 1..101\n", 2);
    struct mover mover;
    struct error error = {0};
    unsigned near = 0;
    CU_ASSERT_EQUAL_FATAL(mover_open(&mover, &setup, &error), 0);
    for (int i = 0; i < 1000; i++) {
        uint64_t index = 50;
        CU_ASSERT_FATAL(vary_step(&mover, 50, &index));
        CU_ASSERT_NOT_EQUAL(index, 50);
        near += index == 49 || index == 51;
    }
    CU_ASSERT(near > 430 && near < 590); /* 510 +- 5 standard deviations of 16 */
    mover_close(&mover);
    set_close(&setup);
}

CU_TestInfo tests_vary[] = {{"flights", flights},
                            {"begins with a design", begins},
                            {"settles at a valid place", settles},
                            {"steps near and far", steps_near_and_far},
                            CU_TEST_INFO_NULL};
