#include "exchange/t4.h"
#include "journals.h"

static const char recorded[] = "# cutune journal 1\n"
                               "# kernel = k\n"
                               "# parameters = 2\n"
                               "TILE,MODE,status,time_ns,low_ns,high_ns,samples,kernel,message,states\n"
                               "16,rows,ok,5,,,,,,\n"
                               "32,rows,ok,6,,,,,,\n"
                               "16,rows,library,4.5,4.25,5,77,\"cuBLAS 13.0, \"\"new\"\"\",winner=4.75 hash=ab12 "
                               "winner_states=9x1604:4:61,8x1980:0:45/1x1975:0:-\n"
                               "16,rows,library,4,,,,other,winner=5 hash=ab13,9x1980:-:-\n";

/* Libraries survive the round trip through T4, and are not results there. */
static void there_and_back(void)
{
    struct text exported = {0}, imported = {0};
    struct journal *before = NULL, *after = NULL;
    CU_ASSERT_EQUAL_FATAL(journal_parse(&before, "j.csv", recorded, sizeof recorded - 1, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(t4_export(before, &exported, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(t4(exported.bytes, exported.length, NULL, &imported, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(journal_parse(&after, "j.csv", imported.bytes, imported.length, NULL), 0);
    CU_ASSERT_EQUAL(journal_row_count(after), 2);
    size_t counts[2];
    const struct journal_library *a = journal_get_libraries(before, &counts[0]),
                                 *b = journal_get_libraries(after, &counts[1]);
    CU_ASSERT_EQUAL_FATAL(counts[0], 2);
    CU_ASSERT_EQUAL_FATAL(counts[1], 2);
    for (size_t i = 0; i < 2; i++, a++, b++) {
        CU_ASSERT_STRING_EQUAL(a->values[0], b->values[0]);
        CU_ASSERT_STRING_EQUAL(a->values[1], b->values[1]);
        CU_ASSERT_STRING_EQUAL(a->name, b->name);
        CU_ASSERT_STRING_EQUAL(a->hash, b->hash);
        CU_ASSERT_EQUAL(a->value, b->value);
        CU_ASSERT(a->low == b->low || (isnan(a->low) && isnan(b->low)));
        CU_ASSERT(a->high == b->high || (isnan(a->high) && isnan(b->high)));
        CU_ASSERT_EQUAL(a->samples, b->samples);
        CU_ASSERT_EQUAL(a->winner_value, b->winner_value);
        CU_ASSERT_STRING_EQUAL(a->states, b->states);
        CU_ASSERT_STRING_EQUAL(b->states, i ? "9x1980:-:-" : "8x1980:0:45/1x1975:0:-");
        CU_ASSERT_STRING_EQUAL(a->winner_states, b->winner_states);
    }
    text_free(&exported), text_free(&imported);
    journal_close(before, NULL), journal_close(after, NULL);
}

#define LIBRARY_OF(library)                                                                                            \
    "{\"metadata\":{\"cutune_journal\":\"# cutune journal 1\\n\",\"cutune_libraries\":" library                        \
    "},\"results\":[" RESULT("{\"a\":1}", "") "]}"
#define WITHOUT "a library without 'configuration', 'name', 'hash', 'value' or 'winner_value'"
static const struct {
    const char *text, *message;
} wrong[] = {
    {LIBRARY_OF("7"), "'cutune_libraries' is not a list"},
    {LIBRARY_OF("[7]"), "a library"},
    {LIBRARY_OF("[{\"configuration\":{\"a\":1},\"name\":\"n\",\"hash\":\"h\",\"value\":4}]"), WITHOUT},
    {LIBRARY_OF("[{\"configuration\":{\"a\":1},\"name\":\"n\",\"hash\":\"h\",\"value\":0,\"winner_value\":5}]"),
     "'value' is impossible"},
    {LIBRARY_OF(
         "[{\"configuration\":{\"a\":1},\"name\":\"n\",\"hash\":\"h\",\"value\":4,\"samples\":-1,\"winner_value\":5}]"),
     "'samples' is impossible"},
    {LIBRARY_OF(
         "[{\"configuration\":{\"a\":1},\"name\":\"n\",\"hash\":\"h\",\"value\":4,\"low\":\"x\",\"winner_value\":5}]"),
     "'low' is impossible"},
    {LIBRARY_OF("[{\"configuration\":{\"a\":1},\"name\":\"n\",\"hash\":\"h\",\"value\":4,\"low\":5,\"high\":4,\"winner_"
                "value\":5}]"),
     "the interval begins at 5 and ends at 4"},
    {LIBRARY_OF("[{\"configuration\":{\"a\":1},\"name\":7,\"hash\":\"h\",\"value\":4,\"winner_value\":5}]"), WITHOUT},
    {LIBRARY_OF("[{\"configuration\":{\"a\":1},\"name\":\"n\",\"hash\":\"h h\",\"value\":4,\"winner_value\":5}]"),
     WITHOUT},
    {LIBRARY_OF("[{\"name\":\"n\",\"hash\":\"h\",\"value\":4,\"winner_value\":5}]"), WITHOUT},
    {LIBRARY_OF("[{\"configuration\":{\"b\":1},\"name\":\"n\",\"hash\":\"h\",\"value\":4,\"winner_value\":5}]"),
     "no parameter 'b'"},
};

static void damaged(void)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct text imported = {0};
        struct error error = {0};
        CU_ASSERT_EQUAL(t4(wrong[i].text, strlen(wrong[i].text), NULL, &imported, &error), ERROR_DATA);
        if (!strstr(error.message, wrong[i].message))
            fprintf(stderr, "\n%s: '%s'\n", wrong[i].text, error.message);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, wrong[i].message));
        text_free(&imported);
    }
}

CU_TestInfo tests_t4_library[] = {{"there and back", there_and_back}, {"damaged", damaged}, CU_TEST_INFO_NULL};
