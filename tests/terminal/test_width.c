#include "terminal/width.h"

#include <stdlib.h>

#include <CUnit/Basic.h>

/* Standard output of a test is no terminal. */
static void columns(void)
{
    static const struct {
        const char *columns;
        int width;
    } rows[] = {{NULL, 80},   {"", 80},     {"100", 100},
                {"40", 40},   {"39", 40},   {"1", 40},
                {"120", 120}, {"121", 120}, {"99999999999999999999", 120},
                {"0", 80},    {"-5", 80},   {"80x", 80},
                {"wide", 80}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].columns)
            setenv("COLUMNS", rows[i].columns, 1);
        else
            unsetenv("COLUMNS");
        CU_ASSERT_EQUAL(terminal_width(), rows[i].width);
    }
    unsetenv("COLUMNS");
}

CU_TestInfo tests_width[] = {{"COLUMNS", columns}, CU_TEST_INFO_NULL};
