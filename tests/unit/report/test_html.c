#include <string.h>

#include <CUnit/Basic.h>

#include "report/html.h"

static const struct {
    const char *string, *escaped;
} texts[] = {
    {"", ""},
    {"plain text", "plain text"},
    {"<script>alert('&')</script>", "&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;"},
    {"\" onload=\"x", "&quot; onload=&quot;x"},
    {"a\tb\nc\x01"
     "d\x7f",
     "a b c d "},
    {"\xc2\xb5s", "\xc2\xb5s"},
    {"&lt;", "&amp;lt;"},
    {"a\xe2\x80\xae\xc2\x9b\xff|", "a   |"},
};

static void test_escape(void)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct text text = {0};
        html_escape(&text, texts[i].string);
        CU_ASSERT_STRING_EQUAL(text_string(&text), texts[i].escaped);
        text_free(&text);
    }
}

static void test_format(void)
{
    struct text text = {0};
    html(&text, "<td>%s<td>%r<td>%z<td>100%%", "<b>", "<i>", (size_t)42);
    CU_ASSERT_STRING_EQUAL(text_string(&text), "<td>&lt;b&gt;<td><i><td>42<td>100%");
    text_free(&text);
}

CU_TestInfo tests_html[] = {{"text and attributes", test_escape}, {"formats", test_format}, CU_TEST_INFO_NULL};
