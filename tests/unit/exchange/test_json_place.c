#include "exchange/json_place.h"

#include <string.h>

#include <CUnit/Basic.h>

/* The children of a text that begins at 0, as "offset of the key,offset of the value;". */
static void walks(void)
{
    static const struct {
        const char *text;
        struct {
            size_t key, value;
        } children[4];
        size_t count;
    } rows[] = {{"[]", {{0, 0}}, 0},
                {"{}", {{0, 0}}, 0},
                {"7", {{0, 0}}, 0},
                {"", {{0, 0}}, 0},
                {"[1, 22 ,[3,4],{\"a\":5}]", {{1, 1}, {4, 4}, {8, 8}, {14, 14}}, 4},
                {"{\"a\":1,\"b\" : \"x,}\\\"\" , \"c\":{\"d\":[]}}", {{1, 5}, {7, 13}, {23, 27}}, 3},
                {"[\"]\",\"\\\\\",2]", {{1, 1}, {5, 5}, {10, 10}}, 3},
                {"[1,", {{1, 1}}, 1}, /* truncated */
                {"{\"a", {{1, 3}}, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct json_walk walk;
        size_t count = 0;
        json_walk_start(&walk, rows[i].text, strlen(rows[i].text), 0);
        for (; json_walk_next(&walk) && count < 4; count++) {
            CU_ASSERT_EQUAL(walk.key, rows[i].children[count].key);
            CU_ASSERT_EQUAL(walk.value, rows[i].children[count].value);
        }
        CU_ASSERT_EQUAL(count, rows[i].count);
    }
}

static void values_end(void)
{
    static const struct {
        const char *text;
        size_t end;
    } rows[] = {{"12,", 2},   {"\"a,b\",", 5}, {"\"a\\\"b\" ", 6}, {"[1,[2]],3", 7}, {"{\"a\":{}} ", 8},
                {"true]", 4}, {"]", 0},        {"\"torn", 5},      {"[[", 2},        {"  7 ", 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_EQUAL(json_skip_value(rows[i].text, strlen(rows[i].text), 0), rows[i].end);
    CU_ASSERT_EQUAL(json_skip_space(" \t\n x", 5, 0), 4);
    CU_ASSERT_EQUAL(json_skip_space("   ", 3, 0), 3);
}

static void lines(void)
{
    static const char text[] = "ab\nc\n\nd";
    static const struct {
        size_t at;
        int line, column;
    } rows[] = {{0, 1, 1}, {2, 1, 3}, {3, 2, 1}, {4, 2, 2}, {5, 3, 1}, {6, 4, 1}, {7, 4, 2}, {99, 4, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int line, column;
        json_line(text, strlen(text), rows[i].at, &line, &column);
        CU_ASSERT(line == rows[i].line && column == rows[i].column);
    }
}

CU_TestInfo tests_json_place[] = {
    {"walks", walks}, {"where values end", values_end}, {"lines and columns", lines}, CU_TEST_INFO_NULL};
