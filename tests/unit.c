/* The runner of a unit test program. CMake defines SUITES as SUITE(error) SUITE(arena) ...; suite NAME is the array
 * `tests_NAME` of test_NAME.c. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "unit.h"

#define SUITE(name) extern CU_TestInfo tests_##name[];
SUITES
#undef SUITE

/* check_locale.py runs the tests in a program that follows the user's locale, one with this decimal point. */
static int follow_locale(void)
{
    const char *decimal = getenv("CUTUNE_TEST_DECIMAL");
    if (!decimal || (setlocale(LC_ALL, "") && strcmp(localeconv()->decimal_point, decimal) == 0))
        return 0;
    fprintf(stderr, "there is no locale with the decimal point '%s'\n", decimal);
    return 1;
}

__attribute__((weak)) const char *suite_lacks(const char *suite)
{
    (void)suite;
    return NULL;
}

static void skip(const char *suite)
{
    const char *lacks = suite_lacks(suite);
    if (!lacks)
        return;
    printf("suite %s: skipped: %s\n", suite, lacks);
    CU_set_suite_active(CU_get_suite(suite), CU_FALSE);
}

int main(void)
{
    if (follow_locale())
        return 1;
    CU_SuiteInfo suites[] = {
#define SUITE(name) {.pName = #name, .pTests = tests_##name},
        SUITES
#undef SUITE
            CU_SUITE_INFO_NULL};
    if (CU_initialize_registry() != CUE_SUCCESS || CU_register_suites(suites) != CUE_SUCCESS) {
        fprintf(stderr, "CUnit: %s\n", CU_get_error_msg());
        return 1;
    }
    CU_set_fail_on_inactive(CU_FALSE);
    for (size_t i = 0; suites[i].pName; i++)
        skip(suites[i].pName);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    unsigned failed = CU_get_number_of_failures(), run = CU_get_number_of_tests_run();
    CU_cleanup_registry();
    return failed > 0 || run == 0;
}
