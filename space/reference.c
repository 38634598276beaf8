#include "space/reference.h"

#include "space/step.h"

bool space_is_referenced(const struct buffer *buffer)
{
    return buffer_roles[buffer->role].compared && !buffer->expected_path;
}

/* Reads KERNEL ["FILE.cu"] CLAUSES. */
static int reference_kernel(struct parser *parser)
{
    struct space *space = parser->space;
    const char *path = NULL;
    TRY(step_kernel_name(parser, &space->reference.kernel));
    if (parser->lexer.token.kind == TOKEN_STRING) {
        space->private->reference_source = parser->lexer.source;
        space->private->reference_place = (struct expr_place){parser->lexer.token.line, parser->lexer.token.column};
        TRY(parser_string(parser, "the reference's source file in quotes", false, &path));
        if (!(space->reference_path = parser_path(parser, path)))
            return error_memory(parser->error);
    }
    return clauses_parse(parser, step_clauses, STEP_REFERENCE_CLAUSES, &space->reference);
}

int parse_reference(struct parser *parser)
{
    struct space *space = parser->space;
    space->reference.line = parser->keyword.line;
    space->reference.source = parser->lexer.source;
    if (lexer_at_word(&parser->lexer, "default")) { /* a keyword of C++, so no kernel has that name */
        space->reference_kind = REFERENCE_DEFAULT;
        return lexer_next(&parser->lexer);
    }
    space->reference_kind = REFERENCE_KERNEL;
    return reference_kernel(parser);
}

int reference_check(struct parser *parser)
{
    struct space *space = parser->space;
    struct step *reference = &space->reference;
    if (space->reference_kind != REFERENCE_KERNEL || reference->arguments)
        return 0;
    if (space->step_count > 1) {
        int code = source_error(reference->source, reference->line, 1, parser->error, ERROR_SYNTAX,
                                "the reference has no 'args'");
        error_hint(parser->error, "with several launches it needs its own: reference NAME args ... block ... grid ...");
        return code;
    }
    reference->arguments = space->steps[0].arguments;
    reference->argument_count = space->steps[0].argument_count;
    return 0;
}
