#include "language/parser.h"
#include "support.h"

static void text_start(void)
{
    static const struct {
        const char *text;
        size_t start;
    } rows[] = {{"", 0},         {"space 2", 0},      {"\xEF\xBB\xBFspace 2", 3}, {"\xEF\xBB\xBF", 3},
                {"\xEF\xBB", 0}, {" \xEF\xBB\xBF", 0}};
    for (size_t i = 0; i < COUNT(rows); i++)
        CU_ASSERT_EQUAL(parser_text_start(rows[i].text, strlen(rows[i].text)), rows[i].start);
}

/* A parser at the first token of a text. */
struct bench {
    struct source_text source;
    struct error error;
    struct space space;
    struct space_private private;
    struct parser parser;
};

static void begin(struct bench *bench, const char *path, const char *text)
{
    *bench = (struct bench){.source = {.path = path, .text = text, .length = strlen(text)}};
    bench->space.private = &bench->private;
    bench->parser = (struct parser){.space = &bench->space, .error = &bench->error};
    lexer_start(&bench->parser.lexer, &bench->source, &bench->error);
    CU_ASSERT_EQUAL(lexer_next(&bench->parser.lexer), 0);
}

static void end(struct bench *bench)
{
    names_free(&bench->private.names);
    arena_free(&bench->space.arena);
}

/* A path is relative to the folder of the file that names it. */
static void paths(void)
{
    static const struct {
        const char *file, *path, *resolved;
    } rows[] = {{"a.space", "k.cu", "k.cu"},
                {"sub/a.space", "k.cu", "sub/k.cu"},
                {"/x/y/a.space", "../k.cu", "/x/y/../k.cu"},
                {"sub/a.space", "/abs/k.cu", "/abs/k.cu"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct bench bench;
        begin(&bench, rows[i].file, "word");
        CU_ASSERT_STRING_EQUAL(parser_path(&bench.parser, rows[i].path), rows[i].resolved);
        end(&bench);
    }
}

static void lines(void)
{
    const struct source_text other = {.path = "other.space", .text = ""};
    char line[PARSER_LINE_BYTES];
    struct bench bench;
    begin(&bench, "a.space", "word");
    CU_ASSERT_STRING_EQUAL(parser_line(&bench.parser, NULL, 7, line), "line 7");
    CU_ASSERT_STRING_EQUAL(parser_line(&bench.parser, &bench.source, 7, line), "line 7");
    CU_ASSERT_STRING_EQUAL(parser_line(&bench.parser, &other, 7, line), "line 7 of other.space");
    end(&bench);
}

static void strings(void)
{
    static const struct {
        const char *text;
        bool may_be_empty;
        const char *string, *message; /* NULL: none */
    } rows[] = {{"\"a b\"", false, "a b", NULL},
                {"\"\"", true, "", NULL},
                {"\"\"", false, NULL, "the string is empty"},
                {"name", true, NULL, "expected a text, not 'name'"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct bench bench;
        const char *string = NULL;
        begin(&bench, "a.space", rows[i].text);
        int code = parser_string(&bench.parser, "a text", rows[i].may_be_empty, &string);
        CU_ASSERT_EQUAL(code, rows[i].message ? ERROR_SYNTAX : 0);
        if (rows[i].message)
            CU_ASSERT_STRING_EQUAL(bench.error.message, rows[i].message);
        if (rows[i].string)
            CU_ASSERT_STRING_EQUAL(string, rows[i].string);
        end(&bench);
    }
}

/* A name is declared once; a name of a faulty statement may be declared again. */
static void declares(void)
{
    struct bench bench;
    const char *name = NULL, *again = NULL;
    begin(&bench, "a.space", "A A A");
    CU_ASSERT_EQUAL(parser_declare(&bench.parser, NAME_BUFFER, 3, &name), 0);
    CU_ASSERT_STRING_EQUAL(name, "A");
    CU_ASSERT_EQUAL(parser_declare(&bench.parser, NAME_LET, 0, &again), ERROR_SYNTAX);
    CU_ASSERT_STRING_EQUAL(bench.error.message, "'A' is already a buffer (line 1)");
    struct name *entry = names_find(&bench.private.names, "A", 1);
    CU_ASSERT_EQUAL(entry->index, 3);
    entry->kind = NAME_FAULTY;
    error_clear(&bench.error);
    CU_ASSERT_EQUAL(parser_declare(&bench.parser, NAME_LET, 4, &again), 0);
    CU_ASSERT_PTR_EQUAL(again, name);
    CU_ASSERT_EQUAL(entry->kind, NAME_LET);
    end(&bench);
}

CU_TestInfo tests_parser[] = {
    {"where a text begins", text_start}, {"paths", paths}, {"lines", lines}, {"strings", strings},
    {"declares a name once", declares},  CU_TEST_INFO_NULL};
