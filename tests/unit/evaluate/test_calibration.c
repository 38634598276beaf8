#include "evaluate/calibration.h"

#include <CUnit/Basic.h>

#include "evaluate/evaluator.h"

enum { DEVICES = 3, DEFAULT = 100 };

static struct calibration *open_calibration(void)
{
    struct calibration *calibration = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(calibration_open(&calibration, DEVICES, DEFAULT, &error), 0);
    return calibration;
}

/* A configuration's time: 1000 ns times its index. Each device is one per cent slower than the one before. */
static struct measurement measured(uint64_t index, size_t device)
{
    struct measurement measurement = measurement_unknown(STATUS_OK);
    measurement.value = 1000 * (double)index * (1 + 0.01 * (double)device);
    measurement.low = measurement.value * 0.9999;
    measurement.high = measurement.value * 1.0001;
    measurement.measure_ns = 1000;
    return measurement;
}

static void note(struct calibration *calibration, uint64_t index, size_t device)
{
    struct measurement measurement = measured(index, device);
    calibration_note(calibration, index, device, &measurement);
}

/* Measures all waiting calibration configurations; returns their number. */
static size_t measure(struct calibration *calibration)
{
    size_t device, count = 0;
    for (uint64_t index; calibration_next(calibration, &device, &index); count++) {
        struct measurement measurement = measured(index, device);
        CU_ASSERT(calibration_take(calibration, index, device, &measurement));
    }
    return count;
}

static void begin(struct calibration *calibration)
{
    for (uint64_t i = 0; i < CORRECTION_CALIBRATIONS; i++)
        note(calibration, DEFAULT + i, i % DEVICES);
}

/* The first feasible configurations become calibration configurations, and each device measures each of them once; then
 * all devices have a correction. */
static void first(void)
{
    struct calibration *calibration = open_calibration();
    struct measurement failed = measurement_unknown(STATUS_CRASHED);
    calibration_note(calibration, 1, 1, &failed);
    CU_ASSERT(!calibration_has(calibration, 1) && calibration_wanted(calibration) &&
              calibration_waiting(calibration) == 0);
    CU_ASSERT(calibration_correction(calibration, 0) && !calibration_correction(calibration, 1));
    begin(calibration);
    CU_ASSERT(!calibration_wanted(calibration) && calibration_has(calibration, DEFAULT + 7) &&
              calibration_waiting(calibration) == DEVICES);
    note(calibration, 50, 0);
    CU_ASSERT_FALSE(calibration_has(calibration, 50));
    CU_ASSERT_EQUAL(measure(calibration), CORRECTION_CALIBRATIONS * (DEVICES - 1));
    for (size_t d = 0; d < DEVICES; d++) {
        const struct correction *correction = calibration_correction(calibration, d);
        CU_ASSERT_PTR_NOT_NULL_FATAL(correction);
        CU_ASSERT_DOUBLE_EQUAL(correction->factor, 1 / (1 + 0.01 * (double)d), 1e-9);
        CU_ASSERT_PTR_NULL(calibration_verdict(calibration, d));
    }
    calibration_close(calibration);
}

/* An outcome of the search stays the search's, even of a calibration configuration. A device owes a calibration
 * configuration once. */
static void whose(void)
{
    struct calibration *calibration = open_calibration();
    struct measurement time = measured(DEFAULT, 1), slower = time, failed = measurement_unknown(STATUS_COMPILE_ERROR);
    size_t device;
    uint64_t index;
    slower.status = STATUS_SLOWER;
    note(calibration, DEFAULT, 0);
    CU_ASSERT_FALSE(calibration_take(calibration, DEFAULT, 1, &time)); /* not in flight yet */
    CU_ASSERT(calibration_next(calibration, &device, &index) && device == 1 && index == DEFAULT);
    CU_ASSERT(calibration_next(calibration, &device, &index) && device == 2);
    CU_ASSERT_FALSE(calibration_next(calibration, &device, &index));
    CU_ASSERT_FALSE(calibration_take(calibration, DEFAULT, 0, &time));
    calibration_search(calibration, DEFAULT);
    CU_ASSERT_FALSE(calibration_take(calibration, DEFAULT, 1, &slower));
    CU_ASSERT(calibration_take(calibration, DEFAULT, 1, &time));
    calibration_search(calibration, DEFAULT);
    CU_ASSERT_FALSE(calibration_take(calibration, DEFAULT, EVALUATOR_ANY_DEVICE, &failed));
    CU_ASSERT(calibration_take(calibration, DEFAULT, EVALUATOR_ANY_DEVICE, &failed)); /* device 2's */
    CU_ASSERT_FALSE(calibration_has(calibration, DEFAULT));
    calibration_close(calibration);
}

/* A correction from few calibration configurations is accepted when no more will come. */
static void settled(void)
{
    struct calibration *calibration = open_calibration();
    CU_ASSERT_PTR_NULL(calibration_settle(calibration, 1));
    note(calibration, DEFAULT, 1);
    measure(calibration);
    CU_ASSERT_PTR_NULL(calibration_correction(calibration, 1));
    const struct correction *correction = calibration_settle(calibration, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(correction);
    CU_ASSERT(correction->calibration == 1 && correction->spread == CORRECTION_SPREAD_UNKNOWN);
    calibration_close(calibration);
}

/* Repeated measurements take their share, and no more. The fastest configuration joins after a turn, and another
 * calibration configuration leaves. */
static void shares(void)
{
    struct calibration *calibration = open_calibration();
    size_t again = 0;
    begin(calibration);
    measure(calibration);
    calibration_best(calibration, 3);
    for (uint64_t i = 0; i < 3000; i++) {
        note(calibration, 5000 + i, i % DEVICES);
        again += measure(calibration);
    }
    double share = (double)again / 3000;
    CU_ASSERT(share >= 0.85 * CORRECTION_SHARE && share <= 1.05 * CORRECTION_SHARE);
    CU_ASSERT(calibration_has(calibration, 3) && calibration_has(calibration, DEFAULT) &&
              calibration_has(calibration, DEFAULT + 7));
    size_t left = 0;
    for (uint64_t i = 0; i < CORRECTION_CALIBRATIONS; i++)
        left += !calibration_has(calibration, DEFAULT + i);
    CU_ASSERT_EQUAL(left, 1);
    calibration_close(calibration);
}

/* A changed calibration configuration puts the device's times in doubt until all are measured again. */
static void doubt(void)
{
    struct calibration *calibration = open_calibration();
    begin(calibration);
    measure(calibration);
    size_t device = 0, again = 0;
    uint64_t index;
    for (uint64_t i = 0; !calibration_waiting(calibration); i++)
        note(calibration, 5000 + i, 1);
    CU_ASSERT(calibration_next(calibration, &device, &index) && device == 1);
    struct measurement changed = measured(index, 1);
    uint64_t changes = calibration_changes(calibration);
    for (bool more = true; more; again++) {
        changed = measured(index, 1);
        changed.value *= 1.08;
        changed.low *= 1.08;
        changed.high *= 1.08;
        CU_ASSERT(calibration_take(calibration, index, 1, &changed));
        more = calibration_next(calibration, &device, &index);
        CU_ASSERT_EQUAL(!calibration_correction(calibration, 1), more);
    }
    CU_ASSERT(again == CORRECTION_CALIBRATIONS && calibration_changes(calibration) > changes);
    const char *why = calibration_verdict(calibration, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(why);
    CU_ASSERT_STRING_EQUAL(why, "has become 8.0% slower since the start");
    calibration_leave_out(calibration, 1);
    CU_ASSERT(calibration_left_out(calibration, 1) && !calibration_verdict(calibration, 1));
    CU_ASSERT(calibration_trusted(calibration) != 1 && calibration_trusted(calibration) != 1 &&
              calibration_trusted(calibration) != 1);
    calibration_close(calibration);
}

/* At most two calibration configurations of a device are in flight. Later outcomes of an excluded device are ignored.
 */
static void in_flight(void)
{
    struct calibration *calibration = open_calibration();
    size_t device, of[DEVICES] = {0};
    begin(calibration);
    for (uint64_t index; calibration_next(calibration, &device, &index);)
        of[device]++;
    for (size_t d = 0; d < DEVICES; d++)
        CU_ASSERT_EQUAL(of[d], 2);
    calibration_close(calibration);

    struct measurement time = measured(DEFAULT, 2);
    uint64_t index;
    calibration = open_calibration();
    note(calibration, DEFAULT, 0);
    while (calibration_next(calibration, &device, &index))
        ;
    calibration_leave_out(calibration, 2);
    CU_ASSERT(calibration_take(calibration, DEFAULT, 2, &time));
    CU_ASSERT_PTR_NULL(calibration_settle(calibration, 2));
    CU_ASSERT_FALSE(calibration_take(calibration, DEFAULT, 2, &time));
    calibration_close(calibration);
}

/* A device that fails calibration configurations of the first device is excluded; the first is not. */
static void failing(void)
{
    struct calibration *calibration = open_calibration();
    struct measurement failed = measurement_unknown(STATUS_CRASHED);
    for (uint64_t i = 0; i < CORRECTION_FAILURES; i++) {
        size_t device;
        uint64_t index;
        CU_ASSERT_PTR_NULL(calibration_verdict(calibration, 2));
        note(calibration, DEFAULT + i, 0);
        while (calibration_next(calibration, &device, &index))
            ;
        CU_ASSERT(calibration_take(calibration, DEFAULT + i, 2, &failed));
        CU_ASSERT(calibration_take(calibration, DEFAULT + i, 1, &failed));
    }
    CU_ASSERT_PTR_NOT_NULL(calibration_verdict(calibration, 2));
    CU_ASSERT_PTR_NULL(calibration_verdict(calibration, 0));
    calibration_close(calibration);
}

CU_TestInfo tests_calibration[] = {{"first", first}, {"whose", whose},         {"settled", settled}, {"shares", shares},
                                   {"doubt", doubt}, {"in flight", in_flight}, {"failing", failing}, CU_TEST_INFO_NULL};
