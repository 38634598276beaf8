/* The statements of the language, with a table at the end of this file. */
#include <math.h>
#include <string.h>

#include "space/define.h"
#include "space/outline.h"
#include "space/parser.h"
#include "space/step.h"
#include "space/techniques.h"

static const struct expr_rules rules_problem = {false, true, false, false,
                                                "a problem size may use constants and the problem sizes above it"};
static const struct expr_rules rules_buffer = {false, true, true, false,
                                               "a buffer is allocated once per run, for all configurations: unless it "
                                               "is `scratch`, its size may use only problem sizes and device limits"};
static const struct expr_rules rules_scratch = {true, true, true, false,
                                                "a scratch buffer's size may use all but a chunk's length"};
static const struct expr_rules rules_bounds = {
    false, true, true, false,
    "a buffer is filled once per run, for all configurations: the bounds may use problem sizes and device limits"};
static const struct expr_rules rules_bytes = {
    false, true, true, false,
    "traffic and operations are the same for all configurations: they may use problem sizes and device limits, and "
    "with a `work` statement parameters, too"};
static const struct expr_rules rules_work = {
    true, true, true, false,
    "it may use parameters, problem sizes and device limits, and is of a whole run, not of a "
    "chunk"};
static const struct expr_rules rules_constant = {false, false, false, false, "expected a constant"};

static int parse_space(struct parser *parser)
{
    const struct token *token = &parser->lexer.token;
    if (token->kind != TOKEN_INT || token->integer == 0)
        return lexer_expected(&parser->lexer, "the version of the language");
    if (token->integer < SPACE_VERSION) {
        int code = parser_error(parser, NULL, ERROR_SCHEMA, "version %d of the language is no longer read",
                                (int)token->integer);
        error_hint(parser->error,
                   "write `space %d`, and `define NAME` below each problem size or named expression that "
                   "the kernel's source uses as a macro",
                   SPACE_VERSION);
        return code;
    }
    if (token->integer > SPACE_VERSION) {
        int code = parser_error(parser, NULL, ERROR_SCHEMA,
                                "the file uses a newer version of the language than this cutune supports");
        error_hint(parser->error, "this cutune reads version %d: update it", SPACE_VERSION);
        return code;
    }
    return lexer_next(&parser->lexer);
}

static bool is_name_part(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static int parse_kernel(struct parser *parser)
{
    struct space *space = parser->space;
    const char *path = NULL;
    TRY(step_kernel_name(parser, &space->kernel));
    char *name = arena_copy(&space->arena, space->kernel, strlen(space->kernel));
    if (!name)
        return error_memory(parser->error);
    for (char *c = name; *c; c++)
        if (!is_name_part(*c))
            *c = '_';
    space->name = name;
    space->private->kernel_source = parser->lexer.source;
    space->private->kernel_place = (struct expr_place){parser->lexer.token.line, parser->lexer.token.column};
    TRY(parser_string(parser, "the kernel's source file in quotes", false, &path));
    space->source_path = parser_path(parser, path);
    return space->source_path ? 0 : error_memory(parser->error);
}

static int parse_title(struct parser *parser)
{
    return parser_string(parser, "a text in quotes", true, &parser->space->title);
}

static int parse_problem(struct parser *parser)
{
    struct space *space = parser->space;
    size_t index = space->problem_count;
    struct problem *problem = &space->problems[index];
    const struct expr **value = &space->private->problem_values[index];
    const struct expr_inputs inputs = {.space = space};
    TRY(parser_named_expression(parser, &rules_problem, NAME_PROBLEM, index, &problem->name, value));
    problem->line = parser->keyword.line;
    space->problem_count++;
    return expr_eval(*value, &inputs, &problem->value, parser->error);
}

static int parse_device_limits(struct parser *parser)
{
    const char *path = NULL;
    TRY(parser_string(parser, "a file's name in quotes", false, &path));
    parser->space->device_file = parser_path(parser, path);
    return parser->space->device_file ? 0 : error_memory(parser->error);
}

static int parse_require(struct parser *parser)
{
    struct space *space = parser->space;
    struct constraint *constraint = &space->constraints[space->constraint_count];
    TRY(parser_expression(parser, &parser_rules, &constraint->condition));
    constraint->text = constraint->condition->text;
    constraint->name = parser->statement->keyword;
    constraint->line = parser->keyword.line;
    constraint->path = parser->lexer.source->path;
    space->constraint_count++;
    return 0;
}

/* The role at the current token; BUFFER_ROLES: none. */
static enum buffer_role find_role(const struct parser *parser)
{
    int role = 0;
    while (role < BUFFER_ROLES && !(*buffer_roles[role].word && lexer_at_word(&parser->lexer, buffer_roles[role].word)))
        role++;
    return (enum buffer_role)role;
}

static int buffer_fill(struct parser *parser, struct buffer *buffer)
{
    static const char expected[] =
#define FILL(NAME, name, zeros, meaning) #name ", "
#include "lists/fills.def"
#undef FILL
        "file(\"NAME\"), output or scratch";
    int fill = FILL_NONE + 1;
    while (fill < FILL_COUNT && !lexer_at_word(&parser->lexer, fills[fill].name))
        fill++;
    if (fill == FILL_COUNT)
        return lexer_expected(&parser->lexer, expected);
    TRY(lexer_next(&parser->lexer));
    buffer->fill = (enum buffer_fill)fill;
    if (fill == FILL_FILE) {
        const char *path = NULL;
        TRY(parser_expect(parser, '(', "'('"));
        TRY(parser_string(parser, "a file's name in quotes", false, &path));
        TRY(parser_expect(parser, ')', "')'"));
        buffer->path = parser_path(parser, path);
        if (!buffer->path)
            return error_memory(parser->error);
    }
    if (fill == FILL_RANDOM && parser->lexer.token.kind != TOKEN_END && find_role(parser) == BUFFER_ROLES) {
        TRY(parser_expression(parser, &rules_bounds, &buffer->low));
        TRY(parser_expect(parser, PUNCT('.', '.'), "an operator or '..'"));
        TRY(parser_expression(parser, &rules_bounds, &buffer->high));
    }
    return 0;
}

/* Reads what follows the size: a fill, a role, or both. */
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
        error_hint(parser->error, "write `%s` if the kernel reads what is there and writes the buffer",
                   buffer_roles[BUFFER_INOUT].word);
        return code;
    }
    return role == BUFFER_ROLES ? 0 : lexer_next(&parser->lexer);
}

static int parse_buffer(struct parser *parser)
{
    struct space *space = parser->space;
    struct buffer *buffer = &space->buffers[space->buffer_count];
    *buffer = (struct buffer){0}; /* a statement with an error may have filled it */
    TRY(parser_declare(parser, NAME_BUFFER, space->buffer_count, &buffer->name));
    struct token token = parser->lexer.token;
    const struct name *type =
        token.kind == TOKEN_NAME ? names_find(&space->private->names, token.start, token.length) : NULL;
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
    TRY(parser_expression(parser, &rules_scratch, &buffer->size));
    TRY(parser_expect(parser, ']', "an operator or ']'"));
    TRY(buffer_contents(parser, buffer));
    if (buffer->role == BUFFER_SCRATCH && parser->space->private->scratch_count++ == SPACE_SCRATCH_MAX)
        return parser_error(parser, &parser->keyword, ERROR_SYNTAX, "more than %d scratch buffers", SPACE_SCRATCH_MAX);
    if (buffer->role != BUFFER_SCRATCH && buffer->size->parameters) { /* known only now: shows the parameter */
        parser->lexer = size;
        return parser_expression(parser, &rules_buffer, &buffer->size);
    }
    space->buffer_count++;
    return 0;
}

static int parse_option(struct parser *parser)
{
    struct space *space = parser->space;
    struct compile_option *option = &space->options[space->option_count];
    TRY(parser_string(parser, "an option in quotes", false, &option->prefix));
    if (parser->lexer.token.kind != TOKEN_END)
        TRY(parser_expression(parser, &parser_rules, &option->value));
    space->option_count++;
    return 0;
}

static int tolerance(struct parser *parser, double *result)
{
    const struct expr *expr = NULL;
    const struct expr_inputs inputs = {.space = parser->space};
    struct value value;
    struct token token = parser->lexer.token;
    TRY(parser_expression(parser, &rules_constant, &expr));
    TRY(expr_eval(expr, &inputs, &value, parser->error));
    *result = value.kind == VALUE_INT ? (double)value.integer : value.real;
    return *result >= 0 ? 0 : parser_error(parser, &token, ERROR_SYNTAX, "a tolerance cannot be negative");
}

static int parse_tolerance(struct parser *parser)
{
    struct space *space = parser->space;
    bool relative = false, absolute = false;
    const struct token *token = &parser->lexer.token;
    if (token->kind == TOKEN_INT && token->integer == 0)
        return lexer_next(&parser->lexer);
    do {
        struct token word = *token;
        bool is_relative = lexer_at_word(&parser->lexer, "rel");
        if (!is_relative && !lexer_at_word(&parser->lexer, "abs"))
            return lexer_expected(&parser->lexer, "0, 'rel' or 'abs'");
        bool *seen = is_relative ? &relative : &absolute;
        if (*seen)
            return parser_error(parser, &word, ERROR_SYNTAX, "'%s' is given twice", is_relative ? "rel" : "abs");
        *seen = true;
        TRY(lexer_next(&parser->lexer));
        TRY(tolerance(parser, is_relative ? &space->tolerance_relative : &space->tolerance_absolute));
    } while (token->kind != TOKEN_END);
    return 0;
}

/* Variants that do the same work have the same least traffic and operations. */
static const struct expr_rules *bytes_rules(const struct parser *parser)
{
    return outline_has(parser->outline, "work") ? &rules_work : &rules_bytes;
}

static int parse_bytes(struct parser *parser)
{
    return parser_expression(parser, bytes_rules(parser), &parser->space->bytes_expr);
}

static int parse_flops(struct parser *parser)
{
    return parser_expression(parser, bytes_rules(parser), &parser->space->flops_expr);
}

static int parse_work(struct parser *parser)
{
    return parser_expression(parser, &rules_work, &parser->space->work_expr);
}

const struct statement *const statements[] = {
#define STATEMENT(keyword, least, most, phase, flags, parse, usage, summary, text, example)                            \
    &(const struct statement){keyword, least, most, phase, flags, parse, usage, summary, text, example, NULL, 0, NULL},
#define TECHNIQUE(name, effect) &technique_##name.statement,
#include "space/statements.def"
#undef STATEMENT
#undef TECHNIQUE
};
const size_t statement_count = sizeof statements / sizeof *statements;
_Static_assert(sizeof statements / sizeof *statements <= STATEMENTS_MAX, "STATEMENTS_MAX is too small");

size_t statement_row(const struct statement *statement)
{
    size_t row = 0;
    while (statements[row] != statement)
        row++;
    return row;
}

size_t statement_row_of(const char *keyword)
{
    size_t row = 0;
    while (strcmp(statements[row]->keyword, keyword) != 0)
        row++;
    return row;
}

const struct statement *statement_find(const struct lexer *lexer)
{
    for (size_t i = 0; i < statement_count; i++)
        if (lexer_at_word(lexer, statements[i]->keyword))
            return statements[i];
    return NULL;
}
