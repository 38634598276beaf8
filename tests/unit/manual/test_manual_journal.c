#include "database/database.h"
#include "journal/journal.h"
#include "journal/journal_head.h"
#include "manual/manual.h"
#include "page_kit.h"

/* The page has a row for the column, with a description. */
static void expect_column(const struct text *text, const char *prefix, const struct csv_column *column)
{
    char row[256];
    snprintf(row, sizeof row, "\n| `%s%s` | %.4s", prefix, column->name, column->meaning ? column->meaning : "");
    CU_ASSERT(column->meaning && *column->meaning);
    CU_ASSERT_PTR_NOT_NULL(strstr(text_string(text), row));
    if (!column->meaning || !strstr(text_string(text), row))
        printf("\nno %s in the page\n", row);
}

static void columns(void)
{
    struct csv_column of_journal[JOURNAL_COLUMNS];
    struct text text = {0};
    struct page page = {.format = &page_markdown, .text = &text};
    size_t count;
    const struct csv_column *of_database = database_columns(&count);
    manual_journal(&page);
    CU_ASSERT_FALSE(text.failed);
    journal_columns(objective_default(), of_journal);
    for (size_t i = 0; i < JOURNAL_COLUMNS; i++)
        expect_column(&text, "", &of_journal[i]);
    for (size_t i = 0; i < count; i++)
        expect_column(&text, "", &of_database[i]);
    for (size_t i = 0; i < journal_head_key_count(); i++) {
        const char *prefix;
        const struct csv_column key = journal_head_key(i, &prefix);
        expect_column(&text, prefix, &key);
    }
    text_free(&text);
}

static void words(void)
{
    static const char *const parts[] = {"\n| `ok` | verified and timed |\n",
                                        "\n| `duplicate` | ",
                                        "\n| `leader` | ",
                                        "\n| `lost` | ",
                                        "\n| `default` | ",
                                        "\n| `resume` | "};
    static const char *const units[] = {"\n| `time_ns` | median over the samples", ", ns (number) |\n",
                                        "\n| `registers` | registers of a thread (integer) |\n"};
    struct text text = {0};
    struct page page = {.format = &page_markdown, .text = &text};
    manual_journal(&page);
    expect_parts(&text, parts, sizeof parts / sizeof *parts);
    for (int i = 0; i < STATUS_COUNT; i++)
        CU_ASSERT(*status_description((enum status)i));
    for (int i = 0; i < PLAYOFF_COUNT; i++)
        CU_ASSERT(*playoff_description((enum playoff)i));
    for (int i = 0; i < PROPOSER_COUNT; i++)
        CU_ASSERT(*proposer_description((enum proposer)i));
    expect_parts(&text, units, sizeof units / sizeof *units);
    text_free(&text);
}

/* The example on the page is a valid journal. */
static void example(void)
{
    struct journal *journal = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(
        journal_parse(&journal, "example", manual_journal_example, strlen(manual_journal_example), &error), 0);
    CU_ASSERT_EQUAL(journal_row_count(journal), 3);
    CU_ASSERT_EQUAL(journal_get_row(journal, 2).measurement.status, STATUS_SLOWER);
    CU_ASSERT_EQUAL(journal_close(journal, &error), 0);
}

CU_TestInfo tests_manual_journal[] = {
    {"columns", columns}, {"words", words}, {"the example", example}, CU_TEST_INFO_NULL};
