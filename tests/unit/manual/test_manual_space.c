#include "base/limits.h"
#include "expression/expr.h"
#include "language/clauses.h"
#include "language/statement.h"
#include "manual/manual.h"
#include "page_kit.h"

static void expect_row(const char *name, const char *field, const char *value)
{
    CU_ASSERT(value && *value);
    if (!value || !*value)
        printf("\n%s has no %s\n", name, field);
}

/* Every row of every table has a description, which the page has. */
static void rows(void)
{
    struct text text = {0};
    struct page page = {.format = &page_markdown, .text = &text};
    manual_space(&page);
    CU_ASSERT_FALSE(text.failed);
    for (size_t i = 0; i < statement_count; i++) {
        const struct statement *statement = statements[i];
        const char *const parts[] = {
            "\n#### `",         statement->keyword, "`: ", statement->summary, statement->text, "For example:\n\n```\n",
            statement->example, "\n```\n"};
        expect_row(statement->keyword, "usage", statement->usage);
        expect_row(statement->keyword, "summary", statement->summary);
        expect_row(statement->keyword, "text", statement->text);
        expect_row(statement->keyword, "example", statement->example);
        if (!strpbrk(statement->text, "<*\n")) /* literal on the page */
            expect_parts(&text, parts, sizeof parts / sizeof *parts);
        for (size_t c = 0; c < statement->clause_count; c++) {
            expect_row(statement->keyword, statement->clauses[c].keyword, statement->clauses[c].meaning);
            CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&text), statement->clauses[c].keyword));
        }
    }
    for (size_t i = 0; i < expr_function_count; i++) {
        const struct expr_function *function = &expr_functions[i];
        size_t length = strlen(function->name);
        CU_ASSERT(strncmp(function->usage, function->name, length) == 0 && function->usage[length] == '(');
        expect_row(function->name, "meaning", function->meaning);
        CU_ASSERT_PTR_NOT_NULL(strstr(text_string(&text), function->usage));
    }
    for (int i = 0; i < BUFFER_ROLES; i++)
        expect_row(buffer_roles[i].usage, "meaning", buffer_roles[i].meaning);
    for (int i = FILL_NONE + 1; i < FILL_COUNT; i++)
        expect_row(fills[i].name, "meaning", fills[i].meaning);
    for (size_t i = 0; i < limit_count; i++)
        expect_row(limit_rows[i].name, "description", limit_rows[i].description);
    text_free(&text);
}

static void parts(void)
{
    static const char *const expected[] = {
        "### Description\n",
        "### Example\n",
        "\nspace 2\nkernel transpose \"transpose.cu\"\n",
        "### Statements\n",
        "\n```\nblock X\nblock X, Y\nblock X, Y, Z\nblock compiler\n```\n",
        "\nA space with a kernel has exactly one.\n",
        "| `hit` | `normal`, `streaming` or `persisting`: ",
        "\n```\npipeline copy_in BUFFER, ... copy_out BUFFER, ... split E over E streams \\\n    E order depth|breadth "
        "host_memory KIND pieces E packed 0|1 host_work NS \\\n    placement before|overlapped allocation "
        "reuse|each|pool\n```\n",
        "### Expressions\n",
        "| `\\|\\|` | logical or",
        "| `ceildiv(A, B)` | A divided by B, rounded up |",
        "### Types\n",
        "| `uchar` | `unsigned char`, 1 byte; ",
        "| `double2` | `double2`, 16 bytes |",
        "### Buffers\n",
        "| `file(\"NAME\")` | ",
        "### Device limits\n",
        "| `warp` | threads of a warp |"};
    struct text text = {0};
    struct page page = {.format = &page_markdown, .text = &text};
    manual_space(&page);
    CU_ASSERT(strncmp(text_string(&text), "### ", 4) == 0);
    expect_parts(&text, expected, sizeof expected / sizeof *expected);
    text_free(&text);
}

CU_TestInfo tests_manual_space[] = {{"rows", rows}, {"parts", parts}, CU_TEST_INFO_NULL};
