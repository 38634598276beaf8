/* Effective parameters: those in the code of a source, or in an expression about launches. */
#ifndef CUTUNE_LANGUAGE_EFFECTS_H
#define CUTUNE_LANGUAGE_EFFECTS_H

#include "language/parser.h"

/* `host NAME, NAME`: parameters of code outside cutune's view. */
int parse_host(struct parser *parser);

/* Notes the macros of the space in the code of a source, including the reference's own file. Ignores comments, strings,
 * tests and definitions (#ifdef, #define), and code that is never compiled. */
void effects_of_source(struct space *space, const struct source_text *source);
/* Returns the word of the kernel's source that resembles the wanted name and is not a name of the space; NULL: none.
 * The arena owns the text. */
const char *effects_nearest_word(const struct space *space, const char *wanted, struct arena *arena);

#endif
