#include "language/file_name.h"

#include "language/untrusted.h"

int parse_file_name(struct parser *parser, const char *what, const char **path)
{
    const struct token token = parser->lexer.token;
    const char *name = NULL;
    TRY(parser_string(parser, what, false, &name));
    const char *resolved = parser_path(parser, name);
    if (!resolved)
        return error_memory(parser->error);
    TRY(untrusted_path(parser, &token, resolved));
    *path = resolved; /* keeps a refused file unopened */
    return 0;
}

int parse_file(struct parser *parser, const char **path)
{
    TRY(parser_expect(parser, '(', "'('"));
    TRY(parse_file_name(parser, "a file's name in quotes", path));
    return parser_expect(parser, ')', "')'");
}
