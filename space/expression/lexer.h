/* Lexer of the space language, and errors with a position in its text. A statement is one line; a backslash at its end
 * (outside a comment) continues it on the next line. */
#ifndef CUTUNE_EXPRESSION_LEXER_H
#define CUTUNE_EXPRESSION_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* Returns an error to the caller. */
#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        int try_code = (call);                                                                                         \
        if (try_code)                                                                                                  \
            return try_code;                                                                                           \
    } while (0)

/* Character classes of names in the language and in CUDA C++. Unlike <ctype.h>, they do not depend on the locale. */
static inline bool lexer_is_digit(char c)
{
    return c >= '0' && c <= '9';
}
static inline bool lexer_is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static inline bool lexer_is_name_part(char c)
{
    return lexer_is_name_start(c) || lexer_is_digit(c);
}

/* A text and the place where its errors are shown: errors in a generated text are shown at its `origin`. */
struct source_text {
    const char *path;
    const char *text; /* NUL-terminated */
    size_t length;
    const struct source_text *origin; /* NULL: this text itself */
    int origin_line, origin_column;
};

enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_INT, TOKEN_FLOAT, TOKEN_STRING, TOKEN_SIGN };

/* Encodes a sign of one or two characters as a number: PUNCT('<', '<') is "<<", '<' is "<". */
#define PUNCT(first, second) ((first) << 8 | (second))

/* The sign `???` in place of a part that a person has yet to write. */
enum { SIGN_FILL_IN = 1 };

struct token {
    enum token_kind kind;
    int sign;          /* TOKEN_SIGN */
    const char *start; /* points into the text; of a string, including quotes */
    size_t length;
    int line, column; /* from 1, in bytes */
    uint64_t integer; /* TOKEN_INT; may exceed INT64_MAX */
    double real;      /* TOKEN_FLOAT */
};

struct lexer {
    const struct source_text *source;
    struct error *error;
    const char *at;       /* position behind `token` */
    const char *consumed; /* end of the previous token */
    int line;
    const char *line_start;
    struct token token; /* the current token */
};

/* Starts at the beginning of a text, without a current token. */
void lexer_start(struct lexer *lexer, const struct source_text *source, struct error *error);

/* Advances to the next token of the statement; at its end, returns TOKEN_END on every call. */
int lexer_next(struct lexer *lexer);

/* Advances from a statement's TOKEN_END to the first token of the next non-empty line. TOKEN_END: end of the text. */
int lexer_next_statement(struct lexer *lexer);

/* Skips to the end of the statement, even over characters that are not tokens. */
void lexer_skip_statement(struct lexer *lexer);

/* Extends the current name over directly following "::name" parts and a template argument list, up to the matching '>'
 * on the same line. */
int lexer_extend_name(struct lexer *lexer);

bool lexer_at_sign(const struct lexer *lexer, int sign);
/* True if the current token is the name `word`. */
bool lexer_at_word(const struct lexer *lexer, const char *word);

/* Records an error at a position of the text, with its line as the excerpt. Returns `code`. */
int source_error(const struct source_text *source, int line, int column, struct error *error, enum error_code code,
                 const char *format, ...) __attribute__((format(printf, 6, 7)));
/* Adds position and line to a new error that lacks them. */
void source_place(const struct source_text *source, int line, int column, struct error *error);

/* Copies a part of a text with each run of white space and continuations as one space. NULL when out of memory. */
const char *source_one_line(struct arena *arena, const char *start, const char *end);

/* Records "expected WHAT, not TOKEN" at the current token. Returns ERROR_SYNTAX. */
int lexer_expected(struct lexer *lexer, const char *what);

#endif
