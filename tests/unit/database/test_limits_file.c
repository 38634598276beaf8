#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "base/text.h"
#include "database/limits_file.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The file as written by `cutune devices --format csv`; each limit is `first` plus its number in the list. */
static void put_header(struct text *text)
{
    text_printf(text, "device,name,driver,cuda");
    for (size_t i = 0; i < limit_count; i++)
        text_printf(text, ",%s", limit_rows[i].name);
    text_append(text, "\n", 1);
}

static void put_row(struct text *text, const char *name, int first)
{
    text_printf(text, "0,%s,580.1,13.0", name);
    for (size_t i = 0; i < limit_count; i++)
        text_printf(text, ",%d", first + (int)i);
    text_append(text, "\n", 1);
}

static int parse(const struct text *text, struct device_limits *limits, struct error *error)
{
    return limits_parse("d.csv", text_string(text), text->length, limits, error);
}

static void as_written(void)
{
    struct text text = {0};
    struct error error = {0};
    struct device_limits limits = {0};
    text_printf(&text, "\xef\xbb\xbf# from the programming guide\n# a, \"b\n");
    put_header(&text);
    put_row(&text, "NVIDIA X", 5);
    put_row(&text, "NVIDIA X", 6);
    CU_ASSERT_EQUAL(parse(&text, &limits, &error), 0);
    CU_ASSERT_STRING_EQUAL(error.message, "");
    CU_ASSERT_STRING_EQUAL(limits.name, "NVIDIA X");
    CU_ASSERT_STRING_EQUAL(limits.driver, "580.1");
    CU_ASSERT_EQUAL(limits.cuda, 13000);
    for (size_t i = 0; i < limit_count; i++)
        CU_ASSERT_EQUAL(limit_get(&limits, &limit_rows[i]), 5 + (int64_t)i);
    text_free(&text);
}

/* Only the name and the limits are required, in any order. */
static void least(void)
{
    struct text text = {0};
    struct error error = {0};
    struct device_limits limits = {0};
    for (size_t i = limit_count; i-- > 0;)
        text_printf(&text, "%s,", limit_rows[i].name);
    text_printf(&text, "name\n");
    for (size_t i = limit_count; i-- > 0;)
        text_printf(&text, "%zu,", i + 1);
    text_printf(&text, "\"Y, small\"");
    CU_ASSERT_EQUAL(parse(&text, &limits, &error), 0);
    CU_ASSERT_STRING_EQUAL(limits.name, "Y, small");
    CU_ASSERT_STRING_EQUAL(limits.driver, "unknown");
    CU_ASSERT_EQUAL(limits.cuda, 0);
    CU_ASSERT_EQUAL(limit_get(&limits, &limit_rows[limit_count - 1]), (int64_t)limit_count);
    text_free(&text);
}

/* Replaces `from` by `to` in a valid file. */
static void wrong_files(void)
{
    static const struct {
        const char *from, *to, *message, *hint;
        int line;
    } rows[] = {
        {"name,", "", "there is no column 'name'", "`cutune devices --format csv` writes such a file", 2},
        {"warp", "warps", "there is no device limit 'warps'", "`cutune devices --format csv` writes such a file", 2},
        {",warp,", ",cooperative,", NULL, "", 2},
        {"cc,sm_count", "sm_count,driver2", "there is no device limit 'driver2'",
         "`cutune devices --format csv` writes such a file", 2},
        {",cc,", ",", "there is no column 'cc'", "`cutune devices --format csv` writes such a file", 2},
        {",13.0,", ",13.0,13.0,", NULL, "", 3},
        {",13.0,", ",13,", "cuda cannot be '13'", "expected a version, as in 13.0", 3},
        {",13.0,", ",13.x,", "cuda cannot be '13.x'", "expected a version, as in 13.0", 3},
        {",13.0,", ",-1.0,", "cuda cannot be '-1.0'", "expected a version, as in 13.0", 3},
        {",13.0,", ",999999999.0,", "cuda cannot be '999999999.0'", "expected a version, as in 13.0", 3},
        {",100,", ",,", "cc has no value", "every limit is needed: compute capability, major * 10 + minor", 3},
        {",100,", ",many,", "cc cannot be 'many'", "expected a whole number that is not negative, or empty", 3},
        {",100,", ",-3,", "cc cannot be '-3'", "expected a whole number that is not negative, or empty", 3},
        {",100,", ",0,", "cc cannot be '0'", "every device has more: compute capability, major * 10 + minor", 3},
        {",115,", ",0,", NULL, NULL, 0},
        {",X,", ",,", "the device has no name", "", 3},
        {"X,", "\"X,", NULL, NULL, 0},
        {"0,Z,", "0,X,", "", "", 0},
        {"# a", "# b", "a second device: X and Z", "keep the header and the row of one device", 4},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct text text = {0}, changed = {0};
        struct error error = {0};
        struct device_limits limits = {0};
        text_printf(&text, "# a\n");
        put_header(&text);
        put_row(&text, "X", 100);
        put_row(&text, "Z", 100);
        const char *all = text_string(&text), *at = strstr(all, rows[i].from);
        CU_ASSERT_PTR_NOT_NULL_FATAL(at);
        text_append(&changed, all, (size_t)(at - all));
        text_printf(&changed, "%s%s", rows[i].to, at + strlen(rows[i].from));
        int code = parse(&changed, &limits, &error);
        CU_ASSERT_EQUAL(code, rows[i].message && !*rows[i].message ? 0 : ERROR_DATA);
        if (rows[i].message && strcmp(error.message, rows[i].message) != 0)
            fprintf(stderr, "\n'%s', expected '%s'", error.message, rows[i].message);
        if (rows[i].message)
            CU_ASSERT_STRING_EQUAL(error.message, rows[i].message);
        if (rows[i].hint)
            CU_ASSERT_STRING_EQUAL(error.hint, rows[i].hint);
        if (code && rows[i].line) {
            CU_ASSERT_EQUAL(error.line, rows[i].line);
            CU_ASSERT_STRING_EQUAL(error.source, "d.csv");
        }
        text_free(&text);
        text_free(&changed);
    }
}

static void nothing_there(void)
{
    static const struct {
        const char *text, *message;
    } rows[] = {{"", "the file is empty"}, {"# only a remark", "the file is empty"}, {"\n\n", "the file is empty"}};
    struct text text = {0};
    struct error error = {0};
    struct device_limits limits;
    for (size_t i = 0; i < COUNT(rows); i++) {
        error_clear(&error);
        CU_ASSERT_EQUAL(limits_parse("d.csv", rows[i].text, strlen(rows[i].text), &limits, &error), ERROR_DATA);
        CU_ASSERT_STRING_EQUAL(error.message, rows[i].message);
    }
    put_header(&text);
    error_clear(&error);
    CU_ASSERT_EQUAL(parse(&text, &limits, &error), ERROR_DATA);
    CU_ASSERT_STRING_EQUAL(error.message, "the file has no device");
    text_free(&text);
    error_clear(&error);
    CU_ASSERT_EQUAL(limits_read("/nowhere/d.csv", &limits, &error), ERROR_NOT_FOUND);
    error_clear(&error);
    CU_ASSERT_EQUAL(limits_read("/dev/null", &limits, &error), ERROR_IO);
}

CU_TestInfo tests_limits_file[] = {{"as written", as_written},
                                   {"the least", least},
                                   {"wrong files", wrong_files},
                                   {"empty files", nothing_there},
                                   CU_TEST_INFO_NULL};
