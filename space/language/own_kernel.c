#include "language/own_kernel.h"

#include <string.h>

#include "base/text.h"
#include "language/clauses.h"
#include "language/kernel_file.h"
#include "language/kernel_names.h"
#include "language/reference.h"
#include "language/step.h"
#include "language/untrusted.h"

/* ---- Reading ---- */

int own_kernel_parse(struct parser *parser, struct own_kernel **result)
{
    struct own_kernel *own = arena_alloc(&parser->space->arena, sizeof *own);
    const struct token token = parser->lexer.token;
    if (!own)
        return error_memory(parser->error);
    *own = (struct own_kernel){.source = parser->lexer.source, .line = token.line, .column = token.column};
    own->step.kernel_place = own->step.arguments_place = parser_place(parser);
    TRY(step_kernel_name(parser, &own->step.kernel));
    kernel_symbol(own->step.kernel, &own->symbol, &own->symbol_length);
    TRY(kernel_file_parse(parser, false, &own->step));
    *result = own; /* not earlier: the sources are searched for its name even after an error */
    return 0;
}

/* ---- The kernels in the source ---- */

struct own_kernel *own_kernel_next(const struct space *space, size_t *at)
{
    while (*at < space->buffer_count)
        if (space->buffers[(*at)++].by)
            return space->buffers[*at - 1].by;
    return (*at)++ == space->buffer_count ? space->accept : NULL;
}

void own_kernels_mark(struct space *space, const char *name, size_t length, const struct kernel_file *alone)
{
    struct own_kernel *own;
    for (size_t at = 0; (own = own_kernel_next(space, &at));)
        own->in_source |= own->step.file == alone &&
                          (!name || (own->symbol_length == length && memcmp(own->symbol, name, length) == 0));
}

static int not_in_source(const struct space *space, const struct own_kernel *own, size_t at, struct error *error)
{
    int code = source_error(own->source, own->line, own->column, error, ERROR_SYNTAX, "'%.*s' does not occur in %s",
                            (int)own->symbol_length, own->symbol, space_step_path(space, &own->step));
    kernel_names_suggest(space_step_source(space, &own->step), own->symbol, own->symbol_length, error);
    if (own == space->accept)
        error_hint(error, "expected there: __global__ void %.*s(unsigned long long *wrong, ...)",
                   (int)own->symbol_length, own->symbol);
    else
        error_hint(error, "expected there: __global__ void %.*s(%s *data, long count, ...)", (int)own->symbol_length,
                   own->symbol, space->buffers[at - 1].type->c_name);
    return code;
}

int own_kernels_check(const struct space *space, struct error *error)
{
    const struct own_kernel *own;
    for (size_t at = 0; (own = own_kernel_next(space, &at));)
        if (!own->in_source)
            return not_in_source(space, own, at, error);
    return 0;
}

/* ---- The statement `accept` ---- */

/* Reads command "COMMAND" args OUTPUT, ... */
static int accept_command(struct parser *parser)
{
    struct space *space = parser->space;
    struct buffer *output;
    TRY(untrusted_refuse(parser, &parser->keyword, "an accept command", "a shell runs it"));
    if (!(space->accept_folder = parser_path(parser, ".")))
        return error_memory(parser->error);
    TRY(lexer_next(&parser->lexer));
    TRY(parser_string(parser, "a command in quotes", false, &space->accept_command));
    if (!lexer_at_word(&parser->lexer, "args"))
        return lexer_expected(&parser->lexer, "'args' and the outputs that the command judges");
    do {
        TRY(lexer_next(&parser->lexer));
        TRY(reference_output(parser, "`accept command`", &output));
        output->accepted = true;
    } while (lexer_at_sign(&parser->lexer, ','));
    return 0;
}

/* It alone judges the outputs among its arguments. */
int parse_accept(struct parser *parser)
{
    enum { MOST = SPACE_ARGUMENTS_MAX - ACCEPT_ARGUMENTS };
    struct space *space = parser->space;
    bool judges = false;
    space->accept_line = parser->keyword.line;
    space->accept_source = parser->lexer.source;
    if (parser_at_command(parser))
        return accept_command(parser);
    TRY(own_kernel_parse(parser, &space->accept));
    struct step *step = &space->accept->step;
    step->line = parser->keyword.line;
    step->source = parser->lexer.source;
    space->private->argument_words += LAUNCH_WORDS(sizeof(uint64_t));
    TRY(clauses_parse(parser, step_clauses, STEP_REFERENCE_CLAUSES, step));
    if (step->argument_count > MOST) {
        int code = parser_error(parser, &parser->keyword, ERROR_SYNTAX, "more than %d arguments", MOST);
        error_hint(parser->error, "the number of faults is an argument, too");
        return code;
    }
    for (size_t i = 0; i < space->buffer_count; i++) {
        struct buffer *buffer = &space->buffers[i];
        if (!step_passes(space, step, i))
            continue;
        if (buffer->role == BUFFER_SCRATCH) {
            int code = parser_error(parser, &parser->keyword, ERROR_SYNTAX, "the scratch buffer '%s' is not judged",
                                    buffer->name);
            error_hint(parser->error, "pass outputs and inputs: what stays in scratch is up to each configuration");
            return code;
        }
        buffer->accepted = buffer_roles[buffer->role].compared;
        judges |= buffer->accepted;
    }
    if (judges)
        return 0;
    int code = parser_error(parser, &parser->keyword, ERROR_SYNTAX, "the accept kernel gets no output");
    error_hint(parser->error, "expected: %s", parser->statement->usage);
    return code;
}

int accept_check(struct parser *parser)
{
    const struct space *space = parser->space;
    bool compares = false;
    for (size_t i = 0; i < space->buffer_count; i++) {
        const struct buffer *buffer = &space->buffers[i];
        compares |= buffer_roles[buffer->role].compared && !buffer->accepted;
        const char *useless = buffer->own_tolerance   ? "tolerance"
                              : buffer->expected_path ? "reference"
                              : buffer->compared      ? "compare"
                                                      : NULL;
        if (!buffer->accepted || !useless)
            continue;
        int code = source_error(buffer->size->source, buffer->line, 1, parser->error, ERROR_SYNTAX,
                                "'%s' has a '%s' statement, but `accept` judges it", buffer->name, useless);
        error_hint(parser->error, "remove that statement, or the argument of `accept`");
        TRY(parser_keep_error(parser, NULL, code));
    }
    if (!space_judges(space) || compares || !space->private->tolerance)
        return 0;
    int code = source_error(space->accept_source, space->accept_line, 1, parser->error, ERROR_SYNTAX,
                            "the 'tolerance' is for no output: `accept` judges all");
    error_hint(parser->error, "remove that statement");
    return parser_keep_error(parser, NULL, code);
}
