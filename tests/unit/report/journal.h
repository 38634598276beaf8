/* Findings of a test's own journal. */
#ifndef CUTUNE_TESTS_REPORT_JOURNAL_H
#define CUTUNE_TESTS_REPORT_JOURNAL_H

#include <stdlib.h>
#include <unistd.h>

#include "page.h"

/* `rows`: the names of the columns and a line for each configuration. `header`: more lines "# key = value". */
static inline void open_journal(struct compared *compared, const char *header, size_t parameters, const char *rows)
{
    char path[] = "/tmp/cutune-report-XXXXXX";
    int descriptor = mkstemp(path);
    CU_ASSERT_FATAL(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fprintf(file, "# cutune journal 1\n# kernel = k\n# device = Sample\n%s# parameters = %zu\n%s", header, parameters,
            rows);
    CU_ASSERT_EQUAL(fclose(file), 0);
    const char *files[] = {path};
    open_compared(compared, files, 1);
    unlink(path);
}

/* A row of a test: a journal, and a part that its page must or must not have. */
struct said {
    const char *header, *rows, *part;
    bool there;
};

/* Checks that the page of each row's journal has the part. `put` writes the tested section. */
static inline void expect_said(const struct said *said, size_t count, size_t parameters,
                               void (*put)(struct report *report, const struct findings *findings))
{
    for (size_t i = 0; i < count; i++) {
        struct compared compared;
        struct page page;
        open_journal(&compared, said[i].header, parameters, said[i].rows);
        page_begin(&page);
        put(&page.report, &compared.findings[0]);
        page_end(&page);
        expect_part(&page.text, said[i].part, said[i].there);
        page_free(&page);
        compared_close(&compared);
    }
}

#endif
