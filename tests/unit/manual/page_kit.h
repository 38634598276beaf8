/* A page in each format, and its expected parts. */
#ifndef CUTUNE_TESTS_MANUAL_PAGE_KIT_H
#define CUTUNE_TESTS_MANUAL_PAGE_KIT_H

#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "manual/page.h"

static inline void expect_text(struct text *text, const char *expected)
{
    CU_ASSERT_FALSE(text->failed);
    CU_ASSERT_STRING_EQUAL(text_string(text), expected);
    if (strcmp(text_string(text), expected) != 0)
        printf("\n--- expected\n%s--- came\n%s---\n", expected, text_string(text));
    text_free(text);
}

/* Checks for every part of `text`, in this order. */
static inline void expect_parts(const struct text *text, const char *const *parts, size_t count)
{
    const char *at = text_string(text);
    CU_ASSERT_FALSE(text->failed);
    for (size_t i = 0; i < count; i++) {
        const char *found = strstr(at, parts[i]);
        CU_ASSERT_PTR_NOT_NULL(found);
        if (!found)
            printf("\nno %s in\n%s\n", parts[i], at);
        at = found ? found + strlen(parts[i]) : at;
    }
}

/* Writes one piece of each kind. */
static inline void write_page(const struct page_format *format, struct text *text)
{
    struct page page = {.format = format, .text = text};
    const struct page_item option = {{"-o", "--output"}, "A|B", "where to, `x|y`"};
    page_title(&page, "cutune-x", 5, "what it is");
    page_section(&page, "See also");
    page_synopsis(&page, "cutune x", "[FILE]");
    page_synopsis(&page, "cutune", "");
    page_section(&page, "Text");
    page_synopsis(&page, "cutune", "");
    page_text(&page, ".first * `a_b`. <c>\nsecond \\ `open");
    page_subsection(&page, "`code`: more");
    page_code(&page, ".one\n  two ^ ~");
    page_items(&page, "name", "meaning");
    page_item(&page, "-x", "'quoted | here");
    page_option(&page, &option);
    page_see_also(&page, "`cutune`(1)");
}

#endif
