#include "terminal/width.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include <CUnit/Basic.h>

/* Standard output of a test is not a terminal. */
static void columns(void)
{
    static const struct {
        const char *columns;
        int width, exact;
    } rows[] = {{NULL, 80, 0},     {"", 80, 0},       {"100", 100, 100},
                {"40", 40, 40},    {"39", 40, 39},    {"1", 40, 1},
                {"120", 120, 120}, {"121", 120, 121}, {"99999999999999999999", 120, INT_MAX},
                {"0", 80, 0},      {"-5", 80, 0},     {"80x", 80, 0},
                {"wide", 80, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].columns)
            setenv("COLUMNS", rows[i].columns, 1);
        else
            unsetenv("COLUMNS");
        CU_ASSERT_EQUAL(terminal_width(), rows[i].width);
        CU_ASSERT_EQUAL(terminal_columns(STDOUT_FILENO), rows[i].exact);
    }
    unsetenv("COLUMNS");
}

CU_TestInfo tests_width[] = {{"COLUMNS", columns}, CU_TEST_INFO_NULL};
