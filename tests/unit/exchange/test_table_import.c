#include "journals.h"

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
    /* rows of one configuration: the median, where the first is */
    {CELLS("a,t\n1,2\n3,9\n1,8\n1,3\n"), "1|ok|3000000 0 -1 -1|\n3|ok|9000000 0 -1 -1|\n", 0, 0, NULL},
    {CELLS("a,t\n1,2\n1.0,4\n"), "1|ok|3000000 0 -1 -1|\n", 0, 0, NULL},
    {CELLS("a,t\n1,4\n1,\n"), "1|ok|4000000 0 -1 -1|\n", 0, 0, NULL},
    {CELLS("a,t\n1,\n1,4\n"), "1|ok|4000000 0 -1 -1|\n", 0, 0, NULL},
    {CELLS("a,t\n1,4\n1,\n1,timeout\n"), "1|timeout|-1 0 -1 -1|2 of 3 rows failed\n", 0, 0, NULL},
    {CELLS("a,t\n1,timeout\n1,\n1,4\n"), "1|timeout|-1 0 -1 -1|timeout\n", 0, 0, NULL},
    {CELLS("a,b,t\n1,2,5\n12,,5\n"), NULL, ERROR_DATA, 3, "'' cannot be a value of b"},
    {CELLS("a,b,t\n1,23,5\n12,3,6\n"), "1 23|ok|5000000 0 -1 -1|\n12 3|ok|6000000 0 -1 -1|\n", 0, 0, NULL},
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
    {CELLS("a,t\n1,0\n"), NULL, ERROR_DATA, 2, "the time is not above 0"},
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

CU_TestInfo tests_table_import[] = {{"tables", test_tables}, CU_TEST_INFO_NULL};
