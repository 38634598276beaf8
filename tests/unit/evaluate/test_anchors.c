#include "evaluate/anchors.h"

#include <CUnit/Basic.h>

#include "evaluate/evaluator.h"

enum { DEVICES = 3, DEFAULT = 100 };

static struct anchors *open_anchors(void)
{
    struct anchors *anchors = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(anchors_open(&anchors, DEVICES, DEFAULT, &error), 0);
    return anchors;
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

static void note(struct anchors *anchors, uint64_t index, size_t device)
{
    struct measurement measurement = measured(index, device);
    anchors_note(anchors, index, device, &measurement);
}

/* Measures all waiting anchors; returns their number. */
static size_t measure(struct anchors *anchors)
{
    size_t device, count = 0;
    for (uint64_t index; anchors_next(anchors, &device, &index); count++) {
        struct measurement measurement = measured(index, device);
        CU_ASSERT(anchors_take(anchors, index, device, &measurement));
    }
    return count;
}

static void begin(struct anchors *anchors)
{
    for (uint64_t i = 0; i < CORRECTION_ANCHORS; i++)
        note(anchors, DEFAULT + i, i % DEVICES);
}

/* The first feasible configurations become anchors, and each device measures each of them once; then all devices have a
 * correction. */
static void first(void)
{
    struct anchors *anchors = open_anchors();
    struct measurement failed = measurement_unknown(STATUS_CRASHED);
    anchors_note(anchors, 1, 1, &failed);
    CU_ASSERT(!anchors_has(anchors, 1) && anchors_wanted(anchors) && anchors_waiting(anchors) == 0);
    CU_ASSERT(anchors_correction(anchors, 0) && !anchors_correction(anchors, 1));
    begin(anchors);
    CU_ASSERT(!anchors_wanted(anchors) && anchors_has(anchors, DEFAULT + 7) && anchors_waiting(anchors) == DEVICES);
    note(anchors, 50, 0);
    CU_ASSERT_FALSE(anchors_has(anchors, 50));
    CU_ASSERT_EQUAL(measure(anchors), CORRECTION_ANCHORS * (DEVICES - 1));
    for (size_t d = 0; d < DEVICES; d++) {
        const struct correction *correction = anchors_correction(anchors, d);
        CU_ASSERT_PTR_NOT_NULL_FATAL(correction);
        CU_ASSERT_DOUBLE_EQUAL(correction->factor, 1 / (1 + 0.01 * (double)d), 1e-9);
        CU_ASSERT_PTR_NULL(anchors_verdict(anchors, d));
    }
    anchors_close(anchors);
}

/* An outcome of the search stays the search's, even of an anchor. A device owes an anchor once. */
static void whose(void)
{
    struct anchors *anchors = open_anchors();
    struct measurement time = measured(DEFAULT, 1), slower = time, failed = measurement_unknown(STATUS_COMPILE_ERROR);
    size_t device;
    uint64_t index;
    slower.status = STATUS_SLOWER;
    note(anchors, DEFAULT, 0);
    CU_ASSERT_FALSE(anchors_take(anchors, DEFAULT, 1, &time)); /* not in flight yet */
    CU_ASSERT(anchors_next(anchors, &device, &index) && device == 1 && index == DEFAULT);
    CU_ASSERT(anchors_next(anchors, &device, &index) && device == 2);
    CU_ASSERT_FALSE(anchors_next(anchors, &device, &index));
    CU_ASSERT_FALSE(anchors_take(anchors, DEFAULT, 0, &time));
    anchors_search(anchors, DEFAULT);
    CU_ASSERT_FALSE(anchors_take(anchors, DEFAULT, 1, &slower));
    CU_ASSERT(anchors_take(anchors, DEFAULT, 1, &time));
    anchors_search(anchors, DEFAULT);
    CU_ASSERT_FALSE(anchors_take(anchors, DEFAULT, EVALUATOR_ANY_DEVICE, &failed));
    CU_ASSERT(anchors_take(anchors, DEFAULT, EVALUATOR_ANY_DEVICE, &failed)); /* device 2's */
    CU_ASSERT_FALSE(anchors_has(anchors, DEFAULT));
    anchors_close(anchors);
}

/* A correction from few anchors is accepted when no more will come. */
static void settled(void)
{
    struct anchors *anchors = open_anchors();
    CU_ASSERT_PTR_NULL(anchors_settle(anchors, 1));
    note(anchors, DEFAULT, 1);
    measure(anchors);
    CU_ASSERT_PTR_NULL(anchors_correction(anchors, 1));
    const struct correction *correction = anchors_settle(anchors, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(correction);
    CU_ASSERT(correction->anchors == 1 && correction->spread == CORRECTION_SPREAD_UNKNOWN);
    anchors_close(anchors);
}

/* Repeated measurements take their share, and no more. The fastest configuration joins after a turn, and another anchor
 * leaves. */
static void shares(void)
{
    struct anchors *anchors = open_anchors();
    size_t again = 0;
    begin(anchors);
    measure(anchors);
    anchors_best(anchors, 3);
    for (uint64_t i = 0; i < 3000; i++) {
        note(anchors, 5000 + i, i % DEVICES);
        again += measure(anchors);
    }
    CU_ASSERT(again >= 0.85 * CORRECTION_SHARE * 3000 && again <= 1.05 * CORRECTION_SHARE * 3000);
    CU_ASSERT(anchors_has(anchors, 3) && anchors_has(anchors, DEFAULT) && anchors_has(anchors, DEFAULT + 7));
    size_t left = 0;
    for (uint64_t i = 0; i < CORRECTION_ANCHORS; i++)
        left += !anchors_has(anchors, DEFAULT + i);
    CU_ASSERT_EQUAL(left, 1);
    anchors_close(anchors);
}

/* A changed anchor puts the device's times in doubt until all are measured again. */
static void doubt(void)
{
    struct anchors *anchors = open_anchors();
    begin(anchors);
    measure(anchors);
    size_t device = 0, again = 0;
    uint64_t index;
    for (uint64_t i = 0; !anchors_waiting(anchors); i++)
        note(anchors, 5000 + i, 1);
    CU_ASSERT(anchors_next(anchors, &device, &index) && device == 1);
    struct measurement changed = measured(index, 1);
    uint64_t changes = anchors_changes(anchors);
    for (bool more = true; more; again++) {
        changed = measured(index, 1);
        changed.value *= 1.08;
        changed.low *= 1.08;
        changed.high *= 1.08;
        CU_ASSERT(anchors_take(anchors, index, 1, &changed));
        more = anchors_next(anchors, &device, &index);
        CU_ASSERT_EQUAL(!anchors_correction(anchors, 1), more);
    }
    CU_ASSERT(again == CORRECTION_ANCHORS && anchors_changes(anchors) > changes);
    const char *why = anchors_verdict(anchors, 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(why);
    CU_ASSERT_STRING_EQUAL(why, "has become 8.0% slower since the start");
    anchors_leave_out(anchors, 1);
    CU_ASSERT(anchors_left_out(anchors, 1) && !anchors_verdict(anchors, 1));
    CU_ASSERT(anchors_trusted(anchors) != 1 && anchors_trusted(anchors) != 1 && anchors_trusted(anchors) != 1);
    anchors_close(anchors);
}

/* At most two anchors of a device are in flight. Later outcomes of an excluded device are ignored. */
static void in_flight(void)
{
    struct anchors *anchors = open_anchors();
    size_t device, of[DEVICES] = {0};
    begin(anchors);
    for (uint64_t index; anchors_next(anchors, &device, &index);)
        of[device]++;
    for (size_t d = 0; d < DEVICES; d++)
        CU_ASSERT_EQUAL(of[d], 2);
    anchors_close(anchors);

    struct measurement time = measured(DEFAULT, 2);
    uint64_t index;
    anchors = open_anchors();
    note(anchors, DEFAULT, 0);
    while (anchors_next(anchors, &device, &index))
        ;
    anchors_leave_out(anchors, 2);
    CU_ASSERT(anchors_take(anchors, DEFAULT, 2, &time));
    CU_ASSERT_PTR_NULL(anchors_settle(anchors, 2));
    CU_ASSERT_FALSE(anchors_take(anchors, DEFAULT, 2, &time));
    anchors_close(anchors);
}

/* A device that fails anchors of the first device is excluded; the first is not. */
static void failing(void)
{
    struct anchors *anchors = open_anchors();
    struct measurement failed = measurement_unknown(STATUS_CRASHED);
    for (uint64_t i = 0; i < CORRECTION_FAILURES; i++) {
        size_t device;
        uint64_t index;
        CU_ASSERT_PTR_NULL(anchors_verdict(anchors, 2));
        note(anchors, DEFAULT + i, 0);
        while (anchors_next(anchors, &device, &index))
            ;
        CU_ASSERT(anchors_take(anchors, DEFAULT + i, 2, &failed));
        CU_ASSERT(anchors_take(anchors, DEFAULT + i, 1, &failed));
    }
    CU_ASSERT_PTR_NOT_NULL(anchors_verdict(anchors, 2));
    CU_ASSERT_PTR_NULL(anchors_verdict(anchors, 0));
    anchors_close(anchors);
}

CU_TestInfo tests_anchors[] = {{"first", first}, {"whose", whose},         {"settled", settled}, {"shares", shares},
                               {"doubt", doubt}, {"in flight", in_flight}, {"failing", failing}, CU_TEST_INFO_NULL};
