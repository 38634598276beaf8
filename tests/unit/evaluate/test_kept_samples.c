/* Samples wait for the row of their configuration, by device. */
#include "evaluate/kept_samples.h"

#include <CUnit/Basic.h>

static void expect(struct kept_samples *kept, uint64_t index, size_t device, const char *samples)
{
    struct text text = {0};
    kept_samples_take(kept, index, device, &text);
    CU_ASSERT_STRING_EQUAL(text_string(&text), samples);
    text_free(&text);
}

/* Each is taken once. */
static void taken_once(void)
{
    struct kept_samples kept = {0};
    struct error error = {0};
    CU_ASSERT_EQUAL(kept_samples_put(&kept, 3, 0, "1 2", &error), 0);
    CU_ASSERT_EQUAL(kept_samples_put(&kept, 3, 1, "3", &error), 0);
    CU_ASSERT_EQUAL(kept_samples_put(&kept, UINT64_MAX - 1, 0, "4", &error), 0);
    expect(&kept, 4, 0, "");
    expect(&kept, 3, 0, "1 2");
    expect(&kept, 3, 0, "");
    expect(&kept, 3, 1, "3");
    expect(&kept, UINT64_MAX - 1, 0, "4");
    CU_ASSERT_EQUAL(kept.count, 0);
    kept_samples_free(&kept);
}

/* A new measurement replaces the samples of an earlier one; one that fails has none. */
static void replaced(void)
{
    struct kept_samples kept = {0};
    struct error error = {0};
    CU_ASSERT_EQUAL(kept_samples_put(&kept, 3, 0, "1", &error), 0);
    CU_ASSERT_EQUAL(kept_samples_put(&kept, 3, 0, "2", &error), 0);
    CU_ASSERT_EQUAL(kept.count, 1);
    expect(&kept, 3, 0, "2");
    CU_ASSERT_EQUAL(kept_samples_put(&kept, 3, 0, "3", &error), 0);
    CU_ASSERT_EQUAL(kept_samples_put(&kept, 3, 0, "", &error), 0);
    expect(&kept, 3, 0, "");
    kept_samples_free(&kept);
}

static void not_kept(void)
{
    struct error error = {0};
    CU_ASSERT_EQUAL(kept_samples_put(NULL, 3, 0, "1", &error), 0);
    expect(NULL, 3, 0, "");
}

CU_TestInfo tests_kept_samples[] = {{"each is taken once", taken_once},
                                    {"a new measurement replaces them", replaced},
                                    {"a run that keeps none", not_kept},
                                    CU_TEST_INFO_NULL};
