/* The front of time and energy. */
#include "analyse/front.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

enum { POINTS = 5 };

/* Intervals, and which points are on the front. */
static void marks(void)
{
    static const struct {
        const char *what;
        struct {
            double time[2], energy[2]; /* ends of the intervals; 0: no point */
        } points[POINTS];
        const char *on; /* a letter for each point: + or - */
    } rows[] = {
        {"alone", {{{1, 2}, {1, 2}}}, "+"},
        {"better in both", {{{1, 2}, {1, 2}}, {{3, 4}, {3, 4}}}, "+-"},
        {"better in one, a tie in the other", {{{1, 2}, {1, 2}}, {{1.5, 2.5}, {3, 4}}}, "+-"},
        {"a tie in both", {{{1, 2}, {1, 2}}, {{1.5, 2.5}, {1.9, 3}}}, "++"},
        {"intervals that touch tie", {{{1, 2}, {1, 2}}, {{2, 3}, {2, 3}}}, "++"},
        {"one faster, the other cheaper", {{{1, 1.1}, {5, 5.1}}, {{2, 2.1}, {3, 3.1}}}, "++"},
        {"three on the front, two behind",
         {{{1, 1.1}, {5, 5.1}},
          {{2, 2.1}, {3, 3.1}},
          {{2.5, 2.6}, {4, 4.1}},
          {{4, 4.1}, {1, 1.1}},
          {{5, 5.1}, {1, 1.1}}},
         "++-+-"},
        {"equal points", {{{1, 1}, {1, 1}}, {{1, 1}, {1, 1}}}, "++"},
        /* a dominates b, b dominates c, c dominates d, d dominates a */
        {"a cycle of wide intervals leaves one",
         {{{9.9, 10.1}, {0.9, 1.1}}, {{1, 20}, {1.9, 2.1}}, {{0.9, 1.1}, {2.9, 3.1}}, {{4.9, 5.1}, {0.1, 5}}},
         "?"},
        {"no number", {{{NAN, NAN}, {1, 1}}, {{2, 2}, {2, 2}}}, "-+"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct front_point points[POINTS];
        char on[POINTS + 1] = "";
        size_t count = 0;
        for (; count < POINTS && rows[i].points[count].energy[0] != 0; count++) {
            const double *time = rows[i].points[count].time, *energy = rows[i].points[count].energy;
            points[count] = (struct front_point){.time = {(time[0] + time[1]) / 2, time[0], time[1]},
                                                 .energy = {(energy[0] + energy[1]) / 2, energy[0], energy[1]}};
        }
        front_mark(points, count);
        for (size_t k = 0; k < count; k++)
            on[k] = points[k].on ? '+' : '-';
        if (*rows[i].on == '?')
            CU_ASSERT_PTR_NOT_NULL(strchr(on, '+'));
        if (*rows[i].on != '?' && strcmp(on, rows[i].on) != 0)
            fprintf(stderr, "\n%s: %s, expected %s\n", rows[i].what, on, rows[i].on);
        CU_ASSERT(*rows[i].on == '?' || strcmp(on, rows[i].on) == 0);
    }
}

static struct energy energy_of(const char *rounds)
{
    struct error error = {0};
    struct energy energy;
    char text[128];
    snprintf(text, sizeof text, "rounds=%s", rounds);
    CU_ASSERT_EQUAL_FATAL(energy_parse(text, &energy, &error), 0);
    return energy;
}

/* A drift over the rounds, larger than the difference, does not hide it. */
static void drift_cancels(void)
{
    const struct energy energies[] = {energy_of("1:100/1.2:100/1.4:100"), energy_of("1.1:100/1.32:100/1.54:100"),
                                      energy_of("-/-/-")};
    struct front_point points[3];
    front_of(energies, 3, 0.95, points);
    CU_ASSERT(points[0].on && !points[1].on && !points[2].on);
    CU_ASSERT_DOUBLE_EQUAL(points[1].energy.value / points[0].energy.value, 1.1, 1e-9);
    CU_ASSERT(isnan(points[2].energy.value));
}

/* The best by each objective; ties go to the faster one, or for a time, to that of less energy. */
static void best(void)
{
    static const struct {
        const char *rounds[3];
        const struct objective *objective;
        size_t best, tied;
    } rows[] = {
        {{"2:100/2:100/2:100", "1:300/1:300/1:300", "4:90/4:90/4:90"}, &objective_row_energy, 1, 1},
        {{"2:100/2:100/2:100", "1:300/1:300/1:300", "4:90/4:90/4:90"}, &objective_row_energy_delay, 0, 1},
        {{"2:100/2:100/2:100", "1:300/1:300/1:300", "4:90/4:90/4:90"}, &objective_row_time, 2, 1},
        {{"2:100/2:100/2:100", "1:300/1:300/1:300", "4:90/4:90/4:90"}, &objective_row_power, 1, 1},
        {{"1:300/1:300/1:300", "1:200/1:200/1:200", "1:400/1:400/1:400"}, &objective_row_energy, 1, 3},
        {{"3:100/3:100/3:100", "2:100/2:100/2:100", "1:200/1:200/1:200"}, &objective_row_time, 1, 2},
        {{"-", "-", "-"}, &objective_row_energy, SIZE_MAX, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct energy energies[3];
        size_t tied = 99;
        for (size_t k = 0; k < 3; k++)
            energies[k] = energy_of(rows[i].rounds[k]);
        CU_ASSERT_EQUAL(front_best(energies, 3, rows[i].objective, 0.95, &tied), rows[i].best);
        CU_ASSERT_EQUAL(tied, rows[i].tied);
    }
}

/* Times 100, 110 and 200 with energies 4, 3 and 2; the last point is the best of all by either, but not on the front.
 */
static void weights(void)
{
    static const struct {
        double weight;
        size_t best;
    } rows[] = {{0, 0}, {0.1, 0}, {0.2, 1}, {0.5, 1}, {0.6, 1}, {0.7, 2}, {1, 2}};
    struct front_point points[] = {{{100, 100, 100}, {4, 4, 4}, true},
                                   {{110, 110, 110}, {3, 3, 3}, true},
                                   {{200, 200, 200}, {2, 2, 2}, true},
                                   {{1, 1, 1}, {1, 1, 1}, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_EQUAL(front_weighted(points, 4, rows[i].weight), rows[i].best);
    CU_ASSERT_EQUAL(front_weighted(points + 3, 1, 0.5), SIZE_MAX);
    points[3] = points[1];
    CU_ASSERT_EQUAL(front_weighted(points, 4, 0.5), 1);
    points[2] = (struct front_point){{90, 90, 90}, {4, 4, 4}, true};
    points[1] = (struct front_point){{100, 100, 100}, {3.6, 3.6, 3.6}, true};
    CU_ASSERT_EQUAL(front_weighted(points + 1, 2, 0.5), 1); /* equal sums: the faster one */
}

CU_TestInfo tests_front[] = {{"marks", marks},
                             {"drift cancels", drift_cancels},
                             {"the best by an objective", best},
                             {"weights", weights},
                             CU_TEST_INFO_NULL};
