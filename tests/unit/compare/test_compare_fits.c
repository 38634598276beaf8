/* Fits over sizes side by side. */
#include <string.h>

#include <CUnit/Basic.h>

#include "compare/compare_fits.h"
#include "terminal/output.h"

#define FILE_WITH_FIT TEST_FOLDER "/unit/formats/database-2-fit.csv"

/* A table for each kernel, a column for each fit; a lone fit shares nothing with another. */
static void stands_side_by_side(void)
{
    static const struct {
        size_t files;
        const char *kernel;
        size_t count;
        const char *line; /* in the text; NULL: none */
    } rows[] = {
        {1, NULL, 1, "\n  sizes                    40\n  probed sizes              0\n"},
        {2, "copy", 2, "\n  as in [1]                 2        2\n"},
        {2, "other", 0, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct measured_runs measured = {0};
        struct text text = {0};
        cJSON *list = cJSON_CreateArray(), *objects = cJSON_CreateArray();
        for (size_t f = 0; f < rows[i].files; f++)
            CU_ASSERT_EQUAL_FATAL(measured_runs_add(&measured, FILE_WITH_FIT, NULL), 0);
        CU_ASSERT_EQUAL(compare_fits_count(&measured, rows[i].kernel), rows[i].count);
        compare_fits_text(&measured, rows[i].kernel, false, &text);
        compare_fits_rows(&measured, rows[i].kernel, list);
        compare_fits_objects(&measured, rows[i].kernel, objects);
        CU_ASSERT_EQUAL(cJSON_GetArraySize(list), (int)rows[i].count * 12);
        CU_ASSERT_EQUAL(cJSON_GetArraySize(objects), rows[i].count > 0);
        if (rows[i].line) {
            CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&text), rows[i].line));
            CU_ASSERT_EQUAL(strstr(text_string(&text), "as in [1]") != NULL, rows[i].count > 1);
        } else {
            CU_ASSERT_EQUAL(text.length, 0);
        }
        cJSON_Delete(list);
        cJSON_Delete(objects);
        text_free(&text);
        measured_runs_free(&measured);
    }
}

CU_TestInfo tests_compare_fits[] = {{"side by side", stands_side_by_side}, CU_TEST_INFO_NULL};
