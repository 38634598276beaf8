#include "page_kit.h"

static void put(struct text *text, const char *piece, size_t length, int code)
{
    text_printf(text, "%c%.*s", code ? '+' : '-', (int)length, piece);
}

static void pieces(void)
{
    static const struct {
        const char *markup, *expected;
    } rows[] = {{"a", "-a"}, {"`a`", "+a"}, {"a `b` c", "-a +b- c"}, {"`a``b`", "+a+b"}, {"a `b", "-a `b"}, {"", ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text text = {0};
        page_pieces(&text, rows[i].markup, strlen(rows[i].markup), put);
        expect_text(&text, rows[i].expected);
    }
}

static void formats(void)
{
    CU_ASSERT_PTR_EQUAL(page_format_find("man"), &page_roff);
    CU_ASSERT_PTR_EQUAL(page_format_find("markdown"), &page_markdown);
    CU_ASSERT_STRING_EQUAL(PAGE_FORMATS, "man|markdown");
}

/* A row of an extension may say nothing. */
static void nothing(void)
{
    struct text text = {0};
    struct page page = {.format = &page_markdown, .text = &text};
    page_text(&page, NULL);
    page_code(&page, NULL);
    expect_text(&text, "");
}

CU_TestInfo tests_page[] = {{"pieces", pieces}, {"formats", formats}, {"nothing", nothing}, CU_TEST_INFO_NULL};
