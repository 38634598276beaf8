/* Statements about parameter values: `param` and `default`. */
#include <stdlib.h>
#include <string.h>

#include "expression/list.h"
#include "language/macro.h"
#include "language/parser.h"
#include "space/config.h"

struct value_list {
    struct value *values;
    size_t count, capacity;
};

static int add_value(struct parser *parser, struct value_list *list, struct value value)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 16;
        struct value *values = realloc(list->values, capacity * sizeof *values);
        if (!values)
            return error_memory(parser->error);
        list->values = values;
        list->capacity = capacity;
    }
    list->values[list->count++] = value;
    return 0;
}

static int too_many(struct parser *parser, const struct token *token)
{
    int code = parser_error(parser, token, ERROR_SYNTAX, "the parameter has more than %d values", SPACE_VALUES_MAX);
    error_hint(parser->error, "give the range a step (`1..1024 step 32`) or a factor (`1..1024 times 2`)");
    return code;
}

/* Adds the values of a range whose start is `start`. */
static int add_range(struct parser *parser, const struct token *start, const struct value_range *range,
                     struct value_list *list)
{
    int64_t value = range->first;
    do {
        if (list->count == SPACE_VALUES_MAX)
            return too_many(parser, start);
        TRY(add_value(parser, list, (struct value){.kind = VALUE_INT, .integer = value}));
    } while (list_range_next(range, &value));
    return 0;
}

/* Reads one value of the current parameter and declares a word. */
static int parameter_value(struct parser *parser, struct value *value)
{
    struct token token = parser->lexer.token;
    TRY(parser_value(parser, value));
    if (value->kind != VALUE_WORD)
        return 0;
    struct name *name = names_find(&parser->space->private->names, token.start, token.length);
    if (!name->word_line) {
        name->word_line = parser->keyword.line;
        name->source = parser->lexer.source;
    }
    return 0;
}

static int value_list(struct parser *parser, struct value_list *list)
{
    for (;;) {
        struct value value;
        struct value_range range;
        struct token token = parser->lexer.token;
        TRY(parameter_value(parser, &value));
        if (lexer_at_sign(&parser->lexer, PUNCT('.', '.'))) {
            TRY(list_range(&parser->lexer, &token, &value, &range));
            TRY(add_range(parser, &token, &range, list));
        } else {
            if (list->count == SPACE_VALUES_MAX)
                return too_many(parser, &token);
            TRY(add_value(parser, list, value));
        }
        if (!lexer_at_sign(&parser->lexer, ','))
            return 0;
        TRY(lexer_next(&parser->lexer));
    }
}

static int check_duplicates(struct parser *parser, const struct parameter *parameter)
{
    int code = 0;
    for (size_t i = 1; i < parameter->value_count && !code; i++) {
        const struct value *value = &parameter->values[parameter->order[i]];
        const struct value *before = &parameter->values[parameter->order[i - 1]];
        char text[VALUE_TEXT_BYTES], duplicate[VALUE_TEXT_BYTES];
        bool same = before->kind == value->kind;
        if (value_equal(before, value))
            code = parser_error(parser, &parser->keyword, ERROR_SYNTAX, "the parameter %s has the value %s twice%s%s",
                                parameter->name, value_text(value, text, sizeof text), same ? "" : ", also as ",
                                same ? "" : value_text(before, duplicate, sizeof duplicate));
    }
    return code;
}

/* Reads a `when`, the current token: saves the condition for later and adds the value behind `else` to the list. */
static int when(struct parser *parser, struct when *when, struct value_list *list)
{
    struct lexer *lexer = &parser->lexer;
    TRY(lexer_next(lexer));
    when->lexer = *lexer;
    while (!lexer_at_word(lexer, "else")) {
        if (lexer->token.kind == TOKEN_END)
            return lexer_expected(lexer, "'else' and a value");
        TRY(lexer_next(lexer));
    }
    TRY(lexer_next(lexer));
    struct token token = lexer->token;
    TRY(parameter_value(parser, &when->otherwise));
    for (size_t i = 0; i < list->count && !when->listed; i++)
        when->listed = value_equal(&list->values[i], &when->otherwise);
    if (when->listed)
        return 0;
    return list->count < SPACE_VALUES_MAX ? add_value(parser, list, when->otherwise) : too_many(parser, &token);
}

static int keep_values(struct parser *parser, struct parameter *parameter, const struct value_list *list)
{
    struct space *space = parser->space;
    struct value *values = arena_array(&space->arena, list->count, sizeof *values);
    if (!values)
        return error_memory(parser->error);
    memcpy(values, list->values, list->count * sizeof *values);
    parameter->values = values;
    parameter->value_count = list->count;
    if (!space_order_values(space, parameter))
        return error_memory(parser->error);
    TRY(check_duplicates(parser, parameter));
    space->parameter_count++;
    return 0;
}

int parse_param(struct parser *parser)
{
    struct space *space = parser->space;
    struct parameter *parameter = &space->parameters[space->parameter_count];
    struct when *condition = &space->private->whens[space->parameter_count];
    struct value_list list = {0};
    *parameter = (struct parameter){.line = parser->keyword.line};
    *condition = (struct when){0}; /* a faulty statement may have filled it */
    condition->start = parser->lexer.token.start;
    TRY(parser_declare(parser, NAME_PARAMETER, space->parameter_count, &parameter->name));
    TRY(macro_parse(parser, parameter));
    TRY(parser_expect(parser, '=', "'='"));
    int code = value_list(parser, &list);
    if (!code && lexer_at_word(&parser->lexer, "when"))
        code = when(parser, condition, &list);
    condition->end = parser->lexer.consumed;
    if (!code)
        code = keep_values(parser, parameter, &list);
    free(list.values);
    return code;
}

int parse_when(struct parser *parser, size_t index)
{
    struct space *space = parser->space;
    const struct when *when = &space->private->whens[index];
    struct constraint *constraint = &space->constraints[space->constraint_count];
    parser->lexer = when->lexer;
    TRY(expr_compile_when(space, &parser->lexer, index, &when->otherwise, when->listed, &constraint->condition));
    if (!lexer_at_word(&parser->lexer, "else"))
        return lexer_expected(&parser->lexer, "an operator or 'else'");
    constraint->name = "when";
    constraint->varies = constraint->condition->uses_problems || constraint->condition->uses_limits;
    constraint->line = space->parameters[index].line;
    constraint->path = when->lexer.source->path;
    constraint->text = source_one_line(&space->arena, when->start, when->end);
    space->constraint_count++;
    return constraint->text ? 0 : error_memory(parser->error);
}

static int no_such_value(struct parser *parser, const struct token *token, const struct parameter *parameter)
{
    struct text list = {0};
    char text[VALUE_TEXT_BYTES];
    enum { SHOWN = 16 };
    for (size_t i = 0; i < parameter->value_count && i < SHOWN; i++)
        text_printf(&list, "%s%s", i ? ", " : "", value_text(&parameter->values[i], text, sizeof text));
    int code = parser_error(parser, token, ERROR_SYNTAX, "%s has no such value", parameter->name);
    error_hint(parser->error, "its values are %s%s", text_string(&list), parameter->value_count > SHOWN ? ", ..." : "");
    text_free(&list);
    return code;
}

/* Reads one NAME=VALUE. */
static int default_value(struct parser *parser, bool *seen)
{
    struct space *space = parser->space;
    struct token token = parser->lexer.token;
    if (token.kind != TOKEN_NAME)
        return lexer_expected(&parser->lexer, "NAME=VALUE");
    const struct name *name = names_find(&space->private->names, token.start, token.length);
    if (!name || name->kind != NAME_PARAMETER) {
        int code = parser_error(parser, NULL, ERROR_SYNTAX, "there is no parameter '%.*s'",
                                (int)(token.length > SPACE_WORD_MAX ? SPACE_WORD_MAX : token.length), token.start);
        parser_suggest(parser, &token, 1u << NAME_PARAMETER);
        return code;
    }
    size_t index = name->index;
    struct parameter *parameter = &space->parameters[index];
    if (seen[index])
        return parser_error(parser, NULL, ERROR_SYNTAX, "%s is given twice", parameter->name);
    seen[index] = true;
    TRY(lexer_next(&parser->lexer));
    TRY(parser_expect(parser, '=', "'='"));
    struct value value;
    token = parser->lexer.token;
    TRY(parser_value(parser, &value));
    for (size_t i = 0; i < parameter->value_count; i++)
        if (value_equal(&parameter->values[i], &value)) {
            parameter->default_ = (uint32_t)i;
            return 0;
        }
    return no_such_value(parser, &token, parameter);
}

int parse_default(struct parser *parser)
{
    const struct space *space = parser->space;
    bool seen[SPACE_PARAMETERS_MAX] = {false};
    do
        TRY(default_value(parser, seen));
    while (parser->lexer.token.kind != TOKEN_END);
    for (size_t i = 0; i < space->parameter_count; i++)
        if (!seen[i]) {
            int code =
                parser_error(parser, NULL, ERROR_SYNTAX, "the default has no value for %s", space->parameters[i].name);
            error_hint(parser->error, "give every parameter one of its values");
            return code;
        }
    return 0;
}
