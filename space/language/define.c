#include "language/define.h"
#include "language/step.h"

#include "base/text.h"

static const struct expr_rules rules_let = {true, true, true, false,
                                            "a named expression may use device limits and declarations above it: "
                                            "parameters, their words, problem sizes and other names from `let`"};

/* Declares the next named expression of the space. */
static int named(struct parser *parser, const char **name)
{
    struct space_private *private = parser->space->private;
    TRY(parser_named_expression(parser, &rules_let, NAME_LET, private->let_count, name,
                                &private->lets[private->let_count]));
    private->let_count++;
    return 0;
}

int parse_let(struct parser *parser)
{
    const char *name;
    return named(parser, &name);
}

static int defined_twice(struct parser *parser, const struct define *first)
{
    char line[PARSER_LINE_BYTES];
    return parser_error(parser, NULL, ERROR_SYNTAX, "'%s' is already defined (%s)", first->name,
                        parser_line(parser, first->value->source, first->value->line, line));
}

static int not_definable(struct parser *parser, const struct token *token, const struct name *name)
{
    int shown = token->length > SPACE_WORD_MAX ? SPACE_WORD_MAX : (int)token->length, code;
    if (name && name->kind == NAME_PARAMETER) {
        code = parser_error(parser, token, ERROR_SYNTAX, "'%s' is a parameter, and parameters are always macros",
                            name->text);
        error_hint(parser->error, "remove this statement");
        return code;
    }
    code = parser_error(parser, token, ERROR_SYNTAX, "'%.*s' is neither a problem size nor a named expression", shown,
                        token->start);
    parser_suggest(parser, token, 1u << NAME_PROBLEM | 1u << NAME_LET);
    error_hint(parser->error, "declare it above with `problem` or `let`, or give a value: define %.*s = EXPRESSION",
               shown, token->start);
    return code;
}

/* Reads the bare form: the name stands for itself. */
static int existing(struct parser *parser, struct define *define)
{
    const struct token token = parser->lexer.token;
    const struct name *name = names_find(&parser->space->private->names, token.start, token.length);
    if (!name || (name->kind != NAME_PROBLEM && name->kind != NAME_LET))
        return not_definable(parser, &token, name);
    define->name = name->text;
    return parser_expression(parser, &parser_rules, &define->value);
}

int parse_define(struct parser *parser)
{
    struct space_private *private = parser->space->private;
    struct define define = {NULL};
    struct lexer behind = parser->lexer;
    if (behind.token.kind != TOKEN_NAME)
        return lexer_expected(&parser->lexer, "a name");
    for (size_t i = 0; i < private->define_count; i++)
        if (lexer_at_word(&parser->lexer, private->defines[i].name))
            return defined_twice(parser, &private->defines[i]);
    TRY(lexer_next(&behind));
    if (lexer_at_sign(&behind, '=')) {
        TRY(named(parser, &define.name));
        define.value = private->lets[private->let_count - 1];
    } else if (behind.token.kind != TOKEN_END) {
        return lexer_expected(&behind, "'=' or the end of the statement");
    } else {
        TRY(existing(parser, &define));
    }
    private->defines[private->define_count++] = define;
    return 0;
}

void define_macro(struct text *options, size_t *count, const char *name, const struct value *value)
{
    char text[VALUE_TEXT_BYTES];
    text_printf(options, "-D%s=%s", name, value_text(value, text, sizeof text));
    text_append(options, "", 1);
    ++*count;
}

int define_options(const struct expr_inputs *inputs, const struct step *own, struct text *options, size_t *count,
                   struct error *error)
{
    const struct space_private *private = inputs->space->private;
    for (size_t i = 0; i < private->define_count; i++) {
        struct value value;
        if (step_has_macro(own, private->defines[i].name))
            continue;
        TRY(expr_eval(private->defines[i].value, inputs, &value, error));
        define_macro(options, count, private->defines[i].name, &value);
    }
    return 0;
}
