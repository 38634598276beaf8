/* Constants in a configuration's launch, and the limit on their size. */
#include "technique.h"

static void meaning(void)
{
    static const struct meaning_row rows[] = {
        {"constant COEFF = table\nconstant MORE = in", "", "", "COEFF = 2 MORE = 0"},
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
