/* Reading statements: what the rows of statements.c share. */
#ifndef CUTUNE_SPACE_PARSE_H
#define CUTUNE_SPACE_PARSE_H

#include "space/expr.h"
#include "space/lexer.h"
#include "space/names.h"
#include "space/private.h"
#include "space/space.h"

struct outline; /* space/outline.h */

enum { ERRORS_READ_MAX = 100 }; /* errors after which reading ends */

struct parser {
    struct space *space;
    struct error *error; /* of the statement that is being read */
    struct outline *outline;
    struct error_list found;           /* errors of the statements before */
    struct lexer lexer;                /* its token is the current one */
    const struct statement *statement; /* that is being read */
    struct token keyword;
};

/* Statements may come in any order. Those of an earlier phase are read first, because later ones use their names. */
enum phase { PHASE_NAMES, PHASE_BUFFERS, PHASE_VIEWS, PHASE_USES, PHASE_COUNT };

enum { SPACE_VERSION = 1, SPACE_REQUIRES_MAX = 1024, SPACE_STATEMENTS_EACH_MAX = 64, SPACE_LETS_MAX = 256 };

enum {
    STATEMENT_ALONE = 1,   /* allowed without a kernel: not about compiling or launching */
    STATEMENT_BUFFERS = 2, /* declares or uses buffers */
    STATEMENT_DECLARES = 4 /* declares the name behind the keyword */
};

/* A name of the language that exists only in spaces with such a statement. */
struct language_name {
    const char *text; /* NULL: the end of the list */
    enum name_kind kind;
    uint32_t index;
};

struct statement {
    const char *keyword;
    size_t least, most; /* how many times it occurs */
    enum phase phase;
    unsigned flags;
    /* Reads what stands behind the keyword. The space's arrays have room for what the file holds. */
    int (*parse)(struct parser *parser); /* NULL: `include`, which the outline reads */
    const char *usage;
    const struct language_name *names; /* NULL: none */
};
enum { STATEMENTS_MAX = 32 };
extern const struct statement *const statements[];
extern const size_t statement_count;
/* Index of its row in the table. */
size_t statement_row(const struct statement *statement);

/* The row of the keyword that is the current token, or NULL. */
const struct statement *statement_find(const struct lexer *lexer);

/* Reads one statement; the lexer is at its keyword. */
int run_statement(struct parser *parser, const struct statement *statement, const struct lexer *lexer);

/* Takes an error out of the way, so that reading goes on behind it: keeps it in `found`, unless it follows from an
 * error that was found before. `from` is in front of its place, in the same statement; NULL: it is of no one statement.
 * Returns 0, or `code` when nothing more is to be read. */
int parser_keep_error(struct parser *parser, const struct lexer *from, int code);
/* Marks the names that a statement with an error was to declare: what uses them later is no mistake of its own. An
 * unknown statement may be a misspelt one that declares. The lexer is at the keyword. */
void parser_mark_declared(struct parser *parser, const struct lexer *statement);

/* An error at a token; the current one for `token` NULL. Returns `code`. */
int parser_error(struct parser *parser, const struct token *token, enum error_code code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Passes over a sign that must be there; `what` as in "expected WHAT". */
int parser_expect(struct parser *parser, int sign, const char *what);
/* The text of a string that must be there and not be empty unless `may_be_empty`. */
int parser_string(struct parser *parser, const char *what, bool may_be_empty, const char **text);
/* Declares the name that must be there. */
int parser_declare(struct parser *parser, enum name_kind kind, size_t index, const char **text);
/* A number with an optional sign, or a word. */
int parser_value(struct parser *parser, struct value *value);
int parser_expression(struct parser *parser, const struct expr_rules *rules, const struct expr **expr);
/* Adds "did you mean" when a name of these kinds is near to the token. */
void parser_suggest(struct parser *parser, const struct token *token, unsigned kinds);
/* "line 7" or, when it is in another file than the current token, "line 7 of FILE". Returns `buffer`. */
enum { PARSER_LINE_BYTES = 300 };
const char *parser_line(const struct parser *parser, const struct source_text *source, int line,
                        char buffer[PARSER_LINE_BYTES]);
/* A path, resolved against the folder of the file that holds the current token. NULL: out of memory. */
const char *parser_path(struct parser *parser, const char *path);

/* Where the statements of a file's text begin. */
size_t parser_text_start(const char *text, size_t length);

/* What an expression about a configuration may name: everything. */
extern const struct expr_rules parser_rules;
/* One to three expressions with commas between. */
int parse_dimensions(struct parser *parser, const struct expr_rules *rules, const struct expr *exprs[3]);

/* param.c */
int parse_param(struct parser *parser);
int parse_default(struct parser *parser);
/* Reads what stands behind `when` in the parameters that were read. */
int parse_whens(struct parser *parser);

#endif
