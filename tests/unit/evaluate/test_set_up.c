/* The set-up before the first configuration: cutune's own kernels and the reference, from NVRTC to the device. */
#include "world.h"

static void faults(void)
{
    static const struct {
        const char *default_; /* the reference uses the default configuration */
        int code;
        const char *message;
    } rows[] = {
        {"TIME=6000 FAULT=none FROM=1 ASIDE=0 SHARED=0", 0, ""},
        {"TIME=6000 FAULT=broken FROM=1 ASIDE=0 SHARED=0", ERROR_COMPILE, "the reference kernel does not compile: "},
        {"TIME=6000 FAULT=nan FROM=1 ASIDE=0 SHARED=0", ERROR_VALUE,
         "the output out of the reference kernel is NaN in 1 of 1000 values, the first at 0"},
        {"TIME=6000 FAULT=wrong FROM=2 ASIDE=0 SHARED=0", ERROR_VALUE,
         "the output out of the reference kernel is not the same on two runs in 1 of 1000 values"},
        {"TIME=6000 FAULT=invalid FROM=1 ASIDE=0 SHARED=0", ERROR_DEVICE,
         "loading the reference kernel: device kernel image is invalid"},
        {"TIME=6000 FAULT=kill FROM=1 ASIDE=0 SHARED=0", ERROR_WORKER,
         "the device process fails to set up 3 times in a row, the last time killed by signal 11"},
        {WORLD_ACCEPT("none"), 0, ""},
        {WORLD_ACCEPT("broken"), ERROR_COMPILE, "the accept kernel does not compile: "},
        {WORLD_ACCEPT("unwritten"), ERROR_VALUE, "the accept kernel count_wrong counts nothing wrong in outputs"},
        {WORLD_ACCEPT("sticky"), ERROR_DEVICE, "accept count_wrong: an illegal memory access was encountered, over"},
        {WORLD_ACCEPT("kill"), ERROR_WORKER,
         "the device process fails to set up 3 times in a row, the last time killed by signal 11"},
        {"TIME=6000 FAULT=none FROM=1 ASIDE=0 SHARED=0\n"
         "accept count_wrong args in, out, long N, int N, int -1 block 32 grid 1",
         ERROR_DATA, "argument 4 of kernel 'count_wrong' has 8 bytes, but its parameter has 4"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct world world;
        struct ceilings ceilings;
        struct event_timer timer;
        struct error error = {0};
        fake_reset();
        open_world(&world, rows[i].default_);
        CU_ASSERT_EQUAL(world.evaluator.ops->device->ceilings(world.evaluator.state, &ceilings, &timer, &error),
                        rows[i].code);
        CU_ASSERT(begins(error.message, rows[i].message));
        if (rows[i].code == ERROR_COMPILE)
            CU_ASSERT_PTR_NOT_NULL(strstr(error.source, "scripted.cu"));
        close_world(&world);
    }
}

/* The accept kernel judges configurations. */
static void accepts(void)
{
    struct world world;
    fake_reset();
    open_world(&world, WORLD_ACCEPT("none"));
    CU_ASSERT_EQUAL(evaluate_one(&world, "TIME=5000", true).status, STATUS_OK);
    const struct measurement wrong = evaluate_one(&world, "TIME=5000 FAULT=wrong", true);
    CU_ASSERT_EQUAL(wrong.status, STATUS_WRONG_RESULT);
    CU_ASSERT(begins(wrong.message, "accept count_wrong counts 1 wrong"));
    close_world(&world);
}

/* The second Ctrl-C ends the set-up while the compilers work. */
static void given_up(void)
{
    struct world world;
    struct ceilings ceilings;
    struct event_timer timer;
    struct error error = {0};
    fake_reset();
    open_world(&world, NULL);
    world.stop = 2;
    CU_ASSERT_EQUAL(world.evaluator.ops->device->ceilings(world.evaluator.state, &ceilings, &timer, &error),
                    ERROR_INTERRUPTED);
    CU_ASSERT(begins(error.message, "interrupted while cutune's own kernel file was compiled"));
    close_world(&world);
}

CU_TestInfo tests_set_up[] = {{"faults", faults}, {"accepts", accepts}, {"given up", given_up}, CU_TEST_INFO_NULL};
