/* The statement `override`: a macro of the space replaces its #defines in the kernel's source and the files that it
 * includes. The compiler gets the source without these lines. It reads included files itself, so that the source
 * contains the text of an include with such a line, in place of the directive. */
#ifndef CUTUNE_LANGUAGE_OVERRIDE_H
#define CUTUNE_LANGUAGE_OVERRIDE_H

#include "base/includes.h"
#include "language/code.h"
#include "language/parser.h"

/* Reads `override NAME, NAME, ...`. */
int parse_override(struct parser *parser);

/* True if the space overrides the macro with that number (code_macro). */
bool override_has(const struct space *space, size_t number);

/* Takes a file of the kernel's source, in the order of the scan, and a directive that finds a file. They have no effect
 * in a space without the statement. */
int override_file(struct space *space, const struct included *file, struct error *error);
int override_link(struct space *space, const struct included_link *link, struct error *error);
/* Replaces the text for the compiler. ERROR_DATA, at the name in the statement, for a macro without a #define, or with
 * one in a file that an option includes. */
int override_apply(struct space *space, struct error *error);
/* True if the text has the files that `launch` statements name, so that they need no #include. */
bool override_joined(const struct space *space, const char *path);

#endif
