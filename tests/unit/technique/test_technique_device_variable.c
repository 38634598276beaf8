/* Variables of the source in a configuration's launch. */
#include "technique.h"

static void meaning(void)
{
    static const struct meaning_row rows[] = {
        {"device_variable STATE = int 7 * A", "", "A=2", "STATE = 0e000000"},
        {"device_variable STATE = int[2] { 1 }", "", "", "STATE = 0100000000000000"},
        {"device_variable STATE = null", "", "", "STATE = 0000000000000000"},
        {"device_variable STATE from table", "", "", "STATE from 2"},
        {"device_variable ns::DATA = in", "", "", "ns::DATA = &0 + 0"},
        {"device_variable ns::DATA = in + A", "", "A=8", "ns::DATA = &0 + 32"},
        {"device_variable ns::DATA = in + 1001", "", "",
         "the pointer is 1001 elements into 'in', which has 1000, in device_variable at A=1 R=0.25 HOST=pageable "
         "WHEN=before"},
        {"texture t = in float N\ndevice_variable STATE = struct { int 1, t, struct { out } }", "", "",
         "STATE = 010000000000000000000000000000000000000000000000 [8: -1 1 + 0] [16: 1 0 + 0] texture 0 float 1000 x "
         "0 filter 0"},
        {"device_variable STATE = int 1\nconstant MORE = int 2\ndevice_variable ns::DATA = in", "", "",
         "STATE = 01000000 ns::DATA = &0 + 0 MORE = 02000000 kept"},
    };
    expect_meanings(rows, COUNT(rows));
}

/* An output that the kernel gets by a variable alone, also in a struct or through a tensor map. */
static void outputs(void)
{
    static const char *const rows[] = {
        "device_variable ns::DATA = second", "device_variable STATE = struct { int 1, second + 4 }",
        "tensor_map m over second size 64 box 16\ndevice_variable STATE = m", "constant MORE = struct { second }"};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char statements[256];
        snprintf(statements, sizeof statements, "buffer second float[64] output\n%s", rows[i]);
        struct space *space = make(statements, "", NULL);
        CU_ASSERT_PTR_NOT_NULL(space);
        space_free(space);
    }
}

CU_TestInfo tests_technique_device_variable[] = {{"meaning", meaning}, {"outputs", outputs}, CU_TEST_INFO_NULL};
