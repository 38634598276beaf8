#include "technique.h"

#include "language/techniques.h"

/* The memory is zero, allocated once, and found later. */
static void memory(void)
{
    struct space *space = make("", "", NULL);
    struct error error = {0};
    struct parser parser = {.space = space, .error = &error};
    CU_ASSERT_PTR_NULL(technique_data(space, TECHNIQUE_texture));
    unsigned char *data = technique_make(&parser, TECHNIQUE_texture, 100);
    CU_ASSERT_PTR_NOT_NULL_FATAL(data);
    for (size_t i = 0; i < 100; i++)
        CU_ASSERT_EQUAL(data[i], 0);
    data[0] = 7;
    CU_ASSERT_PTR_EQUAL(technique_make(&parser, TECHNIQUE_texture, 100), data);
    CU_ASSERT_PTR_EQUAL(technique_data(space, TECHNIQUE_texture), data);
    CU_ASSERT_EQUAL(data[0], 7);
    CU_ASSERT_PTR_NULL(technique_data(space, TECHNIQUE_constant));
    space_free(space);
}

/* Names of buffers; where a fill is needed, not those of outputs. The next token becomes the current one. */
static void buffers(void)
{
    static const struct {
        const char *text;
        int64_t index, filled; /* -1: an error */
        const char *message, *hint;
    } rows[] = {
        {"in x", 0, 0, "", ""},
        {"table", 2, 2, "", ""},
        {"out", 1, -1, "'out' is empty before the kernel runs",
         "use a filled buffer: random, zero, iota, file(\"NAME\")"},
        {"tabel", -1, -1, "expected a buffer, not 'tabel'", "did you mean 'table'?"},
        {"N", -1, -1, "expected a buffer, not 'N'", ""},
        {"7", -1, -1, "expected a buffer, not '7'", ""},
    };
    struct space *space = make("", "", NULL);
    for (size_t i = 0; space && i < 2 * COUNT(rows); i++) {
        bool filled = i % 2;
        const struct source_text source = {.path = "b", .text = rows[i / 2].text, .length = strlen(rows[i / 2].text)};
        int64_t expected = filled ? rows[i / 2].filled : rows[i / 2].index;
        struct error error = {0};
        struct parser parser = {.space = space, .error = &error};
        uint32_t index = 99;
        lexer_start(&parser.lexer, &source, &error);
        CU_ASSERT_EQUAL(lexer_next(&parser.lexer), 0);
        int code = filled ? technique_filled_buffer(&parser, &index) : technique_buffer(&parser, &index);
        CU_ASSERT_EQUAL(code, expected < 0 ? ERROR_SYNTAX : 0);
        expect_text(source.text, error.message, code ? rows[i / 2].message : "");
        expect_text(source.text, error.hint, code ? rows[i / 2].hint : "");
        CU_ASSERT(code || (int64_t)index == expected);
        CU_ASSERT(code || parser.lexer.token.kind == (strchr(source.text, ' ') ? TOKEN_NAME : TOKEN_END));
    }
    space_free(space);
}

CU_TestInfo tests_technique_common[] = {
    {"memory of a technique", memory}, {"names of buffers", buffers}, CU_TEST_INFO_NULL};
