/* An L2 window in a configuration's launch, and the limits of the device and the buffer. */
#include "technique.h"

static void meaning(void)
{
    static const struct meaning_row rows[] = {
        {"l2_window table bytes 4096 set_aside 8192", "", "",
         "window 2 bytes 4096 set_aside 8192 ratio 1 hit 2 miss 1"},
        {"l2_window table hit normal miss normal hit_ratio R set_aside A bytes A * 1024", "", "A=2 R=0.25",
         "window 2 bytes 2048 set_aside 2 ratio 0.25 hit 0 miss 0"},
        {"l2_window table bytes A - 1 hit_ratio R set_aside 8192 hit streaming", "", "A=1 R=0.25", "none"},
        {"l2_window table bytes 16 hit_ratio A set_aside 0", "", "A=2",
         "a hit ratio is from 0 to 1, not 2, in l2_window at A=2 R=0.25 HOST=pageable WHEN=before"},
        {"l2_window table bytes -A set_aside 0", "", "A=2",
         "the size of a window must be at least 0, not -2, in l2_window at A=2 R=0.25 HOST=pageable "
         "WHEN=before"},
    };
    expect_meanings(rows, COUNT(rows));
}

static void fits(void)
{
    static const struct fits_row rows[] = {
        {"l2_window table bytes 16384 set_aside 1 << 20", "", "cc", 90, ""},
        {"l2_window table bytes 16385 set_aside 0", "", "cc", 90, "an L2 window of 16385 bytes, but 'table' has 16384"},
        {"buffer s float[A * 16] scratch\nl2_window s bytes 64 set_aside 0", ", s", "cc", 90, ""},
        {"buffer s float[A * 16] scratch\nl2_window s bytes 65 set_aside 0", ", s", "cc", 90,
         "an L2 window of 65 bytes, but 's' has 64"}, /* of this configuration; the largest has more */
        {"l2_window table bytes 16384 set_aside 0", "", "l2_window_bytes", 16383,
         "an L2 window of 16384 bytes, the device allows 16383"},
        {"l2_window table bytes 16 set_aside 0", "", "l2_window_bytes", 0, "the device has no L2 access policy window"},
        {"l2_window table bytes 0 set_aside 1 << 40", "", "l2_window_bytes", 0, ""},
        {"l2_window table bytes 16 set_aside 4097", "", "l2_persisting_bytes", 4096,
         "4097 bytes of the L2 set aside, the device allows 4096"},
    };
    expect_fits(rows, COUNT(rows));
}

/* Its L2 contents must not be flushed between runs. */
static void keeps_l2(void)
{
    struct space *space = make("l2_window table bytes 0 set_aside 0", "", NULL);
    CU_ASSERT(space_keeps_l2(space));
    space_free(space);
    space = make("carveout 50\npipeline copy_in in", "", NULL);
    CU_ASSERT_FALSE(space_keeps_l2(space));
    space_free(space);
}

CU_TestInfo tests_technique_l2_window[] = {
    {"meaning", meaning}, {"fits", fits}, {"keeps the L2", keeps_l2}, CU_TEST_INFO_NULL};
