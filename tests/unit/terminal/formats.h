/* The output of a format for some rows. */
#ifndef CUTUNE_TESTS_TERMINAL_FORMATS_H
#define CUTUNE_TESTS_TERMINAL_FORMATS_H

#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "terminal/output_format.h"

struct format_case {
    const char *rows; /* JSON */
    bool vertical;
    const char *written;
};

static inline void expect_format(const char *name, const struct format_case *cases, size_t count)
{
    CU_ASSERT_STRING_EQUAL(output_format(name)->name, name);
    for (size_t i = 0; i < count; i++) {
        static const struct prose prose;
        struct text out = {0};
        cJSON *rows = cJSON_Parse(cases[i].rows);
        CU_ASSERT_PTR_NOT_NULL_FATAL(rows);
        output_format(name)->write(rows, cases[i].vertical, &prose, &out);
        CU_ASSERT_STRING_EQUAL(text_string(&out), cases[i].written);
        if (strcmp(text_string(&out), cases[i].written) != 0)
            printf("%s case %zu:\n%s", name, i, text_string(&out));
        cJSON_Delete(rows);
        text_free(&out);
    }
}

#endif
