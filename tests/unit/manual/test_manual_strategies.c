#include "manual/manual.h"
#include "page_kit.h"
#include "search/strategy.h"

/* Every strategy and option is on the page, with a description. */
static void strategies_and_options(void)
{
    static const char *const parts[] = {"### Strategies\n",   "#### `exhaustive`: ", "\nIt has no options.\n",
                                        "#### `surrogate`: ", "| `initial` | ",      " to ",
                                        "(default: ",         "| `candidates` | "};
    struct text text = {0};
    struct page page = {.format = &page_markdown, .text = &text};
    manual_strategies(&page);
    expect_parts(&text, parts, sizeof parts / sizeof *parts);
    for (size_t i = 0; i < strategy_count; i++) {
        char line[512];
        snprintf(line, sizeof line, "\n#### `%s`: %s\n", strategies[i]->name, strategies[i]->summary);
        CU_ASSERT(*strategies[i]->summary && strstr(text_string(&text), line));
        for (size_t o = 0; o < strategies[i]->option_count; o++) {
            const struct option_row *row = &strategies[i]->options[o];
            snprintf(line, sizeof line, "\n| `%s` | %s; ", row->name, row->help);
            CU_ASSERT(*row->help && strstr(text_string(&text), line));
        }
    }
    text_free(&text);
}

CU_TestInfo tests_manual_strategies[] = {{"strategies and options", strategies_and_options}, CU_TEST_INFO_NULL};
