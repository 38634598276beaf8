#include <string.h>

#include <CUnit/Basic.h>

#include "journal/journal.h"

/* The objective names the columns of its values, and no other. */
static void names_of_the_columns(void)
{
    static const char *const names[] = {"status", "time_ns", "low_ns", "high_ns", "samples"};
    struct csv_column columns[JOURNAL_COLUMNS];
    struct measurement measurement = measurement_unknown(STATUS_OK);
    measurement.value = 3, measurement.low = 2, measurement.high = 4;
    journal_columns(&objective_row_time, columns);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        CU_ASSERT_STRING_EQUAL(columns[i].name, names[i]);
    CU_ASSERT_EQUAL(csv_cell_number(&columns[JOURNAL_COLUMN_value], &measurement), 3);
    CU_ASSERT_EQUAL(csv_cell_number(&columns[JOURNAL_COLUMN_low], &measurement), 2);
    CU_ASSERT_EQUAL(csv_cell_number(&columns[JOURNAL_COLUMN_high], &measurement), 4);
    for (size_t i = 0; i < JOURNAL_COLUMNS; i++)
        CU_ASSERT_EQUAL(columns[i].objective == &objective_row_time, columns[i].kind == CSV_VALUE);
}

/* Columns about work are the last, and only in journals of an objective per work. */
static void columns_of_work(void)
{
    static const char *const names[] = {"suspicions", "work", "run_ns", "bytes", "flops"};
    struct csv_column columns[JOURNAL_COLUMNS];
    CU_ASSERT_EQUAL(journal_columns(&objective_row_time_per_work, columns), JOURNAL_COLUMNS);
    CU_ASSERT_STRING_EQUAL(columns[JOURNAL_COLUMN_value].name, "time_per_work_ns");
    for (size_t i = 0; i < 5; i++)
        CU_ASSERT_STRING_EQUAL(columns[JOURNAL_COLUMNS - 5 + i].name, names[i]);
    CU_ASSERT_EQUAL(journal_columns(&objective_row_time, columns), JOURNAL_COLUMNS - 4);
    CU_ASSERT_STRING_EQUAL(columns[JOURNAL_COLUMNS - 5].name, "suspicions");
}

CU_TestInfo tests_journal_columns[] = {
    {"columns of work", columns_of_work}, {"names of the columns", names_of_the_columns}, CU_TEST_INFO_NULL};
