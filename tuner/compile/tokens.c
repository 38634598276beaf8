#include "compile/tokens.h"

#include <string.h>

#include "base/text.h"

bool token_has(char c)
{
    return text_is_letter(c) || text_is_digit(c) || c == '_';
}

/* Ends with its line at the latest: the rest is read as another token. */
static const char *literal_end(const char *at)
{
    for (char quote = *at++; *at && *at != '\n'; at++) {
        if (*at == quote)
            return at + 1;
        at += *at == '\\' && at[1] && at[1] != '\n';
    }
    return at;
}

/* An apostrophe may separate digits. */
static const char *word_end(const char *at)
{
    bool number = text_is_digit(*at);
    while (token_has(*at) || (number && *at == '\'' && token_has(at[1])))
        at++;
    return at;
}

/* A backslash continues a directive on the next line. */
static const char *line_end(const char *at)
{
    for (; *at && *at != '\n'; at++)
        at += *at == '\\' && at[1];
    return at;
}

static const char *comment_end(const char *at)
{
    const char *end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
}

/* Skips blanks and comments. */
static const char *skip(const char *at)
{
    for (;;)
        if (*at == ' ' || (*at >= '\t' && *at <= '\r'))
            at++;
        else if (at[0] == '/' && at[1] == '/')
            at = line_end(at);
        else if (at[0] == '/' && at[1] == '*')
            at = comment_end(at);
        else
            return at;
}

struct token token_next(const char **source)
{
    const char *begin = skip(*source), *end = begin + (*begin != '\0');
    enum token_kind kind = *begin ? TOKEN_SIGN : TOKEN_END;
    if (*begin == '#') {
        kind = TOKEN_DIRECTIVE;
        end = line_end(begin);
    } else if (*begin == '"' || *begin == '\'') {
        kind = TOKEN_LITERAL;
        end = literal_end(begin);
    } else if (token_has(*begin)) {
        kind = TOKEN_WORD;
        end = word_end(begin);
    }
    *source = end;
    return (struct token){kind, begin, (size_t)(end - begin)};
}

bool token_is(const struct token *token, const char *text)
{
    return strlen(text) == token->length && memcmp(token->at, text, token->length) == 0;
}

bool token_is_sign(const struct token *token, char sign)
{
    return token->kind == TOKEN_SIGN && *token->at == sign;
}

bool token_close(const char **at, char open, char close)
{
    size_t depth = 1;
    while (depth) {
        const struct token token = token_next(at);
        if (token.kind == TOKEN_END)
            return false;
        depth += token_is_sign(&token, open);
        depth -= token_is_sign(&token, close);
    }
    return true;
}
