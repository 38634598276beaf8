/* Processing the replies of the script import_t1; tests/integration/scripts/ tests the script itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CUnit/Basic.h>

#include "exchange/t1.h"

#define SCRIPT SOURCE_FOLDER "/tools/scripts/import_t1"

static int import(const char *script, const char *json, struct text *space, struct text *notes, struct error *error)
{
    struct text text = {0};
    text_printf(&text, "%s", json);
    const struct t1_setup setup = {.script = script, .path = "folder/file.json", .no_kernel = true};
    int code = t1_import(&setup, &text, space, notes, error);
    text_free(&text);
    return code;
}

/* Makes a script that prints a Python expression. */
static void make_script(char *path, const char *expression)
{
    int file = mkstemp(path);
    CU_ASSERT_FATAL(file >= 0 && dprintf(file, "import json, sys\nprint(%s)\n", expression) > 0 && close(file) == 0);
}

/* Imports with a script that prints this reply. */
static int import_reply(const char *reply, const char *json, struct text *space, struct text *notes,
                        struct error *error)
{
    char script[] = "/tmp/cutune-reply-XXXXXX";
    struct text text = {0};
    text_printf(&text, "r'''%s'''", reply);
    make_script(script, text_string(&text));
    text_free(&text);
    int code = import(script, json, space, notes, error);
    unlink(script);
    return code;
}

static const char text_of_two_lines[] = "first\n  second\n";
static const struct {
    const char *reply;
    int code, line, column;
    const char *message, *excerpt, *hint;
} refusals[] = {
    {"{\"error\": \"100% wrong\", \"at\": [2, 3], \"hint\": \"do %s\"}", ERROR_DATA, 2, 3, "100% wrong", "  second",
     "do %s"},
    {"{\"error\": \"wrong\", \"at\": [1, 1], \"hint\": null}", ERROR_DATA, 1, 1, "wrong", "first", ""},
    {"{\"error\": \"too old\", \"at\": null}", ERROR_DATA, 0, 0, "too old", "", ""},
    {"[1", ERROR_WORKER, 0, 0, "the script import_t1 sent an unreadable reply", "", ""},
    {"{}", ERROR_WORKER, 0, 0, "the script import_t1 sent an unreadable reply", "", ""},
    {"{\"space\": \"space 2\\nnonsense\\n\", \"origins\": [[1, 1], [2, 3]], \"notes\": []}", ERROR_DATA, 2, 3,
     "the space language does not accept it: unknown statement 'nonsense'", "  second", NULL},
};

static void test_refusals(void)
{
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        struct text space = {0}, notes = {0};
        struct error error = {0};
        CU_ASSERT_EQUAL(import_reply(refusals[i].reply, text_of_two_lines, &space, &notes, &error), refusals[i].code);
        CU_ASSERT_EQUAL((int)error.code, refusals[i].code);
        CU_ASSERT_EQUAL(error.line, refusals[i].line);
        CU_ASSERT_EQUAL(error.column, refusals[i].column);
        CU_ASSERT_STRING_EQUAL(error.message, refusals[i].message);
        CU_ASSERT_STRING_EQUAL(error.excerpt, refusals[i].excerpt);
        if (refusals[i].hint)
            CU_ASSERT_STRING_EQUAL(error.hint, refusals[i].hint);
        CU_ASSERT_STRING_EQUAL(error.source, refusals[i].line ? "folder/file.json" : "");
        text_free(&space);
        text_free(&notes);
    }
}

/* Appends the reply with its notes. */
static void test_reply(void)
{
    struct text space = {0}, notes = {0};
    struct error error = {0};
    text_printf(&space, "before\n");
    CU_ASSERT_EQUAL(import_reply("{\"space\": \"space 2\\nparam a = 1\\n\", \"origins\": [[1, 1], [1, 1]], "
                                 "\"notes\": [\"one\", \"two\"]}",
                                 "", &space, &notes, &error),
                    0);
    CU_ASSERT_STRING_EQUAL(text_string(&space), "before\nspace 2\nparam a = 1\n");
    CU_ASSERT_STRING_EQUAL(text_string(&notes), "one\ntwo\n");
    text_free(&space);
    text_free(&notes);
}

/* The script gets the paths of both files; those of pipes and devices have no folder. */
static void test_paths(void)
{
    static const struct {
        const char *path, *output;
        bool no_kernel;
        const char *seen;
    } rows[] = {{"folder/file.json", NULL, false, "folder/file.json folder/file.json \n"},
                {"folder/file.json", "other/k.space", false, "folder/file.json other/k.space \n"},
                {"file.json", "k.space", true, "file.json k.space no-kernel\n"},
                {"/dev/stdin", NULL, false, "stdin stdin \n"},
                {"/proc/self/fd/0", "/dev/stdout", false, "0 stdout \n"}};
    char script[] = "/tmp/cutune-paths-XXXXXX";
    make_script(script, "json.dumps({'space': 'space 2\\nparam a = 1\\n', 'origins': [[1, 1], [1, 1]], "
                        "'notes': [' '.join(sys.argv[1:3] + sys.argv[5:])]})");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct t1_setup setup = {script, rows[i].path, rows[i].output, rows[i].no_kernel, false};
        struct text text = {0}, space = {0}, notes = {0};
        struct error error = {0};
        CU_ASSERT_EQUAL(t1_import(&setup, &text, &space, &notes, &error), 0);
        CU_ASSERT_STRING_EQUAL(text_string(&notes), rows[i].seen);
        text_free(&space);
        text_free(&notes);
    }
    unlink(script);
}

/* The script gets the names of the space language, and the name of the file. */
static void test_names(void)
{
    static const struct {
        const char *name, *values;
        int column;
    } taken[] = {{"warp", "[1]", 55},
                 {"min", "[1]", 55},
                 {"sizeof", "[1]", 55},
                 {"float4", "[1]", 55},
                 {"p", "[\\\"warp\\\"]", 70}};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        char json[256];
        struct text space = {0}, notes = {0};
        struct error error = {0};
        snprintf(json, sizeof json,
                 "{\"ConfigurationSpace\": {\"TuningParameters\": [{\"Name\": \"%s\", \"Values\": \"%s\"}]}}",
                 taken[i].name, taken[i].values);
        CU_ASSERT_EQUAL(import(SCRIPT, json, &space, &notes, &error), ERROR_DATA);
        CU_ASSERT_EQUAL(error.column, taken[i].column);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.message, "device limit"));
        text_free(&space);
        text_free(&notes);
    }
    struct text space = {0}, notes = {0};
    struct error error = {0};
    CU_ASSERT_EQUAL(import(SCRIPT,
                           "{\"ConfigurationSpace\": {\"TuningParameters\": [{\"Name\": \"p\", \"Values\": "
                           "[\"min\", \"float4\"]}]}}",
                           &space, &notes, &error),
                    0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&space), "T1 description file.json."));
    CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&space), "\nparam p = min, float4\n"));
    text_free(&space);
    text_free(&notes);
}

CU_TestInfo tests_t1[] = {{"refusals", test_refusals},
                          {"a reply", test_reply},
                          {"names of the language", test_names},
                          {"paths", test_paths},
                          CU_TEST_INFO_NULL};
