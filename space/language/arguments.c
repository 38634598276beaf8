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
    int code =
        parser_error(parser, NULL, ERROR_SYNTAX,
                     "'%.*s' is neither a buffer, a texture, a surface, a tensor map nor a type", shown, token->start);
    if (name && (name->kind == NAME_PARAMETER || name->kind == NAME_PROBLEM || name->kind == NAME_LIMIT))
        error_hint(parser->error, "pass a scalar with its type: int %s", name->text);
    parser_suggest(parser, token,
                   1u << NAME_BUFFER | 1u << NAME_TEXTURE | 1u << NAME_SURFACE | 1u << NAME_TENSOR_MAP |
                       1u << NAME_TYPE);
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

/* Finds the place of the next value, as C does. */
static int place(struct parser *parser, const struct token *token, uint32_t bytes, uint32_t alignment,
                 struct layout *layout, uint32_t *offset)
{
    *offset = (layout->bytes + alignment - 1) / alignment * alignment;
    layout->alignment = alignment > layout->alignment ? alignment : layout->alignment;
    layout->bytes = *offset + bytes;
    return layout->bytes > SPACE_ARGUMENT_BYTES_MAX ? too_large(parser, token) : 0;
}

static int add_member(struct parser *parser, struct argument_member member, struct layout *layout)
{
    if (layout->count == SPACE_MEMBERS_MAX)
        return parser_error(parser, NULL, ERROR_SYNTAX, "more than %d values in an argument", SPACE_MEMBERS_MAX);
    layout->members[layout->count++] = member;
    return 0;
}

static int read_number(struct parser *parser, const struct element_type *type, uint32_t offset, struct layout *layout)
{
    const struct element_type *component = element_component(type);
    struct argument_member member = {.type = component, .offset = offset, .bytes = component->bytes};
    TRY(parser_expression(parser, &rules_argument, &member.value));
    return add_member(parser, member, layout);
}

/* Reads a value of the type, or { VALUE, VALUE, ... } for a vector. */
static int read_value(struct parser *parser, const struct element_type *type, struct layout *layout)
{
    const struct token token = parser->lexer.token;
    uint32_t step = type->bytes / type->components, offset;
    TRY(place(parser, &token, type->bytes, alignment_of(type), layout, &offset));
    if (type->components == 1)
        return read_number(parser, type, offset, layout);
    if (!lexer_at_sign(&parser->lexer, '{')) {
        int code =
            parser_error(parser, &token, ERROR_SYNTAX, "one number does not fill a value of type %s", type->name);
        error_hint(parser->error, "write its %u components in braces: %s { 0, ... }", type->components, type->name);
        return code;
    }
    for (uint32_t i = 0; i < type->components; i++) {
        TRY(lexer_next(&parser->lexer)); /* '{' or ',' */
        TRY(read_number(parser, type, offset + i * step, layout));
        if (!lexer_at_sign(&parser->lexer, i + 1 < type->components ? ',' : '}'))
            return lexer_expected(&parser->lexer,
                                  i + 1 < type->components ? "an operator or ','" : "an operator or '}'");
    }
    return lexer_next(&parser->lexer);
}

/* Reads [COUNT] { VALUE, ... } into an empty layout; values that are left out are zero. */
static int read_array(struct parser *parser, const struct element_type *type, struct layout *layout)
{
    const struct token *token = &parser->lexer.token;
    TRY(lexer_next(&parser->lexer));
    const struct token counted = *token;
    if (token->kind != TOKEN_INT || token->integer < 1)
        return lexer_expected(&parser->lexer, "the number of elements");
    uint64_t count = (uint64_t)token->integer;
    if (count > SPACE_ARGUMENT_BYTES_MAX)
        return too_large(parser, &counted);
    TRY(lexer_next(&parser->lexer));
    TRY(parser_expect(parser, ']', "']'"));
    if (!lexer_at_sign(&parser->lexer, '{'))
        return lexer_expected(&parser->lexer, "'{' and the values of the array");
    TRY(lexer_next(&parser->lexer));
    for (uint64_t i = 0; i > 0 || !lexer_at_sign(&parser->lexer, '}'); i++) {
        if (i == count)
            return parser_error(parser, NULL, ERROR_SYNTAX, "more values than the %llu of %s[%llu]",
                                (unsigned long long)count, type->name, (unsigned long long)count);
        TRY(read_value(parser, type, layout));
        if (lexer_at_sign(&parser->lexer, '}'))
            break;
        TRY(parser_expect(parser, ',', "an operator, ',' or '}'"));
    }
    uint32_t given = layout->bytes, all = (uint32_t)count * type->bytes, offset;
    layout->bytes = 0;
    TRY(place(parser, &counted, all, alignment_of(type), layout, &offset));
    if (given < all)
        TRY(add_member(parser, (struct argument_member){.offset = given, .bytes = all - given}, layout));
    return lexer_next(&parser->lexer);
}

static int keep_layout(struct parser *parser, const struct layout *layout, struct argument *argument)
{
    struct argument_member *members = arena_array(&parser->space->arena, layout->count, sizeof *members);
    if (!members)
        return error_memory(parser->error);
    memcpy(members, layout->members, layout->count * sizeof *members);
    argument->members = members;
    argument->member_count = layout->count;
    argument->bytes = layout->bytes;
    argument->alignment = layout->alignment;
    return 0;
}

/* `depth`: 0 for a kernel's argument, which is no array. */
static int typed_argument(struct parser *parser, const struct element_type *type, int depth, struct argument *argument)
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
    if (lexer_at_sign(&parser->lexer, '[')) {
        argument->type = NULL;
        if (depth == 0) {
            int code = parser_error(parser, &token, ERROR_SYNTAX, "an array is not an argument by itself");
            error_hint(parser->error, "a kernel gets it in a struct, as in: struct { %s[4] { 1, 2, 3, 4 } }",
                       type->name);
            return code;
        }
        TRY(read_array(parser, type, &layout));
        return keep_layout(parser, &layout, argument);
    }
    const struct name *name =
        token.kind == TOKEN_NAME ? names_find(&parser->space->private->names, token.start, token.length) : NULL;
    const struct technique *technique = name ? technique_of_name(name->kind, true) : NULL;
    if (technique && type->components == 1) {
        argument->bytes = argument->alignment = type->bytes;
        return technique->parse_argument(parser, name, argument);
    }
    TRY(read_value(parser, type, &layout));
    return keep_layout(parser, &layout, argument);
}

static int read_argument(struct parser *parser, int depth, struct argument *argument);

/* Places a member. The values of a struct in it become the outer one's. */
static int place_member(struct parser *parser, const struct token *token, const struct argument *member,
                        struct layout *layout)
{
    uint32_t offset;
    TRY(place(parser, token, member->bytes, member->alignment, layout, &offset));
    for (size_t i = 0; i < member->member_count; i++) {
        struct argument_member inner = member->members[i];
        inner.offset += offset;
        TRY(add_member(parser, inner, layout));
    }
    bool bytes = member->buffer < 0 && member->role == ARGUMENT_PLAIN;
    if (bytes && member->member_count)
        return 0;
    struct argument *copy = bytes ? NULL : arena_alloc(&parser->space->arena, sizeof *copy);
    if (!bytes && !copy)
        return error_memory(parser->error);
    if (copy)
        *copy = *member;
    return add_member(parser, (struct argument_member){.inner = copy, .offset = offset, .bytes = member->bytes},
                      layout);
}

/* Reads `alignas(BYTES)`, if it is there. */
static int read_alignment(struct parser *parser, struct layout *layout)
{
    enum { MOST = 128 };
    const struct token *token = &parser->lexer.token;
    if (!lexer_at_word(&parser->lexer, "alignas"))
        return 0;
    TRY(lexer_next(&parser->lexer));
    TRY(parser_expect(parser, '(', "'('"));
    if (token->kind != TOKEN_INT || token->integer < 1 || token->integer > MOST ||
        (token->integer & (token->integer - 1)))
        return lexer_expected(&parser->lexer, "a power of two up to 128");
    layout->alignment = (uint32_t)token->integer;
    TRY(lexer_next(&parser->lexer));
    return parser_expect(parser, ')', "')'");
}

/* Reads struct { MEMBER, MEMBER, ... }. */
static int struct_argument(struct parser *parser, int depth, struct argument *argument)
{
    struct layout layout = {.alignment = 1};
    if (depth == SPACE_NESTED_MAX)
        return parser_error(parser, NULL, ERROR_SYNTAX, "more than %d structs within one another", SPACE_NESTED_MAX);
    TRY(lexer_next(&parser->lexer));
    TRY(read_alignment(parser, &layout));
    TRY(parser_expect(parser, '{', "'{'"));
    for (;;) {
        const struct token token = parser->lexer.token;
        struct argument member;
        TRY(read_argument(parser, depth + 1, &member));
        TRY(place_member(parser, &token, &member, &layout));
        if (!lexer_at_sign(&parser->lexer, ','))
            break;
        TRY(lexer_next(&parser->lexer));
    }
    layout.bytes = (layout.bytes + layout.alignment - 1) / layout.alignment * layout.alignment;
    argument->is_struct = true;
    TRY(keep_layout(parser, &layout, argument));
    return parser_expect(parser, '}', "an operator, ',' or '}'");
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

/* Reads the kernel's argument, or a member of a struct at depth 1 and below. */
static int read_argument(struct parser *parser, int depth, struct argument *argument)
{
    struct token token = parser->lexer.token;
    if (token.kind != TOKEN_NAME)
        return lexer_expected(&parser->lexer, "a buffer, a texture, a surface, a tensor map, or a type and a value");
    const struct name *name = names_find(&parser->space->private->names, token.start, token.length);
    const struct technique *technique = name ? technique_of_name(name->kind, false) : NULL;
    *argument = (struct argument){
        .place = parser_place(parser), .buffer = -1, .bytes = sizeof(void *), .alignment = sizeof(void *)};
    if (name && name->kind == NAME_BUFFER)
        return buffer_argument(parser, name, argument);
    if (technique)
        return technique->parse_argument(parser, name, argument);
    TRY(c_type_refuse(parser->space, &parser->lexer));
    if (name && name->kind == NAME_TYPE)
        return typed_argument(parser, &element_types[name->index], depth, argument);
    if (lexer_at_word(&parser->lexer, "struct"))
        return struct_argument(parser, depth, argument);
    return lexer_at_word(&parser->lexer, "null") ? lexer_next(&parser->lexer) : not_an_argument(parser, &token, name);
}

/* Reserves the words and parts that the argument takes in the pools of a launch. */
static int reserve(struct parser *parser, const struct argument *argument)
{
    struct space_private *private = parser->space->private;
    bool has_bytes = argument->buffer < 0 && !view_words_of(argument->role);
    private->argument_words += has_bytes ? LAUNCH_WORDS(argument->bytes) : 0;
    for (size_t i = 0; i < argument->member_count; i++) {
        const struct argument *inner = argument->members[i].inner;
        private->argument_parts += inner != NULL;
        private->argument_words += inner ? LAUNCH_WORDS(inner->bytes) : 0; /* of a chunk's offset or length */
    }
    if (private->argument_parts > SPACE_PARTS_MAX)
        return parser_error(parser, NULL, ERROR_SYNTAX, "the structs of all launches have more than %d addresses",
                            SPACE_PARTS_MAX);
    return private->argument_words <= LAUNCH_WORDS_MAX
               ? 0
               : parser_error(parser, NULL, ERROR_SYNTAX, "the arguments of all launches have more than %d bytes",
                              8 * LAUNCH_WORDS_MAX);
}

int argument_parse(struct parser *parser, bool may_be_array, struct argument *argument)
{
    TRY(read_argument(parser, may_be_array, argument));
    return reserve(parser, argument);
}

const struct argument *argument_next(const struct argument *arguments, size_t count, size_t *at)
{
    enum { EACH = SPACE_MEMBERS_MAX + 1 }; /* places of an argument: its own, and those of its members */
    while (*at / EACH < count) {
        const struct argument *argument = &arguments[*at / EACH];
        size_t member = *at % EACH;
        *at += member < argument->member_count ? 1 : EACH - member;
        if (member == 0)
            return argument;
        if (argument->members[member - 1].inner)
            return argument->members[member - 1].inner;
    }
    return NULL;
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
    for (size_t i = 0; i < argument->member_count; i++) {
        const struct argument_member *member = &argument->members[i];
        if (member->value)
            TRY(evaluate_member(member, inputs, bytes, error));
        if (!member->inner)
            continue;
        struct launch_argument *part = &launch->parts[launch->part_count++];
        TRY(argument_evaluate(member->inner, inputs, reference, launch, part, error));
        part->at = member->offset;
        if (result->part_count++ == 0)
            result->part_first = (uint32_t)(part - launch->parts);
    }
    return 0;
}
