#include "compare/compared.h"

#include "../terminal/capture.h"
#include "fixtures.h"

/* Results of a kernel, and the error without any. */
static void loading(void)
{
    static const struct {
        const char *files[2], *kernel;
        int code;
        const char *message, *hint;
    } rows[] = {
        {{DEVICE_A, DEVICE_B}, NULL, 0, "", ""},
        {{DEVICE_A, DEVICE_B}, "scale", 0, "", ""},
        {{DEVICE_A, DEVICE_B}, "scael", ERROR_NOT_FOUND, "no results of the kernel scael", "did you mean scale?"},
        {{DEVICE_A, DEVICE_B}, "quux", ERROR_NOT_FOUND, "no results of the kernel quux", ""},
        {{DEVICE_A, FIXTURES "none.csv"},
         NULL,
         ERROR_NOT_FOUND,
         "cannot open " FIXTURES "none.csv: No such file or directory",
         ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct compared compared = {0};
        struct error error = {0};
        CU_ASSERT_EQUAL(compared_load(&compared, rows[i].files, 2, rows[i].kernel, &error), rows[i].code);
        CU_ASSERT_STRING_EQUAL(error.hint, rows[i].hint);
        CU_ASSERT_STRING_EQUAL(error.message, rows[i].message);
        CU_ASSERT_EQUAL(compared.comparisons.count, rows[i].code == 0);
        compared_close(&compared);
    }
}

/* Compares a later run of a device with its first one. */
static void finding(void)
{
    static const char *const files[] = {DEVICE_A, DEVICE_B, LATER_A};
    struct compared compared;
    open_compared(&compared, files, 3);
    const struct findings *findings = &compared.findings[0];
    CU_ASSERT_EQUAL(findings->comparison->run_count, 3);
    CU_ASSERT_EQUAL_FATAL(findings->change_count, 1);
    CU_ASSERT(findings->changes[0].before == 0 && findings->changes[0].now == 2);
    compared_close(&compared);
}

/* No warning about compatible runs; a warning about different ways of measuring. */
static void warnings(void)
{
    static const char *const files[] = {DEVICE_A, DEVICE_B};
    char buffer[2048];
    struct compared compared;
    open_compared(&compared, files, 2);
    struct capture capture = capture_begin(stderr);
    compared_warn(&compared);
    CU_ASSERT_STRING_EQUAL(capture_end(&capture, buffer, sizeof buffer), "");
    compared.measured.items[1].provenance.options = "cache=warm";
    compared.measured.items[1].torn_line = 7;
    compared.measured.other_count = 3;
    capture = capture_begin(stderr);
    compared_warn(&compared);
    CU_ASSERT_STRING_EQUAL(capture_end(&capture, buffer, sizeof buffer),
                           "cutune: " DEVICE_B ":7: the last line is incomplete and ignored\n"
                           "cutune: 3 database rows of another objective than time are left out\n"
                           "cutune: " DEVICE_A " and " DEVICE_B
                           " were measured in different ways: cache=cold; cache=warm\n");
    compared_close(&compared);
}

CU_TestInfo tests_compared[] = {{"loading", loading}, {"finding", finding}, {"warnings", warnings}, CU_TEST_INFO_NULL};
