/* Imports of T4 and of tables: what is read, what is refused and where, and that nothing gets lost. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/file.h"
#include "exchange/exchange.h"

/* The rows of a journal, but for what nothing is known of: "values|status|time samples compile measure|message", the
 * times in ns and a line each. */
static void describe(const struct text *journal, struct text *rows)
{
    struct journal *read = NULL;
    struct error error = {0};
    int code = journal_parse(&read, "j.csv", text_string(journal), journal->length, &error);
    if (code)
        fprintf(stderr, "\n%s: %s", error.source, error.message);
    CU_ASSERT_EQUAL_FATAL(code, 0);
    for (size_t r = 0; r < journal_row_count(read); r++) {
        struct journal_row row = journal_get_row(read, r);
        const struct measurement *m = &row.measurement;
        for (size_t p = 0; p < journal_get_header(read)->parameter_count; p++)
            text_printf(rows, "%s%s", p ? " " : "", row.values[p]);
        text_printf(rows, "|%s|%.17g %u %lld %lld|%s\n", status_name(m->status), isnan(m->time_ns) ? -1 : m->time_ns,
                    m->samples, (long long)m->compile_ns, (long long)m->measure_ns, m->message);
        CU_ASSERT(isnan(m->low_ns) && isnan(m->high_ns) && m->registers == -1);
    }
    journal_close(read, NULL);
}

/* ---- T4 ---- */

static int t4(const char *text, size_t length, const char *unit, struct text *journal, struct error *error)
{
    const struct exchange_setup setup = {.path = "r.json", .unit = unit};
    return t4_import(&setup, text, length, journal, error);
}

#define RESULT(configuration, rest)                                                                                    \
    "{\"configuration\":" configuration ",\"times\":{},\"invalidity\":\"correct\",\"correctness\":1" rest "}"
#define TIME(value)            ",\"measurements\":[{\"name\":\"time\",\"value\":" value ",\"unit\":\"us\"}]"
#define FILE_OF(results)       "{\"metadata\":{\"timeunit\":\"s\"},\"results\":[" results "]}"
#define WITH(configuration)    FILE_OF(RESULT(configuration, TIME("2")))
#define MEASURED(measurements) FILE_OF(RESULT("{\"a\":1}", ",\"measurements\":" measurements))
#define TIMES(times)                                                                                                   \
    FILE_OF("{\"configuration\":{\"a\":1},\"times\":" times                                                            \
            ",\"invalidity\":\"correct\",\"correctness\":1" TIME("2") "}")
#define INVALID(invalidity)                                                                                            \
    FILE_OF("{\"configuration\":{\"a\":1},\"times\":{},\"invalidity\":" invalidity ",\"correctness\":0}")
#define OWN(head) "{\"metadata\":{\"cutune_journal\":" head "},\"results\":[" RESULT("{\"a\":1}", "") "]}"

static const struct {
    const char *text, *message, *at; /* what stands where the error is */
} refused[] = {
    {"", "this is no JSON", ""},
    {"[]", "the file is not an object", "[]"},
    {"{}", "no 'results'", "{}"},
    {"{\"results\":{}}", "not a list of one result", "{}"},
    {"{\"results\":[]}", "not a list of one result", "[]"},
    {"{\"results\":[1]}", "a result is not an object", "1"},
    {"{\"results\":[{}]}", "a result without 'configuration'", "{}"},
    {"{\"results\":[],\"results\":[]}", "a second 'results'", "\"results\""},
    {"{\"x\":1,\"results\":[],\"x\":[]}", "a second 'x'", "\"x\""},
    {"{\"results\":[]} x", "more text behind", "x"},
    {"{\"results\":[\"\\u0000\"]}", "a NUL character", "\\u0000\""},
    {"{\"results\":[\"caf\xe9\"]}", "the text is no UTF-8 from here on", "\xe9\""},
    {"{\"metadata\":[],\"results\":[]}", "'metadata' is not an object", "[]"},
    {"{\"metadata\":{\"timeunit\":7},\"results\":[]}", "'timeunit' is none", "7"},
    {WITH("{}"), "without parameters", "{}"},
    {WITH("[]"), "'configuration' is not an object", "[]"},
    {WITH("{\"a\":1,\"a\":1}"), "a second 'a'", "\"a\""},
    {WITH("{\"a b\":1}"), "'a b' cannot be the name", "\"a b\""},
    {WITH("{\"\":1}"), "'' cannot be the name", "\"\""},
    {WITH("{\"a\":null}"), "no number, string or boolean", "null"},
    {WITH("{\"a\":[1]}"), "no number, string or boolean", "[1]"},
    {WITH("{\"a\":\"two words\"}"), "'two words' cannot be a value of a", "\"two words\""},
    {WITH("{\"a\":\"\"}"), "'' cannot be a value of a", "\"\""},
    {WITH("{\"a\":1e400}"), "'1e400' cannot be a value of a", "1e400"},
    {WITH("{\"a\":123456789012345678901}"), "cannot be a value of a", "123456789012345678901"},
    {WITH("{\"a\":01}"), "no number of JSON", "01"},
    {FILE_OF(RESULT("{\"a\":1}", TIME("1")) "," RESULT("{\"b\":1}", TIME("1"))), "no parameter 'b'", "\"b\""},
    {FILE_OF(RESULT("{\"a\":1}", TIME("1")) "," RESULT("{}", TIME("1"))), "has 1 parameters, this one 0", "{}"},
    {TIMES("[]"), "'times' is not an object", "[]"},
    {TIMES("{\"compilation\":\"3\"}"), "'compilation' is no time", "\"3\""},
    {TIMES("{\"compilation\":-3}"), "'compilation' is no time", "-3"},
    {TIMES("{\"compilation\":1e300}"), "'compilation' is no time", "1e300"},
    {TIMES("{\"validation\":5e9,\"runtimes\":[5e9]}"), "'runtimes' is no time", "5e9"},
    {TIMES("{\"runtimes\":3}"), "'runtimes' is not a list", "3"},
    {TIMES("{\"runtimes\":[1,\"NaN\"]}"), "is no number", "\"NaN\""},
    {INVALID("7"), "'invalidity' is none", "7"},
    {INVALID("\"fine\""), "'invalidity' is none", "\"fine\""},
    {INVALID("\"correct\""), "has no 'time'", "{}"},
    {MEASURED("{}"), "'measurements' is not a list", "{}"},
    {MEASURED("[1]"), "a measurement is not an object", "1"},
    {MEASURED("[{\"name\":\"time\"}]"), "a measurement needs", "{\"name\":\"time\"}"},
    {MEASURED("[{\"name\":\"time\",\"value\":\"fast\"}]"), "is no number", "\"fast\""},
    {MEASURED("[{\"name\":\"time\",\"value\":0}]"), "0 is no time", "0"},
    {MEASURED("[{\"name\":\"time\",\"value\":-1}]"), "-1 is no time", "-1"},
    {MEASURED("[{\"name\":\"time\",\"value\":1e308}]"), "is no time", "1e308"},
    {MEASURED("[{\"name\":\"time\",\"value\":1e999}]"), "is no time", "1e999"},
    {MEASURED("[{\"name\":\"time\",\"value\":1,\"unit\":\"GFLOP/s\"}]"), "'time' is no time", "1"},
    {MEASURED("[{\"name\":\"time\",\"value\":1},{\"name\":\"time\",\"value\":2}]"), "a second measurement",
     "{\"name\":\"time\","},
    {MEASURED("[{\"name\":\"time\",\"value\":1}],\"objectives\":1"), "'objectives' is not a list", "1"},
    {MEASURED("[{\"name\":\"time\",\"value\":1}],\"objectives\":[1]"), "the first objective", "[1]"},
    {MEASURED("[{\"name\":\"GB/s\",\"value\":1}],\"objectives\":[\"GB/s\"]"), "'GB/s' is no time", "1"},
    {MEASURED("[{\"name\":\"time\",\"value\":1},{\"name\":\"x\",\"value\":1e999}]"), "too large", "1e999"},
    {OWN("7"), "no header lines", "7"},
    {OWN("\"\""), "no header lines", "\"\""},
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

/* What is read of a result, as its row in the journal. */
static const struct {
    const char *text, *unit, *row;
} read_rows[] = {
    {WITH("{\"a\":1}"), NULL, "1|ok|2000 0 -1 -1|\n"},
    {WITH("{\"a\":-0.50}"), NULL, "-0.50|ok|2000 0 -1 -1|\n"},
    {WITH("{\"a\":\"=1+2\"}"), NULL, "=1+2|ok|2000 0 -1 -1|\n"},
    {WITH("{\"a\":false}"), NULL, "false|ok|2000 0 -1 -1|\n"},
    {WITH("{\"a\":\"16\"}"), NULL, "16|ok|2000 0 -1 -1|\n"},
    {MEASURED("[{\"name\":\"time\",\"value\":3}]"), "s", "1|ok|3000000000 0 -1 -1|\n"},
    {MEASURED("[{\"name\":\"loop\",\"value\":3,\"unit\":\"ns\"}],\"objectives\":[\"loop\"]"), NULL,
     "1|ok|3 0 -1 -1|\n"},
    {TIMES("{\"compilation\":1,\"validation\":2,\"framework\":9,\"runtimes\":[1,3]}"), NULL,
     "1|ok|2000 2 1000000000 6000000000|\n"},
    {FILE_OF(
         "{\"configuration\":{\"a\":1},\"times\":{\"runtimes\":[1,3]},\"invalidity\":\"correct\",\"correctness\":1}"),
     NULL, "1|ok|2000000000 2 -1 4000000000|\n"},
    {INVALID("\"timeout\""), NULL, "1|timeout|-1 0 -1 -1|\n"},
    {INVALID("\"compile\""), NULL, "1|compile_error|-1 0 -1 -1|\n"},
    {INVALID("\"correctness\""), NULL, "1|wrong_result|-1 0 -1 -1|\n"},
    {INVALID("\"constraints\""), NULL, "1|pruned_limit|-1 0 -1 -1|\n"},
};

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

/* Import, export, import: the journals are the same bytes, and so are the exports. */
static void round_trip(const char *text, size_t length, const char *unit)
{
    struct text journals[2] = {{0}, {0}}, exports[2] = {{0}, {0}};
    struct error error = {0};
    int code = 0;
    for (size_t i = 0; i < 2 && !code; i++) {
        struct journal *journal = NULL;
        const struct text *from = &exports[0];
        code = i ? t4(from->bytes, from->length, unit, &journals[i], &error)
                 : t4(text, length, unit, &journals[i], &error);
        if (!code)
            code = journal_parse(&journal, "j.csv", journals[i].bytes, journals[i].length, &error);
        if (!code)
            code = t4_export(journal, &exports[i], &error);
        journal_close(journal, NULL);
    }
    if (code)
        fprintf(stderr, "\n%.200s\n  %s", text, error.message);
    CU_ASSERT_EQUAL(code, 0);
    CU_ASSERT_STRING_EQUAL(text_string(&journals[0]), text_string(&journals[1]));
    CU_ASSERT_STRING_EQUAL(text_string(&exports[0]), text_string(&exports[1]));
    for (size_t i = 0; i < 2; i++)
        text_free(&journals[i]), text_free(&exports[i]);
}

static void test_t4_round_trip(void)
{
    static const char *const files[] = {"/cli/fixtures/results.t4.json", "/fuzz/t4/own.json", "/fuzz/t4/small.json"};
    /* DEL and an override of the direction of writing, in what is kept as it is */
    static const char foul[] = FILE_OF("{\"configuration\":{\"a\":1},\"times\":{\"runtimes\":[2],\"framew\x7fork\":1.5}"
                                       ",\"invalidity\":\"correct\",\"correctness\":1,\"x\":\"\xe2\x80\xae\"}");
    round_trip(foul, strlen(foul), NULL);
    for (size_t i = 0; i < sizeof read_rows / sizeof *read_rows; i++)
        round_trip(read_rows[i].text, strlen(read_rows[i].text), read_rows[i].unit);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct text text = {0};
        char path[512];
        snprintf(path, sizeof path, "%s%s", TEST_FOLDER, files[i]);
        CU_ASSERT_EQUAL_FATAL(file_read(path, T4_BYTES_MAX, &text, NULL), 0);
        round_trip(text.bytes, text.length, NULL);
        text_free(&text);
    }
}

/* A journal without parameters has one configuration, the empty one. */
static void test_no_parameters(void)
{
    static const char text[] = "# cutune journal 1\n# kernel = k\n# parameters = 0\nstatus,time_ns\nok,5\n";
    struct text exported = {0};
    struct journal *journal = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(journal_parse(&journal, "j.csv", text, strlen(text), &error), 0);
    CU_ASSERT_EQUAL(t4_export(journal, &exported, &error), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&exported), "{\"configuration\":{},\"times\""));
    text_free(&exported);
    journal_close(journal, NULL);
}

/* A journal of cutune's own comes back through T4 as it was. */
static void test_journal_round_trip(void)
{
    struct text before = {0}, exported = {0}, after = {0};
    struct journal *journal = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(file_read(TEST_FOLDER "/db/formats/journal-1.csv", 1 << 20, &before, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(journal_parse(&journal, "j.csv", before.bytes, before.length, &error), 0);
    CU_ASSERT_EQUAL(t4_export(journal, &exported, &error), 0);
    CU_ASSERT_EQUAL(t4(exported.bytes, exported.length, NULL, &after, &error), 0);
    struct journal *again = NULL;
    CU_ASSERT_EQUAL_FATAL(journal_parse(&again, "j.csv", after.bytes, after.length, &error), 0);
    CU_ASSERT_EQUAL_FATAL(journal_row_count(again), journal_row_count(journal));
    struct text rows[2] = {{0}, {0}};
    for (size_t i = 0; i < 2; i++) {
        const struct journal *from = i ? again : journal;
        CU_ASSERT_EQUAL(journal_print_header(&rows[i], journal_get_header(from), NULL), 0);
        for (size_t r = 0; r < journal_row_count(from); r++) {
            struct journal_row row = journal_get_row(from, r);
            CU_ASSERT_EQUAL(journal_print_row(&rows[i], journal_get_header(from), &row, NULL), 0);
        }
    }
    CU_ASSERT_STRING_EQUAL(text_string(&rows[0]), text_string(&rows[1]));
    text_free(&rows[0]), text_free(&rows[1]);
    text_free(&before), text_free(&exported), text_free(&after);
    journal_close(journal, NULL);
    journal_close(again, NULL);
}

/* Deep, long and wide texts end with an error or are read, in little time. */
static void test_t4_huge(void)
{
    static const struct {
        const char *head, *unit, *tail, *message; /* NULL: it is read */
        int count;
    } rows[] = {
        {"{\"results\":", "[", "", "this is no JSON", 1000000},
        {"{\"results\":", "{\"a\":", "1", "this is no JSON", 1000000},
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

/* A member that comes twice among a hundred thousand is found without looking at all pairs. */
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

/* ---- Tables ---- */

#define CELLS(literal) literal, sizeof(literal) - 1

static const struct {
    const char *text;
    size_t length;
    const char *rows; /* behind the columns' names; NULL: an error */
    int code, line;
    const char *message;
} tables[] = {
    {CELLS("a,t\n1,2\n"), "1|ok|2000000 0 -1 -1|\n", 0, 0, NULL},
    {CELLS("\xef\xbb\xbf"
           "a,t\r\n1,2\r\n\r\n"),
     "1|ok|2000000 0 -1 -1|\n", 0, 0, NULL},
    {CELLS("t,a\n2,1"), "1|ok|2000000 0 -1 -1|\n", 0, 0, NULL},
    {CELLS("a,t\r1,2\n3,4\r\n"), "1|ok|2000000 0 -1 -1|\n3|ok|4000000 0 -1 -1|\n", 0, 0, NULL},
    {CELLS("a,t\n=1+2,3\n@x,4\n"), "=1+2|ok|3000000 0 -1 -1|\n@x|ok|4000000 0 -1 -1|\n", 0, 0, NULL},
    {CELLS("a,t\n\"x,\"\"y\"\"\",3\n"), "x,\"y\"|ok|3000000 0 -1 -1|\n", 0, 0, NULL},
    {CELLS("\"a\",\"t\"\n\"1\",\"2e-3\"\n"), "1|ok|2000 0 -1 -1|\n", 0, 0, NULL},
    {CELLS("a,t\n1,\n"), "1|launch_error|-1 0 -1 -1|no time in the table\n", 0, 0, NULL},
    {CELLS("a,t\n1,RuntimeFailedConfig\n"), "1|launch_error|-1 0 -1 -1|RuntimeFailedConfig\n", 0, 0, NULL},
    {CELLS("a,t\n1,timeout\n"), "1|timeout|-1 0 -1 -1|timeout\n", 0, 0, NULL},
    {CELLS(""), NULL, ERROR_DATA, 0, "no columns"},
    {CELLS("a,t\n"), NULL, ERROR_DATA, 0, "no rows"},
    {CELLS("t\n1\n"), NULL, ERROR_DATA, 1, "no column is left"},
    {CELLS("a,u\n"), NULL, ERROR_USAGE, 1, "no column 't'"},
    {CELLS("a,t,a\n"), NULL, ERROR_DATA, 1, "both named 'a'"},
    {CELLS("a,t,\n"), NULL, ERROR_DATA, 1, "'' cannot be the name"},
    {CELLS("a b,t\n"), NULL, ERROR_DATA, 1, "'a b' cannot be the name"},
    {CELLS("a,t\n1\n"), NULL, ERROR_DATA, 2, "1 cells where there are 2"},
    {CELLS("a,t\n1,2\n1,2,3\n"), NULL, ERROR_DATA, 3, "3 cells where there are 2"},
    {CELLS("a,t\n,2\n"), NULL, ERROR_DATA, 2, "'' cannot be a value of a"},
    {CELLS("a,t\n\"x\ny\",2\n"), NULL, ERROR_DATA, 2, "cannot be a value of a"},
    {CELLS("a,t\n1e999,2\n"), NULL, ERROR_DATA, 2, "'1e999' cannot be a value"},
    {CELLS("a,t\n1,-2\n"), NULL, ERROR_DATA, 2, "t cannot be '-2'"},
    {CELLS("a,t\n1,0\n"), NULL, ERROR_DATA, 2, "no time above 0"},
    {CELLS("a,t\n1,ok\n"), NULL, ERROR_DATA, 2, "t cannot be 'ok'"},
    {CELLS("a,t\n1,0x10\n"), NULL, ERROR_DATA, 2, "t cannot be '0x10'"},
    {CELLS("a,t\n1,1e308\n"), NULL, ERROR_DATA, 2, "t cannot be '1e308'"},
    {CELLS("a,t\n1,2\n\n2,\"3\n"), NULL, ERROR_DATA, 4, "no end"},
    {CELLS("a,t\n1,2\"\n"), NULL, ERROR_DATA, 2, "malformed quoting"},
    {CELLS("a,t\n1,\0\n"), NULL, ERROR_DATA, 2, "a NUL byte"},
};

static void test_tables(void)
{
    static const struct exchange_setup setup = {.path = "t.csv", .time = "t", .unit = "ms"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        struct text journal = {0};
        struct error error = {0};
        int code = table_import(&setup, tables[i].text, tables[i].length, &journal, &error);
        struct text rows = {0};
        bool right = code == tables[i].code && error.line == tables[i].line;
        if (!code)
            describe(&journal, &rows);
        right = right && (tables[i].rows ? strcmp(text_string(&rows), tables[i].rows) == 0
                                         : strstr(error.message, tables[i].message) != NULL);
        if (!right)
            fprintf(stderr, "\n%s\n  %d: %s %s", tables[i].text, error.line, error.message, text_string(&rows));
        text_free(&rows);
        CU_ASSERT(right);
        text_free(&journal);
    }
}

CU_TestInfo tests_exchange[] = {{"T4: what is refused", test_t4_refused},
                                {"T4: rows", test_t4_rows},
                                {"T4: there and back", test_t4_round_trip},
                                {"T4: no parameters", test_no_parameters},
                                {"a journal through T4 and back", test_journal_round_trip},
                                {"T4: huge files", test_t4_huge},
                                {"T4: many members", test_t4_wide},
                                {"tables", test_tables},
                                CU_TEST_INFO_NULL};
