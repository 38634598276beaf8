/* Names of files in statements. */
#ifndef CUTUNE_LANGUAGE_FILE_NAME_H
#define CUTUNE_LANGUAGE_FILE_NAME_H

#include "language/parser.h"

/* Reads a file's name in quotes, resolved by parser_path; refuses one that an untrusted space may not have. `what` in
 * errors: "a file's name in quotes". */
int parse_file_name(struct parser *parser, const char *what, const char **path);
/* Reads ("FILE") likewise. */
int parse_file(struct parser *parser, const char **path);

#endif
