#include "journal/journal_library.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "journal/journal_print.h"

static const char *const names[] = {"TILE", "status"}; /* a parameter may have the name of a column */

static const struct journal_library first = {.name = "cuBLAS 13.0, \"new\"",
                                             .hash = "ab12",
                                             .value = 2500,
                                             .low = 2400,
                                             .high = 2600.5,
                                             .samples = 9,
                                             .winner_value = 2497.25,
                                             .states = "8x1980:0:45",
                                             .winner_states = "8x1604:4:61"};

/* Printed libraries read back, separately from the evaluations; the last one of a configuration counts. */
static void reads_back(void)
{
    const char *a[] = {"16", "ok"}, *b[] = {"16", "library"}, *c[] = {"32", "ok"};
    struct journal_library library = first;
    struct journal_row row = {.values = a, .measurement = measurement_unknown(STATUS_OK)};
    struct journal_header header = journal_header_unknown();
    struct text text = {0};
    struct journal *journal = NULL;
    int columns[JOURNAL_COLUMNS];
    header.parameter_count = 2;
    header.parameters = names;
    for (int i = 0; i < JOURNAL_COLUMN_work; i++)
        columns[i] = i;
    CU_ASSERT_EQUAL(journal_print_header(&text, &header, NULL), 0);
    library.values = a;
    CU_ASSERT_EQUAL(journal_print_library_cells(&header, columns, JOURNAL_COLUMN_work, &library, &text, NULL), 0);
    CU_ASSERT_EQUAL(journal_print_row(&text, &header, &row, NULL), 0);
    library.values = b;
    library.name = "other";
    CU_ASSERT_EQUAL(journal_print_library_cells(&header, columns, JOURNAL_COLUMN_work, &library, &text, NULL), 0);
    library.value = 1;
    CU_ASSERT_EQUAL(journal_print_library_cells(&header, columns, JOURNAL_COLUMN_work, &library, &text, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(journal_parse(&journal, "j.csv", text_string(&text), text.length, NULL), 0);
    CU_ASSERT_EQUAL(journal_row_count(journal), 1);
    CU_ASSERT_EQUAL(journal_evidence_count(journal), 0);
    const struct journal_library *found = journal_find_library(journal, a);
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    CU_ASSERT_STRING_EQUAL(found->name, first.name);
    CU_ASSERT_STRING_EQUAL(found->hash, first.hash);
    CU_ASSERT_EQUAL(found->value, first.value);
    CU_ASSERT_EQUAL(found->low, first.low);
    CU_ASSERT_EQUAL(found->high, first.high);
    CU_ASSERT_EQUAL(found->samples, first.samples);
    CU_ASSERT_EQUAL(found->winner_value, first.winner_value);
    CU_ASSERT_STRING_EQUAL(found->states, first.states);
    CU_ASSERT_STRING_EQUAL(found->winner_states, first.winner_states);
    found = journal_find_library(journal, b);
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    CU_ASSERT_STRING_EQUAL(found->name, "other");
    CU_ASSERT_EQUAL(found->value, 1);
    CU_ASSERT_PTR_NULL(journal_find_library(journal, c));
    journal_close(journal, NULL);
    text_free(&text);
}

/* A damaged row is an error; names that a later cutune writes are not. */
static void cells(void)
{
    static const struct {
        double value;
        const char *numbers, *message;
    } rows[] = {
        {5, "winner=4 hash=ab", ""},
        {5, "winner=4 hash=ab energy=1:2", ""},
        {5, "winner=4 hash=0123456789abcdef0123456789abcdef0", "the library's row has no 'hash=HASH' of its file"},
        {5, "winner=4 hash=ab energy=1:2 winner_energy=3", "the energy row's '3' is impossible"},
        {5, "hash= later=yes winner=4e3", ""},
        {0, "winner=4 hash=ab", "the library's row has no time"},
        {5, "", "the library's row has no time of the winner, 'winner=NUMBER'"},
        {5, "winner=0 hash=ab", "the library's row has no time of the winner, 'winner=NUMBER'"},
        {5, "winner=fast hash=ab", "the library's row has no time of the winner, 'winner=NUMBER'"},
        {5, "winner=4", "the library's row has no 'hash=HASH' of its file"},
        {5, "winner=4 hash=012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789",
         "the library's row has no 'hash=HASH' of its file"},
        {5, "winner", "'winner'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *values[] = {"16"};
        struct journal_libraries libraries = {0};
        struct measurement row = measurement_unknown(STATUS_OK);
        struct error error = {0};
        row.value = rows[i].value;
        int code = journal_libraries_add(&libraries, values, 1, &row, "name", rows[i].numbers, &error);
        CU_ASSERT_EQUAL(code, *rows[i].message ? ERROR_DATA : 0);
        CU_ASSERT_EQUAL(libraries.count, !*rows[i].message);
        if (!strstr(error.message, rows[i].message))
            fprintf(stderr, "\n%s: '%s'\n", rows[i].numbers, error.message);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, rows[i].message));
        journal_libraries_free(&libraries);
        CU_ASSERT_EQUAL(libraries.count, 0);
    }
}

/* There is no ratio between the power states. */
static void ratio(void)
{
    static const struct {
        const char *library, *winner;
        double ratio; /* 0: none */
    } rows[] = {{NULL, NULL, 0.8},
                {"", "", 0.8},
                {"9x1980:0:45", "", 0.8},
                {"9x1980:0:45", "9x1980:0:45", 0.8},
                {"9x1604:4:61", "9x1604:4:61", 0.8},
                {"9x1604:4:61", "9x1604:4:61/9x1980:0:45", 0.8},
                {"9x1604:4:61", "9x1980:0:45", 0},
                {"9x1980:0:45", "9x1604:4:61", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct journal_library library = {
            .value = 4, .winner_value = 5, .states = rows[i].library, .winner_states = rows[i].winner};
        double got = journal_library_ratio(&library, objective_default());
        CU_ASSERT(rows[i].ratio > 0 ? got == rows[i].ratio : isnan(got));
    }
}

CU_TestInfo tests_journal_library[] = {
    {"reads_back", reads_back}, {"cells", cells}, {"ratio", ratio}, CU_TEST_INFO_NULL};
