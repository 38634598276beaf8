#include "language/clauses.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "language/parser.h"

/* ---- Values of clauses ---- */

/* Formats "depth or breadth"; "a, b or c". */
static const char *list_words(const struct word_list *words, char *buffer, size_t room)
{
    size_t at = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < words->count && at < room; i++)
        at += (size_t)snprintf(buffer + at, room - at, "%s%s",
                               i == 0                 ? ""
                               : i + 1 < words->count ? ", "
                                                      : " or ",
                               words->words[i]);
    return buffer;
}

static int find_word(const struct word_list *words, const char *word)
{
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->words[i], word) == 0)
            return (int)i;
    return -1;
}

static void hint_word(const struct word_list *words, const char *word, struct error *error)
{
    char list[256];
    const char *near = text_nearest(word, words->words, words->count);
    if (near)
        error_hint(error, "did you mean '%s'?", near);
    else
        error_hint(error, "%s is %s", words->what, list_words(words, list, sizeof list));
}

/* Checks all values of an expression that is just a parameter. */
static int check_values(struct parser *parser, const struct token *token, const struct word_list *words,
                        const struct expr *expr)
{
    const struct expression_node *root = expr_root(expr);
    if (root->operation != OP_NAME || expr_name_kind(root->operands[0]) != EXPR_PARAMETER)
        return 0;
    const struct parameter *parameter = &parser->space->parameters[expr_name_index(root->operands[0])];
    for (size_t i = 0; i < parameter->value_count; i++) {
        char text[VALUE_TEXT_BYTES];
        const struct value *value = &parameter->values[i];
        value_text(value, text, sizeof text);
        if (value->kind == VALUE_WORD && find_word(words, text) >= 0)
            continue;
        int code = parser_error(parser, token, ERROR_SYNTAX, "%s can be %s, which is not %s", parameter->name, text,
                                words->what);
        hint_word(words, text, parser->error);
        return code;
    }
    return 0;
}

int setting_parse_word(struct parser *parser, const struct word_list *words, struct setting *setting)
{
    const struct token token = parser->lexer.token;
    const struct name *name = NULL;
    if (token.kind == TOKEN_NAME && token.length <= SPACE_WORD_MAX) {
        char word[SPACE_WORD_MAX + 1];
        snprintf(word, sizeof word, "%.*s", (int)token.length, token.start);
        name = names_find(&parser->space->private->names, token.start, token.length);
        bool stands_for = name && (name->kind == NAME_PARAMETER || name->kind == NAME_LET);
        int found = stands_for ? -1 : find_word(words, word);
        if (found >= 0) {
            setting->word = found;
            return lexer_next(&parser->lexer);
        }
        if (!name || name->kind == NAME_FREE) {
            int code =
                parser_error(parser, &token, ERROR_SYNTAX, "'%s' is neither %s nor a parameter", word, words->what);
            hint_word(words, word, parser->error);
            return code;
        }
    }
    TRY(parser_expression(parser, &parser_rules, &setting->value));
    return check_values(parser, &token, words, setting->value);
}

static int parse_clause(struct parser *parser, const struct clause *clause, void *statement)
{
    if (clause->parse)
        return clause->parse(parser, statement);
    struct setting *setting = (struct setting *)((char *)statement + clause->offset);
    return clause->words ? setting_parse_word(parser, clause->words, setting)
                         : parser_expression(parser, &parser_rules, &setting->value);
}

/* ---- Parsing clauses ---- */

static int unknown_clause(struct parser *parser, const struct clause *clauses, size_t count)
{
    char list[512], word[SPACE_WORD_MAX + 1];
    const char *candidates[CLAUSES_MAX];
    const struct token token = parser->lexer.token;
    size_t at = 0;
    list[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        candidates[i] = clauses[i].keyword;
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%s", i ? ", " : "", clauses[i].keyword);
    }
    int code = lexer_expected(&parser->lexer, "an operator or a clause");
    snprintf(word, sizeof word, "%.*s", (int)(token.length < sizeof word ? token.length : SPACE_WORD_MAX), token.start);
    const char *near = token.kind == TOKEN_NAME ? text_nearest(word, candidates, count) : NULL;
    if (near)
        error_hint(parser->error, "did you mean '%s'?", near);
    else
        error_hint(parser->error, "the clauses are %s", list);
    return code;
}

int clauses_parse(struct parser *parser, const struct clause *clauses, size_t count, void *statement)
{
    bool seen[CLAUSES_MAX] = {false};
    while (parser->lexer.token.kind != TOKEN_END) {
        size_t row = 0;
        while (row < count && !lexer_at_word(&parser->lexer, clauses[row].keyword))
            row++;
        if (row == count)
            return unknown_clause(parser, clauses, count);
        if (seen[row])
            return parser_error(parser, NULL, ERROR_SYNTAX, "'%s' is given twice", clauses[row].keyword);
        seen[row] = true;
        TRY(lexer_next(&parser->lexer));
        TRY(parse_clause(parser, &clauses[row], statement));
    }
    for (size_t i = 0; i < count; i++)
        if (clauses[i].required && !seen[i])
            return parser_error(parser, &parser->keyword, ERROR_SYNTAX, "there is no '%s'", clauses[i].keyword);
    return 0;
}

/* ---- Evaluating settings for a configuration ---- */

int setting_number(const struct setting *setting, const struct expr_inputs *inputs, const char *thing, int64_t least,
                   int64_t most, uint64_t *result, struct error *error)
{
    int64_t value = setting->word;
    if (setting->value)
        TRY(expr_integer(setting->value, inputs, thing, least, most, &value, error));
    *result = (uint64_t)value;
    return 0;
}

int setting_word(const struct setting *setting, const struct expr_inputs *inputs, const struct word_list *words,
                 uint16_t *result, struct error *error)
{
    struct value value;
    char text[VALUE_TEXT_BYTES];
    *result = (uint16_t)setting->word;
    if (!setting->value)
        return 0;
    TRY(expr_eval(setting->value, inputs, &value, error));
    value_text(&value, text, sizeof text);
    int found = value.kind == VALUE_WORD ? find_word(words, text) : -1;
    if (found < 0) {
        int code = expr_error(setting->value, inputs, error, "%s is not %s", text, words->what);
        hint_word(words, text, error);
        return code;
    }
    *result = (uint16_t)found;
    return 0;
}
