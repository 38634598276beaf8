/* Findings of the sample journals of two devices, A (twice) and B. */
#ifndef CUTUNE_TESTS_COMPARE_FIXTURES_H
#define CUTUNE_TESTS_COMPARE_FIXTURES_H

#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/text.h"
#include "compare/compared.h"

#define FIXTURES TEST_FOLDER "/cli/fixtures/"
#define DEVICE_A FIXTURES "device_a.csv"
#define LATER_A  FIXTURES "device_a_later.csv"
#define DEVICE_B FIXTURES "device_b.csv"

static inline void open_compared(struct compared *compared, const char *const *files, size_t count)
{
    struct error error = {0};
    memset(compared, 0, sizeof *compared);
    CU_ASSERT_EQUAL_FATAL(compared_load(compared, files, count, NULL, &error), 0);
    CU_ASSERT_EQUAL_FATAL(compared_find(compared, 10, 0.01, &error), 0);
    CU_ASSERT_EQUAL_FATAL(compared->comparisons.count, 1);
}

static inline void expect_part(const struct text *text, const char *part, bool there)
{
    bool found = strstr(text_string(text), part) != NULL;
    if (found != there)
        printf("%s '%s' in\n%s\n", there ? "no" : "there is", part, text_string(text));
    CU_ASSERT_EQUAL(found, there);
}

#endif
