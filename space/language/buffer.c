/* The statement `buffer`. */
#include <string.h>

#include "expression/c_type.h"
#include "language/arguments.h"
#include "language/file_name.h"
#include "language/own_kernel.h"
#include "language/parser.h"
#include "language/step.h"

static const struct expr_rules rules_buffer = {false, true, true, false,
                                               "a buffer is allocated once per run, for all configurations: unless it "
                                               "is `scratch`, its size may use only problem sizes and device limits"};
static const struct expr_rules rules_scratch = {true, true, true, false,
                                                "a scratch buffer's size may use all but a chunk's length"};
static const struct expr_rules rules_bounds = {
    false, true, true, false,
    "a buffer is filled once per run, for all configurations: the bounds may use problem sizes and device limits"};

static const struct expr_rules rules_fill = {true, true, true, false, "a buffer is filled at once, not by chunks"};

/* The role at the current token; BUFFER_ROLES: none. */
static enum buffer_role find_role(const struct parser *parser)
{
    int role = 0;
    while (role < BUFFER_ROLES && !(*buffer_roles[role].word && lexer_at_word(&parser->lexer, buffer_roles[role].word)))
        role++;
    return (enum buffer_role)role;
}

/* Reads an argument: a value or an earlier filled buffer. */
static int fill_argument(struct parser *parser, struct argument *argument)
{
    const struct space *space = parser->space;
    const struct token token = parser->lexer.token;
    const struct argument *at;
    TRY(argument_parse(parser, false, argument));
    for (size_t a = 0; (at = argument_next(argument, 1, &a));) {
        bool own = at->buffer >= 0 && (size_t)at->buffer >= space->buffer_count;
        if (at->buffer < 0 || (!own && space->buffers[at->buffer].fill != FILL_NONE))
            continue;
        int code = parser_error(parser, &token, ERROR_SYNTAX,
                                own ? "'%s' is the first argument already" : "'%s' is empty before the kernel runs",
                                space->buffers[at->buffer].name);
        error_hint(parser->error, own ? "its address and size come before the arguments in parentheses"
                                      : "a kernel that fills may read the filled buffers above");
        return code;
    }
    return 0;
}

/* Reads () or (ARGUMENT, ...). */
static int fill_arguments(struct parser *parser, struct own_kernel *by)
{
    enum { MOST = SPACE_ARGUMENTS_MAX - FILL_ARGUMENTS };
    struct step *step = &by->step;
    step->arguments = arena_array(&parser->space->arena, MOST, sizeof *step->arguments);
    if (!step->arguments)
        return error_memory(parser->error);
    TRY(lexer_next(&parser->lexer));
    while (!lexer_at_sign(&parser->lexer, ')')) {
        if (step->argument_count == MOST)
            return parser_error(parser, NULL, ERROR_SYNTAX, "more than %d arguments", MOST);
        if (step->argument_count)
            TRY(parser_expect(parser, ',', "an operator, ',' or ')'"));
        TRY(fill_argument(parser, &step->arguments[step->argument_count]));
        step->argument_count++;
    }
    return lexer_next(&parser->lexer);
}

/* Reads KERNEL(ARGUMENT, ...) block X, Y, Z grid X, Y, Z; parentheses and shape are optional. */
static int fill_kernel(struct parser *parser, struct buffer *buffer)
{
    struct space *space = parser->space;
    struct own_kernel *by = NULL;
    const struct token token = parser->lexer.token;
    TRY(own_kernel_parse(parser, &by));
    if (space->private->fill_kernel_count++ == SPACE_FILL_KERNELS_MAX)
        return parser_error(parser, &token, ERROR_SYNTAX, "more than %d buffers are filled by kernels",
                            SPACE_FILL_KERNELS_MAX);
    space->private->argument_words += LAUNCH_WORDS(sizeof buffer->count);
    if (lexer_at_sign(&parser->lexer, '('))
        TRY(fill_arguments(parser, by));
    if (lexer_at_word(&parser->lexer, "block")) {
        TRY(lexer_next(&parser->lexer));
        TRY(parse_dimensions(parser, &rules_fill, by->step.block));
        if (!lexer_at_word(&parser->lexer, "grid"))
            return lexer_expected(&parser->lexer, "an operator, ',' or 'grid'");
        TRY(lexer_next(&parser->lexer));
        TRY(parse_dimensions(parser, &rules_fill, by->step.grid));
    }
    buffer->by = by;
    return 0;
}

static int buffer_fill(struct parser *parser, struct buffer *buffer)
{
    static const char expected[] =
#define FILL(NAME, name, zeros, meaning) #name ", "
#include "lists/fills.def"
#undef FILL
        "file(\"NAME\"), by KERNEL, output or scratch";
    int fill = FILL_NONE + 1;
    while (fill < FILL_COUNT && !lexer_at_word(&parser->lexer, fills[fill].name))
        fill++;
    if (fill == FILL_COUNT)
        return lexer_expected(&parser->lexer, expected);
    TRY(lexer_next(&parser->lexer));
    buffer->fill = (enum buffer_fill)fill;
    if (fill == FILL_KERNEL)
        return fill_kernel(parser, buffer);
    if (fill == FILL_FILE)
        return parse_file(parser, &buffer->path);
    if (fill == FILL_RANDOM && parser->lexer.token.kind != TOKEN_END && find_role(parser) == BUFFER_ROLES) {
        TRY(parser_expression(parser, &rules_bounds, &buffer->low));
        TRY(parser_expect(parser, PUNCT('.', '.'), "an operator or '..'"));
        TRY(parser_expression(parser, &rules_bounds, &buffer->high));
    }
    return 0;
}

/* Reads the part behind the size: a fill, a role, or both. */
static int buffer_contents(struct parser *parser, struct buffer *buffer)
{
    enum buffer_role role = find_role(parser);
    if (role == BUFFER_ROLES) {
        TRY(buffer_fill(parser, buffer));
        role = find_role(parser);
    }
    buffer->role = role == BUFFER_ROLES ? BUFFER_INPUT : role;
    const struct role_row *row = &buffer_roles[buffer->role];
    if (row->filled && buffer->fill == FILL_NONE) {
        int code =
            parser_error(parser, NULL, ERROR_SYNTAX, "`%s` needs a fill: the kernel reads the buffer", row->word);
        error_hint(parser->error, "for example: zero %s", row->word);
        return code;
    }
    if (!row->filled && buffer->fill != FILL_NONE) {
        int code = parser_error(parser, NULL, ERROR_SYNTAX, "a buffer with a fill is not `%s`", row->word);
        error_hint(parser->error, "write `%s` if the kernel reads and writes the buffer",
                   buffer_roles[BUFFER_INOUT].word);
        return code;
    }
    return role == BUFFER_ROLES ? 0 : lexer_next(&parser->lexer);
}

/* Reads the extents, whose product is the size. */
static int buffer_size(struct parser *parser, const struct expr_rules *rules, struct buffer *buffer)
{
    struct space *space = parser->space;
    const char *product = NULL;
    for (buffer->extent_count = 0;;) {
        const struct expr **extent = &buffer->extents[buffer->extent_count];
        if (buffer->extent_count == SPACE_EXTENTS_MAX)
            return parser_error(parser, NULL, ERROR_SYNTAX, "more than %d dimensions", SPACE_EXTENTS_MAX);
        TRY(parser_expression(parser, rules, extent));
        product = product ? arena_printf(&space->arena, "%s * (%s)", product, (*extent)->text)
                          : arena_printf(&space->arena, "(%s)", (*extent)->text);
        buffer->extent_count++;
        if (!lexer_at_sign(&parser->lexer, ','))
            break;
        TRY(lexer_next(&parser->lexer));
    }
    buffer->size = buffer->extents[0];
    return buffer->extent_count == 1 ? 0
                                     : expr_compile_made(space, product, buffer->extents[0], parser->statement->keyword,
                                                         &buffer->size, parser->error);
}

int parse_buffer(struct parser *parser)
{
    struct space *space = parser->space;
    struct buffer *buffer = &space->buffers[space->buffer_count];
    *buffer = (struct buffer){0}; /* a faulty statement may have filled it */
    TRY(parser_declare(parser, NAME_BUFFER, space->buffer_count, &buffer->name));
    struct token token = parser->lexer.token;
    const struct name *type =
        token.kind == TOKEN_NAME ? names_find(&space->private->names, token.start, token.length) : NULL;
    TRY(c_type_refuse(space, &parser->lexer));
    if (!type || type->kind != NAME_TYPE) {
        int code = lexer_expected(&parser->lexer, "an element type");
        if (token.kind == TOKEN_NAME)
            parser_suggest(parser, &token, 1u << NAME_TYPE);
        parser_hint_types(parser);
        return code;
    }
    buffer->type = &element_types[type->index];
    buffer->line = parser->keyword.line;
    TRY(lexer_next(&parser->lexer));
    TRY(parser_expect(parser, '[', "'['"));
    const struct lexer size = parser->lexer;
    TRY(buffer_size(parser, &rules_scratch, buffer));
    TRY(parser_expect(parser, ']', "an operator, ',' or ']'"));
    TRY(buffer_contents(parser, buffer));
    if (buffer->role == BUFFER_SCRATCH && parser->space->private->scratch_count++ == SPACE_SCRATCH_MAX)
        return parser_error(parser, &parser->keyword, ERROR_SYNTAX, "more than %d scratch buffers", SPACE_SCRATCH_MAX);
    if (buffer->role != BUFFER_SCRATCH && buffer->size->parameters) { /* first known here */
        parser->lexer = size;
        return buffer_size(parser, &rules_buffer, buffer);
    }
    space->buffer_count++;
    return 0;
}
