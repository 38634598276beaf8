/* Many codes, found again. */
#include <stdio.h>

#include <CUnit/Basic.h>

#include "evaluate/twins.h"

static void make_code(char code[HASH_HEX_BYTES], unsigned number)
{
    hash_hex(&number, sizeof number, code);
}

static void finds_what_was_added(void)
{
    enum { CODES = 3000 };
    struct twins twins = {0};
    struct error error = {0};
    char code[HASH_HEX_BYTES];
    make_code(code, 0);
    CU_ASSERT_PTR_NULL(twins_find(&twins, code));
    for (unsigned i = 0; i < CODES; i++) {
        struct twin twin = {.index = i, .measurement = measurement_unknown(STATUS_OK)};
        twin.measurement.time_ns = i + 1;
        make_code(twin.code, i);
        CU_ASSERT_EQUAL_FATAL(twins_add(&twins, &twin, &error), 0);
        twin.index = i + CODES; /* the first one stays */
        CU_ASSERT_EQUAL_FATAL(twins_add(&twins, &twin, &error), 0);
    }
    CU_ASSERT_EQUAL(twins.count, CODES);
    for (unsigned i = 0; i < CODES; i++) {
        make_code(code, i);
        const struct twin *found = twins_find(&twins, code);
        CU_ASSERT_PTR_NOT_NULL_FATAL(found);
        CU_ASSERT_EQUAL(found->index, i);
        CU_ASSERT_EQUAL(found->measurement.time_ns, i + 1);
    }
    make_code(code, CODES);
    CU_ASSERT_PTR_NULL(twins_find(&twins, code));
    twins_free(&twins);
    CU_ASSERT_PTR_NULL(twins_find(&twins, code));
}

CU_TestInfo tests_twins[] = {{"finds what was added", finds_what_was_added}, CU_TEST_INFO_NULL};
