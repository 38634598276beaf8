/* A space-filling design on a line can be predicted: a sample of a thousand contains all its places. */
#include "steps.h"

enum { PLACES = 33 };

/* After one end comes the other, then the middle, then quarters and eighths. */
static void halves(void)
{
    static const uint64_t distances[] = {32, 16, 8, 8, 4, 4, 4, 4};
    bool known[PLACES] = {true};
    struct steps steps;
    steps_open(&steps, "param A = 100..132\n", "latin", 3);
    steps_tell(&steps, 0, 1);
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
        uint64_t place = steps_ask(&steps), nearest = PLACES;
        CU_ASSERT_FATAL(place < PLACES);
        for (uint64_t other = 0; other < PLACES; other++) {
            uint64_t distance = other > place ? other - place : place - other;
            nearest = known[other] && distance < nearest ? distance : nearest;
        }
        /* Positions are half rank, half logarithm, which is nearly straight from 100 to 132. */
        CU_ASSERT(nearest >= distances[i] - distances[i] / 8 - 1 && nearest <= distances[i]);
        known[place] = true;
    }
    steps_close(&steps);
}

/* Costs are ignored: the design is always the same. */
static void takes_no_notice_of_costs(void)
{
    struct steps one, two;
    steps_open(&one, "param A = 0..40\nparam B = 0..9\n", "latin", 5);
    steps_open(&two, "param A = 0..40\nparam B = 0..9\n", "latin", 5);
    for (int i = 0; i < 30; i++) {
        uint64_t a = steps_ask(&one), b = steps_ask(&two);
        CU_ASSERT_EQUAL(a, b);
        steps_tell(&one, a, 100.0 + i);
        steps_tell_failed(&two, b);
    }
    steps_close(&one);
    steps_close(&two);
}

CU_TestInfo tests_strat_latin[] = {
    {"halves of halves", halves}, {"takes no notice of costs", takes_no_notice_of_costs}, CU_TEST_INFO_NULL};
