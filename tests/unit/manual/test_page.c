#include "page_kit.h"

static void formats(void)
{
    CU_ASSERT_PTR_EQUAL(page_format_find("man"), &page_roff);
    CU_ASSERT_PTR_EQUAL(page_format_find("markdown"), &page_markdown);
    CU_ASSERT_STRING_EQUAL(PAGE_FORMATS, "man|markdown");
}

/* A row of an extension may have no description. */
static void nothing(void)
{
    struct text text = {0};
    struct page page = {.format = &page_markdown, .text = &text};
    page_text(&page, NULL);
    page_code(&page, NULL);
    expect_text(&text, "");
}

CU_TestInfo tests_page[] = {{"formats", formats}, {"nothing", nothing}, CU_TEST_INFO_NULL};
