#include "language/statement.h"

#include <string.h>

size_t statement_row(const struct statement *statement)
{
    size_t row = 0;
    while (statements[row] != statement)
        row++;
    return row;
}

size_t statement_row_of(const char *keyword)
{
    size_t row = 0;
    while (strcmp(statements[row]->keyword, keyword) != 0)
        row++;
    return row;
}

const struct statement *statement_find(const struct lexer *lexer)
{
    for (size_t i = 0; i < statement_count; i++)
        if (lexer_at_word(lexer, statements[i]->keyword))
            return statements[i];
    return NULL;
}
