#include "journal/journal_head.h"

#include <math.h>
#include <string.h>

#include <CUnit/Basic.h>

static int read_head(struct journal_head *head, struct arena *arena, const char *text, size_t *at, int *line,
                     struct error *error)
{
    *head = (struct journal_head){.header = journal_header_unknown()};
    *at = 0;
    *line = 1;
    return journal_head_read(head, arena, "j.csv", text, strlen(text), at, line, error);
}

/* The contents of a header, and where the columns begin. */
static void reading(void)
{
    static const char text[] = "# cutune journal 1\n# kernel = k\n# title = a \\\\ b\\nc\n# bytes = 12.5\n"
                               "# limit.sm_count = 132\n# parameters = 2\nA,B,status\n1,2,ok\n";
    struct journal_head head;
    struct arena arena = {0};
    struct error error = {0};
    size_t at;
    int line;
    CU_ASSERT_EQUAL_FATAL(read_head(&head, &arena, text, &at, &line, &error), 0);
    CU_ASSERT_STRING_EQUAL(head.header.provenance.kernel, "k");
    CU_ASSERT_STRING_EQUAL(head.header.provenance.title, "a \\ b\nc");
    CU_ASSERT_EQUAL(head.header.provenance.bytes, 12.5);
    CU_ASSERT(isnan(head.header.provenance.flops));
    CU_ASSERT_STRING_EQUAL(head.header.provenance.nvrtc, "");
    CU_ASSERT_EQUAL(head.header.provenance.device.sm_count, 132);
    CU_ASSERT(head.has_parameters && head.parameters == 2);
    CU_ASSERT(strncmp(text + at, "A,B,status", 10) == 0);
    CU_ASSERT_EQUAL(line, 7);
    arena_free(&arena);
}

static void wrong_heads(void)
{
    static const struct {
        const char *text, *message;
        int code, line;
    } rows[] = {{"# cutune journal 2\n", "a journal of schema 2; this cutune reads schema 1", ERROR_SCHEMA, 1},
                {"# other\n", "not a journal of cutune", ERROR_DATA, 1},
                {"A,B\n", "not a journal of cutune", ERROR_DATA, 1},
                {"# cutune journal 1\n# quux = 1\n", "unknown key 'quux'", ERROR_DATA, 2},
                {"# cutune journal 1\n# limit.quux = 1\n", "unknown key 'limit.quux'", ERROR_DATA, 2},
                {"# cutune journal 1\n# kernel = k\n# kernel = k\n", "kernel", ERROR_DATA, 3},
                {"# cutune journal 1\n# bytes = many\n", "'many'", ERROR_DATA, 2},
                {"# cutune journal 1\n# parameters = -1\n", "'-1'", ERROR_DATA, 2},
                {"# cutune journal 1\n# limit.sm_count = 1.5\n", "'1.5'", ERROR_DATA, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct journal_head head;
        struct arena arena = {0};
        struct error error = {0};
        size_t at;
        int line;
        CU_ASSERT_EQUAL(read_head(&head, &arena, rows[i].text, &at, &line, &error), rows[i].code);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, rows[i].message));
        CU_ASSERT_STRING_EQUAL(error.source, "j.csv");
        CU_ASSERT_EQUAL(error.line, rows[i].line);
        arena_free(&arena);
    }
}

/* Printing reads back, including unusual characters. */
static void there_and_back(void)
{
    static const char *const texts[] = {"",      "plain", "two\nlines",  "\\n",  "\\",
                                        "# = #", "a = b", "caf\xc3\xa9", "a,=1", "a;\"@b\"",
                                        "a\t-1", "\\',=", ",,",          ",a"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct journal_header header = journal_header_unknown();
        struct journal_head head;
        struct arena arena = {0};
        struct error error = {0};
        struct text text = {0};
        size_t at;
        int line;
        header.provenance.title = texts[i];
        header.provenance.ceilings.copy = 1.0 / 3;
        CU_ASSERT_EQUAL(journal_head_print(&text, &header, &error), 0);
        CU_ASSERT_EQUAL_FATAL(read_head(&head, &arena, text_string(&text), &at, &line, &error), 0);
        CU_ASSERT_STRING_EQUAL(head.header.provenance.title, texts[i]);
        CU_ASSERT_PTR_NULL(strstr(text_string(&text), ",="));
        CU_ASSERT_PTR_NULL(strstr(text_string(&text), ";\"@"));
        CU_ASSERT_PTR_NULL(strstr(text_string(&text), "\t-"));
        CU_ASSERT_EQUAL(head.header.provenance.ceilings.copy, 1.0 / 3);
        CU_ASSERT_EQUAL(at, text.length);
        text_free(&text);
        arena_free(&arena);
    }
}

CU_TestInfo tests_journal_head[] = {
    {"reading", reading}, {"wrong heads", wrong_heads}, {"there and back", there_and_back}, CU_TEST_INFO_NULL};
