#include "language/fp64.h"

#include "language/outline.h"
#include "language/step.h"

static bool has_fp64(const struct buffer *buffer)
{
    return space_may_be_compared(buffer) && !buffer->accepted && buffer->tolerance.fp64 > 0;
}

/* Offsets count elements of the buffer's own type, and a swapped buffer has no results of its own in fp64. */
static int check_step(struct parser *parser, const struct step *step)
{
    const struct space *space = parser->space;
    const struct argument *argument;
    const struct buffer *partly = NULL;
    for (size_t at = 0; (argument = argument_next(step->arguments, step->argument_count, &at));)
        if (argument->buffer >= 0 && argument->offset && has_fp64(&space->buffers[argument->buffer]))
            partly = &space->buffers[argument->buffer];
    if (!partly && !step->swap_count)
        return 0;
    int code = source_error(step->source, step->line, 1, parser->error, ERROR_SYNTAX,
                            partly ? "`reference fp64` gets '%s' with an offset, but it has the output as a whole"
                                   : "`reference fp64` cannot 'swap' buffers",
                            partly ? partly->name : "");
    error_hint(parser->error,
               partly ? "add the offset in the kernel" : "let the kernel write where the result belongs");
    return parser_keep_error(parser, NULL, code);
}

/* Finds the steps in fp64 that pass the buffer. */
static bool is_computed(const struct space *space, size_t buffer)
{
    bool passed = false;
    for (size_t s = 0; s < space->reference_count; s++)
        passed |= space->reference[s].fp64 && step_passes(space, &space->reference[s], buffer);
    return passed;
}

int fp64_check(struct parser *parser)
{
    const struct space *space = parser->space;
    const struct step *step = NULL;
    size_t wanted = 0;
    if (parser->outline->faulty[statement_row_of("reference")] ||
        parser->outline->faulty[statement_row_of("tolerance")])
        return 0;
    for (size_t i = 0; i < space->buffer_count; i++) {
        const struct buffer *buffer = &space->buffers[i];
        wanted += has_fp64(buffer);
        if (!has_fp64(buffer) || is_computed(space, i))
            continue;
        int code = source_error(buffer->size->source, buffer->line, 1, parser->error, ERROR_SYNTAX,
                                "nothing gives the results of '%s' in fp64, which its tolerance needs", buffer->name);
        error_hint(parser->error,
                   "expected: reference fp64 NAME block ... grid ..., a kernel that gets the output as double");
        TRY(parser_keep_error(parser, NULL, code));
    }
    for (size_t s = 0; s < space->reference_count; s++) {
        if (!space->reference[s].fp64)
            continue;
        step = &space->reference[s];
        TRY(check_step(parser, step));
    }
    if (!step || wanted)
        return 0;
    int code = source_error(step->source, step->line, 1, parser->error, ERROR_SYNTAX,
                            "no tolerance uses the reference in fp64");
    error_hint(parser->error, "expected: tolerance fp64 FACTOR");
    return parser_keep_error(parser, NULL, code);
}
