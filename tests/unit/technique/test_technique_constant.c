/* Constants in a configuration's launch, and the limit on their size. */
#include "technique.h"

static void meaning(void)
{
    static const struct meaning_row rows[] = {
        {"constant COEFF = table\nconstant MORE = in", "", "", "COEFF from 2 kept MORE from 0 kept"},
        {"constant MORE = int A * 3", "", "A=8", "MORE = 18000000 kept"},
        {"constant COEFF = float[3] { 1, R }", "", "R=0.25", "COEFF = 0000803f0000803e00000000 kept"},
        {"constant MORE = float4 { 1, 2, 3, 4 }", "", "", "MORE = 0000803f000000400000404000008040 kept"},
        {"constant MORE = struct { char 1, table + A }", "", "A=2",
         "MORE = 01000000000000000000000000000000 [8: 2 0 + 8] kept"},
        {"constant MORE = uchar 255 + A", "", "A=1",
         "256 does not fit the type uchar, in constant at A=1 R=0.25 HOST=pageable WHEN=before"},
    };
    expect_meanings(rows, COUNT(rows));
}

static void fits(void)
{
    static const struct fits_row rows[] = {
        {"constant COEFF = table", "", "constant_bytes", 16384, ""},
        {"constant COEFF = table", "", "constant_bytes", 16383,
         "'table' has 16384 bytes, the device's constant memory 16383"},
    };
    expect_fits(rows, COUNT(rows));
}

CU_TestInfo tests_technique_constant[] = {{"meaning", meaning}, {"fits", fits}, CU_TEST_INFO_NULL};
