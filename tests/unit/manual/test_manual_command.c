/* cutune's own pages: tests/cli/completion.py and tests/cli/cases/manual.case. */
#include "../terminal/command_kit.h"
#include "manual/manual.h"
#include "page_kit.h"

static void write_command(const struct page_format *format, size_t number, struct text *text)
{
    struct page page = {.format = format, .text = text};
    manual_command(&page, &kit_list, kit_items[number]);
}

static void pages(void)
{
    static const char *const first[] = {
        ".TH cutune 1 ",
        "cutune \\- make it \\- all of it\n",
        ".SH SYNOPSIS\n\\fBcutune\\fR [\\fIOPTION\\fR...]\n.br\n\\fBcutune choose\\fR [\\fIOPTION\\fR...] "
        "\\fIred|blue\\fR\n",
        ".SH DESCRIPTION\nMakes all of it.\n.PP\nTwice.\n",
        ".SH COMMANDS\n.TP\n\\fBmake\\fR\nmake it \\- all of it\n.TP\n\\fBchoose\\fR\n\\&.one \\e or the other\n",
        ".SH OPTIONS\n.TP\n\\fB\\-q\\fR, \\fB\\-\\-quiet\\fR\nsay nothing\n",
        ".TP\n\\fB\\-\\-count\\fR=\\fIN\\fR\nhow many (default: 3)\n",
        ".SH EXAMPLES\nMake it quietly:\n.PP\n.RS 4\n.nf\ncutune \\-q\n",
        ".SH EXIT STATUS\n",
        ".SH FILES\n",
        ".SH ENVIRONMENT\n",
        ".SH SEE ALSO\n\\fBcutune\\-choose\\fR(1), \\fBcutune\\fR(3), \\fBcutune\\-space\\fR(5)"};
    static const char *const second[] = {".TH cutune\\-choose 1 ", "\\fBcutune choose\\fR",
                                         ".SH OPTIONS\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nprint this help\n",
                                         ".SH EXIT STATUS\n", ".SH SEE ALSO\n\\fBcutune\\fR(1), \\fBcutune\\fR(3)"};
    struct text text = {0};
    write_command(&page_roff, 0, &text);
    expect_parts(&text, first, sizeof first / sizeof *first);
    text_clear(&text);
    write_command(&page_roff, 1, &text);
    expect_parts(&text, second, sizeof second / sizeof *second);
    CU_ASSERT_PTR_NULL(strstr(text_string(&text), ".SH FILES"));
    CU_ASSERT_PTR_NULL(strstr(text_string(&text), ".SH EXAMPLES"));
    text_free(&text);
}

/* A separate program is not a command of cutune. */
static void of_another_program(void)
{
    static const char *const parts[] = {".TH cutune\\-other 1 ",
                                        ".SH SYNOPSIS\n\\fBcutune\\-other\\fR [\\fIOPTION\\fR...]\n.SH",
                                        ".SH SEE ALSO\n\\fBcutune\\fR(1), \\fBcutune\\-choose\\fR(1), "};
    const struct command other = {.name = "other", .arguments = "", .summary = "do that", .description = "Does that."};
    struct text text = {0};
    struct page page = {.format = &page_roff, .text = &text};
    manual_command(&page, &kit_list, &other);
    expect_parts(&text, parts, sizeof parts / sizeof *parts);
    text_free(&text);
}

/* Options without effect beside others. */
static void modes(void)
{
    static const struct option_mode rows[] = {{.beside = "quiet", .unused = "count share output"},
                                              {.unless = "quiet", .unused = "cache"}};
    static const char *const parts[] = {
        "With `--quiet`, `--count`, `--share` and `--output` have no effect: they are errors.\n",
        "Without `--quiet`, `--cache` has no effect: it is an error.\n"};
    struct command command = kit_commands[0];
    struct text text = {0};
    struct page page = {.format = &page_markdown, .text = &text};
    command.modes = rows;
    command.mode_count = 2;
    manual_command(&page, &kit_list, &command);
    expect_parts(&text, parts, sizeof parts / sizeof *parts);
    text_free(&text);
}

static void in_markdown(void)
{
    static const char *const parts[] = {
        "### Synopsis\n\n`cutune [OPTION...]`\n<br>`cutune choose [OPTION...] red|blue`\n",
        "| `-q`, `--quiet` | say nothing |\n", "| `--count=N` | how many (default: 3) |\n",
        "| `-o`, `--output=FILE` | file to write |\n", "Make it quietly:\n\n```\ncutune -q\n```\n"};
    struct text text = {0};
    write_command(&page_markdown, 0, &text);
    expect_parts(&text, parts, sizeof parts / sizeof *parts);
    text_free(&text);
}

CU_TestInfo tests_manual_command[] = {{"pages", pages},
                                      {"of another program", of_another_program},
                                      {"in Markdown", in_markdown},
                                      {"options without effect", modes},
                                      CU_TEST_INFO_NULL};
