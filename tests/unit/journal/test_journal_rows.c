#include "journal/journal_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

/* More rows than a block holds: each comes back complete, and equal texts of a column are shared. */
static void rows_come_back(void)
{
    enum { ROWS = 10000 };
    struct journal_rows rows = {0};
    CU_ASSERT_FATAL(journal_rows_start(&rows, 2));
    for (int i = 0; i < ROWS; i++) {
        char tile[16], word[16];
        const char *texts[] = {tile, word};
        struct measurement measurement = measurement_unknown((enum status)(i % STATUS_COUNT));
        snprintf(tile, sizeof tile, "%d", i % 7);
        snprintf(word, sizeof word, "w%d", i);
        measurement.value = i;
        measurement.compile_ns = INT64_MAX - i;
        if (i % 3 == 0)
            measurement_explain(&measurement, "why %d", i % 5);
        CU_ASSERT_FATAL(journal_rows_add(&rows, texts, &measurement));
    }
    CU_ASSERT_EQUAL(rows.count, ROWS);
    for (int i = 0; i < ROWS; i++) {
        char tile[16], word[16], why[16] = "";
        const char *const *texts = journal_rows_texts(&rows, (size_t)i);
        struct measurement measurement = journal_rows_measurement(&rows, (size_t)i);
        snprintf(tile, sizeof tile, "%d", i % 7);
        snprintf(word, sizeof word, "w%d", i);
        if (i % 3 == 0)
            snprintf(why, sizeof why, "why %d", i % 5);
        CU_ASSERT_STRING_EQUAL(texts[0], tile);
        CU_ASSERT_STRING_EQUAL(texts[1], word);
        CU_ASSERT_STRING_EQUAL(measurement.message, why);
        CU_ASSERT(measurement.status == (enum status)(i % STATUS_COUNT) && measurement.value == i);
        CU_ASSERT(measurement.compile_ns == INT64_MAX - i && isnan(measurement.low));
        CU_ASSERT_PTR_EQUAL(texts[0], journal_rows_texts(&rows, (size_t)(i % 7))[0]);
    }
    journal_rows_free(&rows);
    CU_ASSERT_EQUAL(rows.count, 0);
}

/* Without parameters, a row is just its measurement. */
static void no_texts(void)
{
    struct journal_rows rows = {0};
    struct measurement measurement = measurement_unknown(STATUS_OK);
    CU_ASSERT_FATAL(journal_rows_start(&rows, 0));
    measurement_explain(&measurement, "alone");
    CU_ASSERT(journal_rows_add(&rows, NULL, &measurement));
    CU_ASSERT_STRING_EQUAL(journal_rows_measurement(&rows, 0).message, "alone");
    journal_rows_free(&rows);
}

CU_TestInfo tests_journal_rows[] = {{"rows come back", rows_come_back}, {"no texts", no_texts}, CU_TEST_INFO_NULL};
