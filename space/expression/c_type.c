#include "expression/c_type.h"

#include <stdio.h>
#include <string.h>

#include "expression/space_internal.h"

enum word { UNSIGNED, SIGNED, LONG, SHORT, INT, CHAR, DOUBLE, FLOAT, QUALIFIERS, CONST = QUALIFIERS, VOLATILE, WORDS };
static const char *const words[WORDS] = {
    [UNSIGNED] = "unsigned", [SIGNED] = "signed", [LONG] = "long",   [SHORT] = "short", [INT] = "int",
    [CHAR] = "char",         [DOUBLE] = "double", [FLOAT] = "float", [CONST] = "const", [VOLATILE] = "volatile"};

static enum word word_at(const struct lexer *lexer)
{
    int word = 0;
    while (word < WORDS && !lexer_at_word(lexer, words[word]))
        word++;
    return (enum word)word;
}

/* Finds the language's name, such as "ulong" for `unsigned long long`; false: the language has no such type. */
static bool name_of(const int counts[WORDS + 1], char *name, size_t room)
{
    bool real = counts[DOUBLE] || counts[FLOAT];
    const char *base = counts[DOUBLE]  ? "double"
                       : counts[FLOAT] ? "float"
                       : counts[CHAR]  ? "char"
                       : counts[SHORT] ? "short"
                       : counts[LONG]  ? "long"
                                       : "int";
    snprintf(name, room, "%s%s", counts[UNSIGNED] ? "u" : "", base);
    return !real || counts[DOUBLE] + counts[FLOAT] + counts[CONST] + counts[VOLATILE] == counts[WORDS];
}

/* True if the space declares the word as a name. */
static bool is_declared(const struct space *space, const struct lexer *lexer)
{
    const struct token *token = &lexer->token;
    const struct name *name = names_find(&space->private->names, token->start, token->length);
    return name && name->kind != NAME_FREE && name->kind != NAME_FAULTY && name->kind != NAME_TYPE;
}

int c_type_refuse(const struct space *space, const struct lexer *lexer)
{
    struct lexer at = *lexer;
    struct error ignored = {0};
    const struct token first = lexer->token;
    int counts[WORDS + 1] = {0}; /* counts[WORDS]: all words */
    char type[24] = "";
    size_t end = 0;
    at.error = &ignored;
    for (enum word word; !is_declared(space, &at) && (word = word_at(&at)) < WORDS; counts[WORDS]++) {
        counts[word]++;
        end = (size_t)(at.token.start + at.token.length - first.start);
        if (lexer_next(&at))
            break;
    }
    int qualifiers = counts[CONST] + counts[VOLATILE];
    if (counts[WORDS] < 2 && !counts[UNSIGNED] && !counts[SIGNED] && !qualifiers)
        return 0;
    bool known = name_of(counts, type, sizeof type);
    if (counts[WORDS] == qualifiers) { /* `const half` */
        const struct name *name =
            at.token.kind == TOKEN_NAME ? names_find(&space->private->names, at.token.start, at.token.length) : NULL;
        known = name && name->kind == NAME_TYPE;
        snprintf(type, sizeof type, "%.*s", (int)at.token.length, at.token.start);
    }
    source_error(lexer->source, first.line, first.column, lexer->error, ERROR_SYNTAX,
                 "'%.*s' is no type of the language", (int)end, first.start);
    if (known)
        error_hint(lexer->error, "write %s%s", type,
                   strstr(type, "long") ? ", which has 64 bits, as `long long` in the kernel" : "");
    return ERROR_SYNTAX;
}
