/* The parameters that change something: those that occur in the code of a source, or in an expression about launches.
 */
#ifndef CUTUNE_SPACE_EFFECTS_H
#define CUTUNE_SPACE_EFFECTS_H

#include "space/parser.h"

/* `host NAME, NAME`: parameters for code that cutune does not see. */
int parse_host(struct parser *parser);

/* Notes the parameters of an expression of the space's text, unless its statement only says which configurations are
 * valid or how results are shown. */
void effects_of_expression(struct space *space, const struct expr *expr);
/* Notes the macros of the space that occur in the code of a source, the reference's own file among them: not in
 * comments, in strings, where they are only asked for (#ifdef, #define), or in what is never compiled. */
void effects_of_source(struct space *space, const struct source_text *source);
/* The word of the kernel's source that resembles the wanted name, and is no name of the space; NULL: none. Lives in the
 * arena. */
const char *effects_nearest_word(const struct space *space, const char *wanted, struct arena *arena);

#endif
