/* Who wins a play-off. */
#include <math.h>

#include <CUnit/Basic.h>

#include "tuner/playoff.h"

/* Times, costs and what the device said of ties. */
static void chooses_the_cheapest_of_a_tie(void)
{
    enum { FINALS = 3 };
    static const struct {
        struct {
            double time_ns, low_ns, high_ns;
            int64_t registers, shared_bytes;
            enum playoff playoff;
        } finals[FINALS];
        size_t winner, tied;
    } cases[] = {
        {{{10, 9, 11, 40, 0, PLAYOFF_LEADER}, {11, 10, 12, 20, 0, PLAYOFF_LOST}, {12, 11, 13, 10, 0, PLAYOFF_LOST}},
         0,
         0},
        {{{10, 9, 11, 40, 0, PLAYOFF_LEADER}, {11, 10, 12, 20, 0, PLAYOFF_TIED}, {12, 11, 13, 10, 0, PLAYOFF_LOST}},
         1,
         1},
        {{{10, 9, 11, 40, 0, PLAYOFF_LEADER}, {10, 9, 12, 40, 0, PLAYOFF_TIED}, {12, 11, 13, 50, 0, PLAYOFF_TIED}},
         0,
         2},
        {{{11, 9, 11, 40, 64, PLAYOFF_TIED}, {10, 9, 12, 40, 128, PLAYOFF_LEADER}, {12, 11, 13, 50, 0, PLAYOFF_LOST}},
         0,
         1},
        /* as fast by its median, cheaper, and yet it has lost */
        {{{10, 9, 11, 40, 0, PLAYOFF_LEADER}, {10, 9, 12, 20, 0, PLAYOFF_LOST}, {12, 11, 13, 10, 0, PLAYOFF_LOST}},
         0,
         0},
        {{{10, 9, 11, 20, 0, PLAYOFF_LOST}, {10, 9, 12, 40, 0, PLAYOFF_LEADER}, {12, 11, 13, 30, 0, PLAYOFF_TIED}},
         2,
         1},
        /* of an earlier play-off, and apart from today's leader */
        {{{10, 9, 11, 40, 0, PLAYOFF_LEADER}, {12, 11.5, 13, 20, 0, PLAYOFF_LEADER}, {12, 11, 13, 50, 0, PLAYOFF_LOST}},
         0,
         0},
        {{{NAN, NAN, NAN, 40, 0, PLAYOFF_NONE}, {11, 10, 12, 20, 0, PLAYOFF_LEADER}, {12, 11, 13, 10, 0, PLAYOFF_LOST}},
         1,
         0},
    };
    static const uint64_t indices[FINALS] = {5, 6, 7};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct known known = {0};
        size_t tied;
        for (size_t k = 0; k < FINALS; k++) {
            struct measurement final = measurement_unknown(STATUS_OK);
            final.time_ns = cases[i].finals[k].time_ns;
            final.low_ns = cases[i].finals[k].low_ns;
            final.high_ns = cases[i].finals[k].high_ns;
            final.registers = cases[i].finals[k].registers;
            final.shared_bytes = cases[i].finals[k].shared_bytes;
            final.playoff = cases[i].finals[k].playoff;
            CU_ASSERT_EQUAL(known_put_final(&known, indices[k], &final, NULL), 0);
        }
        CU_ASSERT_EQUAL(playoff_winner(&known, indices, FINALS, &tied), cases[i].winner);
        CU_ASSERT_EQUAL(tied, cases[i].tied);
        known_free(&known);
    }
}

CU_TestInfo tests_playoff[] = {{"the cheapest of a tie wins", chooses_the_cheapest_of_a_tie}, CU_TEST_INFO_NULL};
