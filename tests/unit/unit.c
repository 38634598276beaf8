/* The runner of a unit test program: PROGRAM [SUITE...] runs these suites, or all, and exits with 77 if nothing can
 * run here. CMake defines SUITES as SUITE(error) SUITE(arena) ...; suite NAME is the array `tests_NAME` of
 * test_NAME.c. */
#include <ftw.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "unit.h"

#define SUITE(name) extern CU_TestInfo tests_##name[];
SUITES
#undef SUITE

/* The tests run in a program that follows the user's locale, one with this decimal point. */
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

enum { SKIPPED = 77 };
#ifdef CUTUNE_SANITIZED
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

static void skip(const CU_SuiteInfo *about)
{
    CU_pSuite suite = CU_get_suite(about->pName);
    const char *lacks = suite_lacks(about->pName);
    if (lacks) {
        printf("suite %s: skipped: %s\n", about->pName, lacks);
        CU_set_suite_active(suite, CU_FALSE);
    }
    for (const CU_TestInfo *test = about->pTests; SANITIZED && test->pName; test++)
        if (strncmp(test->pName, BY_COMPILERS, strlen(BY_COMPILERS)) == 0 ||
            strncmp(test->pName, OVER_SEEDS, strlen(OVER_SEEDS)) == 0) {
            printf("suite %s: skipped: %s\n", about->pName, test->pName);
            CU_set_test_active(CU_get_test(suite, test->pName), CU_FALSE);
        }
}

static bool is_named(const char *suite, int count, char **names)
{
    bool found = count == 0;
    for (int i = 0; i < count && !found; i++)
        found = strcmp(names[i], suite) == 0;
    return found;
}

/* Leaves out the suites that are not named. Returns true if each name is that of a suite. */
static bool choose(const CU_SuiteInfo *suites, int count, char **names)
{
    for (const CU_SuiteInfo *suite = suites; suite->pName; suite++)
        if (!is_named(suite->pName, count, names))
            CU_set_suite_active(CU_get_suite(suite->pName), CU_FALSE);
    for (int i = 0; i < count; i++)
        if (!CU_get_suite(names[i])) {
            fprintf(stderr, "there is no suite '%s'\n", names[i]);
            return false;
        }
    return true;
}

static char cache[] = "/tmp/cutune-cache-XXXXXX";

/* Compilations of a test are shared by the others of this program, or of the run that names a folder, and by nobody
 * else. */
static int open_cache(void)
{
    const char *shared = getenv("CUTUNE_TEST_CACHE");
    if (shared)
        return setenv("CUTUNE_CACHE", shared, 1);
    if (mkdtemp(cache) && setenv("CUTUNE_CACHE", cache, 1) == 0)
        return 0;
    perror(cache);
    return 1;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status, (void)kind, (void)place;
    return remove(path);
}

int main(int count, char **arguments)
{
    if (follow_locale() || open_cache())
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
    if (!choose(suites, count - 1, arguments + 1))
        return 1;
    for (size_t i = 0; suites[i].pName; i++)
        skip(&suites[i]);
    CU_basic_set_mode(CU_BRM_VERBOSE);
    CU_basic_run_tests();
    unsigned failed = CU_get_number_of_failures(), run = CU_get_number_of_tests_run();
    CU_cleanup_registry();
    nftw(cache, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return failed > 0 ? 1 : run > 0 ? 0 : SKIPPED;
}
