/* Tokens of the space language, and errors that point into its text. A statement is one line; a backslash as the last
 * character of a line (not in a comment) continues it on the next. */
#ifndef CUTUNE_SPACE_LEXER_H
#define CUTUNE_SPACE_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Passes an error on to the caller. */
#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        int try_code = (call);                                                                                         \
        if (try_code)                                                                                                  \
            return try_code;                                                                                           \
    } while (0)

/* A text and where its errors are shown. A text that cutune made itself has an `origin`: all its errors are shown
 * there. */
struct source_text {
    const char *path;
    const char *text; /* NUL-terminated */
    size_t length;
    const struct source_text *origin; /* NULL: this text itself */
    int origin_line, origin_column;
};

enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_INT, TOKEN_FLOAT, TOKEN_STRING, TOKEN_SIGN };

/* A sign of one or two characters as a number: PUNCT('<', '<') is "<<", '<' is "<". */
#define PUNCT(first, second) ((first) << 8 | (second))

struct token {
    enum token_kind kind;
    int sign;          /* TOKEN_SIGN */
    const char *start; /* in the text; a string's with its quotes */
    size_t length;
    int line, column; /* from 1, in bytes */
    uint64_t integer; /* TOKEN_INT; may be larger than INT64_MAX */
    double real;      /* TOKEN_FLOAT */
};

struct lexer {
    const struct source_text *source;
    struct error *error;
    const char *at;       /* behind `token` */
    const char *consumed; /* behind the token before it */
    int line;
    const char *line_start;
    struct token token; /* the current one */
};

/* At the start of a text, without a current token. */
void lexer_start(struct lexer *lexer, const struct source_text *source, struct error *error);

/* Makes the next token of the statement the current one; TOKEN_END again and again at its end. */
int lexer_next(struct lexer *lexer);

/* From a statement's TOKEN_END to the next line's first token, over lines without any. TOKEN_END: the text is over. */
int lexer_next_statement(struct lexer *lexer);

/* From anywhere in a statement to its end, over what may be no token at all. */
void lexer_skip_statement(struct lexer *lexer);

/* With a name as the current token: extends it over "::name" and a template argument list that follow at once, through
 * the matching '>' on the same line. */
int lexer_extend_name(struct lexer *lexer);

bool lexer_at_sign(const struct lexer *lexer, int sign);
/* The current token is the name `word`. */
bool lexer_at_word(const struct lexer *lexer, const char *word);

/* Records an error at a place of the text, with the line as its excerpt. Returns `code`. */
int source_error(const struct source_text *source, int line, int column, struct error *error, enum error_code code,
                 const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Adds the place and the line to an error that was just set without one. */
void source_place(const struct source_text *source, int line, int column, struct error *error);

/* Records "expected WHAT, not TOKEN" at the current token. Returns ERROR_SYNTAX. */
int lexer_expected(struct lexer *lexer, const char *what);

#endif
