/* The statements about the compiler: `compiler` and `option`. */
#ifndef CUTUNE_SPACE_OPTION_H
#define CUTUNE_SPACE_OPTION_H

#include "space/parser.h"

int parse_compiler(struct parser *parser);
int parse_option(struct parser *parser);

#endif
