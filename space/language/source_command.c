#include "language/source_command.h"

#include <string.h>

#include "base/generator.h"
#include "language/kernel_file.h"
#include "language/outline.h"
#include "language/untrusted.h"

/* ---- The statements ---- */

bool source_command_is_kernel(const struct parser *parser)
{
    return outline_has(parser->outline, "source");
}

int source_command_path(struct parser *parser)
{
    struct space *space = parser->space;
    const char *name = arena_printf(&space->arena, "%s.generated.cu", space->name);
    space->source_path = name ? parser_path(parser, name) : NULL;
    space->generated = true;
    return space->source_path ? 0 : error_memory(parser->error);
}

int source_command_kernel(struct parser *parser)
{
    if (parser->lexer.token.kind == TOKEN_STRING) {
        int code = parser_error(parser, NULL, ERROR_SYNTAX, "the kernel has a `source` statement, and so no file");
        error_hint(parser->error, "remove the one or the other");
        return code;
    }
    return source_command_path(parser);
}

/* Reads the name of a parameter or problem size. */
static int read_name(struct parser *parser)
{
    struct space *space = parser->space;
    const struct token token = parser->lexer.token;
    const struct name *name =
        token.kind == TOKEN_NAME ? names_find(&space->private->names, token.start, token.length) : NULL;
    if (!name || (name->kind != NAME_PARAMETER && name->kind != NAME_PROBLEM)) {
        int code = lexer_expected(&parser->lexer, "a parameter or problem size");
        if (token.kind == TOKEN_NAME)
            parser_suggest(parser, &token, 1u << NAME_PARAMETER | 1u << NAME_PROBLEM);
        return code;
    }
    uint64_t *names = name->kind == NAME_PARAMETER ? &space->source_parameters : &space->source_problems;
    const uint64_t bit = (uint64_t)1 << name->index;
    if (*names & bit)
        return parser_error(parser, &token, ERROR_SYNTAX, "'%s' is given twice", name->text);
    *names |= bit;
    return lexer_next(&parser->lexer);
}

int parse_source(struct parser *parser)
{
    struct space *space = parser->space;
    TRY(untrusted_refuse(parser, &parser->keyword, "a source command", "a shell runs it"));
    space->source_place = (struct space_place){parser->lexer.source, parser->keyword.line, parser->keyword.column};
    if (!lexer_at_word(&parser->lexer, "command"))
        return lexer_expected(&parser->lexer, "'command' and a command in quotes");
    TRY(lexer_next(&parser->lexer));
    TRY(parser_string(parser, "a command in quotes", false, &space->source_command));
    if (!(space->source_folder = parser_path(parser, ".")))
        return error_memory(parser->error);
    if (parser->lexer.token.kind == TOKEN_END) {
        space->source_parameters = space->source_problems = UINT64_MAX;
        return 0;
    }
    if (!lexer_at_word(&parser->lexer, "using"))
        return lexer_expected(&parser->lexer, "'using' and names, or the end of the statement");
    do {
        TRY(lexer_next(&parser->lexer));
        TRY(read_name(parser));
    } while (lexer_at_sign(&parser->lexer, ','));
    return 0;
}

/* ---- Use ---- */

static void put(const char *name, const struct value *value, struct text *values, size_t *count)
{
    char text[VALUE_TEXT_BYTES];
    text_printf(values, "CUTUNE_%s=%s", name, value_text(value, text, sizeof text));
    text_append(values, "", 1);
    ++*count;
}

int space_environment(const struct space *space, const uint32_t *choices, uint64_t problems, uint64_t parameters,
                      struct text *values, size_t *count, struct error *error)
{
    text_clear(values);
    *count = 0;
    for (size_t i = 0; i < space->problem_count; i++)
        if (problems >> i & 1u)
            put(space->problems[i].name, &space->problems[i].value, values, count);
    for (size_t i = 0; i < space->parameter_count; i++)
        if (parameters >> i & 1u)
            put(space->parameters[i].name, &space->parameters[i].values[choices[i]], values, count);
    return values->failed ? error_memory(error) : 0;
}

int space_generator(const struct space *space, const struct step *own, const uint32_t *choices, struct text *values,
                    struct generator *generator, struct error *error)
{
    *generator = (struct generator){.command = ""};
    if (!space->source_command || (own && kernel_file_alone(own->file)))
        return 0;
    generator->command = space->source_command;
    generator->folder = space->source_folder;
    int code = space_environment(space, choices, space->source_problems, space->source_parameters, values,
                                 &generator->value_count, error);
    generator->values = text_string(values);
    return code;
}
