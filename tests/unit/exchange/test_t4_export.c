/* T4: the round trip loses nothing. */
#include "base/file.h"
#include "exchange/t4.h"
#include "t4_results.h"

static void strings(void)
{
    static const struct {
        const char *text, *string;
        bool number;
    } rows[] = {{"", "\"\"", false},
                {"a\"b\\c", "\"a\\\"b\\\\c\"", false},
                {"\n\x1f", "\"\\u000a\\u001f\"", false},
                {"0", "\"0\"", true},
                {"-16", "\"-16\"", true},
                {"1e0", "\"1e0\"", true},
                {"0.25", "\"0.25\"", true},
                {"016", "\"016\"", false},
                {"01", "\"01\"", false},
                {"-00", "\"-00\"", false},
                {".5", "\".5\"", false},
                {"5.", "\"5.\"", false},
                {"+5", "\"+5\"", false},
                {"1e", "\"1e\"", false},
                {"0x10", "\"0x10\"", false},
                {"1e999", "\"1e999\"", false},
                {"nan", "\"nan\"", false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text text = {0};
        t4_string(&text, rows[i].text);
        CU_ASSERT_STRING_EQUAL(text_string(&text), rows[i].string);
        CU_ASSERT_EQUAL(t4_is_number(rows[i].text), rows[i].number);
        text_free(&text);
    }
}

static void configurations(void)
{
    const char *const names[] = {"A", "b"}, *const values[] = {"16", "x\"y"};
    const struct journal_header header = {.parameter_count = 2, .parameters = names};
    struct text text = {0};
    t4_configuration(&text, &header, values);
    CU_ASSERT_STRING_EQUAL(text_string(&text), "{\"A\":16,\"b\":\"x\\\"y\"}");
    text_free(&text);
}

/* Import, export, import: journals and exports are the same bytes. */
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
    static const char *const files[] = {"/cli/fixtures/results.t4.json", "/fuzz/t4/own.json", "/fuzz/t4/small.json",
                                        "/fuzz/t4/samples.json"};
    /* DEL and a bidirectional override in verbatim text */
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

/* Each configuration is one result, a finalist that of the play-off, and its run time is the median. The other rows
 * come back to their places. */
static void test_once(void)
{
    static const char text[] = "# cutune journal 1\n# kernel = k\n# parameters = 1\na,status,time_ns,playoff\n"
                               "1,ok,7,\n2,ok,5,\n3,compile_error,,\n1,ok,6,lost\n2,ok,4,leader\n1,ok,8,\n";
    static const char *const parts[] = {
        "{\"results\":[\n{\"configuration\":{\"a\":3},\"times\":{\"runtimes\":[]}",
        "},\n{\"configuration\":{\"a\":1},\"times\":{\"runtimes\":[6]}",
        "},\n{\"configuration\":{\"a\":2},\"times\":{\"runtimes\":[4]}",
        "}\n],\n\"metadata\":{\"timeunit\":\"nanoseconds\",\"runtimes\":\"the median of the samples\",",
        "\"cutune_earlier\":[\n{\"row\":0,\"configuration\":{\"a\":1},",
        "},\n{\"row\":1,\"configuration\":{\"a\":2},",
        "},\n{\"row\":5,\"configuration\":{\"a\":1},"};
    static const struct {
        const char *from, *to, *message;
    } damages[] = {{"\"row\":5", "\"row\":6", "an earlier result behind all others"},
                   {"\"row\":1", "\"row\":0", "without its 'row', or behind a later one"},
                   {"\"row\":1", "\"low\":1", "without its 'row'"},
                   {"\"cutune_earlier\":[", "\"cutune_earlier\":7,\"x\":[", "'cutune_earlier' is not a list"}};
    struct text exported = {0}, again = {0}, rows = {0};
    struct journal *journal = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(journal_parse(&journal, "j.csv", text, strlen(text), &error), 0);
    CU_ASSERT_EQUAL_FATAL(t4_export(journal, &exported, &error), 0);
    const char *at = text_string(&exported);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && at; i++) {
        at = strstr(at, parts[i]);
        CU_ASSERT_PTR_NOT_NULL(at);
    }
    CU_ASSERT_EQUAL(t4(exported.bytes, exported.length, NULL, &again, &error), 0);
    describe(&again, &rows);
    CU_ASSERT_STRING_EQUAL(text_string(&rows), "1|ok|7 0 -1 -1|\n2|ok|5 0 -1 -1|\n3|compile_error|-1 0 -1 -1|\n"
                                               "1|ok|6 0 -1 -1|\n2|ok|4 0 -1 -1|\n1|ok|8 0 -1 -1|\n");
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        struct text bad = {0};
        const char *place = strstr(text_string(&exported), damages[i].from);
        CU_ASSERT_PTR_NOT_NULL_FATAL(place);
        text_append(&bad, exported.bytes, (size_t)(place - exported.bytes));
        text_printf(&bad, "%s%s", damages[i].to, place + strlen(damages[i].from));
        text_clear(&again);
        error_clear(&error);
        CU_ASSERT_EQUAL(t4(bad.bytes, bad.length, NULL, &again, &error), ERROR_DATA);
        bool has = strstr(error.message, damages[i].message) != NULL;
        if (!has)
            fprintf(stderr, "\n%s: %s", damages[i].message, error.message);
        CU_ASSERT(has);
        text_free(&bad);
    }
    text_free(&rows), text_free(&again), text_free(&exported);
    journal_close(journal, NULL);
}

/* A journal of cutune survives the round trip through T4. */
static void test_journal_round_trip(void)
{
    struct text before = {0}, exported = {0}, after = {0};
    struct journal *journal = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(file_read(TEST_FOLDER "/unit/formats/journal-1.csv", 1 << 20, &before, NULL), 0);
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

/* The runtimes of a journal with samples: those of rows which have them, marked, else the median. They come back, and
 * a bad list is an error. */
static void test_samples(void)
{
    static const char text[] = "# cutune journal 1\n# kernel = k\n# fingerprint = f\n# parameters = 1\n"
                               "a,status,time_ns,playoff,samples,samples_ns\n"
                               "1,ok,7,,3,7*2 9.5\n2,ok,5,,2,\n3,compile_error,,,0,\n4,ok,6,,2,6 6.25\n"
                               "4,ok,6.5,leader,20,\n";
    static const char *const parts[] = {
        "{\"a\":1},\"times\":{\"runtimes\":[7,7,9.5]}",
        "{\"name\":\"runtimes\",\"value\":\"samples\",\"unit\":\"\"}]",
        "{\"a\":2},\"times\":{\"runtimes\":[5]}",
        "{\"name\":\"runtimes\",\"value\":\"median\",\"unit\":\"\"}]",
        "{\"a\":3},\"times\":{\"runtimes\":[]}",
        "{\"a\":4},\"times\":{\"runtimes\":[6.5]}",
        "\"value\":\"median\"",
        "\"runtimes\":\"the samples, or their median, as the measurement runtimes of each result says\"",
        "{\"row\":3,\"configuration\":{\"a\":4},\"times\":{\"runtimes\":[6,6.25]}",
        "\"value\":\"samples\""};
    static const struct {
        const char *from, *to, *message;
    } damages[] = {{"[7,7,9.5]", "[7,7, \"\"]", "number 3 of the 'runtimes' is not a time"},
                   {"[7,7,9.5]", "[7,-7,95]", "number 2 of the 'runtimes' is not a time"},
                   {"[7,7,9.5]", "[7,779.5]", "'runtimes': 2 samples where the count is 3"},
                   {"[7,7,9.5]", "{\"7\":9.5}", "'runtimes' is not a list"},
                   {"\"runtimes\":[7,7", "\"runtimez\":[7,7", "'runtimes' is not a list"},
                   {"\"value\":\"samples\"", "\"value\":\"medians\"", "'runtimes' are neither 'samples' nor 'median'"}};
    struct text exported = {0}, again = {0}, more = {0};
    struct journal *journal = NULL, *back = NULL;
    struct error error = {0};
    CU_ASSERT_EQUAL_FATAL(journal_parse(&journal, "j.csv", text, strlen(text), &error), 0);
    CU_ASSERT_EQUAL_FATAL(t4_export(journal, &exported, &error), 0);
    const char *at = text_string(&exported);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && at; i++) {
        const char *found = strstr(at, parts[i]);
        if (!found)
            fprintf(stderr, "\n%s\nnot in %s\n", parts[i], at);
        CU_ASSERT_PTR_NOT_NULL(found);
        at = found;
    }
    CU_ASSERT_EQUAL_FATAL(t4(exported.bytes, exported.length, NULL, &again, &error), 0);
    CU_ASSERT_EQUAL_FATAL(journal_parse(&back, "j.csv", again.bytes, again.length, &error), 0);
    CU_ASSERT_EQUAL_FATAL(journal_row_count(back), 5);
    for (size_t i = 0; i < 5; i++)
        CU_ASSERT_STRING_EQUAL(journal_get_row(back, i).samples, journal_get_row(journal, i).samples);
    CU_ASSERT_EQUAL(t4_export(back, &more, &error), 0);
    CU_ASSERT_STRING_EQUAL(text_string(&more), text_string(&exported));
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        char *place = strstr(exported.bytes, damages[i].from);
        CU_ASSERT_PTR_NOT_NULL_FATAL(place);
        CU_ASSERT_EQUAL_FATAL(strlen(damages[i].from), strlen(damages[i].to));
        error_clear(&error);
        text_clear(&again);
        memcpy(place, damages[i].to, strlen(damages[i].to));
        CU_ASSERT_EQUAL(t4(exported.bytes, exported.length, NULL, &again, &error), ERROR_DATA);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, damages[i].message));
        CU_ASSERT(error.line > 0);
        memcpy(place, damages[i].from, strlen(damages[i].from));
    }
    journal_close(journal, NULL);
    journal_close(back, NULL);
    text_free(&exported), text_free(&again), text_free(&more);
}

CU_TestInfo tests_t4_export[] = {{"strings and numbers", strings},
                                 {"configurations", configurations},
                                 {"there and back", test_t4_round_trip},
                                 {"no parameters", test_no_parameters},
                                 {"one result for each configuration", test_once},
                                 {"a journal through T4 and back", test_journal_round_trip},
                                 {"samples", test_samples},
                                 CU_TEST_INFO_NULL};
