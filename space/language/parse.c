/* Reads a .space file: its statements in phases, then checks that involve several statements. */
#include <stdlib.h>
#include <string.h>

#include "base/damage.h"
#include "base/file.h"
#include "base/text.h"
#include "language/loop.h"
#include "language/macro.h"
#include "language/outline.h"
#include "language/own_kernel.h"
#include "language/parser.h"
#include "language/per.h"
#include "language/reference.h"
#include "language/step.h"
#include "language/techniques.h"

/* A space without a kernel has only parameters and constraints; a statement about launching is an error. */
static int check_no_kernel(struct parser *parser)
{
    const struct outline *outline = parser->outline;
    for (size_t p = 0; p < outline->count; p++) {
        const struct statement *statement = outline->places[p].statement;
        if (!(statement->flags & STATEMENT_ALONE)) {
            parser->lexer = outline->places[p].lexer;
            int code = parser_error(parser, NULL, ERROR_SYNTAX, "there is a '%s' statement, but no 'kernel' statement",
                                    statement->keyword);
            error_hint(parser->error, "a space without a kernel has parameters and constraints only; with one, write: "
                                      "kernel NAME \"FILE.cu\"");
            return code;
        }
    }
    return 0;
}

/* Statements for a single launch exclude `launch` statements. */
static int check_single(struct parser *parser)
{
    const struct outline *outline = parser->outline;
    for (size_t p = 0; p < outline->count && outline_has(outline, "launch"); p++) {
        const struct statement *statement = outline->places[p].statement;
        if (!(statement->flags & STATEMENT_SINGLE))
            continue;
        parser->lexer = outline->places[p].lexer;
        int code = parser_error(parser, NULL, ERROR_SYNTAX,
                                "'%s' is for a single launch, and there are 'launch' statements", statement->keyword);
        error_hint(parser->error, "a `launch` has clauses of its own: launch NAME args ... block ... grid ...");
        TRY(parser_keep_error(parser, NULL, code));
    }
    return 0;
}

/* Least number of occurrences in this file. A later check decides if `accept` needs a reference, too. */
static size_t least_of(const struct outline *outline, const struct statement *statement)
{
    bool prior_runs = (statement->flags & STATEMENT_SINGLE && outline_has(outline, "launch")) ||
                      (statement->parse == parse_reference && outline_has(outline, "accept"));
    return prior_runs ? 0 : statement->least;
}

/* Reports all missing statements in one error. */
static int check_missing(struct parser *parser)
{
    const struct outline *outline = parser->outline;
    const struct statement *first = NULL;
    struct text others = {0};
    bool kernel = outline_has(outline, "kernel");
    if (!kernel)
        TRY(parser_keep_error(parser, NULL, check_no_kernel(parser)));
    for (size_t i = 0; i < statement_count; i++) {
        const struct statement *row = statements[i];
        if (least_of(outline, row) && !outline_has(outline, row->keyword) && (kernel || row->flags & STATEMENT_ALONE)) {
            if (first)
                text_printf(&others, ", no '%s'", row->keyword);
            first = first ? first : row;
        }
    }
    int code = 0;
    if (first) {
        code = error_set(parser->error, ERROR_SYNTAX, "there is no '%s'%s statement", first->keyword,
                         text_string(&others));
        error_place(parser->error, parser->space->path, 0, 0);
        error_hint(parser->error, "%sexpected: %s",
                   strcmp(first->keyword, "reference") == 0 ? "for a first run: reference default; " : "",
                   first->usage);
    }
    text_free(&others);
    return parser_keep_error(parser, NULL, code);
}

static int make_arrays(struct parser *parser)
{
    const struct outline *outline = parser->outline;
    struct space *space = parser->space;
    struct arena *arena = &space->arena;
    size_t problems = outline_count(outline, "problem"), parameters = outline_count(outline, "param");
    size_t launches = outline_count(outline, "launch"), references = outline_count(outline, "reference");
    struct space_private *private = space->private;
    space->parameters = arena_array(arena, parameters, sizeof *space->parameters);
    private->whens = arena_array(arena, parameters, sizeof *private->whens);
    size_t defines = outline_count(outline, "define");
    private->defines = arena_array(arena, defines, sizeof *private->defines);
    private->lets = arena_array(arena, outline_count(outline, "let") + defines, sizeof *private->lets);
    space->problems = arena_array(arena, problems, sizeof *space->problems);
    private->problem_values = arena_array(arena, problems, sizeof(struct expr *));
    /* Each parameter may have a constraint from its `when` and one from space_narrow. */
    space->constraints = arena_array(arena,
                                     outline_count(outline, "require") + 2 * parameters +
                                         (launches ? launches : 1) * SPACE_DEVICE_CONSTRAINTS_MAX + SPACE_SCRATCH_MAX,
                                     sizeof *space->constraints);
    space->buffers = arena_array(arena, outline_count(outline, "buffer"), sizeof *space->buffers);
    space->steps = arena_array(arena, launches ? launches : 1, sizeof *space->steps);
    space->reference = arena_array(arena, references ? references : 1, sizeof *space->reference);
    private->loops = arena_array(arena, outline_count(outline, "loop"), sizeof *private->loops);
    space->options = arena_array(arena, outline_count(outline, "option"), sizeof *space->options);
    return space->parameters && private->whens && private->lets && private->defines && space->problems &&
                   private->problem_values && space->constraints && space->buffers && space->steps && space->options &&
                   space->reference && private->loops
               ? 0
               : error_memory(parser->error);
}

/* True if all statements about buffers exist and are correct. */
static bool buffers_known(const struct parser *parser)
{
    const struct outline *outline = parser->outline;
    for (size_t i = 0; i < statement_count; i++)
        if (statements[i]->flags & STATEMENT_BUFFERS &&
            (outline->faulty[i] || outline->counts[i] < least_of(outline, statements[i])))
            return false;
    return true;
}

static int parse_phase(struct parser *parser, int phase)
{
    struct outline *outline = parser->outline;
    for (size_t i = 0; i < outline->count; i++) {
        const struct place *place = &outline->places[i];
        if ((int)place->statement->phase != phase || place->statement == statements[0])
            continue;
        int code = run_statement(parser, place->statement, &place->lexer);
        TRY(parser_keep_error(parser, &place->lexer, code));
        if (code) {
            outline->faulty[statement_row(place->statement)] = true;
            parser_mark_declared(parser, &place->lexer);
        }
    }
    return 0;
}

static int parse_whens(struct parser *parser)
{
    for (size_t p = 0; p < parser->space->parameter_count; p++) {
        const struct lexer *when = &parser->space->private->whens[p].lexer;
        if (!when->source)
            continue;
        int code = parse_when(parser, p);
        if (code)
            error_hint(parser->error, "expected: param NAME = VALUE, VALUE, ... when CONDITION else VALUE");
        TRY(parser_keep_error(parser, when, code));
    }
    return 0;
}

static int parse_statements(struct parser *parser)
{
    struct space *space = parser->space;
    TRY(outline_make(parser));
    if (parser->outline->file_missing)
        return 0;
    TRY(check_missing(parser));
    TRY(check_single(parser));
    TRY(loops_check(parser));
    TRY(make_arrays(parser));
    for (int phase = 0; phase < PHASE_COUNT; phase++) {
        if (phase == PHASE_USES)
            TRY(parse_whens(parser));
        TRY(parse_phase(parser, phase));
    }
    if (!buffers_known(parser))
        return 0;
    if (space->kernel && !outline_has(parser->outline, "launch")) {
        struct step *step = &space->steps[space->step_count++];
        step->kernel = space->kernel;
        step->kernel_place = space->private->kernel_name_place;
    }
    if (space->kernel) {
        TRY(macros_check(parser));
        TRY(reference_check(parser));
        TRY(accept_check(parser));
        TRY(per_check(parser));
        TRY(steps_check(parser));
    }
    return techniques_check(parser);
}

static int add_language_name(struct space *space, const struct language_name *row, struct error *error)
{
    struct name *name = names_intern(&space->private->names, &space->arena, row->text, strlen(row->text));
    if (!name)
        return error_memory(error);
    name->kind = row->kind;
    name->index = row->index;
    return 0;
}

static int add_language_names(struct space *space, struct error *error)
{
    const struct {
        enum name_kind kind;
        size_t count;
    } lists[] = {{NAME_LIMIT, limit_count}, {NAME_FUNCTION, expr_function_count}, {NAME_TYPE, element_type_count}};
    for (size_t list = 0; list < sizeof lists / sizeof *lists; list++)
        for (size_t i = 0; i < lists[list].count; i++) {
            const char *text = lists[list].kind == NAME_LIMIT      ? limit_rows[i].name
                               : lists[list].kind == NAME_FUNCTION ? expr_functions[i].name
                                                                   : element_types[i].name;
            const struct language_name row = {text, lists[list].kind, (uint32_t)i};
            TRY(add_language_name(space, &row, error));
        }
    static const struct language_name truths[] = {{"false", NAME_TRUTH, 0}, {"true", NAME_TRUTH, 1}};
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
        TRY(add_language_name(space, &truths[i], error));
    for (size_t i = 0; i < statement_count; i++)
        for (const struct language_name *row = statements[i]->names; row && row->text; row++)
            TRY(add_language_name(space, row, error));
    return 0;
}

/* Performs the steps that need no device. The parser collects errors of the text. */
static int fill(struct parser *parser, const char *path, const char *text, size_t length, const char *source,
                bool untrusted)
{
    struct space *space = parser->space;
    size_t start = parser_text_start(text, length);
    text += start;
    length -= start;
    space->private = arena_alloc(&space->arena, sizeof *space->private);
    space->path = arena_copy(&space->arena, path, strlen(path));
    space->folder = arena_copy(&space->arena, path, file_folder_length(path));
    const char *copy = length <= SPACE_TEXT_BYTES_MAX ? arena_copy(&space->arena, text, length) : NULL;
    if (length > SPACE_TEXT_BYTES_MAX)
        return error_set(parser->error, ERROR_DATA, "%s is larger than %d bytes", path, SPACE_TEXT_BYTES_MAX);
    if (!space->private || !space->path || !space->folder || !copy)
        return error_memory(parser->error);
    space->title = "";
    space->private->untrusted = untrusted;
    hash_hex(text, length, space->text_hash);
    space->private->source = (struct source_text){.path = space->path, .text = copy, .length = length};
    TRY(add_language_names(space, parser->error));
    TRY(parser_keep_error(parser, NULL, parse_statements(parser)));
    if (parser->found.total == 0)
        TRY(demands_make(space, parser->error));
    /* A faulty `source` statement leaves the source unknown. */
    if (!space->source_path || (!space->source_command && outline_has(parser->outline, "source")))
        return 0;
    return space_load_source(space, source, parser->error);
}

/* The first error may be in an include. */
static void explain(const char *path, const char *text, size_t length, int code, struct error *error)
{
    if (error && *error->source && strcmp(error->source, path) != 0)
        damage_explain_file(DAMAGE_SPACE, error->source, code, error);
    else
        damage_explain(DAMAGE_SPACE, path, text, length, code, error);
}

static int parse(struct space **result, const char *path, const char *text, size_t length, const char *source,
                 bool untrusted, struct error *error)
{
    struct space *space = calloc(1, sizeof *space);
    struct parser *parser = calloc(1, sizeof *parser);
    struct outline *outline = calloc(1, sizeof *outline);
    struct error found = {0};
    int code = ERROR_MEMORY;
    *result = NULL;
    if (space && parser && outline) {
        *parser = (struct parser){.space = space, .error = &found, .outline = outline};
        code = parser_keep_error(parser, NULL, fill(parser, path, text, length, source, untrusted));
        code = code == ERROR_MEMORY ? code : (int)parser->found.errors[0].code;
    }
    if (!code)
        *result = space;
    else if (code == ERROR_MEMORY)
        error_memory(error);
    else
        explain(path, text, length, error_set_list(error, &parser->found), error);
    if (code)
        space_free(space);
    if (outline)
        outline_free(outline);
    free(outline);
    free(parser);
    return code;
}

int space_parse_text(struct space **space, const char *path, const char *text, size_t length, const char *source,
                     struct error *error)
{
    return parse(space, path, text, length, source, false, error);
}

int space_refuse_untrusted(const char *path, const char *text, size_t length, struct error *error)
{
    struct space *space;
    int code = parse(&space, path, text, length, NULL, true, error);
    space_free(space);
    return code;
}

int space_read(const char *path, struct text *text, struct error *error)
{
    return file_read(path, SPACE_TEXT_BYTES_MAX, text, error);
}

int space_parse(struct space **space, const char *path, struct error *error)
{
    struct text text = {0};
    *space = NULL;
    int code = space_read(path, &text, error);
    if (!code)
        code = space_parse_text(space, path, text_string(&text), text.length, NULL, error);
    text_free(&text);
    return code;
}
