/* The meaning of a journal's rows is tested by tests/unit/run/test_readers.c. */
#include "journal/journal_outcomes.h"

#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#define JOURNAL                                                                                                        \
    "# cutune journal 1\n# kernel = k\n# device = D\n# parameters = 2\nA,ORDER,status,time_ns,message\n"               \
    "10,rows,ok,1000,\n9,rows,ok,1000,\n10,cols,ok,900,\n9,cols,duplicate,900,"                                        \
    "the same machine code and launch as A=10 ORDER=cols\n10,rows,ok,990,\n"

static void configurations(void)
{
    static const struct {
        const char *text;
        double value;
        size_t row; /* its first */
    } rows[] = {{"A=9 ORDER=cols", 900, 3},
                {"A=9 ORDER=rows", 1000, 1},
                {"A=10 ORDER=cols", 900, 2},
                {"A=10 ORDER=rows", 990, 0}}; /* in order */
    enum { ROWS = sizeof rows / sizeof *rows };
    struct journal *journal = NULL;
    struct journal_outcomes read;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(journal_parse(&journal, "j.csv", JOURNAL, strlen(JOURNAL), &error), 0);
    CU_ASSERT_EQUAL_FATAL(journal_outcomes_read(&read, journal, &error), 0);
    CU_ASSERT_EQUAL(read.outcomes.count, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        uint64_t key = journal_outcomes_key(rows[i].text);
        const struct outcome *outcome = outcomes_find(&read.outcomes, key);
        struct text text = {0};
        CU_ASSERT_PTR_NOT_NULL_FATAL(outcome);
        CU_ASSERT_EQUAL(read.rows[outcome - read.outcomes.items], rows[i].row);
        CU_ASSERT_EQUAL(outcomes_measurement(&read.outcomes, outcome, OUTCOME_KNOWN_AS).value, rows[i].value);
        journal_outcomes_text(journal, rows[i].row, &text);
        CU_ASSERT_STRING_EQUAL(text_string(&text), rows[i].text);
        text_free(&text);
        for (size_t j = 0; j < ROWS; j++) {
            int order = outcomes_order(&read.outcomes, key, journal_outcomes_key(rows[j].text));
            CU_ASSERT_EQUAL((order > 0) - (order < 0), (i > j) - (i < j));
        }
    }
    CU_ASSERT_PTR_NULL(outcomes_find(&read.outcomes, journal_outcomes_key("A=9")));
    journal_outcomes_free(&read);
    journal_close(journal, NULL);
}

CU_TestInfo tests_journal_outcomes[] = {{"configurations and their order", configurations}, CU_TEST_INFO_NULL};
