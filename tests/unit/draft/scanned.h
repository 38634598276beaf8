/* A scanned text, for the suites of tools/draft. */
#ifndef CUTUNE_TESTS_DRAFT_SCANNED_H
#define CUTUNE_TESTS_DRAFT_SCANNED_H

#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "draft/scan.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

struct scanned {
    struct arena arena;
    struct source_text source;
    struct scan scan;
    struct scan_kernels kernels;
};

static inline void scan_it(struct scanned *scanned, const char *text, const char *wanted)
{
    struct error error = {0};
    *scanned = (struct scanned){.source = {.path = "k.cu", .text = text, .length = strlen(text)}};
    CU_ASSERT_EQUAL(scan_text(&scanned->scan, &scanned->arena, &scanned->source, &error), 0);
    CU_ASSERT_EQUAL(scan_find_kernels(&scanned->scan, &scanned->arena, wanted, &scanned->kernels, &error), 0);
}

static inline void expect_text(const char *what, const char *actual, const char *expected)
{
    const char *shown = actual ? actual : "(null)";
    if (strcmp(shown, expected) != 0)
        fprintf(stderr, "\n%s: '%s', expected '%s'", what, shown, expected);
    CU_ASSERT_STRING_EQUAL(shown, expected);
}

#endif
