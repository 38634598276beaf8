/* Statements about the compiler: `compiler` and `option`. */
#ifndef CUTUNE_LANGUAGE_OPTION_H
#define CUTUNE_LANGUAGE_OPTION_H

#include "language/parser.h"

int parse_compiler(struct parser *parser);
/* True if the space has `compiler command`, wherever. */
bool compiler_is_command(const struct parser *parser);
int parse_option(struct parser *parser);
/* Appends the words of a string of nvcc options to `options`, as consecutive NUL-terminated strings, and adds their
 * number to *count. Errors, at the token, name an option that a space may not use. */
int option_words(struct parser *parser, const struct token *token, const char *words, struct text *options,
                 size_t *count);

#endif
