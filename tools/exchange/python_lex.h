/* Tokens of Python's expressions. */
#ifndef CUTUNE_EXCHANGE_PYTHON_LEX_H
#define CUTUNE_EXCHANGE_PYTHON_LEX_H

#include "exchange/python.h"

enum token_kind { TOKEN_END, TOKEN_NUMBER, TOKEN_STRING, TOKEN_NAME, TOKEN_SIGN };

struct parser {
    struct python *python;
    const char *text;
    size_t length, at; /* `at` is behind the current token */
    enum token_kind kind;
    size_t start, size; /* of the current token */
    struct python_value value;
    int depth;
};

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        int try_code = (call);                                                                                         \
        if (try_code)                                                                                                  \
            return try_code;                                                                                           \
    } while (0)

/* Makes the next token the current one; TOKEN_END again and again at the end. */
int python_next(struct parser *parser);

#endif
