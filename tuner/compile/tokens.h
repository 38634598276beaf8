/* The tokens of a CUDA C++ source, without the preprocessor: comments are skipped, conditions and macros are not
 * followed.
 */
#ifndef CUTUNE_COMPILE_TOKENS_H
#define CUTUNE_COMPILE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

enum token_kind {
    TOKEN_END,
    TOKEN_WORD,      /* names, keywords and numbers */
    TOKEN_LITERAL,   /* ends with its line at the latest; a raw string is not recognized */
    TOKEN_DIRECTIVE, /* from # to the end of its last line; reading from behind the # gives its tokens */
    TOKEN_SIGN       /* one character */
};

struct token {
    enum token_kind kind;
    const char *at; /* in the source */
    size_t length;
};

/* The next token at `*at`, a NUL-terminated text, and moves behind it. */
struct token token_next(const char **at);

bool token_is(const struct token *token, const char *text);
bool token_is_sign(const struct token *token, char sign);
/* May the character be part of a word? */
bool token_has(char c);

/* Moves behind the sign that closes what `open` has opened before `*at`. False: nothing closes it. */
bool token_close(const char **at, char open, char close);

#endif
