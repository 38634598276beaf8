#include "language/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "expression/list.h"
#include "language/outline.h"

const struct expr_rules parser_rules = {true, true, true, true, NULL};

/* Skips a byte order mark, which some editors write. */
size_t parser_text_start(const char *text, size_t length)
{
    static const char mark[] = "\xEF\xBB\xBF";
    return length >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0 ? sizeof mark - 1 : 0;
}

int parser_error(struct parser *parser, const struct token *token, enum error_code code, const char *format, ...)
{
    char message[sizeof parser->error->message];
    va_list arguments;
    va_start(arguments, format);
    text_vformat(message, sizeof message, format, arguments);
    va_end(arguments);
    if (!token)
        token = &parser->lexer.token;
    return source_error(parser->lexer.source, token->line, token->column, parser->error, code, "%s", message);
}

bool parser_at_command(const struct parser *parser)
{
    struct error ignored = {0};
    struct lexer ahead = parser->lexer;
    ahead.error = &ignored;
    return lexer_at_word(&ahead, "command") && lexer_next(&ahead) == 0 && ahead.token.kind == TOKEN_STRING &&
           lexer_next(&ahead) == 0 && (ahead.token.kind == TOKEN_END || lexer_at_word(&ahead, "args"));
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

const char *parser_line(const struct parser *parser, const struct source_text *source, int line,
                        char buffer[PARSER_LINE_BYTES])
{
    if (!source || source == parser->lexer.source)
        snprintf(buffer, PARSER_LINE_BYTES, "line %d", line);
    else
        snprintf(buffer, PARSER_LINE_BYTES, "line %d of %s", line, source->path);
    return buffer;
}

static int collision(struct parser *parser, const struct name *name)
{
    char line[PARSER_LINE_BYTES];
    parser_line(parser, name->source, name->kind == NAME_FREE ? name->word_line : name->line, line);
    int code = name->line == 0 && name->kind != NAME_FREE
                   ? parser_error(parser, NULL, ERROR_SYNTAX, "'%s' is already %s of the language", name->text,
                                  name_kind_text(name->kind))
                   : parser_error(parser, NULL, ERROR_SYNTAX, "'%s' is already %s (%s)", name->text,
                                  name_kind_text(name->kind), line);
    error_hint(parser->error,
               "parameters, their words, problem sizes, buffers and the language's names must all differ");
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
    if ((name->kind != NAME_FREE && name->kind != NAME_FAULTY) || name->word_line)
        return collision(parser, name);
    name->kind = kind;
    name->index = (uint32_t)index;
    name->line = token->line;
    name->source = parser->lexer.source;
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
    if (name->kind == NAME_TRUTH) {
        *value = (struct value){.kind = VALUE_INT, .integer = name->index};
        return lexer_next(&parser->lexer);
    }
    /* Context identifies functions and types, so that words may have their names. */
    if (name->kind != NAME_FREE && name->kind != NAME_FAULTY && name->kind != NAME_FUNCTION && name->kind != NAME_TYPE)
        return collision(parser, name);
    *value = (struct value){.kind = VALUE_WORD, .word = name->text};
    return lexer_next(&parser->lexer);
}

int parser_value(struct parser *parser, struct value *value)
{
    return parser->lexer.token.kind == TOKEN_NAME ? word(parser, value) : list_number(&parser->lexer, value);
}

int parser_expression(struct parser *parser, const struct expr_rules *rules, const struct expr **expr)
{
    return expr_compile(parser->space, &parser->lexer, rules, parser->statement->keyword, expr);
}

void parser_suggest(struct parser *parser, const struct token *token, unsigned kinds)
{
    const char *near = names_nearest(&parser->space->private->names, token->start, token->length, kinds);
    if (near)
        error_hint(parser->error, "did you mean '%s'?", near);
}

int parser_parameter(struct parser *parser, uint32_t *index)
{
    const struct token *token = &parser->lexer.token;
    const struct names *names = &parser->space->private->names;
    const struct name *name = token->kind == TOKEN_NAME ? names_find(names, token->start, token->length) : NULL;
    if (!name || name->kind != NAME_PARAMETER) {
        int code = lexer_expected(&parser->lexer, "a parameter");
        if (token->kind == TOKEN_NAME)
            parser_suggest(parser, token, 1u << NAME_PARAMETER);
        return code;
    }
    *index = (uint32_t)name->index;
    return lexer_next(&parser->lexer);
}

void parser_hint_types(struct parser *parser)
{
    const char *types = element_type_names(&parser->space->arena);
    error_hint(parser->error, "the types are %s", types ? types : "those of sizeof");
}

int parser_named_expression(struct parser *parser, const struct expr_rules *rules, enum name_kind kind, size_t index,
                            const char **text, const struct expr **expr)
{
    struct lexer name = parser->lexer;
    if (name.token.kind == TOKEN_NAME)
        TRY(lexer_next(&parser->lexer));
    else
        return lexer_expected(&parser->lexer, "a name");
    TRY(parser_expect(parser, '=', "'='"));
    TRY(parser_expression(parser, rules, expr));
    struct lexer end = parser->lexer;
    parser->lexer = name;
    TRY(parser_declare(parser, kind, index, text));
    parser->lexer = end;
    return 0;
}

const char *parser_path(struct parser *parser, const char *path)
{
    const char *file = parser->lexer.source->path;
    int folder = path[0] == '/' ? 0 : (int)file_folder_length(file);
    return arena_printf(&parser->space->arena, "%.*s%s", folder, file, path);
}

int parse_dimensions(struct parser *parser, const struct expr_rules *rules, const struct expr *exprs[3])
{
    for (int i = 0;; i++) {
        if (i == 3)
            return parser_error(parser, NULL, ERROR_SYNTAX, "more than three dimensions");
        TRY(parser_expression(parser, rules, &exprs[i]));
        if (!lexer_at_sign(&parser->lexer, ','))
            return 0;
        TRY(lexer_next(&parser->lexer));
    }
}

/* Measurements do not depend on the statement, so journals and results of the space remain valid without it. */
static int leave_out_of_hash(struct parser *parser)
{
    struct text *all = &parser->outline->digest; /* empty without includes */
    const struct source_text *main_text = &parser->space->private->source;
    const char *start = parser->keyword.start, *end = parser->lexer.token.start;
    while (start > parser->lexer.source->text && strchr(" \t", start[-1]))
        start--;
    end += *end == '\n';
    const size_t length = (size_t)(end - start);
    if (all->length == 0)
        text_append(all, main_text->text, main_text->length);
    if (all->failed)
        return error_memory(parser->error);
    char *found = memmem(all->bytes, all->length, start, length);
    if (found) {
        memmove(found, found + length, (size_t)(all->bytes + all->length - found) - length);
        all->length -= length;
        all->bytes[all->length] = '\0';
        hash_hex(text_string(all), all->length, parser->space->text_hash);
    }
    return 0;
}

int run_statement(struct parser *parser, const struct statement *statement, const struct lexer *lexer)
{
    parser->statement = statement;
    parser->lexer = *lexer;
    parser->keyword = parser->lexer.token;
    int code = lexer_next(&parser->lexer);
    if (!code)
        code = statement->parse(parser);
    if (!code && parser->lexer.token.kind != TOKEN_END)
        code = lexer_expected(&parser->lexer, "the end of the statement");
    if (code)
        error_hint(parser->error, "expected: %s", statement->usage);
    else if (statement->flags & STATEMENT_UNHASHED)
        code = leave_out_of_hash(parser);
    return code;
}
