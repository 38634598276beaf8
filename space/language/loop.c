#include "language/loop.h"

#include <stdio.h>
#include <string.h>

#include "language/outline.h"
#include "language/reference.h"
#include "language/step.h"
#include "language/techniques.h"

/* ---- The order of statements ---- */

static int structure_error(struct parser *parser, const struct place *place, const char *message, const char *hint)
{
    parser->lexer = place->lexer;
    int code = parser_error(parser, NULL, ERROR_SYNTAX, "%s", message);
    error_hint(parser->error, "%s", hint);
    return parser_keep_error(parser, NULL, code);
}

/* The loops that are open at a statement. */
struct nest {
    struct {
        const struct place *place;
        bool any; /* it has launches */
    } loops[SPACE_LOOPS_MAX];
    size_t depth;
    const struct statement *kind; /* of the launches in the outermost one; NULL: none yet */
};

static int open_loop(struct parser *parser, const struct place *place, struct nest *nest)
{
    if (nest->depth == SPACE_LOOP_DEPTH_MAX)
        TRY(structure_error(parser, place, "a loop in two others",
                            "at most one loop in another: compute two counters from one, as in i / 8 and i % 8"));
    if (nest->depth < SPACE_LOOPS_MAX)
        nest->loops[nest->depth].place = place;
    nest->loops[nest->depth < SPACE_LOOPS_MAX ? nest->depth : 0].any = false;
    nest->kind = nest->depth ? nest->kind : NULL;
    nest->depth++;
    return 0;
}

static int close_loop(struct parser *parser, const struct place *place, struct nest *nest)
{
    if (nest->depth == 0)
        return structure_error(parser, place, "there is no loop to end",
                               "expected: loop NAME = FIRST..LAST in front of the launches");
    if (--nest->depth < SPACE_LOOPS_MAX && !nest->loops[nest->depth].any)
        return structure_error(parser, nest->loops[nest->depth].place, "the loop launches nothing",
                               "expected `launch` or `reference` statements between `loop` and `end`");
    return 0;
}

static int inside(struct parser *parser, const struct place *place, struct nest *nest)
{
    const struct statement *statement = place->statement;
    const int line = nest->loops[0].place->lexer.token.line;
    char message[128];
    for (size_t d = 0; d < nest->depth && d < SPACE_LOOPS_MAX; d++)
        nest->loops[d].any = true;
    snprintf(message, sizeof message, "'%s' cannot be in the loop of line %d", statement->keyword, line);
    if (statement->parse != parse_launch && statement->parse != parse_reference)
        return structure_error(parser, place, message, "a loop has launches or a reference: move the statement");
    if (nest->kind && nest->kind != statement)
        return structure_error(parser, place, message, "write a loop for the launches, and one for the reference");
    nest->kind = statement;
    return 0;
}

/* Returns the outermost loop without an end; NULL: all have one. */
static const struct place *find_open(const struct outline *outline)
{
    const struct place *first = NULL;
    size_t depth = 0;
    for (size_t p = 0; p < outline->count; p++) {
        const struct place *place = &outline->places[p];
        if (place->statement->parse == parse_loop && depth++ == 0)
            first = place;
        else if (place->statement->parse == parse_end && depth)
            depth--;
    }
    return depth ? first : NULL;
}

int loops_check(struct parser *parser)
{
    const struct outline *outline = parser->outline;
    struct nest nest = {.depth = 0};
    const struct place *open = find_open(outline);
    if (outline->faulty[statement_row_of("loop")] || outline->faulty[statement_row_of("end")])
        return 0;
    if (open)
        return structure_error(parser, open, "the loop has no 'end'", "expected a line `end` behind its launches");
    for (size_t p = 0; p < outline->count; p++) {
        const struct place *place = &outline->places[p];
        if (place->statement->parse == parse_loop)
            TRY(open_loop(parser, place, &nest));
        else if (place->statement->parse == parse_end)
            TRY(close_loop(parser, place, &nest));
        else if (nest.depth)
            TRY(inside(parser, place, &nest));
    }
    return 0;
}

/* ---- Reading ---- */

/* The loops in the order of the file; `outer` and `varies` link them. */
static struct loop *own_loop(const struct parser *parser, const struct loop *loop)
{
    return loop ? &parser->space->private->loops[loop - parser->space->private->loops] : NULL;
}

const struct loop *loop_open(const struct parser *parser)
{
    return parser->space->private->open_loop;
}

static void note_counters(const struct parser *parser, const struct loop *innermost, unsigned counters)
{
    for (struct loop *loop = own_loop(parser, innermost); loop; loop = own_loop(parser, loop->outer))
        loop->varies |= counters >> loop->depth & 1u;
}

static unsigned counters_of(const struct expr *expr)
{
    return expr ? expr->counters : 0;
}

void loop_note(struct parser *parser, const struct step *step)
{
    const struct argument *argument;
    unsigned counters = counters_of(step->shared) | counters_of(step->when) | counters_of(step->repeat);
    for (int d = 0; d < 3; d++)
        counters |= counters_of(step->block[d]) | counters_of(step->grid[d]) | counters_of(step->cluster[d]);
    for (size_t a = 0; (argument = argument_next(step->arguments, step->argument_count, &a));) {
        counters |= counters_of(argument->offset);
        for (size_t m = 0; m < argument->member_count; m++)
            counters |= counters_of(argument->members[m].value);
    }
    note_counters(parser, step->loop, counters);
}

/* Reads FIRST..LAST, perhaps with a step or a factor. */
static int parse_range(struct parser *parser, struct loop *loop)
{
    TRY(parser_expression(parser, &parser_rules, &loop->first));
    if (!lexer_at_sign(&parser->lexer, PUNCT('.', '.')))
        return lexer_expected(&parser->lexer, "an operator, or '..' and the last value");
    TRY(lexer_next(&parser->lexer));
    TRY(parser_expression(parser, &parser_rules, &loop->last));
    loop->times = lexer_at_word(&parser->lexer, "times");
    if (!loop->times && !lexer_at_word(&parser->lexer, "step"))
        return 0;
    TRY(lexer_next(&parser->lexer));
    return parser_expression(parser, &parser_rules, &loop->by);
}

/* Checks that the host can compare the buffer's first element, and that kernels write it. */
static int check_until(struct parser *parser, const struct token *token, const struct buffer *buffer)
{
    const struct element_type *type = buffer->type;
    const bool comparable = type->components == 1 && (type->family != FAMILY_FLOAT || type->scalar == SCALAR_float ||
                                                      type->scalar == SCALAR_double);
    if (comparable && buffer->role != BUFFER_INPUT)
        return 0;
    int code = comparable ? parser_error(parser, token, ERROR_SYNTAX, "'%s' cannot end a loop: no launch writes it",
                                         buffer->name)
                          : parser_error(parser, token, ERROR_SYNTAX, "'%s' cannot end a loop: its type is %s",
                                         buffer->name, type->name);
    if (comparable)
        error_hint(parser->error, "use an output, inout or scratch buffer");
    else
        error_hint(parser->error, "use a buffer of integers, float or double");
    return code;
}

/* Reads BUFFER COMPARISON VALUE. */
static int parse_until(struct parser *parser, struct loop *loop)
{
    static const int signs[UNTIL_SIGN_COUNT] = {PUNCT('=', '='), PUNCT('!', '='), '<', PUNCT('<', '='), '>',
                                                PUNCT('>', '=')};
    TRY(lexer_next(&parser->lexer));
    const struct token token = parser->lexer.token;
    TRY(technique_buffer(parser, &loop->buffer));
    TRY(check_until(parser, &token, &parser->space->buffers[loop->buffer]));
    int sign = 0;
    while (sign < UNTIL_SIGN_COUNT && !lexer_at_sign(&parser->lexer, signs[sign]))
        sign++;
    if (sign == UNTIL_SIGN_COUNT)
        return lexer_expected(&parser->lexer, "a comparison: ==, !=, <, <=, > or >=");
    TRY(lexer_next(&parser->lexer));
    loop->until = true;
    loop->sign = (enum until_sign)sign;
    return parser_expression(parser, &parser_rules, &loop->value);
}

int parse_loop(struct parser *parser)
{
    struct space_private *private = parser->space->private;
    const struct loop *outer = private->open_loop;
    struct loop *loop = &private->loops[private->loop_count];
    *loop = (struct loop){.outer = outer,
                          .depth = outer ? outer->depth + 1 : 0,
                          .line = parser->keyword.line,
                          .source = parser->lexer.source};
    if (loop->depth == SPACE_LOOP_DEPTH_MAX) /* an error already */
        loop->depth--;
    const struct lexer name = parser->lexer;
    if (name.token.kind != TOKEN_NAME)
        return lexer_expected(&parser->lexer, "the name of a counter");
    TRY(lexer_next(&parser->lexer));
    TRY(parser_expect(parser, '=', "'='"));
    TRY(parse_range(parser, loop));
    note_counters(parser, outer, counters_of(loop->first) | counters_of(loop->last) | counters_of(loop->by));
    const struct lexer behind = parser->lexer;
    parser->lexer = name;
    TRY(parser_declare(parser, NAME_COUNTER, loop->depth, &loop->name));
    parser->lexer = behind;
    private->loop_count++;
    private->open_loop = loop;
    if (!lexer_at_word(&parser->lexer, "until"))
        return 0;
    TRY(parse_until(parser, loop));
    note_counters(parser, loop, counters_of(loop->value));
    return 0;
}

static bool is_in(const struct step *step, const struct loop *wanted)
{
    const struct loop *loop = step->loop;
    while (loop && loop != wanted)
        loop = loop->outer;
    return loop != NULL;
}

/* Finds the loop's launches. */
static void find_steps(const struct step *steps, size_t count, struct loop *loop)
{
    for (size_t s = count; s-- > 0 && is_in(&steps[s], loop);) {
        loop->step_end = loop->step_end ? loop->step_end : s + 1;
        loop->step_first = s;
    }
}

int parse_end(struct parser *parser)
{
    struct space *space = parser->space;
    struct loop *loop = own_loop(parser, space->private->open_loop);
    if (!loop) /* an error already */
        return 0;
    struct name *name = names_find(&space->private->names, loop->name, strlen(loop->name));
    if (name->kind == NAME_COUNTER) {
        name->kind = NAME_FREE;
        name->line = 0;
    }
    find_steps(space->steps, space->step_count, loop);
    find_steps(space->reference, space->reference_count, loop);
    space->private->open_loop = loop->outer;
    return 0;
}
