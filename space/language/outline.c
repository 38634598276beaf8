#include "language/outline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "language/file_name.h"
#include "language/files.h"

static int read_file(struct parser *parser, const struct source_text *source, int depth);

void outline_free(struct outline *outline)
{
    free(outline->places);
    text_free(&outline->digest);
}

size_t outline_count(const struct outline *outline, const char *keyword)
{
    return outline->counts[statement_row_of(keyword)];
}

/* ---- Statements ---- */

static void hint_keywords(struct parser *parser, const char *const *keywords)
{
    struct text list = {0};
    for (size_t i = 0; i < statement_count; i++)
        text_printf(&list, "%s%s", i ? ", " : "", keywords[i]);
    error_hint(parser->error, "the statements are %s", text_string(&list));
    text_free(&list);
}

/* Returns the keyword most similar to the current token, or NULL. */
static const char *nearest_keyword(const struct lexer *lexer, const char *keywords[STATEMENTS_MAX],
                                   char word[SPACE_WORD_MAX + 1])
{
    const struct token *token = &lexer->token;
    snprintf(word, SPACE_WORD_MAX + 1, "%.*s", (int)(token->length > SPACE_WORD_MAX ? SPACE_WORD_MAX : token->length),
             token->start);
    for (size_t i = 0; i < statement_count; i++)
        keywords[i] = statements[i]->keyword;
    return token->kind == TOKEN_NAME ? text_nearest(word, keywords, statement_count) : NULL;
}

static const char line_hint[] = "a line starts with a keyword, as in: param TILE = 16, 32";

static int find_statement(struct parser *parser, const struct statement **found)
{
    const struct token *token = &parser->lexer.token;
    const char *keywords[STATEMENTS_MAX];
    char keyword[SPACE_WORD_MAX + 1];
    *found = statement_find(&parser->lexer);
    if (*found)
        return 0;
    const char *near = nearest_keyword(&parser->lexer, keywords, keyword);
    if (near)
        parser->outline->misspelt[statement_row_of(near)] = parser->outline->faulty[statement_row_of(near)] = true;
    if (token->kind != TOKEN_NAME) {
        int code = lexer_expected(&parser->lexer, "a statement");
        error_hint(parser->error, "%s", line_hint);
        return code;
    }
    int code = parser_error(parser, NULL, ERROR_SYNTAX, "unknown statement '%s'", keyword);
    if (near)
        error_hint(parser->error, "did you mean '%s'?", near);
    else
        hint_keywords(parser, keywords);
    return code;
}

/* Counts a statement. Beyond the limit, it is an error if only one is allowed; otherwise only the first such statement
 * is. */
static int count_statement(struct parser *parser, const struct statement *statement)
{
    struct outline *outline = parser->outline;
    size_t row = statement_row(statement);
    if (outline->counts[row] > statement->most)
        return ERROR_SYNTAX; /* no message: already reported */
    if (outline->counts[row] == statement->most) {
        outline->counts[row] += statement->most > 1;
        char line[PARSER_LINE_BYTES];
        const struct lexer *first = &outline->firsts[row].lexer;
        int code = statement->most == 1
                       ? parser_error(parser, NULL, ERROR_SYNTAX, "a second '%s': the first is in %s",
                                      statement->keyword, parser_line(parser, first->source, first->token.line, line))
                       : parser_error(parser, NULL, ERROR_SYNTAX, "more than %zu '%s' statements", statement->most,
                                      statement->keyword);
        error_hint(parser->error, "'%s' may occur %zu time%s", statement->keyword, statement->most,
                   statement->most == 1 ? "" : "s");
        return code;
    }
    if (outline->counts[row]++ == 0)
        outline->firsts[row] = (struct place){statement, parser->lexer};
    return 0;
}

/* Checks the version first, because this program may be unable to read a newer file. Leaves the lexer in place. An
 * included file may omit the version; *there: it has one. A returned error ends reading: the file is of a newer
 * version, or not of this language. */
static int check_version(struct parser *parser, bool included, bool *there)
{
    struct lexer start = parser->lexer;
    const char *keywords[STATEMENTS_MAX];
    char word[SPACE_WORD_MAX + 1];
    int code = 0;
    *there = lexer_at_word(&start, statements[0]->keyword);
    if (*there)
        code = run_statement(parser, statements[0], &start);
    else if (!included)
        code = start.token.kind == TOKEN_END ? parser_error(parser, NULL, ERROR_SYNTAX, "the file has no statements")
                                             : lexer_expected(&parser->lexer, "'space 2'");
    if (code)
        error_hint(parser->error, "the first statement of a space file is: space 2");
    parser->lexer = start;
    if (code && code != ERROR_SCHEMA && (*there || nearest_keyword(&start, keywords, word))) {
        parser->outline->misspelt[0] = true;
        code = parser_keep_error(parser, NULL, code);
    }
    return code;
}

/* Reports the first `???` of a statement with the comment behind the statement, which says what belongs there. */
static int fill_in_error(struct parser *parser, const struct token *mark, const struct statement *statement)
{
    const struct lexer *end = &parser->lexer;
    const char *comment = memchr(end->consumed, '#', (size_t)(end->token.start - end->consumed));
    const char *text = comment ? source_one_line(&parser->space->arena, comment + 1, end->token.start) : NULL;
    if (comment && !text)
        return error_memory(parser->error);
    int code = parser_error(parser, mark, ERROR_SYNTAX, "`???` is to be filled in%s%s", text && *text ? ": " : "",
                            text ? text : "");
    error_hint(parser->error, "expected: %s", statement->usage);
    return code;
}

/* Skips the rest of a statement whose keyword is the current token. */
static int skip_statement(struct parser *parser, const struct statement *statement)
{
    struct token mark = {.kind = TOKEN_END};
    while (parser->lexer.token.kind != TOKEN_END) {
        int code = lexer_next(&parser->lexer);
        if (code) {
            error_hint(parser->error, "expected: %s", statement->usage);
            return code;
        }
        if (mark.kind == TOKEN_END && lexer_at_sign(&parser->lexer, SIGN_FILL_IN))
            mark = parser->lexer.token;
    }
    return mark.kind == TOKEN_END ? 0 : fill_in_error(parser, &mark, statement);
}

/* ---- Included files ---- */

static int include_error(struct parser *parser, const struct token *token, int code)
{
    source_place(parser->lexer.source, token->line, token->column, parser->error);
    return code;
}

/* Remembers a file; sets *old if it was known. */
static int note_file(struct parser *parser, const char *path, bool *old)
{
    struct outline *outline = parser->outline;
    struct stat status;
    struct error *error = parser->error;
    *old = false;
    if (stat(path, &status))
        return error_errno(error, ERROR_NOT_FOUND, "cannot open %s", path);
    TRY(file_check_regular(path, error));
    for (size_t i = 0; i < outline->file_count; i++) {
        const struct outline_file *file = &outline->files[i];
        if (file->device != status.st_dev || file->inode != status.st_ino)
            continue;
        *old = true;
        return file->open ? error_set(error, ERROR_DATA, "%s includes itself", path) : 0;
    }
    if (outline->file_count == SPACE_FILES_MAX)
        return error_set(error, ERROR_DATA, "the space consists of more than %d files", SPACE_FILES_MAX);
    outline->files[outline->file_count++] = (struct outline_file){status.st_dev, status.st_ino, true};
    return 0;
}

/* Reads a newly noted file. The text lives as long as the space. */
static int load_file(struct parser *parser, const char *path, const struct source_text **source)
{
    struct outline *outline = parser->outline;
    struct arena *arena = &parser->space->arena;
    const struct source_text *main_text = &parser->space->private->source;
    struct source_text *made = arena_alloc(arena, sizeof *made);
    struct text text = {0};
    int code = made ? file_read(path, SPACE_TEXT_BYTES_MAX - outline->bytes, &text, parser->error)
                    : error_memory(parser->error);
    if (!code) {
        outline->bytes += text.length;
        size_t start = parser_text_start(text_string(&text), text.length), length = text.length - start;
        *made = (struct source_text){
            .path = path, .text = arena_copy(arena, text_string(&text) + start, length), .length = length};
        if (outline->digest.length == 0)
            text_append(&outline->digest, main_text->text, main_text->length);
        text_printf(&outline->digest, "\n%zu\n", text.length);
        text_append(&outline->digest, text_string(&text), text.length);
        *source = made;
        space_note_file(parser->space, path);
        code = made->text && !outline->digest.failed ? 0 : error_memory(parser->error);
    }
    text_free(&text);
    return code;
}

/* Reads an include; the current token is the keyword. */
static int include(struct parser *parser, int depth)
{
    struct outline *outline = parser->outline;
    const struct source_text *source = NULL;
    const char *path = NULL;
    bool old = false;
    TRY(lexer_next(&parser->lexer));
    struct token token = parser->lexer.token;
    TRY(parse_file_name(parser, "a file's name in quotes", &path));
    if (parser->lexer.token.kind != TOKEN_END)
        return lexer_expected(&parser->lexer, "the end of the statement");
    if (depth == SPACE_INCLUDE_DEPTH_MAX)
        return parser_error(parser, &token, ERROR_DATA, "includes are nested more than %d deep",
                            SPACE_INCLUDE_DEPTH_MAX);
    size_t file = outline->file_count;
    int code = note_file(parser, path, &old);
    if (!code && !old)
        code = load_file(parser, path, &source);
    if (code)
        return include_error(parser, &token, code);
    if (old)
        return 0; /* each file counts once */
    struct lexer here = parser->lexer;
    code = read_file(parser, source, depth + 1);
    outline->over = code != 0;
    parser->lexer = here;
    outline->files[file].open = false;
    return code;
}

/* Reads the statement at the current token. */
static int read_statement(struct parser *parser, int depth)
{
    struct outline *outline = parser->outline;
    const struct lexer start = parser->lexer;
    const struct statement *statement = NULL;
    TRY(find_statement(parser, &statement));
    TRY(count_statement(parser, statement));
    if (statement->parse) {
        int code = skip_statement(parser, statement);
        outline->faulty[statement_row(statement)] |= code != 0;
        if (code)
            return code;
        outline->places[outline->count++] = (struct place){statement, start};
        return 0;
    }
    int code = include(parser, depth);
    if (code && !outline->over) {
        error_hint(parser->error, "expected: %s", statement->usage);
        outline->file_missing = true;
    }
    return code;
}

static int read_file(struct parser *parser, const struct source_text *source, int depth)
{
    struct lexer *lexer = &parser->lexer;
    struct outline *outline = parser->outline;
    lexer_start(lexer, source, parser->error);
    outline->sources[outline->source_count++] = source;
    for (bool first = true;;) {
        int code = lexer_next_statement(lexer);
        struct lexer start = *lexer;
        bool version = false;
        if (code)
            error_hint(parser->error, "%s", line_hint);
        if (!code && first)
            TRY(check_version(parser, depth > 0, &version));
        if (!code && lexer->token.kind == TOKEN_END)
            return 0;
        if (!code && version && depth > 0)
            code = skip_statement(parser, statements[0]);
        else if (!code && first && depth == 0 && !statement_find(lexer))
            lexer_skip_statement(lexer); /* the text in place of the version */
        else if (!code)
            code = read_statement(parser, depth);
        first = false;
        if (outline->over)
            return code;
        TRY(parser_keep_error(parser, &start, code));
        if (code) {
            parser_mark_declared(parser, &start);
            lexer_skip_statement(lexer);
        }
    }
}

int outline_make(struct parser *parser)
{
    struct space *space = parser->space;
    struct outline *outline = parser->outline;
    const struct source_text *source = &space->private->source;
    struct stat status;
    size_t room = 0;
    for (size_t i = 0; i < statement_count; i++)
        room += statements[i]->most;
    outline->places = calloc(room, sizeof *outline->places);
    if (!outline->places)
        return error_memory(parser->error);
    outline->bytes = source->length;
    if (stat(source->path, &status) == 0) /* a text from memory may have no file */
        outline->files[outline->file_count++] = (struct outline_file){status.st_dev, status.st_ino, true};
    TRY(read_file(parser, source, 0));
    outline->read = true;
    if (outline->digest.length)
        hash_hex(outline->digest.bytes, outline->digest.length, space->text_hash);
    return 0;
}
