#include "space/outline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

static int read_file(struct parser *parser, struct outline *outline, const struct source_text *source, int depth);

void outline_free(struct outline *outline)
{
    free(outline->places);
    text_free(&outline->digest);
}

size_t outline_count(const struct outline *outline, const char *keyword)
{
    for (size_t i = 0; i < statement_count; i++)
        if (strcmp(statements[i].keyword, keyword) == 0)
            return outline->counts[i];
    return 0;
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

/* The version comes first and is judged first: a file of a newer version may hold what this one cannot even read. The
 * lexer stays where it is. An included file may leave the version out; *there when it does not. */
static int check_version(struct parser *parser, bool included, bool *there)
{
    struct lexer start = parser->lexer;
    int code = 0;
    *there = lexer_at_word(&start, statements[0].keyword);
    if (*there)
        code = run_statement(parser, &statements[0], &start);
    else if (!included)
        code = start.token.kind == TOKEN_END ? parser_error(parser, NULL, ERROR_SYNTAX, "the file has no statements")
                                             : lexer_expected(&parser->lexer, "'space 1'");
    if (code)
        error_hint(parser->error, "the first statement of a space file is: space 1");
    parser->lexer = start;
    return code;
}

/* Over the rest of a statement whose keyword is the current token. */
static int skip_statement(struct parser *parser, const struct statement *statement)
{
    while (parser->lexer.token.kind != TOKEN_END) {
        int code = lexer_next(&parser->lexer);
        if (code) {
            error_hint(parser->error, "expected: %s", statement->usage);
            return code;
        }
    }
    return 0;
}

/* ---- Included files ---- */

static int include_error(struct parser *parser, const struct token *token, int code)
{
    source_place(parser->lexer.source, token->line, token->column, parser->error);
    return code;
}

/* Remembers a file; *old when it was there already. */
static int note_file(struct parser *parser, struct outline *outline, const char *path, bool *old)
{
    struct stat status;
    struct error *error = parser->error;
    *old = false;
    if (stat(path, &status))
        return error_errno(error, ERROR_NOT_FOUND, "cannot open %s", path);
    if (!S_ISREG(status.st_mode)) /* a pipe could be endless */
        return error_set(error, ERROR_IO, "%s is %s", path,
                         S_ISDIR(status.st_mode) ? "a directory, not a file" : "no regular file");
    for (size_t i = 0; i < outline->file_count; i++) {
        const struct outline_file *file = &outline->files[i];
        if (file->device != status.st_dev || file->inode != status.st_ino)
            continue;
        *old = true;
        return file->open ? error_set(error, ERROR_DATA, "%s includes itself", path) : 0;
    }
    if (outline->file_count == SPACE_FILES_MAX)
        return error_set(error, ERROR_DATA, "the space is made of more than %d files", SPACE_FILES_MAX);
    outline->files[outline->file_count++] = (struct outline_file){status.st_dev, status.st_ino, true};
    return 0;
}

/* The text of a file that was just noted, for as long as the space lives. */
static int load_file(struct parser *parser, struct outline *outline, const char *path,
                     const struct source_text **source)
{
    struct arena *arena = &parser->space->arena;
    const struct source_text *main_text = &parser->space->private->source;
    struct source_text *made = arena_alloc(arena, sizeof *made);
    struct text text = {0};
    int code = made ? file_read(path, SPACE_TEXT_BYTES_MAX - outline->bytes, &text, parser->error)
                    : error_memory(parser->error);
    if (!code) {
        outline->bytes += text.length;
        *made = (struct source_text){
            .path = path, .text = arena_copy(arena, text_string(&text), text.length), .length = text.length};
        if (outline->digest.length == 0)
            text_append(&outline->digest, main_text->text, main_text->length);
        text_printf(&outline->digest, "\n%zu\n", text.length);
        text_append(&outline->digest, text_string(&text), text.length);
        *source = made;
        code = made->text && !outline->digest.failed ? 0 : error_memory(parser->error);
    }
    text_free(&text);
    return code;
}

/* The current token is the keyword. */
static int include(struct parser *parser, struct outline *outline, int depth)
{
    const struct source_text *source = NULL;
    const char *path = NULL;
    bool old = false;
    TRY(lexer_next(&parser->lexer));
    struct token token = parser->lexer.token;
    TRY(parser_string(parser, "a file's name in quotes", false, &path));
    if (parser->lexer.token.kind != TOKEN_END)
        return lexer_expected(&parser->lexer, "the end of the statement");
    path = parser_path(parser, path);
    if (!path)
        return error_memory(parser->error);
    if (depth == SPACE_INCLUDE_DEPTH_MAX)
        return parser_error(parser, &token, ERROR_DATA, "files include one another more than %d deep",
                            SPACE_INCLUDE_DEPTH_MAX);
    size_t file = outline->file_count;
    int code = note_file(parser, outline, path, &old);
    if (!code && !old)
        code = load_file(parser, outline, path, &source);
    if (code)
        return include_error(parser, &token, code);
    if (old)
        return 0; /* a file counts once */
    struct lexer here = parser->lexer;
    TRY(read_file(parser, outline, source, depth + 1));
    parser->lexer = here;
    outline->files[file].open = false;
    return 0;
}

static int read_file(struct parser *parser, struct outline *outline, const struct source_text *source, int depth)
{
    struct lexer *lexer = &parser->lexer;
    lexer_start(lexer, source, parser->error);
    for (bool first = true;; first = false) {
        const struct statement *statement = NULL;
        bool version = false;
        TRY(lexer_next_statement(lexer));
        if (first)
            TRY(check_version(parser, depth > 0, &version));
        if (version && depth > 0) {
            TRY(skip_statement(parser, &statements[0]));
            continue;
        }
        if (lexer->token.kind == TOKEN_END)
            return 0;
        TRY(find_statement(parser, &statement));
        TRY(count_statement(parser, outline, statement));
        if (!statement->parse) {
            int code = include(parser, outline, depth);
            if (code) {
                error_hint(parser->error, "expected: %s", statement->usage);
                return code;
            }
            continue;
        }
        outline->places[outline->count++] = (struct place){statement, *lexer};
        TRY(skip_statement(parser, statement));
    }
}

int outline_make(struct parser *parser, struct outline *outline)
{
    struct space *space = parser->space;
    const struct source_text *source = &space->private->source;
    struct stat status;
    size_t room = 0;
    for (size_t i = 0; i < statement_count; i++)
        room += statements[i].most;
    outline->places = calloc(room, sizeof *outline->places);
    if (!outline->places)
        return error_memory(parser->error);
    outline->bytes = source->length;
    if (stat(source->path, &status) == 0) /* a text from memory need not be a file */
        outline->files[outline->file_count++] = (struct outline_file){status.st_dev, status.st_ino, true};
    TRY(read_file(parser, outline, source, 0));
    if (outline->digest.length)
        hash_hex(outline->digest.bytes, outline->digest.length, space->text_hash);
    return 0;
}
