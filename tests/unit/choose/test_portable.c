#include "choose/portable.h"

#include "../devices.h"

/* The best on all devices: known on most of them, then with the least sum of time / best time. */
static void common(void)
{
    static const struct {
        struct selection_time times[4];
        const char *text; /* for N=100 */
        size_t devices;
        double relative;
    } cases[] = {
        {{{0}}, "T=1", 2, 2},
        /* The winner of A on B: 40 to 30. */
        {{{"B", "N=100", "T=2", 40}}, "T=2", 2, (1 + 40.0 / 30) / 2},
        /* Faster than the best of B: it becomes the reference. */
        {{{"B", "N=100", "T=2", 15}}, "T=2", 2, 1},
        /* The first of several times counts. */
        {{{"B", "N=100", "T=2", 45}, {"B", "N=100", "T=2", 30}}, "T=2", 2, 1.25},
        {{{"A", "N=100", "T=2", 1}}, "T=1", 2, 2},
        /* Known on three devices. */
        {{{"C", "N=100", "T=1", 500}, {"B", "N=100", "T=2", 30}}, "T=1", 3, (2 + 2 + 10) / 3.0},
        /* Ignored: other sizes, other names, no time. */
        {{{"B", "N=200", "T=2", 30}, {"B", "N=100", "U=2", 30}, {"B", "M=100", "T=2", 30}, {"B", "N=100", "T=2", 0}},
         "T=1",
         2,
         2},
        {{{"B", "N=100", "T=2", -1}, {"B", "N=100", "T", 30}}, "T=1", 2, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct world world;
        struct error error = {0};
        size_t count = 0, found = 0;
        while (count < 4 && cases[i].times[count].device)
            count++;
        CU_ASSERT_EQUAL_FATAL(open_world(&world, three, cases[i].times, count, &error), 0);
        for (size_t r = 0; r < world.selection->row_count; r++) {
            const struct selection_row *row = &world.selection->rows[r];
            if (row->kind != CHOOSE_IS_COMMON)
                continue;
            found++;
            CU_ASSERT_EQUAL(row->numbers[0], 100);
            CU_ASSERT_STRING_EQUAL(row->text, cases[i].text);
            CU_ASSERT_EQUAL(row->devices, cases[i].devices);
            CU_ASSERT_DOUBLE_EQUAL(row->relative, cases[i].relative, 1e-12);
        }
        CU_ASSERT_EQUAL(found, 1); /* N=1000 is known on A only */
        CU_ASSERT_EQUAL(world.selection->rows[world.selection->row_count - 1].kind, CHOOSE_IS_DEFAULT);
        CU_ASSERT_EQUAL(world.selection->newest, 1);
        close_world(&world);
    }
}

CU_TestInfo tests_portable[] = {{"the common row serves the most devices best", common}, CU_TEST_INFO_NULL};
