/* Untrusted spaces (--untrusted): refuses every statement that does more than compile the space's kernels by NVRTC and
 * run them in the device process. All functions here return 0 for a trusted space. */
#ifndef CUTUNE_LANGUAGE_UNTRUSTED_H
#define CUTUNE_LANGUAGE_UNTRUSTED_H

#include <stdbool.h>

#include "language/parser.h"

/* Refuses the statement at the token: `what` ("a reference command") because of `cause` ("runs a shell"). */
int untrusted_refuse(struct parser *parser, const struct token *token, const char *what, const char *cause);

/* Allows the options of NVRTC and ptxas that neither read nor write files, and include folders, whose files
 * untrusted_included checks. `valued`: an expression's value follows the text. */
int untrusted_option(struct parser *parser, const struct token *token, const char *text, bool valued);

/* Allows files within the folder of the space file, symbolic links resolved. */
int untrusted_path(struct parser *parser, const struct token *token, const char *path);

/* The same for a file that the source includes; the error has no place yet. */
int untrusted_included(const struct space *space, const char *path, struct error *error);
/* Refuses a source whose files cannot be determined, because of `why`; the error has no place yet. */
int untrusted_unknown(const struct space *space, const char *why, struct error *error);

#endif
