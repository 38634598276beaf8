/* Parsing of statements: the parser, and the helpers of the rows of statements.c. parse.c reads a whole file with
 * it. */
#ifndef CUTUNE_LANGUAGE_PARSER_H
#define CUTUNE_LANGUAGE_PARSER_H

#include "expression/expr.h"
#include "expression/lexer.h"
#include "expression/names.h"
#include "expression/space_internal.h"
#include "language/statement.h"
#include "space/space.h"

struct outline; /* space/language/outline.h */

enum { SPACE_VERSION = 2, SPACE_REQUIRES_MAX = 1024, SPACE_STATEMENTS_EACH_MAX = 64, SPACE_LETS_MAX = 256 };
_Static_assert((int)SPACE_STATEMENTS_EACH_MAX == (int)SPACE_PROBLEMS_MAX, "the most problem sizes");

enum { ERRORS_READ_MAX = 100 }; /* number of errors that ends reading */

struct parser {
    struct space *space;
    struct error *error; /* error of the statement being read */
    struct outline *outline;
    struct error_list found;           /* errors of earlier statements */
    struct lexer lexer;                /* at the current token */
    const struct statement *statement; /* being read */
    struct token keyword;
};

/* Reads one statement; the lexer is at its keyword. */
int run_statement(struct parser *parser, const struct statement *statement, const struct lexer *lexer);

/* Moves an error to `found`, so that reading can continue behind it. Drops an error caused by an earlier one. `from` is
 * an earlier position in the same statement; NULL: the error belongs to no single statement. Returns 0, or `code` if
 * reading ends. */
int parser_keep_error(struct parser *parser, const struct lexer *from, int code);
/* Marks the names that a faulty statement should have declared, so that their uses are not further errors. An unknown
 * statement may be a misspelt declaration. The lexer is at the keyword. */
void parser_mark_declared(struct parser *parser, const struct lexer *statement);

/* The place of the current token. */
static inline struct space_place parser_place(const struct parser *parser)
{
    return (struct space_place){parser->lexer.source, parser->lexer.token.line, parser->lexer.token.column};
}

/* Records an error at a token; NULL: the current one. Returns `code`. */
int parser_error(struct parser *parser, const struct token *token, enum error_code code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* True in front of `command "COMMAND"` at the end of the statement or before `args`. A kernel of that name would have
 * other clauses behind the string. */
bool parser_at_command(const struct parser *parser);
/* Skips a required sign; `what` as in "expected WHAT". */
int parser_expect(struct parser *parser, int sign, const char *what);
/* Reads a required string, not empty unless `may_be_empty`. */
int parser_string(struct parser *parser, const char *what, bool may_be_empty, const char **text);
/* Adds the list of element types to an error that has no hint yet. */
void parser_hint_types(struct parser *parser);
/* Reads NAME = EXPRESSION. Declares the name after its value, which cannot use it. */
int parser_named_expression(struct parser *parser, const struct expr_rules *rules, enum name_kind kind, size_t index,
                            const char **text, const struct expr **expr);
/* Reads and declares a required name. */
int parser_declare(struct parser *parser, enum name_kind kind, size_t index, const char **text);
/* Reads a number with an optional sign, or a word. */
int parser_value(struct parser *parser, struct value *value);
/* Reads the name of a declared parameter. */
int parser_parameter(struct parser *parser, uint32_t *index);
int parser_expression(struct parser *parser, const struct expr_rules *rules, const struct expr **expr);
/* Adds "did you mean" if a name of these kinds is similar to the token. */
void parser_suggest(struct parser *parser, const struct token *token, unsigned kinds);
/* Formats "line 7" or, for a file other than the current token's, "line 7 of FILE". Returns `buffer`. */
enum { PARSER_LINE_BYTES = 300 };
const char *parser_line(const struct parser *parser, const struct source_text *source, int line,
                        char buffer[PARSER_LINE_BYTES]);
/* Resolves a path relative to the folder of the current token's file. NULL when out of memory. */
const char *parser_path(struct parser *parser, const char *path);

/* Offset of the first statement in a file's text. */
size_t parser_text_start(const char *text, size_t length);

/* For expressions about a configuration: all names are allowed. */
extern const struct expr_rules parser_rules;
/* Reads one to three expressions separated by commas. */
int parse_dimensions(struct parser *parser, const struct expr_rules *rules, const struct expr *exprs[3]);

/* buffer.c */
int parse_buffer(struct parser *parser);

/* param.c */
int parse_param(struct parser *parser);
int parse_default(struct parser *parser);
/* Compiles the `when` condition of a parameter that has one. */
int parse_when(struct parser *parser, size_t parameter);

#endif
