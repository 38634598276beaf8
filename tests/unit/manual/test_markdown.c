#include "page_kit.h"

/* A part of another document: no name, and headings from level 3 on. */
static void everything(void)
{
    struct text text = {0};
    write_page(&page_markdown, &text);
    expect_text(&text, "### See also\n"
                       "\n`cutune x [OPTION...] [FILE]`\n<br>`cutune [OPTION...]`\n"
                       "\n### Text\n"
                       "\n`cutune [OPTION...]`\n"
                       "\n.first \\* `a_b`. \\<c>\n"
                       "\nsecond \\\\ \\`open\n"
                       "\n#### `code`: more\n"
                       "\n```\n.one\n  two ^ ~\n```\n"
                       "\n| name | meaning |\n| --- | --- |\n"
                       "| `-x` | 'quoted \\| here |\n"
                       "| `-o`, `--output=A\\|B` | where to, `x\\|y` |\n");
}

CU_TestInfo tests_markdown[] = {{"everything", everything}, CU_TEST_INFO_NULL};
