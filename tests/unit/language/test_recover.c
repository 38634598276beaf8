#include "base/text.h"
#include "support.h"

/* A file with errors only keeps the first ones; too many errors end reading. */
static void errors_without_end(void)
{
    enum { HEAD = 3 };
    static const struct {
        size_t lines, total;
        bool all;
    } rows[] = {{20, 20, true}, {21, 21, true}, {99, 99, true}, {100, 100, false}, {400000, 100, false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct text text = {0};
        struct error_list list = {0};
        struct error error = {.list = &list};
        struct space *space = NULL;
        text_printf(&text, "space 2\nparam A = 1, 2\nproblem N = 1\n");
        for (size_t line = 0; line < rows[i].lines; line++)
            text_printf(&text, "bad @\n");
        CU_ASSERT_EQUAL(space_parse_text(&space, "e.space", text_string(&text), text.length, "", &error), ERROR_SYNTAX);
        CU_ASSERT_EQUAL(list.total, rows[i].total);
        CU_ASSERT_EQUAL(list.all, rows[i].all);
        CU_ASSERT_EQUAL(list.count, ERROR_LIST_MAX);
        CU_ASSERT_EQUAL(error.line, HEAD + 1);
        for (size_t e = 0; e < list.count; e++)
            CU_ASSERT_EQUAL(list.errors[e].line, (int)(HEAD + 1 + e));
        text_free(&text);
    }
}

/* An error caused by another one is not reported; independent ones are, in the order of their lines. */
static void consequences(void)
{
    static const struct {
        const char *text;
        int lines[4]; /* of the errors; 0: end */
    } rows[] = {{"space 2\nparam A = @\nrequire A > 1\nrequire B > 1\n", {2, 4}},
                {"space 2\nlet L = 1 +\nparam A = 1\nrequire L > 1 && A > 0\n", {2}},
                {"space 2\nparm A = 1, 2\nrequire A > 1\n", {2}},
                {"space 2\nrequire X > 1\nparam A = 1\nparam A = 2\n", {2, 4}},
                /* a name of a faulty statement may be declared again, once */
                {"space 2\nparam A = @\nlet A = 1\nlet B = A + 1\nparam A = 1\n", {2, 5}},
                {"space 2\nparam W = red @\nparam A = 1\nrequire A == red\n", {2}}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct error_list list = {0};
        struct error error = {.list = &list};
        struct space *space = NULL;
        size_t count = 0;
        CU_ASSERT_EQUAL(space_parse_text(&space, "e.space", rows[i].text, strlen(rows[i].text), "", &error),
                        ERROR_SYNTAX);
        while (count < 4 && rows[i].lines[count])
            count++;
        CU_ASSERT_EQUAL(list.count, count);
        for (size_t e = 0; e < list.count && e < count; e++)
            CU_ASSERT_EQUAL(list.errors[e].line, rows[i].lines[e]);
    }
}

CU_TestInfo tests_recover[] = {
    {"errors without end", errors_without_end}, {"what follows from an error", consequences}, CU_TEST_INFO_NULL};
