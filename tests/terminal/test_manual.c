/* cutune's own pages: tests/cli/completion.py and tests/cli/cases/manual.case. */
#include "terminal/manual.h"

#include <stdio.h>
#include <string.h>

#include <CUnit/Basic.h>

#include "command_kit.h"

static void expect_parts(struct text *text, const char *const *parts, size_t count)
{
    CU_ASSERT_FALSE(text->failed);
    for (size_t i = 0; i < count; i++) {
        CU_ASSERT_PTR_NOT_NULL(strstr(text_string(text), parts[i]));
        if (!strstr(text_string(text), parts[i]))
            printf("no %s in\n%s\n", parts[i], text_string(text));
    }
    text_free(text);
}

static void pages(void)
{
    static const char *const first[] = {
        ".TH cutune 1 ",
        "cutune \\- make it \\- all of it\n",
        "\\fBcutune\\fR [\\fIOPTION\\fR...]\n.br\n\\fBcutune choose\\fR [\\fIOPTION\\fR...] \\fIred|blue\\fR\n",
        ".SH COMMANDS\n.TP\n\\fBmake\\fR\nmake it \\- all of it\n.TP\n\\fBchoose\\fR\n\\&.one \\e or the other\n",
        ".TP\n\\fB\\-q\\fR, \\fB\\-\\-quiet\\fR\nsay nothing\n",
        ".TP\n\\fB\\-\\-count\\fR=\\fIN\\fR\nhow many (default: 3)\n",
        ".SH EXIT STATUS\n",
        ".SH SEE ALSO\n\\fBcutune\\fR(3), \\fBcutune\\-choose\\fR(1)\n"};
    static const char *const second[] = {".TH cutune\\-choose 1 ", "\\fBcutune choose\\fR",
                                         ".TP\n\\fB\\-V\\fR, \\fB\\-\\-version\\fR\nprint the version\n",
                                         ".SH SEE ALSO\n\\fBcutune\\fR(1)\n"};
    struct text page = {0};
    manual_page(&kit_list, NULL, &page);
    expect_parts(&page, first, sizeof first / sizeof *first);
    manual_page(&kit_list, &kit_commands[1], &page);
    CU_ASSERT_PTR_NULL(strstr(text_string(&page), ".SH FILES"));
    expect_parts(&page, second, sizeof second / sizeof *second);
}

/* The header's comments become text, and its code stays code without the export macro. */
static void library(void)
{
    static const char *const parts[] = {".TH cutune 3 ", ".SH VERSION AND ERRORS", ".PP\n.nf\n", "cutune_version",
                                        ".SH SEE ALSO\n\\fBcutune\\fR(1)\n"};
    struct text page = {0};
    manual_library(&page);
    CU_ASSERT_PTR_NULL(strstr(text_string(&page), "CUTUNE_API"));
    expect_parts(&page, parts, sizeof parts / sizeof *parts);
}

static void value_kinds(void)
{
    static const struct {
        const char *choices, *argument;
        enum value_kind kind;
    } rows[] = {{NULL, NULL, VALUE_ANY},          {NULL, "N", VALUE_ANY},       {NULL, "FILE", VALUE_FILES},
                {NULL, "[FILE...]", VALUE_FILES}, {NULL, "DIR", VALUE_FOLDERS}, {NULL, "a|b", VALUE_CHOICES},
                {"a|b", "FILE", VALUE_CHOICES},   {"a|b", "WAY", VALUE_CHOICES}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CU_ASSERT_EQUAL(manual_value_kind(rows[i].choices, rows[i].argument), rows[i].kind);
}

CU_TestInfo tests_manual[] = {
    {"pages", pages}, {"the library", library}, {"kinds of values", value_kinds}, CU_TEST_INFO_NULL};
