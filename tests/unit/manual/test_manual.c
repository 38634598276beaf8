#include "manual/manual.h"
#include "page_kit.h"

/* Every page is written under its name, in both formats. */
static void pages(void)
{
    static const char *const names[] = {"space", "journal", "library"};
    CU_ASSERT_EQUAL_FATAL(manual_page_count, sizeof names / sizeof *names);
    for (size_t i = 0; i < manual_page_count; i++)
        for (int markdown = 0; markdown < 2; markdown++) {
            struct text text = {0};
            struct page page = {.format = markdown ? &page_markdown : &page_roff, .text = &text};
            manual_pages[i].write(&page);
            CU_ASSERT_STRING_EQUAL(manual_pages[i].name, names[i]);
            CU_ASSERT(!text.failed && text.length > 2000);
            text_free(&text);
        }
}

CU_TestInfo tests_manual[] = {{"pages", pages}, CU_TEST_INFO_NULL};
