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

/* The text behind the markup does not belong to it. */
static void a_part(void)
{
    struct text text = {0};
    page_pieces(&text, "`a` and `b`", strlen("`a` and `b"), put);
    expect_text(&text, "+a- and `b");
}

CU_TestInfo tests_pieces[] = {{"pieces", pieces}, {"a part of a text", a_part}, CU_TEST_INFO_NULL};
