#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/text_set.h"

static void different(void)
{
    enum { TEXTS = 5000 };
    static char texts[TEXTS][12];
    struct text_set set = {0};
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < TEXTS; i++) {
            snprintf(texts[i], sizeof texts[i], "%d", i);
            const char **place = text_set_place(&set, texts[i]);
            CU_ASSERT_PTR_NOT_NULL_FATAL(place);
            CU_ASSERT_EQUAL(*place != NULL, round == 1);
            *place = texts[i];
        }
    CU_ASSERT_EQUAL(set.count, TEXTS);
    char copy[] = "4711";
    CU_ASSERT_PTR_EQUAL(*text_set_place(&set, copy), texts[4711]);
    CU_ASSERT_PTR_NULL(*text_set_place(&set, ""));
    text_set_free(&set);
    CU_ASSERT_EQUAL(set.count, 0);
}

CU_TestInfo tests_text_set[] = {{"different texts", different}, CU_TEST_INFO_NULL};
