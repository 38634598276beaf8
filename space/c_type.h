/* Types as C writes them, `unsigned long long` and `const int`, which the language calls by one name. */
#ifndef CUTUNE_SPACE_C_TYPE_H
#define CUTUNE_SPACE_C_TYPE_H

#include "space/lexer.h"
#include "space/space.h"

/* ERROR_SYNTAX, with the language's name for the type, if such a type begins at the lexer's token; 0: none does. */
int c_type_refuse(const struct space *space, const struct lexer *lexer);

#endif
