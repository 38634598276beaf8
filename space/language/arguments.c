#include "language/arguments.h"

#include <string.h>

#include "expression/c_type.h"
#include "language/techniques.h"

static const struct expr_rules rules_argument = {
    true, true, true, false,
    "in `args` the names of a chunk are passed as they are: int chunk_offset, int chunk_length"};

/* ---- Reading ---- */

static int not_an_argument(struct parser *parser, const struct token *token, const struct name *name)
{
    int shown = token->length > SPACE_WORD_MAX ? SPACE_WORD_MAX : (int)token->length;
    int code = parser_error(parser, NULL, ERROR_SYNTAX,
                            "'%.*s' is neither a buffer, a texture, a tensor map nor a type", shown, token->start);
    if (name && (name->kind == NAME_PARAMETER || name->kind == NAME_PROBLEM || name->kind == NAME_LIMIT))
        error_hint(parser->error, "pass a scalar with its type: int %s", name->text);
    parser_suggest(parser, token, 1u << NAME_BUFFER | 1u << NAME_TEXTURE | 1u << NAME_TENSOR_MAP | 1u << NAME_TYPE);
    struct lexer behind = parser->lexer;
    struct error ignored = {0};
    behind.error = &ignored;
    if (!lexer_next(&behind) && behind.token.kind != TOKEN_END && behind.token.kind != TOKEN_SIGN)
        parser_hint_types(parser); /* TYPE VALUE */
    return code;
}

/* Bytes of an argument while it is read. */
struct layout {
    size_t count;
    uint32_t bytes, alignment;
    struct argument_member members[SPACE_MEMBERS_MAX];
};

/* CUDA aligns vectors of two and four components to their size, up to 16 bytes. */
static uint32_t alignment_of(const struct element_type *type)
{
    uint32_t component = type->bytes / type->components;
    bool whole = type->components == 1 || type->components == 2 || type->components == 4;
    return !whole ? component : type->bytes > 16 ? 16 : type->bytes;
}

static int too_large(struct parser *parser, const struct token *token)
{
    int code = parser_error(parser, token, ERROR_SYNTAX, "an argument of more than %d bytes", SPACE_ARGUMENT_BYTES_MAX);
    error_hint(parser->error, "pass it in a buffer");
    return code;
}

static int read_member(struct parser *parser, const struct element_type *type, uint32_t offset, struct layout *layout)
{
    struct argument_member *member = &layout->members[layout->count];
    if (layout->count == SPACE_MEMBERS_MAX)
        return parser_error(parser, NULL, ERROR_SYNTAX, "more than %d numbers in an argument", SPACE_MEMBERS_MAX);
    *member = (struct argument_member){.type = element_component(type), .offset = offset};
    TRY(parser_expression(parser, &rules_argument, &member->value));
    layout->count++;
    return 0;
}

/* Reads a value of the type, or { VALUE, VALUE, ... } for a vector, and places it as C does. */
static int read_value(struct parser *parser, const struct element_type *type, struct layout *layout)
{
    const struct token token = parser->lexer.token;
    uint32_t alignment = alignment_of(type), step = type->bytes / type->components;
    uint32_t offset = (layout->bytes + alignment - 1) / alignment * alignment;
    layout->alignment = alignment > layout->alignment ? alignment : layout->alignment;
    layout->bytes = offset + type->bytes;
    if (layout->bytes > SPACE_ARGUMENT_BYTES_MAX)
        return too_large(parser, &token);
    if (type->components == 1)
        return read_member(parser, type, offset, layout);
    if (!lexer_at_sign(&parser->lexer, '{')) {
        int code =
            parser_error(parser, &token, ERROR_SYNTAX, "one number does not fill a value of type %s", type->name);
        error_hint(parser->error, "write its %u components in braces: %s { 0, ... }", type->components, type->name);
        return code;
    }
    for (uint32_t i = 0; i < type->components; i++) {
        TRY(lexer_next(&parser->lexer)); /* '{' or ',' */
        TRY(read_member(parser, type, offset + i * step, layout));
        if (!lexer_at_sign(&parser->lexer, i + 1 < type->components ? ',' : '}'))
            return lexer_expected(&parser->lexer,
                                  i + 1 < type->components ? "an operator or ','" : "an operator or '}'");
    }
    return lexer_next(&parser->lexer);
}

/* Reads { TYPE VALUE, TYPE VALUE, ... }. */
static int read_struct(struct parser *parser, struct layout *layout)
{
    TRY(lexer_next(&parser->lexer));
    TRY(parser_expect(parser, '{', "'{'"));
    for (;;) {
        const struct token token = parser->lexer.token;
        const struct name *name =
            token.kind == TOKEN_NAME ? names_find(&parser->space->private->names, token.start, token.length) : NULL;
        TRY(c_type_refuse(parser->space, &parser->lexer));
        if (!name || name->kind != NAME_TYPE) {
            int code = lexer_expected(&parser->lexer, "the type of a member");
            if (token.kind == TOKEN_NAME)
                parser_suggest(parser, &token, 1u << NAME_TYPE);
            parser_hint_types(parser);
            return code;
        }
        TRY(lexer_next(&parser->lexer));
        TRY(read_value(parser, &element_types[name->index], layout));
        if (!lexer_at_sign(&parser->lexer, ','))
            break;
        TRY(lexer_next(&parser->lexer));
    }
    layout->bytes = (layout->bytes + layout->alignment - 1) / layout->alignment * layout->alignment;
    return parser_expect(parser, '}', "an operator, ',' or '}'");
}

/* Reserves the words that the argument takes in the pool of a launch. */
static int take_words(struct parser *parser, struct argument *argument, uint32_t bytes)
{
    size_t *taken = &parser->space->private->argument_words;
    argument->bytes = bytes;
    *taken += LAUNCH_WORDS(bytes);
    return *taken <= LAUNCH_WORDS_MAX
               ? 0
               : parser_error(parser, NULL, ERROR_SYNTAX, "the arguments of all launches have more than %d bytes",
                              8 * LAUNCH_WORDS_MAX);
}

static int keep_layout(struct parser *parser, const struct layout *layout, struct argument *argument)
{
    struct argument_member *members = arena_array(&parser->space->arena, layout->count, sizeof *members);
    if (!members)
        return error_memory(parser->error);
    memcpy(members, layout->members, layout->count * sizeof *members);
    argument->members = members;
    argument->member_count = layout->count;
    return take_words(parser, argument, layout->bytes);
}

static int typed_argument(struct parser *parser, const struct element_type *type, struct argument *argument)
{
    struct layout layout = {.alignment = 1};
    argument->type = type;
    TRY(lexer_next(&parser->lexer));
    struct token token = parser->lexer.token;
    if (lexer_at_sign(&parser->lexer, '*')) {
        int code = parser_error(parser, &token, ERROR_SYNTAX, "a pointer is a buffer here, without a type");
        error_hint(parser->error, "write the buffer's name, as in: args out, in, int N");
        return code;
    }
    const struct name *name =
        token.kind == TOKEN_NAME ? names_find(&parser->space->private->names, token.start, token.length) : NULL;
    const struct technique *technique = name ? technique_of_name(name->kind, true) : NULL;
    if (technique && type->components == 1) {
        TRY(technique->parse_argument(parser, name, argument));
        return take_words(parser, argument, type->bytes);
    }
    TRY(read_value(parser, type, &layout));
    return keep_layout(parser, &layout, argument);
}

static int struct_argument(struct parser *parser, struct argument *argument)
{
    struct layout layout = {.alignment = 1};
    TRY(read_struct(parser, &layout));
    return keep_layout(parser, &layout, argument);
}

static int buffer_argument(struct parser *parser, const struct name *name, struct argument *argument)
{
    argument->buffer = (int)name->index;
    TRY(lexer_next(&parser->lexer));
    if (!lexer_at_sign(&parser->lexer, '+'))
        return 0;
    TRY(lexer_next(&parser->lexer));
    return parser_expression(parser, &rules_argument, &argument->offset);
}

int argument_parse(struct parser *parser, struct argument *argument)
{
    struct token token = parser->lexer.token;
    if (token.kind != TOKEN_NAME)
        return lexer_expected(&parser->lexer, "a buffer, a texture, a tensor map, or a type and a value");
    const struct name *name = names_find(&parser->space->private->names, token.start, token.length);
    const struct technique *technique = name ? technique_of_name(name->kind, false) : NULL;
    *argument = (struct argument){.place = parser_place(parser), .buffer = -1};
    if (name && name->kind == NAME_BUFFER)
        return buffer_argument(parser, name, argument);
    if (technique)
        return technique->parse_argument(parser, name, argument);
    TRY(c_type_refuse(parser->space, &parser->lexer));
    if (name && name->kind == NAME_TYPE)
        return typed_argument(parser, &element_types[name->index], argument);
    if (lexer_at_word(&parser->lexer, "struct"))
        return struct_argument(parser, argument);
    if (!lexer_at_word(&parser->lexer, "null"))
        return not_an_argument(parser, &token, name);
    TRY(take_words(parser, argument, sizeof(void *)));
    return lexer_next(&parser->lexer);
}

/* ---- Evaluating ---- */

unsigned char *launch_take(struct launch *launch, struct launch_argument *argument)
{
    argument->word = (uint32_t)launch->word_count;
    launch->word_count += LAUNCH_WORDS(argument->bytes);
    return (unsigned char *)&launch->words[argument->word];
}

static int evaluate_offset(const struct argument *argument, const struct expr_inputs *inputs,
                           const struct launch *launch, struct launch_argument *result, struct error *error)
{
    const struct space *space = inputs->space;
    const struct buffer *buffer = &space->buffers[argument->buffer];
    uint64_t count = space_buffer_bytes(space, launch, (size_t)argument->buffer) / buffer->type->bytes;
    int64_t offset;
    TRY(expr_integer(argument->offset, inputs, "the offset of an argument", 0, INT64_MAX, &offset, error));
    if ((uint64_t)offset > count)
        return expr_error(argument->offset, inputs, error, "the pointer is %lld elements into '%s', which has %llu",
                          (long long)offset, buffer->name, (unsigned long long)count);
    result->offset_bytes = (uint64_t)offset * buffer->type->bytes;
    return 0;
}

static int evaluate_member(const struct argument_member *member, const struct expr_inputs *inputs, unsigned char *bytes,
                           struct error *error)
{
    const struct element_type *type = member->type;
    bool integers = type->family != FAMILY_FLOAT;
    struct value value;
    char text[VALUE_TEXT_BYTES];
    TRY(expr_eval(member->value, inputs, &value, error));
    value_text(&value, text, sizeof text);
    if (value.kind == VALUE_WORD)
        return expr_error(member->value, inputs, error, "the word %s cannot be passed to a kernel", text);
    if (integers && value.kind == VALUE_FLOAT)
        return expr_error(member->value, inputs, error, "%s is not an integer, but its type is %s", text, type->name);
    bool fits = integers ? element_put_integer(type, value.integer, bytes + member->offset)
                         : element_put_real(type, value_real(&value), bytes + member->offset);
    return fits ? 0 : expr_error(member->value, inputs, error, "%s does not fit the type %s", text, type->name);
}

int argument_evaluate(const struct argument *argument, const struct expr_inputs *inputs, bool reference,
                      struct launch *launch, struct launch_argument *result, struct error *error)
{
    result->buffer = argument->buffer;
    if (argument->buffer >= 0)
        return argument->offset ? evaluate_offset(argument, inputs, launch, result, error) : 0;
    if (argument->role != ARGUMENT_PLAIN)
        return technique_evaluate_argument(argument, inputs, reference, launch, result, error);
    result->bytes = argument->bytes;
    unsigned char *bytes = launch_take(launch, result);
    for (size_t i = 0; i < argument->member_count; i++)
        TRY(evaluate_member(&argument->members[i], inputs, bytes, error));
    return 0;
}
