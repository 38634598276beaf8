#include "run/estimate.h"

#include <math.h>

#include <CUnit/Basic.h>

/* Four compilers and two devices. */
static double busy_s(const void *state, double compile_s, double measure_s)
{
    (void)state;
    return fmax(compile_s / 4, measure_s / 2);
}

static const struct evaluator_ops timed = {.busy_s = busy_s}, untimed = {.busy_s = evaluator_busy_unknown};

/* The mean of all notes, on the busiest part; configurations that were not compiled or measured take no time. */
static void expected_seconds(void)
{
    static const struct {
        const struct evaluator_ops *ops;
        struct {
            int64_t compile_ns, measure_ns;
        } noted[3];
        size_t count;
        uint64_t more;
        double seconds;
    } rows[] = {
        {&timed, {{8000000000, 1000000000}}, 1, 1, 2},
        {&timed, {{8000000000, 1000000000}}, 1, 10, 20},
        {&timed, {{8000000000, 1000000000}, {4000000000, 3000000000}}, 2, 10, 15},
        {&timed, {{1000000000, 3000000000}, {1000000000, 1000000000}}, 2, 10, 10},
        {&timed, {{1000000000, 3000000000}, {1000000000, -1}, {-1, -1}}, 3, 6, 3},
        {&timed, {{4000000000, 0}}, 1, 0, 0},
        {&timed, {{0, 4000000000}}, 1, 1000000000000000, 2e15},
        {&timed, {{-1, -1}, {0, 0}}, 2, 10, NAN},
        {&timed, {{0, 0}}, 0, 10, NAN},
        {&untimed, {{8000000000, 1000000000}}, 1, 1, NAN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct estimate estimate = {0};
        const struct evaluator evaluator = {rows[i].ops, NULL};
        for (size_t k = 0; k < rows[i].count; k++) {
            struct measurement measurement = measurement_unknown(STATUS_OK);
            measurement.compile_ns = rows[i].noted[k].compile_ns;
            measurement.measure_ns = rows[i].noted[k].measure_ns;
            estimate_note(&estimate, &measurement);
        }
        double seconds = estimate_s(&estimate, &evaluator, rows[i].more);
        CU_ASSERT(isnan(rows[i].seconds) ? isnan(seconds) : fabs(seconds - rows[i].seconds) <= 1e-12 * seconds);
    }
}

/* Seconds of compiling, if the compilers have been busier than the devices. */
static void efforts(void)
{
    static const struct {
        const struct evaluator_ops *ops;
        double compile_s, measure_s; /* noted */
        int64_t compile_ns;
        double effort_s;
    } rows[] = {
        {&timed, 8, 3, 2500000000, 2.5}, {&timed, 8, 4, 2500000000, NAN}, {&timed, 8, 5, 2500000000, NAN},
        {&timed, 8, 3, 1, 1e-9},         {&timed, 8, 3, 0, NAN},          {&timed, 8, 3, -1, NAN},
        {&timed, 0, 0, 1, NAN},          {&untimed, 8, 3, 1, NAN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct estimate estimate = {.count = 4, .compile_s = rows[i].compile_s, .measure_s = rows[i].measure_s};
        const struct evaluator evaluator = {rows[i].ops, NULL};
        struct measurement measurement = measurement_unknown(STATUS_OK);
        measurement.compile_ns = rows[i].compile_ns;
        double effort_s = estimate_effort_s(&estimate, &evaluator, &measurement);
        CU_ASSERT(isnan(rows[i].effort_s) ? isnan(effort_s) : fabs(effort_s - rows[i].effort_s) <= 1e-12 * effort_s);
    }
}

/* The median of the latest times; unknown ones do not count. */
static void compile_times(void)
{
    static const struct {
        int64_t noted_ns[5];
        size_t count, more; /* more: so many notes of 7 ns precede */
        int64_t median_ns;
    } rows[] = {{{0}, 0, 0, 0},
                {{3}, 1, 0, 3},
                {{-1}, 1, 0, 0},
                {{-1, 5}, 2, 0, 5},
                {{9, 1, 2}, 3, 0, 2},
                {{0, 0, 100, 200, 0}, 5, 0, 0},
                {{1000, 2, 4, 3, 1}, 5, 0, 3},
                {{1, 1, 1}, 3, 10 * ESTIMATE_LATEST, 7}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct estimate estimate = {0};
        struct measurement measurement = measurement_unknown(STATUS_OK);
        for (size_t k = 0; k < rows[i].more + rows[i].count; k++) {
            measurement.compile_ns = k < rows[i].more ? 7 : rows[i].noted_ns[k - rows[i].more];
            estimate_note_compiled(&estimate, &measurement);
        }
        CU_ASSERT_EQUAL(estimate_compile_ns(&estimate), rows[i].median_ns);
    }
    struct estimate estimate = {0};
    struct measurement measurement = measurement_unknown(STATUS_OK);
    for (int64_t k = 0; k < 2 * ESTIMATE_LATEST; k++) {
        measurement.compile_ns = k < ESTIMATE_LATEST ? 1 : 5;
        estimate_note_compiled(&estimate, &measurement);
    }
    CU_ASSERT_EQUAL(estimate_compile_ns(&estimate), 5); /* the earlier half is forgotten */
}

CU_TestInfo tests_estimate[] = {{"expected seconds", expected_seconds},
                                {"effort where compilers are the bottleneck", efforts},
                                {"compile times", compile_times},
                                CU_TEST_INFO_NULL};
