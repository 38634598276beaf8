/* Recovery from errors: selects and orders the reported errors of a file. */
#include <string.h>

#include "language/outline.h"
#include "language/parser.h"

/* Errors are ordered by files, as first included, and lines. Errors without a line, such as a missing statement, come
 * last. */
static size_t file_rank(const struct outline *outline, const struct error *error)
{
    size_t rank = 0;
    while (rank < outline->source_count &&
           strncmp(outline->sources[rank]->path, error->source, sizeof error->source - 1) != 0)
        rank++;
    return rank;
}

static bool comes_before(const struct outline *outline, const struct error *a, const struct error *b)
{
    size_t a_file = file_rank(outline, a), b_file = file_rank(outline, b);
    if (!a->line || !b->line)
        return a->line && !b->line;
    if (a_file != b_file)
        return a_file < b_file;
    return a->line != b->line ? a->line < b->line : a->column < b->column;
}

static void insert(const struct outline *outline, const struct error *error, struct error_list *list)
{
    size_t at = list->count;
    while (at > 0 && comes_before(outline, error, &list->errors[at - 1]))
        at--;
    list->total++;
    if (at == ERROR_LIST_MAX)
        return;
    if (list->count < ERROR_LIST_MAX)
        list->count++;
    memmove(&list->errors[at + 1], &list->errors[at], (list->count - 1 - at) * sizeof *list->errors);
    list->errors[at] = *error;
}

bool outline_has(const struct outline *outline, const char *keyword)
{
    size_t row = statement_row_of(keyword);
    return outline->counts[row] || outline->misspelt[row];
}

/* True if no name of the statement's kind can be declared, because the declaring statement is missing. */
static bool all_missing(const struct outline *outline, const struct lexer *statement)
{
    const struct statement *row = statement_find(statement);
    if (!outline->read)
        return false;
    return !outline_has(outline, "param") || (row && row->flags & STATEMENT_BUFFERS && !outline_has(outline, "buffer"));
}

/* True if the error concerns a name that a faulty or missing statement should have declared. */
static bool is_consequence(const struct parser *parser, const struct lexer *from)
{
    struct lexer lexer = *from;
    struct error ignored = {0};
    lexer.error = &ignored;
    while (lexer.token.kind != TOKEN_END) {
        const struct token *token = &lexer.token;
        if (token->kind == TOKEN_NAME && token->line == parser->error->line && token->column == parser->error->column) {
            const struct name *name = names_find(&parser->space->private->names, token->start, token->length);
            return name && name->kind != NAME_FREE ? name->kind == NAME_FAULTY : all_missing(parser->outline, from);
        }
        if (lexer_next(&lexer))
            return false;
    }
    return false;
}

static void mark_faulty(struct parser *parser, const struct lexer *lexer)
{
    const struct token *token = &lexer->token;
    struct space *space = parser->space;
    struct name *name = names_intern(&space->private->names, &space->arena, token->start, token->length);
    if (name &&
        ((name->kind == NAME_FREE && !name->word_line) || (name->line == token->line && name->source == lexer->source)))
        name->kind = NAME_FAULTY;
}

void parser_mark_declared(struct parser *parser, const struct lexer *statement)
{
    const struct statement *row = statement_find(statement);
    struct lexer lexer = *statement;
    struct error ignored = {0};
    bool declares = row ? row->flags & STATEMENT_DECLARES : lexer.token.kind == TOKEN_NAME;
    bool is_param = lexer_at_word(&lexer, "param");
    lexer.error = &ignored;
    for (const struct language_name *name = row ? row->names : NULL; name && name->text; name++)
        names_find(&parser->space->private->names, name->text, strlen(name->text))->kind = NAME_FAULTY;
    if (!declares || lexer_next(&lexer) || lexer.token.kind != TOKEN_NAME)
        return;
    do /* including a parameter's words */
        if (lexer.token.kind == TOKEN_NAME)
            mark_faulty(parser, &lexer);
    while (is_param && !lexer_next(&lexer) && lexer.token.kind != TOKEN_END && !lexer_at_word(&lexer, "when"));
}

int parser_keep_error(struct parser *parser, const struct lexer *from, int code)
{
    if (!code || parser->error->code == ERROR_MEMORY)
        return code;
    bool follows = from && parser->found.total > 0 && is_consequence(parser, from);
    if (parser->error->code != ERROR_NONE && !follows)
        insert(parser->outline, parser->error, &parser->found);
    error_clear(parser->error);
    parser->found.all = parser->found.total < ERRORS_READ_MAX;
    return parser->found.all ? 0 : code;
}
