#include "language/per.h"

#include <string.h>

#include "language/kernel_file.h"
#include "language/variable.h"

/* ---- Reading ---- */

static int read_parameter(struct parser *parser, uint32_t *index)
{
    const struct space *space = parser->space;
    const struct token token = parser->lexer.token;
    TRY(parser_parameter(parser, index));
    for (size_t i = 0; i < space->per_count; i++)
        if (space->per[i] == *index)
            return parser_error(parser, &token, ERROR_SYNTAX, "'%s' is given twice", space->parameters[*index].name);
    return 0;
}

int parse_per(struct parser *parser)
{
    struct space *space = parser->space;
    uint64_t sets = 1;
    space->private->per_source = parser->lexer.source;
    space->private->per_line = parser->keyword.line;
    for (;;) {
        TRY(read_parameter(parser, &space->per[space->per_count]));
        sets *= space->parameters[space->per[space->per_count++]].value_count;
        if (sets > SPACE_SETS_MAX) {
            int code = parser_error(parser, &parser->keyword, ERROR_SYNTAX,
                                    "these parameters have more than %d combinations of values", SPACE_SETS_MAX);
            error_hint(parser->error, "each needs expected results of its own: name only what changes the results");
            return code;
        }
        if (!lexer_at_sign(&parser->lexer, ','))
            return 0;
        TRY(lexer_next(&parser->lexer));
    }
}

int per_check(struct parser *parser)
{
    const struct space *space = parser->space;
    if (space->per_count && space->reference_kind == REFERENCE_COMMAND) {
        int code = source_error(space->private->per_source, space->private->per_line, 1, parser->error, ERROR_SYNTAX,
                                "the reference's command runs once, with the default configuration");
        error_hint(parser->error,
                   "use a reference that cutune runs for each value: reference NAME, or reference default");
        TRY(parser_keep_error(parser, NULL, code));
    }
    for (size_t i = 0; i < space->buffer_count && space->per_count; i++) {
        const struct buffer *buffer = &space->buffers[i];
        if (!buffer->expected_path)
            continue;
        int code = source_error(space->private->per_source, space->private->per_line, 1, parser->error, ERROR_SYNTAX,
                                "the expected results of '%s' are in a file, whatever the parameters", buffer->name);
        error_hint(parser->error, "use a reference that computes them: reference NAME, or reference default");
        TRY(parser_keep_error(parser, NULL, code));
    }
    return 0;
}

/* ---- Use ---- */

static uint64_t used_in(const struct expr *expr)
{
    return expr ? expr->parameters : 0;
}

static uint64_t used_by_arguments(const struct argument *arguments, size_t count)
{
    const struct argument *argument;
    uint64_t used = 0;
    for (size_t a = 0; (argument = argument_next(arguments, count, &a));) {
        used |= used_in(argument->offset);
        for (size_t m = 0; m < argument->member_count; m++)
            used |= used_in(argument->members[m].value);
        if (argument->buffer < 0 && argument->role != ARGUMENT_PLAIN)
            return UINT64_MAX; /* of a texture or tensor map, which may use any parameter */
    }
    return used;
}

/* The parameters in the clauses of a launch, of the loops around it, and of the variables that are set before it. */
static uint64_t used_by(const struct space *space, const struct step *step)
{
    uint64_t used = used_in(step->shared) | used_in(step->when) | used_in(step->repeat);
    for (const struct loop *loop = step->loop; loop; loop = loop->outer)
        used |= used_in(loop->first) | used_in(loop->last) | used_in(loop->by) | used_in(loop->value);
    for (int d = 0; d < 3; d++)
        used |= used_in(step->block[d]) | used_in(step->grid[d]) | used_in(step->cluster[d]);
    for (size_t v = 0; v < variables_count(space); v++)
        used |= used_by_arguments(variables_value(space, v), 1);
    return used | used_by_arguments(step->arguments, step->argument_count);
}

/* True if the parameter occurs in the source of the step's kernel. */
static bool occurs(const struct space *space, const struct step *step, uint32_t p)
{
    const struct kernel_file *alone = kernel_file_alone(step->file);
    return alone ? alone->parameters >> p & 1u : space->parameters[p].in_source;
}

int per_check_used(const struct space *space, struct error *error)
{
    bool kernel = space->reference_kind == REFERENCE_KERNEL;
    uint64_t used = space->accept ? used_by(space, &space->accept->step) : 0;
    for (size_t s = 0; s < space->reference_count; s++)
        used |= used_by(space, &space->reference[s]);
    for (size_t i = 0; i < space->option_count; i++)
        used |= used_in(space->options[i].value);
    for (size_t i = 0; i < space->private->define_count; i++)
        used |= used_in(space->private->defines[i].value);
    for (size_t i = 0; i < space->per_count && (kernel || (space->reference_kind == REFERENCE_NONE && space->accept));
         i++) {
        const struct parameter *parameter = &space->parameters[space->per[i]];
        if (used >> space->per[i] & 1u || (kernel && occurs(space, space->reference, space->per[i])) ||
            (space->accept && occurs(space, &space->accept->step, space->per[i])))
            continue;
        int code =
            source_error(space->private->per_source, space->private->per_line, 1, error, ERROR_SYNTAX,
                         "the %s does not depend on '%s'", kernel ? "reference" : "accept kernel", parameter->name);
        error_hint(error, "it occurs neither in its source nor in its arguments, block or grid");
        return code;
    }
    return 0;
}

uint32_t space_set(const struct space *space, const uint32_t *choices)
{
    uint32_t set = 0, preset[SPACE_PARAMETERS_MAX];
    space_default(space, preset);
    /* Counts from the default's value, so that its set is 0. */
    for (size_t i = 0; i < space->per_count; i++) {
        uint32_t count = (uint32_t)space->parameters[space->per[i]].value_count;
        set = set * count + (choices[space->per[i]] + count - preset[space->per[i]]) % count;
    }
    return set;
}

void space_set_choices(const struct space *space, uint32_t set, uint32_t *choices)
{
    space_default(space, choices);
    for (size_t i = space->per_count; i-- > 0;) {
        uint32_t *choice = &choices[space->per[i]];
        uint32_t count = (uint32_t)space->parameters[space->per[i]].value_count;
        *choice = (*choice + set % count) % count;
        set /= count;
    }
}

void space_set_text(const struct space *space, uint32_t set, struct text *text)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    char value[VALUE_TEXT_BYTES];
    space_set_choices(space, set, choices);
    for (size_t i = 0; i < space->per_count; i++) {
        const struct parameter *parameter = &space->parameters[space->per[i]];
        text_printf(text, "%s%s=%s", i ? " " : "", parameter->name,
                    value_text(&parameter->values[choices[space->per[i]]], value, sizeof value));
    }
}
