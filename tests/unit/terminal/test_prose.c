#include "terminal/prose.h"

#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

/* A line has its label in colour; a long value continues below its beginning. */
static void facts(void)
{
    static const struct {
        struct prose prose;
        const char *label;
        enum mark mark;
        const char *value, *line;
    } rows[] = {
        {{.column = 8}, "time", MARK_NONE, "1 us, median of 9", "time    1 us, median of 9\n"},
        {{.column = 8, .width = 21}, "time", MARK_NONE, "1 us, median of 9", "time    1 us, median\n        of 9\n"},
        {{.column = 8, .width = 20},
         "time",
         MARK_NONE,
         "a/path/longer/than/the/line ok",
         "time    a/path/longer/than/the/line\n        ok\n"},
        {{true, 0, 8}, "time", MARK_NONE, "1 us", "\033[94mtime\033[0m    1 us\n"},
        {{true, 0, 8}, "winner", MARK_STRONG, "A=1", "\033[94mwinner\033[0m  \033[1mA=1\033[0m\n"},
        {{true, 20, 8},
         "next",
         MARK_COMMAND,
         "cutune emit -o header.h",
         "\033[94mnext\033[0m    cutune \\\n        emit -o \\\n        header.h\n"},
        {{.column = 8}, "next", MARK_COMMAND, "cutune emit -o header.h", "next    cutune emit -o header.h\n"},
        {{.column = 4}, "longer", MARK_NONE, "1", "longer 1\n"},
        {{.column = 8}, "", MARK_NONE, "and 2 more", "        and 2 more\n"},
        {{.column = 8}, "none", MARK_NONE, "", "none\n"},
        {{.column = 8}, "kernel", MARK_NONE, "a\033[31m\nb", "kernel  a [31m b\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text out = {0};
        prose_fact(&rows[i].prose, &out, rows[i].label, rows[i].mark, "%s", rows[i].value);
        if (strcmp(text_string(&out), rows[i].line) != 0)
            printf("row %zu:\n%s", i, text_string(&out));
        CU_ASSERT_STRING_EQUAL(text_string(&out), rows[i].line);
        text_free(&out);
    }
}

/* Lines that fit stay as they are, with their blanks. */
static void lines(void)
{
    static const struct {
        size_t width;
        const char *lines, *broken;
    } rows[] = {{0, "a  b  c\n\nlast", "a  b  c\n\nlast"},
                {9, "a  b  c\n\nlast\n", "a  b  c\n\nlast\n"},
                {9, "one two three four\nnext\n", "one two\n  three\n  four\nnext\n"},
                {13, "  indented, and long\n", "  indented,\n    and long\n"},
                {12, "a column    another\n", "a column\n  another\n"},
                {5, "unbreakable\n", "unbreakable\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text out = {0};
        prose_lines(&(const struct prose){.width = rows[i].width}, rows[i].lines, &out);
        CU_ASSERT_STRING_EQUAL(text_string(&out), rows[i].broken);
        text_free(&out);
    }
}

CU_TestInfo tests_prose[] = {{"facts", facts}, {"lines", lines}, CU_TEST_INFO_NULL};
