#include "journals.h"

/* Samples and measuring times of all rows add up, and a note says how many configurations had several rows. */
static void of_a_table(void)
{
    const struct option_list measure = {.items = {"m_ms"}, .count = 1};
    struct text notes = {0};
    const struct exchange_setup setup = {
        .path = "t.csv", .time = "t_ms", .samples = "n", .measure_time = &measure, .notes = &notes};
    static const char text[] = "a,t_ms,n,m_ms\n1,2,3,4\n2,5,1,\n1,6,5,\n3,1,1,1\n2,7,1,\n";
    struct text journal = {0}, rows = {0};
    struct error error = {0};
    CU_ASSERT_EQUAL(table_import(&setup, text, strlen(text), &journal, &error), 0);
    describe(&journal, &rows);
    CU_ASSERT_STRING_EQUAL(text_string(&rows),
                           "1|ok|4000000 8 -1 4000000|\n2|ok|6000000 2 -1 -1|\n3|ok|1000000 1 -1 1000000|\n");
    CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&notes), "2 configurations are in several rows"));
    text_free(&notes);
    text_free(&rows);
    text_free(&journal);
}

/* Each result of T4 stays, for an export, and counts as all of its configuration. */
static void of_t4(void)
{
    struct text notes = {0};
    const struct exchange_setup setup = {.path = "r.json", .notes = &notes};
    static const char text[] = FILE_OF(RESULT("{\"a\":1}", TIME("2")) "," RESULT("{\"a\":2}", TIME("3")) "," RESULT(
        "{\"a\":1}", TIME("8")) "," RESULT("{\"a\":1.0}", TIME("4")));
    struct text journal = {0}, rows = {0}, out = {0};
    struct journal *read = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL(t4_import(&setup, text, strlen(text), &journal, &error), 0);
    describe(&journal, &rows);
    CU_ASSERT_STRING_EQUAL(text_string(&rows),
                           "1|ok|4000 0 -1 -1|\n2|ok|3000 0 -1 -1|\n1|ok|4000 0 -1 -1|\n1.0|ok|4000 0 -1 -1|\n");
    CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&notes), "1 configuration is in several rows"));
    text_free(&notes);
    CU_ASSERT_EQUAL_FATAL(journal_parse(&read, "j.csv", text_string(&journal), journal.length, &error), 0);
    CU_ASSERT_EQUAL(t4_export(read, &out, &error), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&out), "\"value\":8"));
    journal_close(read, NULL);
    text_free(&out);
    text_free(&rows);
    text_free(&journal);
}

/* The rows of a journal that became T4 are its own again. */
static void of_a_journal(void)
{
    struct text first = {0}, again = {0}, out = {0};
    struct journal *read = NULL;
    struct error error = {0};
    const struct exchange_setup table = {.path = "t.csv", .time = "t_ms"}, t4_file = {.path = "r.json"};
    static const char rows[] = "a,t_ms\n1,2\n2,3\n";
    CU_ASSERT_EQUAL(table_import(&table, rows, strlen(rows), &first, &error), 0);
    const char *row = strstr(text_string(&first), "\n1,ok,2000000,");
    CU_ASSERT_PTR_NOT_NULL_FATAL(row);
    char cells[256];
    snprintf(cells, sizeof cells, "%.*s", (int)strcspn(row + 14, "\n"), row + 14);
    text_printf(&first, "1,ok,9000000,%s\n", cells); /* measured again */
    CU_ASSERT_EQUAL_FATAL(journal_parse(&read, "j.csv", text_string(&first), first.length, &error), 0);
    CU_ASSERT_EQUAL(t4_export(read, &out, &error), 0);
    CU_ASSERT_EQUAL(t4_import(&t4_file, text_string(&out), out.length, &again, &error), 0);
    CU_ASSERT_STRING_EQUAL(text_string(&again), text_string(&first));
    journal_close(read, NULL);
    text_free(&out);
    text_free(&again);
    text_free(&first);
}

CU_TestInfo tests_repeats[] = {
    {"of a table", of_a_table}, {"of T4", of_t4}, {"of a journal", of_a_journal}, CU_TEST_INFO_NULL};
