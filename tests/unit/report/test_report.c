/* Whole pages: tests/cli/cases/report.case, report_text.case and, in a browser, tests/integration/report/browser.py. */
#include "report/report.h"

#include "page.h"

/* A page is complete and the same every time; sections on several runs appear only with several runs. */
static void pages(void)
{
    static const char *const files[] = {DEVICE_A, DEVICE_B};
    for (size_t count = 1; count <= 2; count++) {
        struct text pages[2] = {{0}, {0}};
        struct error error = {0};
        for (int i = 0; i < 2; i++) {
            struct compared compared;
            open_compared(&compared, files, count);
            CU_ASSERT_EQUAL(report_page(compared.findings, 1, 3, &pages[i], NULL, &error), 0);
            compared_close(&compared);
        }
        CU_ASSERT_STRING_EQUAL(text_string(&pages[0]), text_string(&pages[1]));
        CU_ASSERT_EQUAL(strncmp(text_string(&pages[0]), "<!DOCTYPE html>", 15), 0);
        CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&pages[0]), "</html>"));
        CU_ASSERT_EQUAL(strstr(text_string(&pages[0]), "<h3>Portability") != NULL, count == 2);
        CU_ASSERT_EQUAL(strstr(text_string(&pages[0]), "<h3>Winners side by side") != NULL, count == 2);
        text_free(&pages[0]);
        text_free(&pages[1]);
    }
}

/* The names of kernels are anchors: each is another one, whatever characters become the same. */
static void names(void)
{
    static const struct comparison comparisons[] = {
        {.kernel = "copy"}, {.kernel = "copy"}, {.kernel = "copy-2"}, {.kernel = "<a b>"}, {.kernel = "<a-b>"}};
    static const char *const wanted[] = {"copy", "copy-2", "copy-2-2", "-a-b-", "-a-b--2"};
    enum { COUNT = sizeof comparisons / sizeof *comparisons };
    struct findings findings[COUNT];
    struct report report = {0};
    for (size_t i = 0; i < COUNT; i++)
        findings[i] = (struct findings){.comparison = &comparisons[i]};
    report_name(&report, findings, COUNT);
    CU_ASSERT_FALSE(report.failed);
    for (size_t i = 0; i < COUNT; i++)
        CU_ASSERT_STRING_EQUAL(report.names[i], wanted[i]);
    arena_free(&report.arena);
}

CU_TestInfo tests_report[] = {{"pages", pages}, {"names", names}, CU_TEST_INFO_NULL};
