#include "exchange/json_read.h"

#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

static struct json_text json_of(const char *text, struct error *error)
{
    *error = (struct error){0};
    return (struct json_text){.source = {.path = "f.json", .text = text, .length = strlen(text)}, .error = error};
}

static void parsing(void)
{
    static const struct {
        const char *text;
        size_t at; /* of the value, or column of the error less 1 */
        const char *message;
    } rows[] = {{"[1]", 0, NULL},
                {"  {} \n", 2, NULL},
                {"\xef\xbb\xbf[]", 3, NULL},
                {"[1] 2", 4, "more text after the JSON value"},
                {"[1,]", 3, "this is not JSON"},
                {"[NaN]", 1, "this is not JSON"},
                {"{'a':1}", 1, "this is not JSON"},
                {"{\"a\":1, b:2}", 8, "this is not JSON"},
                {"[1,2x]", 4, "this is not JSON"},
                {"{\"a\":[1, x]}", 9, "this is not JSON"},
                {"[\"\\u0000\"]", 2, "a NUL character in the text"},
                {"[\"\xe9\"]", 2, "the text is not UTF-8 from here on"},
                {"[1,2,3,4,5,6,7,8,9]", 0, "f.json has more than 8 values"},
                {"[\"1,2,3,4,5,6,7,8,9\"]", 0, NULL}, /* commas in a string */
                {"[\"0123456789012345678901234567890123456789\"]", 0, "f.json is larger than 0 MiB"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error error;
        const struct json_text json = json_of(rows[i].text, &error);
        cJSON *root = NULL;
        size_t at = 99;
        int code = json_parse(&json, 40, 8, &root, &at);
        CU_ASSERT_EQUAL(code, rows[i].message ? ERROR_DATA : 0);
        if (rows[i].message) {
            CU_ASSERT_STRING_EQUAL(error.message, rows[i].message);
            CU_ASSERT(!error.line || (error.line == 1 && (size_t)error.column == rows[i].at + 1));
        } else {
            CU_ASSERT_EQUAL(at, rows[i].at);
        }
        cJSON_Delete(root);
    }
}

static void members(void)
{
    static const char text[] = "{ \"b\":null,\"a\" : 7,\"x\":[]}";
    struct error error;
    const struct json_text json = json_of(text, &error);
    struct json_member found[] = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
    cJSON *root = NULL;
    size_t at;
    CU_ASSERT_EQUAL_FATAL(json_parse(&json, 1000, 1000, &root, &at), 0);
    CU_ASSERT_EQUAL(json_members(&json, root, at, "the file", found, 3, NULL, NULL), 0);
    CU_ASSERT(json_given(&found[0]) && found[0].at == 17 && found[0].item->valuedouble == 7);
    CU_ASSERT(found[1].item && !json_given(&found[1]));
    CU_ASSERT(!found[2].item && !json_given(&found[2]));
    cJSON_Delete(root);
}

static int take_other(void *context, const cJSON *item, size_t key)
{
    struct text *names = context;
    text_printf(names, "%s@%zu ", item->string, key);
    return strcmp(item->string, "stop") == 0 ? ERROR_DATA : 0;
}

/* Other members are passed on until one is refused; a repeated name is an error at its second place. */
static void other_members(void)
{
    static const struct {
        const char *text, *others;
        int code, column;
    } rows[] = {{"{\"a\":1,\"x\":2,\"y\":3}", "x@7 y@13 ", 0, 0},
                {"{\"x\":2,\"stop\":3,\"y\":3}", "x@1 stop@7 ", ERROR_DATA, 0},
                {"{\"x\":2,\"a\":1,\"x\":3}", "", ERROR_DATA, 14},
                {"{\"a\":2,\"a\":1}", "", ERROR_DATA, 8},
                {"[1]", "", ERROR_DATA, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error error;
        const struct json_text json = json_of(rows[i].text, &error);
        struct json_member found[] = {{.name = "a"}};
        struct text names = {0};
        cJSON *root = NULL;
        size_t at;
        CU_ASSERT_EQUAL_FATAL(json_parse(&json, 1000, 1000, &root, &at), 0);
        CU_ASSERT_EQUAL(json_members(&json, root, at, "the file", found, 1, take_other, &names), rows[i].code);
        CU_ASSERT_STRING_EQUAL(text_string(&names), rows[i].others);
        CU_ASSERT_EQUAL(error.column, rows[i].column);
        text_free(&names);
        cJSON_Delete(root);
    }
}

/* Without white space, and with all digits; invalid JSON that cJSON accepts is refused. */
static void minify(void)
{
    static const struct {
        const char *text, *out, *message;
    } rows[] = {{"[ 1.250e0 , -0 ,\ttrue,null ]", "[1.250e0,-0,true,null]", NULL},
                {"{ \"a b\" : \" x \" }", "{\"a b\":\" x \"}", NULL},
                {"123456789012345678901234567890", "123456789012345678901234567890", NULL},
                {"[01]", NULL, "this is not a JSON number"},
                {"[1.]", NULL, "this is not a JSON number"},
                {"[-]", NULL, "this is not a JSON number"},
                {"[1e999]", NULL, "the number is too large"},
                {"[\"a\tb\"]", NULL, "a control character in a string"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct error error;
        const struct json_text json = json_of(rows[i].text, &error);
        struct text out = {0};
        CU_ASSERT_EQUAL(json_minify(&json, 0, &out), rows[i].message ? ERROR_DATA : 0);
        if (rows[i].message)
            CU_ASSERT_STRING_EQUAL(error.message, rows[i].message)
        else
            CU_ASSERT_STRING_EQUAL(text_string(&out), rows[i].out);
        text_free(&out);
    }
}

CU_TestInfo tests_json_read[] = {{"parsing", parsing},
                                 {"members", members},
                                 {"other members", other_members},
                                 {"in few bytes", minify},
                                 CU_TEST_INFO_NULL};
