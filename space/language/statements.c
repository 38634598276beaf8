/* The statements of the language, with a table at the end of this file. */
#include <math.h>
#include <string.h>

#include "base/energy.h"
#include "language/define.h"
#include "language/effects.h"
#include "language/file_name.h"
#include "language/library.h"
#include "language/loop.h"
#include "language/option.h"
#include "language/outline.h"
#include "language/override.h"
#include "language/own_kernel.h"
#include "language/parser.h"
#include "language/per.h"
#include "language/reference.h"
#include "language/source_command.h"
#include "language/step.h"
#include "language/techniques.h"

static const struct expr_rules rules_problem = {false, true, false, false,
                                                "a problem size may use constants and the problem sizes above it"};
static const struct expr_rules rules_bytes = {
    false, true, true, false,
    "traffic and operations are the same for all configurations: they may use problem sizes and device limits, and "
    "with a `work` statement parameters, too"};
static const struct expr_rules rules_work = {
    true, true, true, false,
    "it may use parameters, problem sizes and device limits, and is of a whole run, not of a "
    "chunk"};
static const struct expr_rules rules_compare = {
    false, true, true, false,
    "the same elements are compared for all configurations: the number may use problem sizes and device limits"};
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

static int parse_kernel(struct parser *parser)
{
    struct space *space = parser->space;
    space->private->kernel_name_place = parser_place(parser);
    TRY(step_kernel_name(parser, &space->kernel));
    char *name = arena_copy(&space->arena, space->kernel, strlen(space->kernel));
    if (!name)
        return error_memory(parser->error);
    for (char *c = name; *c; c++)
        if (!lexer_is_name_part(*c))
            *c = '_';
    space->name = name;
    space->private->kernel_source = parser->lexer.source;
    space->private->kernel_place = (struct expr_place){parser->lexer.token.line, parser->lexer.token.column};
    return source_command_is_kernel(parser) ? source_command_kernel(parser)
           : parser->lexer.token.kind == TOKEN_END && compiler_is_command(parser)
               ? source_command_path(parser)
               : parse_file_name(parser, "the kernel's source file in quotes", &space->source_path);
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
    return parse_file_name(parser, "a file's name in quotes", &parser->space->device_file);
}

static int parse_require(struct parser *parser)
{
    struct space *space = parser->space;
    struct constraint *constraint = &space->constraints[space->constraint_count];
    TRY(parser_expression(parser, &parser_rules, &constraint->condition));
    constraint->text = constraint->condition->text;
    constraint->name = parser->statement->keyword;
    constraint->varies = constraint->condition->uses_problems || constraint->condition->uses_limits;
    constraint->line = parser->keyword.line;
    constraint->path = parser->lexer.source->path;
    space->constraint_count++;
    return 0;
}

static int tolerance_number(struct parser *parser, double least, const char *fault, double *result)
{
    const struct expr *expr = NULL;
    const struct expr_inputs inputs = {.space = parser->space};
    struct value value;
    struct token token = parser->lexer.token;
    TRY(parser_expression(parser, &rules_constant, &expr));
    TRY(expr_eval(expr, &inputs, &value, parser->error));
    *result = value.kind == VALUE_INT ? (double)value.integer : value.real;
    return *result >= least ? 0 : parser_error(parser, &token, ERROR_SYNTAX, "%s", fault);
}

/* The words of a tolerance, each with a number. */
static const struct tolerance_word {
    const char *word;
    size_t offset;
    double least;
    const char *fault; /* of a smaller number */
} tolerance_words[] = {
    {"rel", offsetof(struct tolerance, relative), 0, "a tolerance cannot be negative"},
    {"abs", offsetof(struct tolerance, absolute), 0, "a tolerance cannot be negative"},
    {"fp64", offsetof(struct tolerance, fp64), 1, "a factor of the reference's error below 1 refuses the reference"},
};
enum { TOLERANCE_WORDS = sizeof tolerance_words / sizeof *tolerance_words };

/* Returns the index of the word, or TOLERANCE_WORDS. */
static size_t tolerance_word_at(const struct lexer *lexer)
{
    size_t index = 0;
    while (index < TOLERANCE_WORDS && !lexer_at_word(lexer, tolerance_words[index].word))
        index++;
    return index;
}

static int tolerance_numbers(struct parser *parser, struct tolerance *tolerance, bool seen[TOLERANCE_WORDS])
{
    const struct token *token = &parser->lexer.token;
    if (token->kind == TOKEN_INT && token->integer == 0)
        return lexer_next(&parser->lexer);
    do {
        const struct token word = *token;
        const size_t index = tolerance_word_at(&parser->lexer);
        const struct tolerance_word *row = &tolerance_words[index];
        if (index == TOLERANCE_WORDS)
            return lexer_expected(&parser->lexer, "0, 'rel', 'abs' or 'fp64'");
        if (seen[index])
            return parser_error(parser, &word, ERROR_SYNTAX, "'%s' is given twice", row->word);
        seen[index] = true;
        TRY(lexer_next(&parser->lexer));
        TRY(tolerance_number(parser, row->least, row->fault, (double *)((char *)tolerance + row->offset)));
    } while (token->kind != TOKEN_END);
    return 0;
}

/* With `fp64` alone, any difference from the reference itself is right. Integers have no such error. */
static struct tolerance tolerance_of(const struct buffer *buffer, struct tolerance given, bool has_difference)
{
    if (buffer->type->family != FAMILY_FLOAT)
        given.fp64 = 0;
    if (given.fp64 > 0 && !has_difference)
        given.absolute = INFINITY;
    return given;
}

/* The tolerance for all outputs skips those with their own, since statements may come in any order. */
static int parse_tolerance(struct parser *parser)
{
    struct space *space = parser->space;
    struct tolerance tolerance = {0};
    struct buffer *own = NULL;
    bool given[TOLERANCE_WORDS] = {false};
    const struct lexer *lexer = &parser->lexer;
    const struct token name = lexer->token;
    if (name.kind == TOKEN_NAME && tolerance_word_at(lexer) == TOLERANCE_WORDS)
        TRY(reference_output(parser, "a tolerance", &own));
    bool *seen = own ? &own->own_tolerance : &space->private->tolerance;
    if (*seen) {
        int code =
            own ? parser_error(parser, &parser->keyword, ERROR_SYNTAX, "'%s' has a tolerance already", own->name)
                : parser_error(parser, &parser->keyword, ERROR_SYNTAX, "there is a tolerance for all outputs already");
        error_hint(parser->error, "a tolerance for one output has its name: tolerance OUTPUT rel E abs E");
        return code;
    }
    TRY(tolerance_numbers(parser, &tolerance, given));
    if (own && tolerance.fp64 > 0 && own->type->family != FAMILY_FLOAT)
        return parser_error(parser, &name, ERROR_SYNTAX,
                            "'%s' is %s: only floating-point outputs have an error in fp64", own->name,
                            own->type->name);
    *seen = true;
    for (size_t i = 0; i < space->buffer_count; i++)
        if (own ? own == &space->buffers[i] : !space->buffers[i].own_tolerance)
            space->buffers[i].tolerance = tolerance_of(&space->buffers[i], tolerance, given[0] || given[1]);
    return 0;
}

static int parse_compare(struct parser *parser)
{
    struct buffer *buffer = NULL;
    const struct token name = parser->lexer.token;
    TRY(reference_output(parser, "the statement", &buffer));
    if (buffer->compared)
        return parser_error(parser, &name, ERROR_SYNTAX, "'%s' has a 'compare' statement already", buffer->name);
    if (!lexer_at_word(&parser->lexer, "first"))
        return lexer_expected(&parser->lexer, "'first' and the number of elements");
    TRY(lexer_next(&parser->lexer));
    return parser_expression(parser, &rules_compare, &buffer->compared);
}

/* Variants with the same work have the same least traffic and operations. */
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

static int parse_objective(struct parser *parser)
{
    struct space *space = parser->space;
    const struct token *token = &parser->lexer.token;
    for (;;) {
        if (token->kind != TOKEN_NAME)
            return lexer_expected(&parser->lexer, "an objective");
        const char *wrong =
            energy_add_objective(token->start, token->length, space->objectives, &space->objective_count);
        if (wrong) {
            int code = parser_error(parser, NULL, ERROR_SYNTAX, "'%.*s' %s",
                                    (int)(token->length < 60 ? token->length : 60), token->start, wrong);
            energy_hint_objective(token->start, token->length, parser->error);
            return code;
        }
        TRY(lexer_next(&parser->lexer));
        if (!lexer_at_sign(&parser->lexer, ','))
            return 0;
        TRY(lexer_next(&parser->lexer));
    }
}

const struct statement *const statements[] = {
#define STATEMENT(keyword, least, most, phase, flags, parse, usage, summary, text, example)                            \
    STATEMENT_CLAUSES(keyword, least, most, phase, flags, parse, usage, summary, text, example, NULL, 0)
#define STATEMENT_CLAUSES(keyword, least, most, phase, flags, parse, usage, summary, text, example, clauses, count)    \
    &(const struct statement){keyword, least, most,    phase,   flags, parse, usage,                                   \
                              summary, text,  example, clauses, count, NULL},
#define TECHNIQUE(name, effect) &technique_##name.statement,
#include "language/statements.def"
#undef STATEMENT
#undef STATEMENT_CLAUSES
#undef TECHNIQUE
};
const size_t statement_count = sizeof statements / sizeof *statements;
_Static_assert(sizeof statements / sizeof *statements <= STATEMENTS_MAX, "STATEMENTS_MAX is too small");
