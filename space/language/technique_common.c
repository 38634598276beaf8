/* Helpers that several techniques share. */
#include <string.h>

#include "base/text.h"
#include "language/techniques.h"
#include "language/variable.h"

void *technique_make(struct parser *parser, int technique, size_t bytes)
{
    void **data = &parser->space->private->techniques[technique];
    if (!*data)
        *data = arena_alloc(&parser->space->arena, bytes);
    if (!*data)
        error_memory(parser->error);
    return *data;
}

void *technique_data(const struct space *space, int technique)
{
    return space->private->techniques[technique];
}

int technique_buffer(struct parser *parser, uint32_t *index)
{
    const struct token token = parser->lexer.token;
    const struct name *name =
        token.kind == TOKEN_NAME ? names_find(&parser->space->private->names, token.start, token.length) : NULL;
    if (!name || name->kind != NAME_BUFFER) {
        int code = lexer_expected(&parser->lexer, "a buffer");
        if (token.kind == TOKEN_NAME)
            parser_suggest(parser, &token, 1u << NAME_BUFFER);
        return code;
    }
    *index = name->index;
    return lexer_next(&parser->lexer);
}

int technique_filled_buffer(struct parser *parser, uint32_t *index)
{
    const struct token token = parser->lexer.token;
    TRY(technique_buffer(parser, index));
    const struct buffer *buffer = &parser->space->buffers[*index];
    if (buffer->fill != FILL_NONE)
        return 0;
    int code = parser_error(parser, &token, ERROR_SYNTAX, "'%s' is empty before the kernel runs", buffer->name);
    error_hint(parser->error, "use a filled buffer: "
#define FILL(NAME, name, zeros, meaning) #name ", "
#include "lists/fills.def"
#undef FILL
                              "file(\"NAME\")");
    return code;
}

int technique_check_passed(struct parser *parser, enum argument_role role, size_t at, const char *name,
                           const struct expr *expr, int line)
{
    const struct space *space = parser->space;
    for (size_t s = 0; s < space->step_count; s++) {
        const struct argument *argument;
        for (size_t a = 0; (argument = argument_next(space->steps[s].arguments, space->steps[s].argument_count, &a));)
            if (argument->role == role && argument->view == at)
                return 0;
    }
    for (size_t v = 0; v < variables_count(space); v++) {
        const struct argument *argument;
        for (size_t a = 0; (argument = argument_next(variables_value(space, v), 1, &a));)
            if (argument->role == role && argument->view == at)
                return 0;
    }
    int code = source_error(expr->source, line, 1, parser->error, ERROR_SYNTAX,
                            "the %s '%s' is not passed to the kernel", view_words_of(role)->what, name);
    error_hint(parser->error, "name it in `args`");
    return code;
}

int technique_parse_view(struct parser *parser, const struct name *name, enum argument_role role,
                         struct argument *argument)
{
    argument->role = role;
    argument->view = name->index;
    if (role == ARGUMENT_TENSOR_MAP) {
        argument->bytes = TENSOR_MAP_BYTES;
        argument->alignment = TENSOR_MAP_ALIGNMENT;
    }
    return lexer_next(&parser->lexer);
}

int technique_evaluate_view(const struct argument *argument, const struct expr_inputs *inputs, bool reference,
                            struct launch *launch, struct launch_argument *result, struct error *error)
{
    (void)inputs, (void)reference, (void)launch, (void)error;
    result->role = (uint16_t)argument->role;
    result->view = (uint16_t)argument->view;
    return 0;
}

const char *technique_is_word(const struct demand_list *list, const struct setting *setting,
                              const struct word_list *words, int word)
{
    const char *text = words->words[word];
    const struct name *name = names_find(&list->space->private->names, text, strlen(text));
    if (!setting->value)
        return setting->word == word ? "1" : "0";
    return name && name->word_line ? demand_text(list, "((%s) == %s)", setting->value->text, text) : "0";
}
