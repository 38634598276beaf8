/* The runner of a unit test program. CMake gives the list of suites: SUITES is SUITE(error) SUITE(arena) ...; suite
 * NAME is the array `tests_NAME` of test_NAME.c. */
#include <stdio.h>

#include <CUnit/Basic.h>

#define SUITE(name) extern CU_TestInfo tests_##name[];
SUITES
#undef SUITE

int main(void)
{
    CU_SuiteInfo suites[] = {
#define SUITE(name) {.pName = #name, .pTests = tests_##name},
        SUITES
#undef SUITE
            CU_SUITE_INFO_NULL};
    if (CU_initialize_registry() != CUE_SUCCESS || CU_register_suites(suites) != CUE_SUCCESS) {
        fprintf(stderr, "CUnit: %s\n", CU_get_error_msg());
        return 1;
    }
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    unsigned failed = CU_get_number_of_failures(), run = CU_get_number_of_tests_run();
    CU_cleanup_registry();
    return failed > 0 || run == 0;
}
