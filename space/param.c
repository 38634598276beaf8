/* The statements about parameter values: `param` and `default`. */
#include <stdlib.h>
#include <string.h>

#include "space/parse.h"

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

static int range_integer(struct parser *parser, const char *what, int64_t *integer)
{
    struct value value;
    struct token token = parser->lexer.token;
    TRY(parser_value(parser, &value));
    if (value.kind != VALUE_INT) {
        int code = parser_error(parser, &token, ERROR_SYNTAX, "%s of a range must be an integer", what);
        error_hint(parser->error, "list floats and words one by one: 0.25, 0.5, 0.75");
        return code;
    }
    *integer = value.integer;
    return 0;
}

/* The current token is the ".." behind `first`. */
static int range(struct parser *parser, const struct token *start, int64_t first, struct value_list *list)
{
    int64_t last = 0, step = 1;
    TRY(lexer_next(&parser->lexer));
    TRY(range_integer(parser, "the end", &last));
    bool times = lexer_at_word(&parser->lexer, "times");
    if (times || lexer_at_word(&parser->lexer, "step")) {
        TRY(lexer_next(&parser->lexer));
        struct token token = parser->lexer.token;
        TRY(range_integer(parser, times ? "the factor" : "the step", &step));
        if (step < (times ? 2 : 1))
            return parser_error(parser, &token, ERROR_SYNTAX, "%s must be at least %d",
                                times ? "the factor" : "the step", times ? 2 : 1);
    }
    if (last < first)
        return parser_error(parser, start, ERROR_SYNTAX, "the range is empty: its end is below its start");
    if (times && first < 1)
        return parser_error(parser, start, ERROR_SYNTAX, "a range with a factor must start at 1 or above");
    for (int64_t value = first;;) {
        if (list->count == SPACE_VALUES_MAX)
            return too_many(parser, start);
        TRY(add_value(parser, list, (struct value){.kind = VALUE_INT, .integer = value}));
        bool over = times ? __builtin_mul_overflow(value, step, &value) : __builtin_add_overflow(value, step, &value);
        if (over || value > last)
            return 0;
    }
}

static int value_list(struct parser *parser, struct value_list *list, int line)
{
    for (;;) {
        struct value value;
        struct token token = parser->lexer.token;
        TRY(parser_value(parser, &value));
        if (lexer_at_sign(&parser->lexer, PUNCT('.', '.'))) {
            if (value.kind != VALUE_INT) {
                int code = parser_error(parser, &token, ERROR_SYNTAX, "the start of a range must be an integer");
                error_hint(parser->error, "list floats and words one by one: 0.25, 0.5, 0.75");
                return code;
            }
            TRY(range(parser, &token, value.integer, list));
        } else {
            if (list->count == SPACE_VALUES_MAX)
                return too_many(parser, &token);
            TRY(add_value(parser, list, value));
            if (value.kind == VALUE_WORD) {
                struct name *name = names_find(&parser->space->private->names, token.start, token.length);
                name->word_line = name->word_line ? name->word_line : line;
            }
        }
        if (!lexer_at_sign(&parser->lexer, ','))
            return 0;
        TRY(lexer_next(&parser->lexer));
    }
}

static int compare_values(const void *left, const void *right)
{
    const struct value *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->kind == VALUE_INT)
        return (a->integer > b->integer) - (a->integer < b->integer);
    if (a->kind == VALUE_FLOAT)
        return (a->real > b->real) - (a->real < b->real);
    return strcmp(a->word, b->word);
}

static int check_duplicates(struct parser *parser, const struct parameter *parameter)
{
    size_t count = parameter->value_count;
    bool ascending = true; /* the usual list needs no sorting */
    for (size_t i = 1; i < count && ascending; i++)
        ascending = compare_values(&parameter->values[i - 1], &parameter->values[i]) < 0;
    if (ascending)
        return 0;
    struct value *sorted = malloc(count * sizeof *sorted);
    if (!sorted)
        return error_memory(parser->error);
    int code = 0;
    memcpy(sorted, parameter->values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_values);
    for (size_t i = 1; i < count && !code; i++)
        if (value_equal(&sorted[i - 1], &sorted[i])) {
            char text[VALUE_TEXT_BYTES];
            code = parser_error(parser, &parser->keyword, ERROR_SYNTAX, "the parameter %s has the value %s twice",
                                parameter->name, value_text(&sorted[i], text, sizeof text));
        }
    free(sorted);
    return code;
}

int parse_param(struct parser *parser)
{
    struct space *space = parser->space;
    struct parameter *parameter = &space->parameters[space->parameter_count];
    struct value_list list = {0};
    parameter->line = parser->keyword.line;
    TRY(parser_declare(parser, NAME_PARAMETER, space->parameter_count, &parameter->name));
    TRY(parser_expect(parser, '=', "'='"));
    int code = value_list(parser, &list, parameter->line);
    if (!code) {
        struct value *values = arena_array(&space->arena, list.count, sizeof *values);
        if (values) {
            memcpy(values, list.values, list.count * sizeof *values);
            parameter->values = values;
            parameter->value_count = list.count;
            space->parameter_count++;
            code = check_duplicates(parser, parameter);
        } else {
            code = error_memory(parser->error);
        }
    }
    free(list.values);
    return code;
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

/* One NAME=VALUE. */
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
            parameter->standard = (uint32_t)i;
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
