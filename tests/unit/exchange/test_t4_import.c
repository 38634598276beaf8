/* T4: accepted files, refused files, and the places of their errors. */
#include "t4_results.h"

static const struct {
    const char *text, *message, *at; /* text at the position of the error */
} refused[] = {
    {"", "this is not JSON", ""},
    {"[]", "the file is not an object", "[]"},
    {"{}", "no 'results'", "{}"},
    {"{\"results\":{}}", "not a list of one result", "{}"},
    {"{\"results\":[]}", "not a list of one result", "[]"},
    {"{\"results\":[1]}", "a result is not an object", "1"},
    {"{\"results\":[{}]}", "a result without 'configuration'", "{}"},
    {"{\"results\":[],\"results\":[]}", "a second 'results'", "\"results\""},
    {"{\"x\":1,\"results\":[],\"x\":[]}", "a second 'x'", "\"x\""},
    {"{\"results\":[]} x", "more text after", "x"},
    {"{\"results\":[\"\\u0000\"]}", "a NUL character", "\\u0000\""},
    {"{\"results\":[\"caf\xe9\"]}", "the text is not UTF-8 from here on", "\xe9\""},
    {"{\"metadata\":[],\"results\":[]}", "'metadata' is not an object", "[]"},
    {"{\"metadata\":{\"timeunit\":7},\"results\":[]}", "unknown 'timeunit'", "7"},
    {WITH("{}"), "without parameters", "{}"},
    {WITH("[]"), "'configuration' is not an object", "[]"},
    {WITH("{\"a\":1,\"a\":1}"), "a second 'a'", "\"a\""},
    {WITH("{\"a b\":1}"), "'a b' cannot be the name", "\"a b\""},
    {WITH("{\"\":1}"), "'' cannot be the name", "\"\""},
    {WITH("{\"a\":null}"), "not a number, string or boolean", "null"},
    {WITH("{\"a\":[1]}"), "not a number, string or boolean", "[1]"},
    {WITH("{\"a\":\"two words\"}"), "'two words' cannot be a value of a", "\"two words\""},
    {WITH("{\"a\":\"\"}"), "'' cannot be a value of a", "\"\""},
    {WITH("{\"a\":1e400}"), "'1e400' cannot be a value of a", "1e400"},
    {WITH("{\"a\":123456789012345678901}"), "cannot be a value of a", "123456789012345678901"},
    {WITH("{\"a\":01}"), "not a JSON number", "01"},
    {FILE_OF(RESULT("{\"a\":1}", TIME("1")) "," RESULT("{\"b\":1}", TIME("1"))), "no parameter 'b'", "\"b\""},
    {FILE_OF(RESULT("{\"a\":1}", TIME("1")) "," RESULT("{}", TIME("1"))), "has 1 parameters, this one 0", "{}"},
    {TIMES("[]"), "'times' is not an object", "[]"},
    {TIMES("{\"compilation\":\"3\"}"), "'compilation' is not a time", "\"3\""},
    {TIMES("{\"compilation\":-3}"), "'compilation' is not a time", "-3"},
    {TIMES("{\"compilation\":1e300}"), "'compilation' is not a time", "1e300"},
    {TIMES("{\"validation\":5e9,\"runtimes\":[5e9]}"), "'runtimes' is not a time", "5e9"},
    {TIMES("{\"runtimes\":3}"), "'runtimes' is not a list", "3"},
    {TIMES("{\"runtimes\":[1,\"NaN\"]}"), "is not a number", "\"NaN\""},
    {INVALID("7"), "unknown 'invalidity'", "7"},
    {INVALID("\"fine\""), "unknown 'invalidity'", "\"fine\""},
    {INVALID("\"correct\""), "has no 'time'", "{}"},
    {MEASURED("{}"), "'measurements' is not a list", "{}"},
    {MEASURED("[1]"), "a measurement is not an object", "1"},
    {MEASURED("[{\"name\":\"time\"}]"), "a measurement needs", "{\"name\":\"time\"}"},
    {MEASURED("[{\"name\":\"time\",\"value\":\"fast\"}]"), "is not a number", "\"fast\""},
    {MEASURED("[{\"name\":\"time\",\"value\":0}]"), "0 is not a time", "0"},
    {MEASURED("[{\"name\":\"time\",\"value\":-1}]"), "-1 is not a time", "-1"},
    {MEASURED("[{\"name\":\"time\",\"value\":1e308}]"), "is not a time", "1e308"},
    {MEASURED("[{\"name\":\"time\",\"value\":1e999}]"), "is not a time", "1e999"},
    {MEASURED("[{\"name\":\"time\",\"value\":1,\"unit\":\"GFLOP/s\"}]"), "'time' is not a time", "1"},
    {MEASURED("[{\"name\":\"time\",\"value\":1},{\"name\":\"time\",\"value\":2}]"), "a second measurement",
     "{\"name\":\"time\","},
    {MEASURED("[{\"name\":\"time\",\"value\":1}],\"objectives\":1"), "'objectives' is not a list", "1"},
    {MEASURED("[{\"name\":\"time\",\"value\":1}],\"objectives\":[1]"), "the first objective", "[1]"},
    {MEASURED("[{\"name\":\"GB/s\",\"value\":1}],\"objectives\":[\"GB/s\"]"), "'GB/s' is not a time", "1"},
    {MEASURED("[{\"name\":\"time\",\"value\":1},{\"name\":\"x\",\"value\":1e999}]"), "too large", "1e999"},
    {OWN("7"), "not hold header lines", "7"},
    {OWN("\"\""), "not hold header lines", "\"\""},
    {OWN("\"# cutune journal 1\\nx\\n\""), "more than header lines", "\"# cutune journal 1\\nx\\n"},
    {OWN("\"# cutune journal 2\\n\""), "a journal of schema 2", "\"# cutune journal 2\\n\""},
    {OWN("\"# cutune journal 1\\n# x = 1\\n\""), "unknown key 'x'", "\"# cutune journal 1\\n# x"},
};

static void test_t4_refused(void)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct text journal = {0};
        struct error error = {0};
        int code = t4(refused[i].text, strlen(refused[i].text), NULL, &journal, &error);
        const char *at = error.column ? refused[i].text + error.column - 1 : "nowhere";
        bool right = code && error.line == 1 && strstr(error.message, refused[i].message) &&
                     strncmp(at, refused[i].at, strlen(refused[i].at)) == 0;
        if (!right)
            fprintf(stderr, "\n%s\n  %s at %s", refused[i].text, error.message, at);
        CU_ASSERT(right);
        CU_ASSERT_EQUAL(journal.length, 0);
        text_free(&journal);
    }
}

static void test_t4_rows(void)
{
    for (size_t i = 0; i < sizeof read_rows / sizeof *read_rows; i++) {
        struct text journal = {0};
        struct error error = {0};
        CU_ASSERT_EQUAL_FATAL(t4(read_rows[i].text, strlen(read_rows[i].text), read_rows[i].unit, &journal, &error), 0);
        struct text rows = {0};
        describe(&journal, &rows);
        if (strcmp(text_string(&rows), read_rows[i].row) != 0)
            fprintf(stderr, "\n%s\n  %s", read_rows[i].text, text_string(&rows));
        CU_ASSERT_STRING_EQUAL(text_string(&rows), read_rows[i].row);
        text_free(&rows);
        text_free(&journal);
    }
}

/* Deep, long and wide texts end with an error or are read, quickly. */
static void test_t4_huge(void)
{
    static const struct {
        const char *head, *unit, *tail, *message; /* NULL: accepted */
        int count;
    } rows[] = {
        {"{\"results\":", "[", "", "this is not JSON", 1000000},
        {"{\"results\":", "{\"a\":", "1", "this is not JSON", 1000000},
        {"{\"results\":[", "[],", "1]}", "a result is not an object", 1000000},
        {"{\"results\":[", "0,", "0]}", "more than", T4_VALUES_MAX + 1},
        {"{\"results\":[{\"configuration\":{\"a\":", "1",
         "},\"times\":{},\"invalidity\":\"timeout\",\"correctness\":0}]}", "cannot be a value", 1000000},
        {"{\"results\":[{\"configuration\":{\"a\":\"", "x",
         "\"},\"times\":{},\"invalidity\":\"timeout\",\"correctness\":0}]}", "cannot be a value", 1000000},
        {"{\"results\":[{\"times\":{},\"invalidity\":\"timeout\",\"correctness\":0,\"configuration\":{\"a\":1},\"x\":"
         "\"",
         "y", "\"}]}", NULL, 10000000},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text text = {0}, journal = {0};
        struct error error = {0};
        text_printf(&text, "%s", rows[i].head);
        for (int n = 0; n < rows[i].count; n++)
            text_append(&text, rows[i].unit, strlen(rows[i].unit));
        text_printf(&text, "%s", rows[i].tail);
        int code = t4(text.bytes, text.length, "ms", &journal, &error);
        CU_ASSERT_EQUAL(code != 0, rows[i].message != NULL);
        if (rows[i].message && !strstr(error.message, rows[i].message))
            fprintf(stderr, "\nrow %zu: %s", i, error.message);
        CU_ASSERT(!rows[i].message || strstr(error.message, rows[i].message));
        text_free(&text);
        text_free(&journal);
    }
}

/* A repeated member among a hundred thousand is found without comparing all pairs. */
static void test_t4_wide(void)
{
    struct text text = {0}, journal = {0};
    struct error error = {0};
    text_printf(&text, "{\"results\":[{\"configuration\":{");
    for (int i = 0; i < 200000; i++)
        text_printf(&text, "\"p%d\":1,", i);
    text_printf(&text, "\"p7\":1},\"times\":{},\"invalidity\":\"timeout\",\"correctness\":0}]}");
    CU_ASSERT_EQUAL(t4(text.bytes, text.length, "ms", &journal, &error), ERROR_DATA);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "a second 'p7'"));
    text_free(&text);
    text_free(&journal);
}

CU_TestInfo tests_t4_import[] = {{"what is refused", test_t4_refused},
                                 {"rows", test_t4_rows},
                                 {"huge files", test_t4_huge},
                                 {"many members", test_t4_wide},
                                 CU_TEST_INFO_NULL};
