/* The life of a device process over the fake runtime: faults of kernels, and the coordinator's reaction. Times of
 * kernels are virtual, time limits are real. */
#include "device/device.h"

#include "device_kit.h"

/* Every fault has its status, message and number of attempts, and does not affect later jobs. */
static void outcomes(void)
{
    static const struct {
        const char *script;
        double incumbent_ns;
        enum status status;
        const char *message;
        double time_ns;
        unsigned lives; /* processes needed, including for the next job */
    } rows[] = {
        {"fake: time_ns=5000", INFINITY, STATUS_OK, "", 5000, 1},
        {"fake: time_ns=5001 first_ns=9000", INFINITY, STATUS_OK, "", 5001, 1},
        {"fake: time_ns=5002", 4000, STATUS_SLOWER, "", 5002, 1},
        {"fake: wrong=1", INFINITY, STATUS_WRONG_RESULT,
         "out: 1 of 1000 values differ from the reference, the first at 0", NAN, 1},
        {"fake: nan=1", INFINITY, STATUS_WRONG_RESULT,
         "out: 1 of 1000 values differ from the reference, all of them NaN, the first at 0", NAN, 1},
        {"fake: unwritten=1", INFINITY, STATUS_WRONG_RESULT, "out: 1000 of 1000 values differ from the reference", NAN,
         1},
        {"fake: wrong=2", INFINITY, STATUS_WRONG_RESULT,
         "right on the first launch, wrong on a later one: out: 1 of 1000", NAN, 1},
        {"fake: beside=1", INFINITY, STATUS_WRONG_RESULT, "writes outside a buffer: 4 bytes beside out", NAN, 2},
        {"fake: input=1", INFINITY, STATUS_WRONG_RESULT, "writes to in, which is not an output", NAN, 2},
        {"fake: beside=3/0", INFINITY, STATUS_WRONG_RESULT,
         "right on the first launch, wrong on a later one: writes outside a buffer", NAN, 2},
        {"fake: refuse=1", INFINITY, STATUS_LAUNCH_ERROR, "too many resources requested for launch", NAN, 1},
        {"fake: invalid=1", INFINITY, STATUS_LAUNCH_ERROR, "loading: device kernel image is invalid", NAN, 1},
        {"fake: sticky=1", INFINITY, STATUS_CRASHED, "an illegal memory access was encountered", NAN, 2},
        {"fake: sticky=4", INFINITY, STATUS_CRASHED, "correct at first, then failed when repeated: an illegal memory",
         NAN, 2},
        {"fake: kill=1", INFINITY, STATUS_CRASHED, "the device process was killed by signal 11 (Segmentation fault)",
         NAN, 3},
        {"fake: kill=3/0 time_ns=6000", INFINITY, STATUS_OK, "", 6000, 2}, /* someone may have killed it */
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        fake_reset();
        struct device *device = test_device_open(&test_sampling);
        struct measurement got = test_measure(device, rows[i].script, rows[i].incumbent_ns, test_patience_ns);
        CU_ASSERT_EQUAL(got.status, rows[i].status);
        expect_start(got.message, rows[i].message);
        expect_number(rows[i].script, got.value, rows[i].time_ns);
        struct measurement next = test_measure(device, "fake: time_ns=7000 local=8", 1e9, test_patience_ns);
        CU_ASSERT_EQUAL(next.status, STATUS_OK);
        CU_ASSERT_EQUAL(next.value, 7000);
        CU_ASSERT_EQUAL(next.low, 7000);
        CU_ASSERT_EQUAL(next.high, 7000);
        CU_ASSERT_EQUAL(next.local_bytes, 8);
        CU_ASSERT_EQUAL(next.clock_mhz, 1000);
        CU_ASSERT_EQUAL(test_lives(rows[i].lives), rows[i].lives);
        device_close(device);
    }
}

static void time_limit(void)
{
    fake_reset();
    struct device *device = test_device_open(&test_sampling);
    struct measurement got = test_measure(device, "fake: spin=1", INFINITY, 300000000);
    CU_ASSERT_EQUAL(got.status, STATUS_TIMEOUT);
    CU_ASSERT_STRING_EQUAL(got.message, "not finished after 0.3 s");
    CU_ASSERT_EQUAL(test_measure(device, "fake:", INFINITY, test_patience_ns).status, STATUS_OK);
    CU_ASSERT_EQUAL(test_lives(2), 2); /* it exceeded its own limit, so it is not tried again */
    device_close(device);
}

CU_TestInfo tests_device[] = {{"outcomes", outcomes}, {"time limit", time_limit}, CU_TEST_INFO_NULL};
