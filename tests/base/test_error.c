#include <string.h>

#include <CUnit/Basic.h>

#include "base/error.h"

static void first_error_wins(void) {
    struct error error = {0};
    CU_ASSERT_EQUAL(error_set(&error, ERROR_IO, "disk %d", 1), ERROR_IO);
    CU_ASSERT_EQUAL(error_set(&error, ERROR_USAGE, "later"), ERROR_USAGE);
    CU_ASSERT_EQUAL(error.code, ERROR_IO);
    CU_ASSERT_STRING_EQUAL(error.message, "disk 1");
}

CU_TestInfo tests_error[] = {{"the first error wins", first_error_wins}, CU_TEST_INFO_NULL};
