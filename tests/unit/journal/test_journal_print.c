#include "journal/journal_print.h"

#include <math.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "database/csv.h"

static const char *const names[] = {"TILE", "status"}; /* a parameter may have the name of a column */
static const struct journal_header header = {.parameter_count = 2, .parameters = names};

/* Cells go where `columns` says, whatever the order; columns that evidence does not use stay empty. */
static void any_order(void)
{
    static const int columns[] = {JOURNAL_COLUMN_message, -1,
                                  JOURNAL_COLUMN_value,   JOURNAL_COLUMN_kernel,
                                  JOURNAL_COLUMN_samples, JOURNAL_COLUMN_status};
    const char *values[] = {"16", "ok"}, *extras[] = {"kept"};
    struct evidence launches[2] = {evidence_unknown(), evidence_unknown()};
    struct journal_row row = {.values = values, .measurement = measurement_unknown(STATUS_OK), .extras = extras};
    struct text text = {0};
    row.measurement.value = 2.5;
    row.measurement.samples = 7;
    strcpy(launches[0].kernel, "k<1, 2>");
    launches[0].launch = 0;
    launches[0].blocks = 12;
    launches[1].launch = 1;
    const struct journal_evidence evidence = {values, launches, 2};
    CU_ASSERT_EQUAL(journal_print_cells(&header, columns, 6, &row, &text, NULL), 0);
    CU_ASSERT_EQUAL(journal_print_evidence_cells(&header, columns, 6, &evidence, &text, NULL), 0);
    CU_ASSERT_STRING_EQUAL(text_string(&text), "16,ok,,kept,2.5,,7,ok\n"
                                               "16,ok,launch=0 blocks=12,,,\"k<1, 2>\",,evidence\n"
                                               "16,ok,launch=1,,,,,evidence\n");
    text_free(&text);
}

/* Printed rows read back, separately from the evaluations. */
static void reads_back(void)
{
    const char *values[] = {"16", "ok"};
    struct evidence launches[2] = {evidence_unknown(), evidence_unknown()};
    struct journal_row row = {.values = values, .measurement = measurement_unknown(STATUS_OK)};
    struct journal_header whole = journal_header_unknown();
    struct text text = {0};
    struct journal *journal = NULL;
    whole.parameter_count = 2;
    whole.parameters = names;
    strcpy(launches[0].kernel, "a \"b\", c");
    launches[0].launch = 0;
    launches[0].shared_load_conflicts = 65.7e6 / 3;
    launches[1].launch = 1;
    launches[1].ceiling_dram = 4.25e12;
    const struct journal_evidence evidence = {values, launches, 2};
    CU_ASSERT_EQUAL(journal_print_header(&text, &whole, NULL), 0);
    CU_ASSERT_EQUAL(journal_print_evidence(&text, &whole, &evidence, NULL), 0);
    CU_ASSERT_EQUAL(journal_print_row(&text, &whole, &row, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(journal_parse(&journal, "j.csv", text_string(&text), text.length, NULL), 0);
    CU_ASSERT_EQUAL(journal_row_count(journal), 1);
    CU_ASSERT_EQUAL_FATAL(journal_evidence_count(journal), 1);
    const struct journal_evidence got = journal_get_evidence(journal, 0);
    CU_ASSERT_EQUAL_FATAL(got.count, 2);
    CU_ASSERT_STRING_EQUAL(got.values[1], "ok");
    CU_ASSERT_STRING_EQUAL(got.launches[0].kernel, launches[0].kernel);
    CU_ASSERT_EQUAL(got.launches[0].shared_load_conflicts, launches[0].shared_load_conflicts);
    CU_ASSERT_EQUAL(got.launches[1].ceiling_dram, 4.25e12);
    CU_ASSERT(isnan(got.launches[1].shared_load_conflicts));
    CU_ASSERT_PTR_NOT_NULL(journal_find_evidence(journal, values));
    journal_close(journal, NULL);
    text_free(&text);
}

static void no_value(void)
{
    const char *values[] = {"16", ""};
    struct evidence launch = evidence_unknown();
    const struct journal_evidence evidence = {values, &launch, 1};
    struct text text = {0};
    CU_ASSERT_EQUAL(journal_print_evidence(&text, &header, &evidence, NULL), ERROR_VALUE);
    text_free(&text);
}

CU_TestInfo tests_journal_print[] = {{"columns in any order", any_order},
                                     {"evidence reads back", reads_back},
                                     {"a parameter without a value", no_value},
                                     CU_TEST_INFO_NULL};
