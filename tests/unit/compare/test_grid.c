/* Whole outputs: tests/cli/cases/compare.case. */
#include "compare/grid.h"

#include <CUnit/Basic.h>

/* One table as text and as Markdown. */
static void renders(void)
{
    static const struct {
        bool markdown;
        const char *text;
    } rows[] = {
        {false, "\na table\n              [1]  on the left\n* long_name     1  x|y\n  b             ?\n  ~ of 2\n"},
        {true, "\n#### a table\n\n|  | \\[1\\] | on the left |\n| --- | ---: | ---: |\n| long_name \\* | 1 | x\\|y |\n"
               "| b | ? |\n\n\\~ of 2\n"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text text = {0};
        struct grid grid = {.text = &text, .markdown = rows[i].markdown, .label = 9, .column = 4};
        grid_title(&grid, "a %s", "table");
        grid_row(&grid, "", "");
        grid_cell(&grid, "[1]");
        grid_last(&grid, "on the left");
        grid_end_head(&grid);
        grid_row(&grid, "*", "long_name");
        grid_cell(&grid, "1");
        grid_last(&grid, "x|y");
        grid_end(&grid);
        grid_row(&grid, "", "b");
        grid_cell(&grid, "?");
        grid_end(&grid);
        grid_note(&grid, "~ of %d", 2);
        CU_ASSERT_STRING_EQUAL(text_string(&text), rows[i].text);
        text_free(&text);
    }
    CU_ASSERT_EQUAL(grid_widest(3, "abcd"), 4);
    CU_ASSERT_EQUAL(grid_widest(3, "\xc3\x9f"), 3);
}

CU_TestInfo tests_grid[] = {{"as text and as Markdown", renders}, CU_TEST_INFO_NULL};
