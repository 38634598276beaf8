/* Many codes are all found again. */
#include <stdio.h>

#include <CUnit/Basic.h>

#include "evaluate/duplicates.h"

static void make_code(char code[HASH_HEX_BYTES], unsigned number)
{
    hash_hex(&number, sizeof number, code);
}

static void finds_what_was_added(void)
{
    enum { CODES = 3000 };
    struct duplicates duplicates = {0};
    struct error error = {0};
    char code[HASH_HEX_BYTES];
    make_code(code, 0);
    CU_ASSERT_PTR_NULL(duplicates_find(&duplicates, code));
    for (unsigned i = 0; i < CODES; i++) {
        struct duplicate duplicate = {.index = i, .measurement = measurement_unknown(STATUS_OK)};
        duplicate.measurement.value = i + 1;
        make_code(duplicate.code, i);
        CU_ASSERT_EQUAL_FATAL(duplicates_add(&duplicates, &duplicate, &error), 0);
        duplicate.index = i + CODES; /* the first row stays */
        CU_ASSERT_EQUAL_FATAL(duplicates_add(&duplicates, &duplicate, &error), 0);
    }
    CU_ASSERT_EQUAL(duplicates.count, CODES);
    for (unsigned i = 0; i < CODES; i++) {
        make_code(code, i);
        const struct duplicate *found = duplicates_find(&duplicates, code);
        CU_ASSERT_PTR_NOT_NULL_FATAL(found);
        CU_ASSERT_EQUAL(found->index, i);
        CU_ASSERT_EQUAL(found->measurement.value, i + 1);
    }
    make_code(code, CODES);
    CU_ASSERT_PTR_NULL(duplicates_find(&duplicates, code));
    duplicates_free(&duplicates);
    CU_ASSERT_PTR_NULL(duplicates_find(&duplicates, code));
}

CU_TestInfo tests_duplicates[] = {{"finds what was added", finds_what_was_added}, CU_TEST_INFO_NULL};
