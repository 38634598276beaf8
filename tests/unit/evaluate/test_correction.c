#include "evaluate/correction.h"

#include <math.h>

#include <CUnit/Basic.h>

static struct measurement measured(double value, double half)
{
    struct measurement measurement = measurement_unknown(STATUS_OK);
    measurement.value = value;
    measurement.low = value * (1 - half);
    measurement.high = value * (1 + half);
    return measurement;
}

/* Factor and spread follow from the ratios. An outlier changes neither much, and unknown calibration configurations are
 * ignored. */
static void factors(void)
{
    static const struct {
        double ratios[CORRECTION_CALIBRATIONS]; /* of the device's times to the references; 0: not measured */
        size_t calibration;
        double factor, spread, within;
    } cases[] = {{{0}, 0, NAN, NAN, 0},
                 {{1, 1, 1, 1, 1, 1, 1, 1}, 8, 1, 0, 1e-12},
                 {{1.02, 1.02, 1.02, 1.02, 1.02, 1.02, 1.02, 1.02}, 8, 1 / 1.02, 0, 1e-12},
                 {{0.965, 0.965, 0.965, 0.965, 0.965, 0.965, 1.5, 0.2}, 8, 1 / 0.965, 0, 1e-12},
                 {{1.01, 1.03, 1.01, 1.03, 1.01, 1.03, 1.01, 1.03}, 8, 1 / 1.02, 0.0146, 2e-4},
                 {{1.01, 1.03, 1.01, 1.03, 0, 0, 0, 0}, 4, 1 / 1.02, 0.0146, 2e-4},
                 {{1.02, 0, 0, 1.02, 0, 0, 0, 0}, 2, 1 / 1.02, CORRECTION_SPREAD_UNKNOWN, 1e-12}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct correction_time times[CORRECTION_SLOTS] = {0};
        double references[CORRECTION_SLOTS];
        for (size_t a = 0; a < CORRECTION_SLOTS; a++)
            references[a] = a < CORRECTION_CALIBRATIONS ? log(1000 * (double)(a + 1)) : NAN;
        for (size_t a = 0; a < CORRECTION_CALIBRATIONS; a++)
            if (cases[c].ratios[a] > 0) {
                struct measurement measurement = measured(cases[c].ratios[a] * exp(references[a]), 0.01);
                times[a] = correction_time(&measurement);
                CU_ASSERT_DOUBLE_EQUAL(times[a].deviation, 0.01 / 1.96, 1e-9);
            }
        times[CORRECTION_CALIBRATIONS] = (struct correction_time){.measured = true, .log_value = 1}; /* no reference */
        struct correction found = correction_from(times, references, CORRECTION_SLOTS);
        CU_ASSERT_EQUAL(found.calibration, cases[c].calibration);
        CU_ASSERT(found.calibration ? fabs(found.factor / cases[c].factor - 1) < 2e-4 : isnan(found.factor));
        CU_ASSERT(found.calibration ? fabs(found.spread - cases[c].spread) <= cases[c].within : isnan(found.spread));
        CU_ASSERT(!found.calibration || (found.widening >= 1.96 * found.spread && found.widening <= 3 * found.spread));
    }
}

/* All times are multiplied. The interval widens on both sides, in quadrature, and stays positive. */
static void applying(void)
{
    struct measurement measurement = measured(100, 0.01), before = measurement;
    measurement.run_ns = 1000;
    correction_apply(&correction_identity, &measurement);
    CU_ASSERT_DOUBLE_EQUAL(measurement.low, before.low, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(measurement.high, before.high, 1e-9);
    CU_ASSERT(measurement.value == 100 && measurement.correction == 1);
    const struct correction correction = {.calibration = 8, .factor = 1.02, .spread = 0.01, .widening = 0.02};
    correction_apply(&correction, &measurement);
    CU_ASSERT_DOUBLE_EQUAL(measurement.value, 102, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(measurement.run_ns, 1020, 1e-9);
    CU_ASSERT_EQUAL(measurement.correction, 1.02);
    CU_ASSERT_DOUBLE_EQUAL(log(measurement.high / 102), hypot(log(1.01), 0.02), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(log(102 / measurement.low), hypot(log(1 / 0.99), 0.02), 1e-9);
    struct measurement failed = measurement_unknown(STATUS_CRASHED), wide = measured(100, 0.999);
    correction_apply(&correction, &failed);
    CU_ASSERT(isnan(failed.value) && isnan(failed.correction));
    correction_apply(&correction, &wide);
    CU_ASSERT(wide.low > 0 && wide.high > wide.value);
    struct measurement open = measurement_unknown(STATUS_OK); /* a time without an interval keeps none */
    open.value = 100;
    correction_apply(&correction, &open);
    CU_ASSERT(open.value == 102 && isnan(open.low) && isnan(open.high));
}

/* A time stopped by the limit is worse than the value after the correction, too. */
static void limits(void)
{
    static const double factors_[] = {0.965, 1, 1.02}, widenings[] = {0, 0.01, 0.05}, halves[] = {1e-6, 0.01, 0.2};
    for (size_t f = 0; f < 3; f++)
        for (size_t w = 0; w < 3; w++)
            for (size_t h = 0; h < 3; h++) {
                const struct correction correction = {
                    .calibration = 8, .factor = factors_[f], .widening = widenings[w]};
                double limit = correction_limit(&correction, 5000);
                struct measurement beyond = measured(1.0001 * limit / (1 - halves[h]), halves[h]);
                CU_ASSERT(beyond.low > limit);
                correction_apply(&correction, &beyond);
                CU_ASSERT(beyond.low > 5000);
            }
    CU_ASSERT_EQUAL(correction_limit(&correction_identity, 5000), 5000);
    CU_ASSERT_DOUBLE_EQUAL(correction_limit(&correction_guess, 1000), 1105, 1);
}

/* A change raises an alarm beyond noise and beyond the limit that regular measurements follow. */
static void alarms(void)
{
    static const struct {
        double change, deviation;
        bool alarm;
    } cases[] = {{0.005, 0, false},   {0.02, 0, true},     {-0.02, 0, true},
                 {0.02, 0.001, true}, {0.02, 0.01, false}, {0.2, 0.01, true}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const struct correction_time before = {true, 3, cases[c].deviation},
                                     now = {true, 3 + cases[c].change, cases[c].deviation};
        CU_ASSERT_EQUAL(correction_alarms(&before, &now), cases[c].alarm);
    }
    const struct correction first = {.factor = 1.02}, now = {.factor = 1.02 / 1.05};
    CU_ASSERT_DOUBLE_EQUAL(correction_drift(&first, &now), 0.05, 1e-9);
    CU_ASSERT_EQUAL(correction_drift(&first, &first), 0);
}

/* One of two close calibration configurations goes, but not the fastest, the slowest or the default. */
static void superfluous(void)
{
    static const struct {
        double references[5];
        size_t count, kept, gone;
    } cases[] = {{{1, 2, 3.1, 4.3, 9}, 5, 5, 1}, {{1, 2, 3.1, 4.3, 9}, 5, 1, 2},
                 {{9, 1, 5, 5, 2}, 5, 5, 2},     {{9, 1}, 2, 2, 2},
                 {{3, 2, 1}, 3, 1, 3},           {{2, 2, 2}, 3, 3, 1},
                 {{1, 4, 7, 8, 9}, 5, 5, 3},     {{1, 2, 3, 4}, 4, 4, 1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        CU_ASSERT_EQUAL(correction_superfluous(cases[c].references, cases[c].count, cases[c].kept), cases[c].gone);
}

CU_TestInfo tests_correction[] = {{"factors", factors}, {"applying", applying},       {"limits", limits},
                                  {"alarms", alarms},   {"superfluous", superfluous}, CU_TEST_INFO_NULL};
