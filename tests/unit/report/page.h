/* A page without its frame, which receives the parts of the report. */
#ifndef CUTUNE_TESTS_REPORT_PAGE_H
#define CUTUNE_TESTS_REPORT_PAGE_H

#include "../compare/fixtures.h"
#include "base/objective.h"
#include "report/report.h"

struct page {
    struct text text;
    struct report report;
};

static inline void page_begin(struct page *page)
{
    static const char *const names[] = {"first", "second", "third", "fourth", "fifth", "sixth"};
    *page = (struct page){.report = {.top = 3, .names = names, .section = "section"}};
    page->report.page = &page->text;
}

static inline void page_end(struct page *page)
{
    CU_ASSERT_FALSE(page->report.failed || page->text.failed);
}

static inline void page_free(struct page *page)
{
    text_free(&page->text);
    arena_free(&page->report.arena);
}

#endif
