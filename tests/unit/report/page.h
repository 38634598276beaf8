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
    *page = (struct page){.report = {.top = 3}};
    page->report.page = &page->text;
    page->report.charts = cJSON_CreateArray();
    CU_ASSERT_PTR_NOT_NULL_FATAL(page->report.charts);
}

/* The charts as JSON behind the page. */
static inline void page_end(struct page *page)
{
    char *charts = cJSON_PrintUnformatted(page->report.charts);
    text_printf(&page->text, "\n%s\n", charts);
    cJSON_free(charts);
    CU_ASSERT_FALSE(page->report.failed || page->text.failed);
}

static inline void page_free(struct page *page)
{
    text_free(&page->text);
    cJSON_Delete(page->report.charts);
}

#endif
