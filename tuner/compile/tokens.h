/* The tokens of a CUDA C++ source. There is no preprocessor: comments are skipped, conditions and macros are not
 * followed. */
#ifndef CUTUNE_COMPILE_TOKENS_H
#define CUTUNE_COMPILE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

enum token_kind {
    TOKEN_END,
    TOKEN_WORD,      /* names, keywords and numbers */
    TOKEN_LITERAL,   /* ends with its line at the latest; raw strings are not recognised */
    TOKEN_DIRECTIVE, /* from # to the end of its last line; reading from behind the # returns its tokens */
    TOKEN_SIGN       /* one character */
};

struct token {
    enum token_kind kind;
    const char *at; /* in the source */
    size_t length;
};

/* Reads the next token at `*at`, a NUL-terminated text, and moves behind it. */
struct token token_next(const char **at);

bool token_is(const struct token *token, const char *text);
bool token_is_sign(const struct token *token, char sign);
/* True if the character may be part of a word. */
bool token_has(char c);

/* Moves behind the sign that closes an `open` before `*at`. False if none closes it. */
bool token_close(const char **at, char open, char close);

#endif
