#include "space/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

/* ---- For the statements ---- */

int parser_error(struct parser *parser, const struct token *token, enum error_code code, const char *format, ...)
{
    char message[sizeof parser->error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (!token)
        token = &parser->lexer.token;
    return source_error(parser->lexer.source, token->line, token->column, parser->error, code, "%s", message);
}

int parser_expect(struct parser *parser, int sign, const char *what)
{
    if (!lexer_at_sign(&parser->lexer, sign))
        return lexer_expected(&parser->lexer, what);
    return lexer_next(&parser->lexer);
}

int parser_string(struct parser *parser, const char *what, bool may_be_empty, const char **text)
{
    const struct token *token = &parser->lexer.token;
    if (token->kind != TOKEN_STRING)
        return lexer_expected(&parser->lexer, what);
    if (token->length == 2 && !may_be_empty)
        return parser_error(parser, NULL, ERROR_SYNTAX, "the string is empty");
    *text = arena_copy(&parser->space->arena, token->start + 1, token->length - 2);
    return *text ? lexer_next(&parser->lexer) : error_memory(parser->error);
}

static int check_name(struct parser *parser, const char *what)
{
    const struct token *token = &parser->lexer.token;
    if (token->kind != TOKEN_NAME)
        return lexer_expected(&parser->lexer, what);
    if (token->length > SPACE_WORD_MAX)
        return parser_error(parser, NULL, ERROR_SYNTAX, "the name is longer than %d characters", SPACE_WORD_MAX);
    return 0;
}

static int collision(struct parser *parser, const struct name *name)
{
    int line = name->kind == NAME_FREE ? name->word_line : name->line;
    int code = name->line == 0 && name->kind != NAME_FREE
                   ? parser_error(parser, NULL, ERROR_SYNTAX, "'%s' is already %s of the language", name->text,
                                  name_kind_text(name->kind))
                   : parser_error(parser, NULL, ERROR_SYNTAX, "'%s' is already %s (line %d)", name->text,
                                  name_kind_text(name->kind), line);
    error_hint(parser->error,
               "parameters, their words, problem sizes, buffers and the language's names share one list");
    return code;
}

int parser_declare(struct parser *parser, enum name_kind kind, size_t index, const char **text)
{
    struct space *space = parser->space;
    const struct token *token = &parser->lexer.token;
    TRY(check_name(parser, "a name"));
    struct name *name = names_intern(&space->private->names, &space->arena, token->start, token->length);
    if (!name)
        return error_memory(parser->error);
    if (name->kind != NAME_FREE || name->word_line)
        return collision(parser, name);
    name->kind = kind;
    name->index = (uint32_t)index;
    name->line = token->line;
    *text = name->text;
    return lexer_next(&parser->lexer);
}

static int word(struct parser *parser, struct value *value)
{
    struct space *space = parser->space;
    const struct token *token = &parser->lexer.token;
    TRY(check_name(parser, "a value"));
    struct name *name = names_intern(&space->private->names, &space->arena, token->start, token->length);
    if (!name)
        return error_memory(parser->error);
    /* Functions and types are recognised by what stands around them, so they may be words too. */
    if (name->kind != NAME_FREE && name->kind != NAME_FUNCTION && name->kind != NAME_TYPE)
        return collision(parser, name);
    *value = (struct value){.kind = VALUE_WORD, .word = name->text};
    return lexer_next(&parser->lexer);
}

int parser_value(struct parser *parser, struct value *value)
{
    bool minus = lexer_at_sign(&parser->lexer, '-');
    struct token token;
    if (minus)
        TRY(lexer_next(&parser->lexer));
    token = parser->lexer.token;
    if (token.kind == TOKEN_INT) {
        if (token.integer > (uint64_t)INT64_MAX + minus)
            return parser_error(parser, NULL, ERROR_SYNTAX, "the number is too large for an integer of 64 bits");
        *value = (struct value){.kind = VALUE_INT, .integer = (int64_t)(minus ? -token.integer : token.integer)};
    } else if (token.kind == TOKEN_FLOAT) {
        *value = (struct value){.kind = VALUE_FLOAT, .real = minus ? -token.real : token.real};
    } else if (minus) {
        return lexer_expected(&parser->lexer, "a number");
    } else {
        return word(parser, value);
    }
    return lexer_next(&parser->lexer);
}

int parser_expression(struct parser *parser, const struct expr_rules *rules, const struct expr **expr)
{
    return expr_compile(parser->space, &parser->lexer, rules, parser->statement->keyword, expr, parser->error);
}

void parser_suggest(struct parser *parser, const struct token *token, unsigned kinds)
{
    const char *near = names_nearest(&parser->space->private->names, token->start, token->length, kinds);
    if (near)
        error_hint(parser->error, "did you mean '%s'?", near);
}

const char *parser_path(struct parser *parser, const char *path)
{
    const char *space_path = parser->space->path;
    int folder = path[0] == '/' ? 0 : (int)file_folder_length(space_path);
    return arena_printf(&parser->space->arena, "%.*s%s", folder, space_path, path);
}

/* ---- The file ---- */

/* Where each statement of the file is, found before any is read. */
struct outline {
    struct place {
        const struct statement *statement;
        struct lexer lexer;
    } * places;
    size_t count;
    size_t counts[STATEMENTS_MAX];
    int first_lines[STATEMENTS_MAX];
};

static int run_statement(struct parser *parser, const struct place *place)
{
    parser->statement = place->statement;
    parser->lexer = place->lexer;
    parser->keyword = parser->lexer.token;
    int code = lexer_next(&parser->lexer);
    if (!code)
        code = place->statement->parse(parser);
    if (!code && parser->lexer.token.kind != TOKEN_END)
        code = lexer_expected(&parser->lexer, "the end of the statement");
    if (code)
        error_hint(parser->error, "expected: %s", place->statement->usage);
    return code;
}

static void hint_keywords(struct parser *parser, const char *const *keywords)
{
    struct text list = {0};
    for (size_t i = 0; i < statement_count; i++)
        text_printf(&list, "%s%s", i ? ", " : "", keywords[i]);
    error_hint(parser->error, "the statements are %s", text_string(&list));
    text_free(&list);
}

static int find_statement(struct parser *parser, const struct statement **found)
{
    const struct token *token = &parser->lexer.token;
    const char *keywords[STATEMENTS_MAX];
    char keyword[SPACE_WORD_MAX + 1];
    for (size_t i = 0; i < statement_count; i++) {
        keywords[i] = statements[i].keyword;
        if (lexer_at_word(&parser->lexer, statements[i].keyword)) {
            *found = &statements[i];
            return 0;
        }
    }
    if (token->kind != TOKEN_NAME) {
        int code = lexer_expected(&parser->lexer, "a statement");
        error_hint(parser->error, "a line starts with a keyword, as in: param TILE = 16, 32");
        return code;
    }
    snprintf(keyword, sizeof keyword, "%.*s", (int)(token->length < sizeof keyword ? token->length : SPACE_WORD_MAX),
             token->start);
    int code = parser_error(parser, NULL, ERROR_SYNTAX, "unknown statement '%s'", keyword);
    const char *near = text_nearest(keyword, keywords, statement_count);
    if (near)
        error_hint(parser->error, "did you mean '%s'?", near);
    else
        hint_keywords(parser, keywords);
    return code;
}

static int count_statement(struct parser *parser, struct outline *outline, const struct statement *statement)
{
    size_t row = (size_t)(statement - statements);
    if (outline->counts[row] == statement->most) {
        int code = statement->most == 1
                       ? parser_error(parser, NULL, ERROR_SYNTAX, "a second '%s': the first is in line %d",
                                      statement->keyword, outline->first_lines[row])
                       : parser_error(parser, NULL, ERROR_SYNTAX, "more than %zu '%s' statements", statement->most,
                                      statement->keyword);
        error_hint(parser->error, "'%s' may occur %zu time%s", statement->keyword, statement->most,
                   statement->most == 1 ? "" : "s");
        return code;
    }
    if (outline->counts[row]++ == 0)
        outline->first_lines[row] = parser->lexer.token.line;
    return 0;
}

/* The version comes first and is judged first: a file of a newer version may hold what this one cannot even read. */
static int check_version(struct parser *parser, const struct outline *outline)
{
    static const char usage[] = "the first statement of a space file is: space 1";
    int code = 0;
    if (outline->count == 0 && parser->lexer.token.kind == TOKEN_END)
        code = parser_error(parser, NULL, ERROR_SYNTAX, "the file has no statements");
    else if (outline->count == 0 && !lexer_at_word(&parser->lexer, statements[0].keyword))
        code = lexer_expected(&parser->lexer, "'space 1'");
    else if (outline->count == 1)
        code = run_statement(parser, &outline->places[0]);
    if (code)
        error_hint(parser->error, "%s", usage);
    return code;
}

static int make_outline(struct parser *parser, struct outline *outline)
{
    struct lexer *lexer = &parser->lexer;
    for (;;) {
        const struct statement *statement = NULL;
        TRY(lexer_next_statement(lexer));
        if (outline->count == 0)
            TRY(check_version(parser, outline));
        if (lexer->token.kind == TOKEN_END)
            return 0;
        TRY(find_statement(parser, &statement));
        TRY(count_statement(parser, outline, statement));
        outline->places[outline->count++] = (struct place){statement, *lexer};
        if (outline->count == 1) {
            TRY(check_version(parser, outline));
            *lexer = outline->places[0].lexer;
        }
        while (lexer->token.kind != TOKEN_END) {
            int code = lexer_next(lexer);
            if (code) {
                error_hint(parser->error, "expected: %s", statement->usage);
                return code;
            }
        }
    }
}

static int check_missing(struct parser *parser, const struct outline *outline)
{
    for (size_t i = 0; i < statement_count; i++)
        if (outline->counts[i] < statements[i].least) {
            int code = error_set(parser->error, ERROR_SYNTAX, "there is no '%s' statement", statements[i].keyword);
            error_place(parser->error, parser->space->path, 0, 0);
            error_hint(parser->error, "expected: %s", statements[i].usage);
            return code;
        }
    return 0;
}

static size_t count_of(const struct outline *outline, const char *keyword)
{
    for (size_t i = 0; i < statement_count; i++)
        if (strcmp(statements[i].keyword, keyword) == 0)
            return outline->counts[i];
    return 0;
}

static int make_arrays(struct parser *parser, const struct outline *outline)
{
    struct space *space = parser->space;
    struct arena *arena = &space->arena;
    size_t problems = count_of(outline, "problem");
    space->parameters = arena_array(arena, count_of(outline, "param"), sizeof *space->parameters);
    space->problems = arena_array(arena, problems, sizeof *space->problems);
    space->private->problem_values = arena_array(arena, problems, sizeof(struct expr *));
    space->private->problem_in_source = arena_array(arena, problems, sizeof(bool));
    space->constraints =
        arena_array(arena, count_of(outline, "require") + SPACE_DEVICE_CONSTRAINTS_MAX, sizeof *space->constraints);
    space->buffers = arena_array(arena, count_of(outline, "buffer"), sizeof *space->buffers);
    space->arguments = arena_array(arena, SPACE_ARGUMENTS_MAX, sizeof *space->arguments);
    space->options = arena_array(arena, count_of(outline, "option"), sizeof *space->options);
    return space->parameters && space->problems && space->private->problem_values &&
                   space->private->problem_in_source && space->constraints && space->buffers && space->arguments &&
                   space->options
               ? 0
               : error_memory(parser->error);
}

/* What no statement can see alone. */
static int check_whole(struct parser *parser)
{
    const struct space *space = parser->space;
    size_t outputs = 0;
    for (size_t i = 0; i < space->buffer_count; i++) {
        const struct buffer *buffer = &space->buffers[i];
        bool passed = false;
        for (size_t a = 0; a < space->argument_count; a++)
            passed |= space->arguments[a].buffer == (int)i;
        outputs += buffer->output;
        if (buffer->output && !passed) {
            int code = source_error(&space->private->source, buffer->line, 1, parser->error, ERROR_SYNTAX,
                                    "the output '%s' is not passed to the kernel", buffer->name);
            error_hint(parser->error, "name it in `args`");
            return code;
        }
    }
    if (outputs == 0) {
        int code = error_set(parser->error, ERROR_SYNTAX, "no buffer is an output: there is nothing to verify");
        error_place(parser->error, space->path, 0, 0);
        error_hint(parser->error, "expected: buffer NAME TYPE[COUNT] output");
        return code;
    }
    return 0;
}

static int parse_statements(struct parser *parser, struct outline *outline)
{
    TRY(make_outline(parser, outline));
    TRY(check_missing(parser, outline));
    TRY(make_arrays(parser, outline));
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        for (size_t i = 1; i < outline->count; i++) /* the first is the version */
            if ((int)outline->places[i].statement->phase == phase)
                TRY(run_statement(parser, &outline->places[i]));
    return check_whole(parser);
}

static int add_language_names(struct space *space, struct error *error)
{
    const struct {
        enum name_kind kind;
        size_t count;
    } lists[] = {{NAME_LIMIT, limit_count}, {NAME_FUNCTION, expr_function_count}, {NAME_TYPE, element_type_count}};
    for (size_t list = 0; list < sizeof lists / sizeof *lists; list++)
        for (size_t i = 0; i < lists[list].count; i++) {
            const char *text = lists[list].kind == NAME_LIMIT      ? limit_rows[i].name
                               : lists[list].kind == NAME_FUNCTION ? expr_functions[i]
                                                                   : element_types[i].name;
            struct name *name = names_intern(&space->private->names, &space->arena, text, strlen(text));
            if (!name)
                return error_memory(error);
            name->kind = lists[list].kind;
            name->index = (uint32_t)i;
        }
    return 0;
}

static int fill(struct space *space, const char *path, const char *text, size_t length, struct error *error)
{
    struct parser parser = {.space = space, .error = error};
    struct outline outline = {0};
    space->private = arena_alloc(&space->arena, sizeof *space->private);
    space->path = arena_copy(&space->arena, path, strlen(path));
    const char *copy = length <= SPACE_TEXT_BYTES_MAX ? arena_copy(&space->arena, text, length) : NULL;
    if (length > SPACE_TEXT_BYTES_MAX)
        return error_set(error, ERROR_DATA, "%s is larger than %d bytes", path, SPACE_TEXT_BYTES_MAX);
    if (!space->private || !space->path || !copy)
        return error_memory(error);
    space->title = "";
    hash_hex(text, length, space->text_hash);
    space->private->source = (struct source_text){.path = space->path, .text = copy, .length = length};
    TRY(add_language_names(space, error));
    size_t room = 0;
    for (size_t i = 0; i < statement_count; i++)
        room += statements[i].most;
    outline.places = calloc(room, sizeof *outline.places);
    if (!outline.places)
        return error_memory(error);
    lexer_start(&parser.lexer, &space->private->source, error);
    int code = parse_statements(&parser, &outline);
    free(outline.places);
    return code;
}

int space_parse_text(struct space **result, const char *path, const char *text, size_t length, const char *source,
                     struct error *error)
{
    *result = NULL;
    struct space *space = calloc(1, sizeof *space);
    if (!space)
        return error_memory(error);
    int code = fill(space, path, text, length, error);
    if (!code)
        code = space_load_source(space, source, error);
    if (code)
        space_free(space);
    else
        *result = space;
    return code;
}

int space_parse(struct space **space, const char *path, struct error *error)
{
    struct text text = {0};
    *space = NULL;
    int code = file_read(path, SPACE_TEXT_BYTES_MAX, &text, error);
    if (!code)
        code = space_parse_text(space, path, text_string(&text), text.length, NULL, error);
    text_free(&text);
    return code;
}
