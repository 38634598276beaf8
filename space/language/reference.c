#include "language/reference.h"

#include "language/file_name.h"
#include "language/fp64.h"
#include "language/kernel_file.h"
#include "language/loop.h"
#include "language/outline.h"
#include "language/step.h"
#include "language/techniques.h"
#include "language/untrusted.h"

bool space_reference_launches(const struct space *space)
{
    return space->reference_kind == REFERENCE_KERNEL || space->reference_kind == REFERENCE_DEFAULT;
}

/* Reads [fp64] KERNEL ["FILE.cu"] CLAUSES. */
static int reference_kernel(struct parser *parser)
{
    struct space *space = parser->space;
    struct step *step = &space->reference[space->reference_count];
    if (space->reference_count == SPACE_LAUNCHES_MAX)
        return parser_error(parser, &parser->keyword, ERROR_SYNTAX, "the reference has more than %d launches",
                            SPACE_LAUNCHES_MAX);
    *step = (struct step){.line = parser->keyword.line,
                          .source = parser->lexer.source,
                          .loop = loop_open(parser),
                          .fp64 = lexer_at_word(&parser->lexer, "fp64"),
                          .kernel_place = parser_place(parser)};
    if (step->fp64)
        TRY(lexer_next(&parser->lexer));
    TRY(step_kernel_name(parser, &step->kernel));
    const struct token file = parser->lexer.token;
    TRY(kernel_file_parse(parser, false, step));
    if (step->file != space->reference->file) {
        int code = parser_error(parser, &file, ERROR_SYNTAX, "the reference's kernels are in different files");
        error_hint(parser->error, "name the same file in all its statements: one compilation has all of them");
        return code;
    }
    TRY(clauses_parse(parser, step_clauses, STEP_SEQUENCE_CLAUSES, step));
    loop_note(parser, step);
    space->reference_count++;
    return 0;
}

int reference_output(struct parser *parser, const char *thing, struct buffer **output)
{
    const struct token token = parser->lexer.token;
    uint32_t index = 0;
    TRY(technique_buffer(parser, &index));
    *output = &parser->space->buffers[index];
    if (buffer_roles[(*output)->role].compared)
        return 0;
    int code = parser_error(parser, &token, ERROR_SYNTAX, "'%s' is not compared with the reference's", (*output)->name);
    error_hint(parser->error, "%s is for an output or for an inout buffer", thing);
    return code;
}

/* Finds the only compared buffer. */
static int only_output(struct parser *parser, struct buffer **output)
{
    struct space *space = parser->space;
    size_t count = 0;
    for (size_t i = 0; i < space->buffer_count; i++)
        if (buffer_roles[space->buffers[i].role].compared) {
            *output = &space->buffers[i];
            count++;
        }
    if (count == 1)
        return 0;
    int code = parser_error(parser, NULL, ERROR_SYNTAX, "there are %zu outputs, and the file is for one", count);
    error_hint(parser->error, "expected: reference OUTPUT file(\"FILE\")");
    return code;
}

/* Reads [OUTPUT] file("FILE"). */
static int reference_file(struct parser *parser, bool named)
{
    struct buffer *output = NULL;
    const char *path = NULL;
    const struct token token = parser->lexer.token;
    TRY(named ? reference_output(parser, "a file of expected results", &output) : only_output(parser, &output));
    TRY(lexer_next(&parser->lexer)); /* file */
    TRY(parse_file(parser, &path));
    if (output->expected_path)
        return parser_error(parser, &token, ERROR_SYNTAX, "'%s' has a file of expected results already", output->name);
    output->expected_path = path;
    return 0;
}

/* True if the current or the next token is the word `file` in front of a parenthesis. */
static bool at_file(const struct parser *parser, bool next)
{
    struct error ignored = {0};
    struct lexer ahead = parser->lexer;
    ahead.error = &ignored;
    return (!next || (ahead.token.kind == TOKEN_NAME && lexer_next(&ahead) == 0)) && lexer_at_word(&ahead, "file") &&
           lexer_next(&ahead) == 0 && lexer_at_sign(&ahead, '(');
}

/* Reads the reference of all outputs without a file. */
static int run_reference(struct parser *parser)
{
    struct space *space = parser->space;
    const bool kernel = !lexer_at_word(&parser->lexer, "default") && !parser_at_command(parser);
    if (space->reference_kind != REFERENCE_NONE && !(kernel && space->reference_kind == REFERENCE_KERNEL)) {
        char line[PARSER_LINE_BYTES];
        parser_line(parser, space->reference->source, space->reference->line, line);
        int code = parser_error(parser, &parser->keyword, ERROR_SYNTAX, "there is a reference already (%s)", line);
        error_hint(parser->error, "beside it, single outputs may have a file: reference OUTPUT file(\"FILE\")");
        return code;
    }
    if (kernel) {
        space->reference_kind = REFERENCE_KERNEL;
        return reference_kernel(parser);
    }
    if (loop_open(parser))
        return parser_error(parser, &parser->keyword, ERROR_SYNTAX, "a loop has kernels of a reference only");
    *space->reference = (struct step){.line = parser->keyword.line, .source = parser->lexer.source};
    if (lexer_at_word(&parser->lexer, "default")) { /* a keyword of C++, so that no kernel has that name */
        space->reference_kind = REFERENCE_DEFAULT;
        TRY(lexer_next(&parser->lexer));
        space->reference_notes = lexer_at_word(&parser->lexer, "note");
        return space->reference_notes ? lexer_next(&parser->lexer) : 0;
    }
    space->reference_kind = REFERENCE_COMMAND;
    space->reference_folder = parser_path(parser, ".");
    TRY(untrusted_refuse(parser, &parser->keyword, "a reference command", "a shell runs it"));
    TRY(lexer_next(&parser->lexer));
    TRY(parser_string(parser, "a command in quotes", false, &space->reference_command));
    return space->reference_folder ? 0 : error_memory(parser->error);
}

int parse_reference(struct parser *parser)
{
    bool unnamed = at_file(parser, false);
    return unnamed || at_file(parser, true) ? reference_file(parser, !unnamed) : run_reference(parser);
}

/* Checks that every output has expected results, and every reference computes some. */
static int check_expected(struct parser *parser)
{
    const struct space *space = parser->space;
    const struct buffer *referenced = NULL;
    size_t compared = 0;
    for (size_t i = space->buffer_count; i-- > 0;) {
        compared += space_may_be_compared(&space->buffers[i]);
        if (space_is_referenced(&space->buffers[i]))
            referenced = &space->buffers[i];
    }
    if (parser->outline->faulty[statement_row_of("reference")] ||
        !(outline_has(parser->outline, "reference") || space_judges(space)))
        return 0;
    if (referenced && space->reference_kind == REFERENCE_NONE) {
        int code = source_error(referenced->size->source, referenced->line, 1, parser->error, ERROR_SYNTAX,
                                "nothing gives the expected results of '%s'", referenced->name);
        error_hint(parser->error, "expected: reference %s file(\"FILE\"), or a reference for all other outputs",
                   referenced->name);
        return parser_keep_error(parser, NULL, code);
    }
    if (!referenced && compared && space->reference_kind != REFERENCE_NONE) {
        int code = source_error(space->reference->source, space->reference->line, 1, parser->error, ERROR_SYNTAX,
                                "the reference is not used: %s",
                                space_judges(space) ? "`accept` judges all outputs without a file"
                                                    : "all outputs have a file of expected results");
        error_hint(parser->error, "remove it, or %s",
                   space_judges(space) ? "an output from the arguments of `accept`" : "a file");
        return parser_keep_error(parser, NULL, code);
    }
    return 0;
}

/* The launches of the reference, or of the one in double precision. */
static size_t count_launches(const struct space *space, bool fp64)
{
    size_t count = 0;
    for (size_t s = 0; s < space->reference_count; s++)
        count += space->reference[s].fp64 == fp64;
    return count;
}

int reference_check(struct parser *parser)
{
    struct space *space = parser->space;
    struct step *reference = space->reference;
    TRY(check_expected(parser));
    for (; reference < space->reference + space->reference_count; reference++) {
        if (reference->arguments)
            continue;
        if (space->step_count > 1 || count_launches(space, reference->fp64) > 1 || space->steps[0].loop) {
            int code = source_error(reference->source, reference->line, 1, parser->error, ERROR_SYNTAX,
                                    "the reference has no 'args'");
            error_hint(parser->error,
                       "with several launches it needs its own: reference NAME args ... block ... grid ...");
            return code;
        }
        reference->arguments = space->steps[0].arguments;
        reference->argument_count = space->steps[0].argument_count;
        reference->arguments_place = space->steps[0].arguments_place;
    }
    return fp64_check(parser);
}
