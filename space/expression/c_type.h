/* C spellings of types, such as `unsigned long long` and `const int`, for which the language has one name. */
#ifndef CUTUNE_EXPRESSION_C_TYPE_H
#define CUTUNE_EXPRESSION_C_TYPE_H

#include "expression/lexer.h"
#include "space/space.h"

/* ERROR_SYNTAX, with the language's name of the type, if a C spelling begins at the lexer's token; else 0. */
int c_type_refuse(const struct space *space, const struct lexer *lexer);

#endif
