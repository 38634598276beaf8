#include "exchange/t4.h"
#include "journals.h"

static const char recorded[] = "# cutune journal 1\n"
                               "# kernel = k\n"
                               "# parameters = 2\n"
                               "TILE,MODE,status,time_ns,kernel,message\n"
                               "16,rows,ok,5,,\n"
                               "16,rows,evidence,,\"k<1, 2>\",launch=0 blocks=12 ceiling_dram=4250000000000.5\n"
                               "16,rows,evidence,,second,launch=1 l2_hits=0.25\n"
                               "32,rows,ok,6,,\n"
                               "32,rows,evidence,,,launch=0\n";

static void check_launch(const struct evidence *a, const struct evidence *b)
{
    CU_ASSERT_STRING_EQUAL(a->kernel, b->kernel);
    for (size_t i = 0; i < evidence_count; i++) {
        double x = evidence_get(a, &evidence_rows[i]), y = evidence_get(b, &evidence_rows[i]);
        CU_ASSERT(x == y || (isnan(x) && isnan(y)));
    }
}

/* Evidence survives the round trip through T4, and is not a result there. */
static void there_and_back(void)
{
    struct text exported = {0}, imported = {0};
    struct journal *before = NULL, *after = NULL;
    CU_ASSERT_EQUAL_FATAL(journal_parse(&before, "j.csv", recorded, sizeof recorded - 1, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(t4_export(before, &exported, NULL), 0);
    const char *results = strstr(text_string(&exported), "\"results\""),
               *metadata = strstr(text_string(&exported), "\"metadata\"");
    const char *evidence = strstr(text_string(&exported), "\"blocks\":12");
    CU_ASSERT(results && metadata && evidence && results < metadata && metadata < evidence);
    CU_ASSERT_EQUAL_FATAL(t4(exported.bytes, exported.length, NULL, &imported, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(journal_parse(&after, "j.csv", imported.bytes, imported.length, NULL), 0);
    CU_ASSERT_EQUAL(journal_row_count(after), 2);
    CU_ASSERT_EQUAL_FATAL(journal_evidence_count(after), 2);
    for (size_t i = 0; i < 2; i++) {
        const struct journal_evidence a = journal_get_evidence(before, i), b = journal_get_evidence(after, i);
        CU_ASSERT_STRING_EQUAL(a.values[0], b.values[0]);
        CU_ASSERT_STRING_EQUAL(a.values[1], b.values[1]);
        CU_ASSERT_EQUAL_FATAL(a.count, b.count);
        for (size_t launch = 0; launch < a.count; launch++)
            check_launch(&a.launches[launch], &b.launches[launch]);
    }
    text_free(&exported), text_free(&imported);
    journal_close(before, NULL), journal_close(after, NULL);
}

#define EVIDENCE_OF(evidence)                                                                                          \
    "{\"metadata\":{\"cutune_journal\":\"# cutune journal 1\\n\",\"cutune_evidence\":" evidence                        \
    "},\"results\":[" RESULT("{\"a\":1}", "") "]}"
static const struct {
    const char *text, *message;
} wrong[] = {
    {EVIDENCE_OF("7"), "not a list"},
    {EVIDENCE_OF("[7]"), "evidence"},
    {EVIDENCE_OF("[{\"launches\":[]}]"), "without 'configuration'"},
    {EVIDENCE_OF("[{\"configuration\":{\"a\":1}}]"), "without 'configuration' or 'launches'"},
    {EVIDENCE_OF("[{\"configuration\":{\"b\":1},\"launches\":[]}]"), "no parameter 'b'"},
    {EVIDENCE_OF("[{\"configuration\":{\"a\":1},\"launches\":7}]"), "'launches' is not a list"},
    {EVIDENCE_OF("[{\"configuration\":{\"a\":1},\"launches\":[7]}]"), "launch"},
    {EVIDENCE_OF("[{\"configuration\":{\"a\":1},\"launches\":[{\"kernel\":7}]}]"), "'kernel'"},
    {EVIDENCE_OF("[{\"configuration\":{\"a\":1},\"launches\":[{\"blocks\":\"7\"}]}]"), "'blocks' is not a number"},
    {EVIDENCE_OF("[{\"configuration\":{\"a\":1},\"launches\":[{\"blocks\":1,\"blocks\":1}]}]"), "blocks"},
    {EVIDENCE_OF("[{\"configuration\":{\"a\":1},\"launches\":[{\"launch\":0.5}]}]"), "launch=0.5"},
};

/* The list as a journal would keep it, so that another round trip changes nothing. */
static void unusual_lists(void)
{
    static const char *const texts[] = {
        EVIDENCE_OF("[{\"configuration\":{\"a\":1},\"launches\":[{\"blocks\":1}]}]"),
        EVIDENCE_OF(
            "[{\"configuration\":{\"a\":1},\"launches\":[{\"launch\":1},{\"launch\":0},{\"launch\":1,\"blocks\":2}]}]"),
        EVIDENCE_OF("[{\"configuration\":{\"a\":1},\"launches\":[{\"blocks\":1}]},"
                    "{\"configuration\":{\"a\":1},\"launches\":[{\"launch\":0,\"blocks\":2}]}]"),
        EVIDENCE_OF("[{\"configuration\":{\"a\":1},\"launches\":[]}]"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct text first = {0}, exported = {0}, second = {0};
        struct journal *journal = NULL;
        CU_ASSERT_EQUAL_FATAL(t4(texts[i], strlen(texts[i]), NULL, &first, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(journal_parse(&journal, "j.csv", first.bytes, first.length, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(t4_export(journal, &exported, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(t4(exported.bytes, exported.length, NULL, &second, NULL), 0);
        CU_ASSERT_STRING_EQUAL(text_string(&first), text_string(&second));
        text_free(&first), text_free(&exported), text_free(&second);
        journal_close(journal, NULL);
    }
}

static void wrong_lists(void)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct text journal = {0};
        struct error error = {0};
        CU_ASSERT_EQUAL(t4(wrong[i].text, strlen(wrong[i].text), NULL, &journal, &error), ERROR_DATA);
        if (!strstr(error.message, wrong[i].message))
            printf("'%s' is not in '%s'\n", wrong[i].message, error.message);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, wrong[i].message));
        CU_ASSERT(error.line == 1 && error.column > 1);
        text_free(&journal);
    }
}

/* A later version may have more numbers. */
static void later_numbers(void)
{
    static const char text[] =
        EVIDENCE_OF("[{\"configuration\":{\"a\":1},\"launches\":[{\"later\":\"x\",\"waves\":2.5}]}]");
    struct text imported = {0};
    struct journal *journal = NULL;
    CU_ASSERT_EQUAL_FATAL(t4(text, strlen(text), NULL, &imported, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(journal_parse(&journal, "j.csv", imported.bytes, imported.length, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(journal_evidence_count(journal), 1);
    CU_ASSERT_EQUAL(journal_get_evidence(journal, 0).launches->waves, 2.5);
    text_free(&imported);
    journal_close(journal, NULL);
}

CU_TestInfo tests_t4_evidence[] = {{"unusual lists", unusual_lists},
                                   {"there and back", there_and_back},
                                   {"malformed lists", wrong_lists},
                                   {"numbers of a later version", later_numbers},
                                   CU_TEST_INFO_NULL};
