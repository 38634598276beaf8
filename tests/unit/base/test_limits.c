#include <ctype.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/limits.h"

static void rows_are_fields(void)
{
    struct device_limits limits = {0};
    for (size_t i = 0; i < limit_count; i++)
        limit_put(&limits, &limit_rows[i], (int64_t)i + ((int64_t)1 << 40));
    for (size_t i = 0; i < limit_count; i++)
        CU_ASSERT_EQUAL(limit_get(&limits, &limit_rows[i]), (int64_t)i + ((int64_t)1 << 40));
    size_t field = 0;
#define LIMIT(name, attribute, least, description) CU_ASSERT_EQUAL(limits.name, (int64_t)field++ + ((int64_t)1 << 40));
#include "base/limits.def"
#undef LIMIT
    CU_ASSERT_EQUAL(field, limit_count);
}

static void names(void)
{
    for (size_t i = 0; i < limit_count; i++) {
        CU_ASSERT_PTR_EQUAL(limit_find(limit_rows[i].name), &limit_rows[i]);
        CU_ASSERT_NOT_EQUAL(limit_rows[i].description[0], '\0');
        for (const char *c = limit_rows[i].name; *c; c++)
            CU_ASSERT(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '_');
    }
    CU_ASSERT_PTR_NULL(limit_find("max_thread"));
    CU_ASSERT_PTR_NULL(limit_find(""));
    CU_ASSERT_PTR_NULL(limit_find("name"));
}

CU_TestInfo tests_limits[] = {{"rows are fields", rows_are_fields}, {"names", names}, CU_TEST_INFO_NULL};
