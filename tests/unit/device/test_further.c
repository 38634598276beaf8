/* Play-offs in a further process: the checksums of a finalist's results verify it, and expected results are computed
 * only if they differ. */
#include "device/messages.h"
#include "device_kit.h"

enum { KERNELS = 2 };

/* A finalist that plays with a right one. */
struct row {
    const char *script;
    unsigned faults_from; /* as in struct fake_cuda */
    double tolerance;
    unsigned lives, references; /* processes; launches of the reference, two in each process that computes its results;
                                   0: another process begins meanwhile */
    enum status status;
    const char *message;
    bool varies[2]; /* in the first process, in the further one: has no checksum afterwards */
};

static struct device *open_device(const struct row *row, bool inout)
{
    struct error error = {0};
    struct device *device = NULL;
    struct space space;
    struct buffer buffers[TEST_BUFFERS];
    struct launch launch = test_launch();
    struct device_setup setup = test_setup(&space, buffers, &launch);
    buffers[TEST_OUT].tolerance.absolute = row->tolerance;
    if (inout) {
        buffers[TEST_OUT].role = BUFFER_INOUT;
        buffers[TEST_OUT].fill = FILL_RANDOM;
    }
    fake_reset();
    fake.faults_from = row->faults_from;
    CU_ASSERT_EQUAL_FATAL(device_open(&device, "0", &error), 0);
    CU_ASSERT_EQUAL_FATAL(device_setup(device, &setup, &error), 0);
    return device;
}

/* Plays off the script and a right kernel, whose checksums are those of `finals`, and replaces these by the outcomes.
 */
static void play(struct device *device, const char *script, bool further, struct measurement finals[DEVICE_KERNELS_MAX])
{
    struct launch launch = test_launch();
    struct device_kernel kernels[KERNELS] = {test_device_kernel(script, &launch),
                                             test_device_kernel("fake: id=right", &launch)};
    struct device_job job = {.playoff = true,
                             .further = further,
                             .kernels = kernels,
                             .kernel_count = KERNELS,
                             .incumbent_ns = INFINITY,
                             .timeout_ns = test_patience_ns};
    struct error error = {0};
    uint64_t id;
    for (size_t k = 0; k < KERNELS; k++)
        kernels[k].results_checksum = finals[k].results_checksum;
    if (further)
        device_rest(device);
    CU_ASSERT_EQUAL(device_submit(device, &job, &error), 0);
    CU_ASSERT_EQUAL(test_wait(device, &id, finals, &error), 1);
}

static void verified_by_checksums(void)
{
    static const struct row rows[] = {
        {"fake: id=a", 2, 0, 2, 2, STATUS_OK, "", {false, false}},
        /* results that vary within the tolerance: from process to process, or already in the first one */
        {"fake: wrong=1", 2, 1, 3, 4, STATUS_OK, "", {false, true}},
        {"fake: wrong=2", 0, 1, 2, 4, STATUS_OK, "", {true, false}},
        /* wrong results */
        {"fake: wrong=1", 2, 0, 3, 4, STATUS_WRONG_RESULT, "out: 1 of 1000 values differ from the reference, the", {0}},
        {"fake: nan=1", 2, 1, 3, 4, STATUS_WRONG_RESULT, "out: 1 of 1000 values differ from the reference, all", {0}},
        {"fake: unwritten=1", 2, 0, 3, 4, STATUS_WRONG_RESULT, "out: 1000 of 1000 values differ from the", {0}},
        {"fake: stale=2", 2, 0, 3, 4, STATUS_WRONG_RESULT, "right on the first launch, wrong on a later one: out", {0}},
        /* faults that show without expected results */
        {"fake: refuse=1", 2, 0, 2, 2, STATUS_LAUNCH_ERROR, "too many resources requested for launch", {0}},
        {"fake: beside=1", 2, 0, 3, 0, STATUS_WRONG_RESULT, "writes outside a buffer: 4 bytes beside out", {0}},
        {"fake: input=1", 2, 0, 3, 0, STATUS_WRONG_RESULT, "writes to in, which is not an output", {0}},
        {"fake: sticky=1", 2, 0, 3, 0, STATUS_CRASHED, "an illegal memory access was encountered", {0}},
    };
    for (size_t i = 0; i < 2 * COUNT(rows); i++) {
        const struct row *row = &rows[i / 2];
        struct measurement finals[DEVICE_KERNELS_MAX] = {{.results_checksum = 0}};
        struct device *device = open_device(row, i % 2);
        play(device, row->script, false, finals);
        CU_ASSERT_EQUAL(finals[0].status, STATUS_OK);
        CU_ASSERT_EQUAL(finals[0].results_checksum == 0, row->varies[0]);
        CU_ASSERT_EQUAL(fake_launches("fake: letter=r"), 2);
        play(device, row->script, true, finals);
        CU_ASSERT_EQUAL(finals[0].status, row->status);
        expect_start(finals[0].message, row->message);
        CU_ASSERT_EQUAL(finals[0].results_checksum == 0, row->varies[1]);
        CU_ASSERT_EQUAL(finals[1].status, STATUS_OK);
        CU_ASSERT_NOT_EQUAL(finals[1].results_checksum, 0);
        CU_ASSERT(!row->references || fake_launches("fake: letter=r") == row->references);
        CU_ASSERT_EQUAL(test_lives(row->lives), row->lives);
        device_close(device);
    }
}

/* After a play-off that needed no expected results, other jobs are verified with them, in another process. A play-off
 * in this process uses them, too. */
static void later_jobs(void)
{
    static const struct row row = {.script = "fake: id=a"};
    struct measurement finals[DEVICE_KERNELS_MAX] = {{.results_checksum = 0}};
    struct device *device = open_device(&row, false);
    play(device, row.script, false, finals);
    play(device, row.script, true, finals);
    CU_ASSERT_EQUAL(fake_lives(), 2);
    CU_ASSERT_EQUAL(test_measure(device, "fake: wrong=1", INFINITY, test_patience_ns).status, STATUS_WRONG_RESULT);
    CU_ASSERT_EQUAL(test_measure(device, "fake: id=c", INFINITY, test_patience_ns).status, STATUS_OK);
    CU_ASSERT_EQUAL(fake_launches("fake: letter=r"), 4);
    play(device, "fake: unwritten=1", false, finals);
    CU_ASSERT_EQUAL(finals[0].status, STATUS_WRONG_RESULT);
    CU_ASSERT_EQUAL(finals[1].status, STATUS_OK);
    CU_ASSERT_EQUAL(fake_lives(), 3);
    device_close(device);
}

/* A process without expected results takes neither jobs without checksums nor requests for sets. */
static void refused(void)
{
    static const struct row row = {.script = "fake: id=a"};
    struct launch launch = test_launch();
    const struct device_kernel kernel = test_device_kernel("fake: id=a", &launch);
    struct text jobs[2] = {{0}};
    for (size_t playoff = 0; playoff < COUNT(jobs); playoff++) {
        const struct device_job job = {.playoff = playoff, .kernel_count = 1, .timeout_ns = test_patience_ns};
        pack_struct(&jobs[playoff], &job_table, &job);
        message_pack_kernel(&jobs[playoff], &kernel);
    }
    const struct {
        enum device_message kind;
        struct text text;
    } rows[] = {{MESSAGE_MEASURE, jobs[0]}, {MESSAGE_MEASURE, jobs[1]}, {MESSAGE_EXPECT, {0}}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct measurement finals[DEVICE_KERNELS_MAX] = {{.results_checksum = 0}};
        struct error error = {0};
        uint64_t id;
        struct device *device = open_device(&row, false);
        play(device, row.script, false, finals);
        play(device, row.script, true, finals);
        CU_ASSERT_EQUAL(worker_send(device_worker(device), rows[i].kind, 0, rows[i].text.bytes, rows[i].text.length,
                                    INT64_MAX, &error),
                        0);
        CU_ASSERT_EQUAL(test_wait(device, &id, finals, &error), -1);
        expect_text(error.message, "the device process does not understand its coordinator");
        device_close(device);
    }
    text_free(&jobs[0]);
    text_free(&jobs[1]);
}

CU_TestInfo tests_further[] = {{"verified by checksums", verified_by_checksums},
                               {"later jobs", later_jobs},
                               {"refused", refused},
                               CU_TEST_INFO_NULL};
