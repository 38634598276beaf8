/* C spellings of types, such as `unsigned long long` and `const int`. The language has a single name for each type. */
#ifndef CUTUNE_EXPRESSION_C_TYPE_H
#define CUTUNE_EXPRESSION_C_TYPE_H

#include "expression/lexer.h"
#include "space/space.h"

/* Returns ERROR_SYNTAX, with the language's name of the type, if a C spelling begins at the lexer's token; else 0. */
int c_type_refuse(const struct space *space, const struct lexer *lexer);

#endif
