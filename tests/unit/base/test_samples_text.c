/* Samples as text: exact, with the place of the first bad entry. */
#include "base/samples_text.h"

#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/random.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Prints samples, and reads the same ones back. */
static void travels(const double *samples_ns, size_t count, const char *expected)
{
    static double back_ns[SERIES_SAMPLES_MAX];
    struct text text = {0};
    struct error error = {0};
    size_t found = 0;
    samples_text_print(&text, samples_ns, count);
    if (expected)
        CU_ASSERT_STRING_EQUAL(text_string(&text), expected);
    CU_ASSERT_EQUAL_FATAL(samples_text_parse(text_string(&text), back_ns, &found, &error), 0);
    CU_ASSERT_EQUAL_FATAL(found, count);
    CU_ASSERT_EQUAL(memcmp(back_ns, samples_ns, count * sizeof *samples_ns), 0);
    CU_ASSERT_EQUAL(samples_text_check(text_string(&text), (uint32_t)count, &error), 0);
    text_free(&text);
}

static void texts(void)
{
    static const struct {
        double samples_ns[5];
        size_t count;
        const char *text;
    } rows[] = {{{0}, 0, ""},
                {{5000}, 1, "5000"},
                {{5000, 5000}, 2, "5000*2"},
                {{5000, 5001, 5000}, 3, "5000 5001 5000"},
                {{1.5, 1.5, 1.5, 2, 2}, 5, "1.5*3 2*2"},
                {{0, 0.1, 1e300, 1e-300, 0.30000000000000004}, 5, "0 0.1 1e+300 1e-300 0.30000000000000004"}};
    for (size_t i = 0; i < COUNT(rows); i++)
        travels(rows[i].samples_ns, rows[i].count, rows[i].text);
}

/* Any doubles, the most samples, and the longest run of equal ones. */
static void exact(void)
{
    static double samples_ns[SERIES_SAMPLES_MAX];
    struct random random;
    random_seed(&random, 5);
    for (size_t i = 0; i < SERIES_SAMPLES_MAX; i++)
        samples_ns[i] = (double)random_u64(&random) / 4096;
    travels(samples_ns, SERIES_SAMPLES_MAX, NULL);
    for (size_t i = 0; i < SERIES_SAMPLES_MAX; i++)
        samples_ns[i] = 7;
    travels(samples_ns, SERIES_SAMPLES_MAX, "7*4096");
}

/* Another form is an error that names the entry. */
static void refused(void)
{
    static const struct {
        const char *text, *message;
    } rows[] = {{"x", "entry 1 of the samples, 'x', is not a time in ns"},
                {"1 2 -3 4", "entry 3 of the samples, '-3', is not a time in ns"},
                {"1,5", "entry 1 of the samples, '1,5', is not a time in ns"},
                {"1;2", "entry 1 of the samples, '1;2', is not a time in ns"},
                {"1  2", "entry 2 of the samples, '', is not a time in ns"},
                {" 1", "entry 1 of the samples, '', is not a time in ns"},
                {"1\n2", "entry 1 of the samples, '1\n2', is not a time in ns"},
                {"1 2 ", "a space behind the last of 2 samples"},
                {"nan", "entry 1 of the samples, 'nan', is not a time in ns"},
                {"inf", "entry 1 of the samples, 'inf', is not a time in ns"},
                {"1e999", "entry 1 of the samples, '1e999', is not a time in ns"},
                {"0x10", "entry 1 of the samples, '0x10', is not a time in ns"},
                {"1*", "entry 1 of the samples, '1*', is not a time in ns"},
                {"1*0", "entry 1 of the samples, '1*0', is not a time in ns"},
                {"1*-2", "entry 1 of the samples, '1*-2', is not a time in ns"},
                {"1*2*3", "entry 1 of the samples, '1*2*3', is not a time in ns"},
                {"1*1.5", "entry 1 of the samples, '1*1.5', is not a time in ns"},
                {"1*4097", "more than 4096 samples"},
                {"1*4096 2", "more than 4096 samples"},
                {"1*99999999999999999999999", "more than 4096 samples"}};
    static double samples_ns[SERIES_SAMPLES_MAX];
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error error = {0};
        struct text text = {0};
        size_t count;
        CU_ASSERT_EQUAL(samples_text_parse(rows[i].text, samples_ns, &count, &error), ERROR_DATA);
        CU_ASSERT_STRING_EQUAL(error.message, rows[i].message);
        error_clear(&error);
        CU_ASSERT_EQUAL(samples_text_check(rows[i].text, 2, &error), ERROR_DATA);
        CU_ASSERT_EQUAL(samples_text_multiply(&text, rows[i].text, 2, &error), ERROR_DATA);
        text_free(&text);
    }
}

static void counted(void)
{
    struct error error = {0};
    CU_ASSERT_EQUAL(samples_text_check("", 7, &error), 0);
    CU_ASSERT_EQUAL(samples_text_check("1*6 2", 7, &error), 0);
    CU_ASSERT_EQUAL(samples_text_check("1*6 2", 8, &error), ERROR_DATA);
    CU_ASSERT_STRING_EQUAL(error.message, "7 samples where the count is 8");
}

static void multiplied(void)
{
    struct text text = {0};
    struct error error = {0};
    CU_ASSERT_EQUAL(samples_text_multiply(&text, "", 1.5, &error), 0);
    CU_ASSERT_STRING_EQUAL(text_string(&text), "");
    CU_ASSERT_EQUAL(samples_text_multiply(&text, "100*2 150 7", 1.5, &error), 0);
    CU_ASSERT_STRING_EQUAL(text_string(&text), "150*2 225 10.5");
    text_free(&text);
}

CU_TestInfo tests_samples_text[] = {{"texts", texts},    {"exact", exact},        {"another form is refused", refused},
                                    {"counts", counted}, {"factors", multiplied}, CU_TEST_INFO_NULL};
