/* Launches of a space. Without `launch` statements there is a single launch, with its own statements. */
#include "language/step.h"

#include <string.h>

#include "base/text.h"
#include "language/arguments.h"
#include "language/kernel_file.h"
#include "language/loop.h"
#include "language/option.h"
#include "language/outline.h"
#include "language/reference.h"
#include "language/techniques.h"
#include "language/variable.h"

static const struct expr_rules rules_reference = {true, true, true, false,
                                                  "the reference processes everything at once, not by chunks"};
static const struct expr_rules rules_define = {true, true, true, false,
                                               "a macro may use parameters, problem sizes and device limits"};
static const struct expr_rules rules_accept = {true, true, true, false,
                                               "the accept kernel judges everything at once, not by chunks"};

int step_kernel_name(struct parser *parser, const char **name)
{
    struct token token = parser->lexer.token;
    if (token.kind == TOKEN_STRING) {
        TRY(parser_string(parser, "a kernel's name", false, name));
    } else if (token.kind == TOKEN_NAME) {
        TRY(lexer_extend_name(&parser->lexer));
        *name = arena_copy(&parser->space->arena, parser->lexer.token.start, parser->lexer.token.length);
        if (!*name)
            return error_memory(parser->error);
        TRY(lexer_next(&parser->lexer));
    } else {
        return lexer_expected(&parser->lexer, "a kernel's name");
    }
    if (strlen(*name) > SPACE_KERNEL_NAME_MAX)
        return parser_error(parser, &token, ERROR_SYNTAX, "the kernel's name is longer than %d bytes",
                            SPACE_KERNEL_NAME_MAX);
    return 0;
}

/* ---- Arguments ---- */

static int args_clause(struct parser *parser, void *statement)
{
    struct step *step = statement;
    step->argument_count = 0; /* a faulty statement may have counted */
    step->arguments_place = parser_place(parser);
    step->arguments = arena_array(&parser->space->arena, SPACE_ARGUMENTS_MAX, sizeof *step->arguments);
    if (!step->arguments)
        return error_memory(parser->error);
    for (;;) {
        if (step->argument_count == SPACE_ARGUMENTS_MAX)
            return parser_error(parser, NULL, ERROR_SYNTAX, "more than %d arguments", SPACE_ARGUMENTS_MAX);
        TRY(argument_parse(parser, false, &step->arguments[step->argument_count]));
        step->argument_count++;
        if (!lexer_at_sign(&parser->lexer, ','))
            return 0;
        TRY(lexer_next(&parser->lexer));
    }
}

/* ---- The other clauses ---- */

static const struct expr_rules *size_rules(const struct parser *parser, const struct step *step)
{
    const struct space *space = parser->space;
    return parser->statement->parse == parse_reference     ? &rules_reference
           : space->accept && step == &space->accept->step ? &rules_accept
                                                           : &parser_rules;
}

/* True at the word, unless the space declares that name. */
static bool at_free_word(const struct parser *parser, const char *word)
{
    const struct token token = parser->lexer.token;
    const struct name *name = lexer_at_word(&parser->lexer, word)
                                  ? names_find(&parser->space->private->names, token.start, token.length)
                                  : NULL;
    return lexer_at_word(&parser->lexer, word) && (!name || name->kind == NAME_FREE);
}

/* Reads the word `compiler`, for a launch of a run. */
static int compiler_clause(struct parser *parser, const struct step *step, bool *decides)
{
    const bool own = size_rules(parser, step) != &parser_rules;
    *decides = at_free_word(parser, "compiler");
    if (!*decides)
        return 0;
    if (own || !compiler_is_command(parser)) {
        int code = parser_error(parser, NULL, ERROR_SYNTAX, "no compiler command makes this kernel");
        error_hint(parser->error, own ? "give the size"
                                      : "`compiler command \"COMMAND\"` names the command; otherwise, give the size");
        return code;
    }
    return lexer_next(&parser->lexer);
}

static int block_clause(struct parser *parser, void *statement)
{
    struct step *step = statement;
    TRY(compiler_clause(parser, step, &step->compiler_block));
    return step->compiler_block ? 0 : parse_dimensions(parser, size_rules(parser, step), step->block);
}

/* True at the end of the statement, or before another clause of it. */
static bool at_clause_end(const struct parser *parser)
{
    bool end = parser->lexer.token.kind == TOKEN_END;
    for (size_t c = 0; c < STEP_CLAUSES; c++)
        end |= at_free_word(parser, step_clauses[c].keyword);
    return end;
}

static int grid_clause(struct parser *parser, void *statement)
{
    struct step *step = statement;
    TRY(compiler_clause(parser, step, &step->compiler_grid));
    step->resident = !step->compiler_grid && at_free_word(parser, "resident");
    if (step->resident)
        return lexer_next(&parser->lexer);
    step->compiler_sizes_grid = step->compiler_grid && at_clause_end(parser);
    return step->compiler_sizes_grid ? 0 : parse_dimensions(parser, size_rules(parser, step), step->grid);
}

static int shared_clause(struct parser *parser, void *statement)
{
    struct step *step = statement;
    TRY(compiler_clause(parser, step, &step->compiler_shared));
    return step->compiler_shared ? 0 : parser_expression(parser, size_rules(parser, step), &step->shared);
}

static int cluster_clause(struct parser *parser, void *statement)
{
    struct step *step = statement;
    return parse_dimensions(parser, size_rules(parser, step), step->cluster);
}

static int cooperative_clause(struct parser *parser, void *statement)
{
    (void)parser;
    ((struct step *)statement)->cooperative = true;
    return 0;
}

static int when_clause(struct parser *parser, void *statement)
{
    struct step *step = statement;
    return parser_expression(parser, size_rules(parser, step), &step->when);
}

static int repeat_clause(struct parser *parser, void *statement)
{
    struct step *step = statement;
    return parser_expression(parser, size_rules(parser, step), &step->repeat);
}

static int swap_buffer(struct parser *parser, uint32_t *index)
{
    const struct token token = parser->lexer.token;
    TRY(technique_buffer(parser, index));
    const struct buffer *buffer = &parser->space->buffers[*index];
    if (buffer->role != BUFFER_INPUT)
        return 0;
    int code = parser_error(parser, &token, ERROR_SYNTAX, "'%s' cannot be swapped: it is only read", buffer->name);
    error_hint(parser->error, "swap buffers that kernels write");
    return code;
}

/* Returns the first buffer of a pair that also occurs in an earlier pair, or twice in this one; NULL: none. */
static const struct buffer *swapped_twice(const struct space *space, const struct step *step)
{
    const struct launch_swap *pair = &step->swaps[step->swap_count];
    if (pair->a == pair->b)
        return &space->buffers[pair->a];
    for (size_t i = 0; i < step->swap_count; i++) {
        const struct launch_swap *other = &step->swaps[i];
        if (pair->a == other->a || pair->a == other->b)
            return &space->buffers[pair->a];
        if (pair->b == other->a || pair->b == other->b)
            return &space->buffers[pair->b];
    }
    return NULL;
}

/* Reads A, B, C, D, ...: pairs. */
static int swap_clause(struct parser *parser, void *statement)
{
    struct step *step = statement;
    struct space *space = parser->space;
    step->swap_count = 0;
    step->swaps = arena_array(&space->arena, SPACE_SWAPS_MAX, sizeof *step->swaps);
    if (!step->swaps)
        return error_memory(parser->error);
    for (;;) {
        struct token first = parser->lexer.token;
        if (step->swap_count == SPACE_SWAPS_MAX)
            return parser_error(parser, NULL, ERROR_SYNTAX, "more than %d swaps", SPACE_SWAPS_MAX);
        struct launch_swap *swap = &step->swaps[step->swap_count];
        TRY(swap_buffer(parser, &swap->a));
        TRY(parser_expect(parser, ',', "',' and the other buffer of the pair"));
        TRY(swap_buffer(parser, &swap->b));
        const struct buffer *a = &space->buffers[swap->a], *b = &space->buffers[swap->b];
        const struct buffer *twice = swapped_twice(space, step);
        if (twice)
            return parser_error(parser, &first, ERROR_SYNTAX, "'%s' is swapped twice", twice->name);
        if (a->type != b->type)
            return parser_error(parser, &first, ERROR_SYNTAX, "'%s' and '%s' cannot be swapped: they are %s and %s",
                                a->name, b->name, a->type->name, b->type->name);
        step->swap_count++;
        if (!lexer_at_sign(&parser->lexer, ','))
            return 0;
        TRY(lexer_next(&parser->lexer));
    }
}

/* Reads NAME = VALUE. */
static int parse_macro(struct parser *parser, struct step *step)
{
    struct step_macro *macro = &step->macros[step->macro_count];
    const struct token name = parser->lexer.token;
    if (step->macro_count == STEP_MACROS_MAX)
        return parser_error(parser, NULL, ERROR_SYNTAX, "more than %d macros", STEP_MACROS_MAX);
    if (name.kind != TOKEN_NAME || name.length > SPACE_WORD_MAX)
        return lexer_expected(&parser->lexer, "the name of a macro");
    *macro = (struct step_macro){.name = arena_copy(&parser->space->arena, name.start, name.length)};
    if (!macro->name)
        return error_memory(parser->error);
    for (size_t m = 0; m < step->macro_count; m++)
        if (strcmp(step->macros[m].name, macro->name) == 0)
            return parser_error(parser, &name, ERROR_SYNTAX, "'%s' is defined twice", macro->name);
    TRY(lexer_next(&parser->lexer));
    TRY(parser_expect(parser, '=', "'=' and the macro's value"));
    const struct token value = parser->lexer.token;
    TRY(parser_expression(parser, &rules_define, &macro->value));
    step->macro_count++;
    if (!macro->value->counters)
        return 0;
    int code = parser_error(parser, &value, ERROR_SYNTAX, "a macro is the same in all rounds of a loop");
    error_hint(parser->error, "pass the counter as an argument");
    return code;
}

/* Reads NAME = VALUE, NAME = VALUE, ... */
static int define_clause(struct parser *parser, void *statement)
{
    struct step *step = statement;
    step->macro_count = 0;
    step->macros = arena_array(&parser->space->arena, STEP_MACROS_MAX, sizeof *step->macros);
    if (!step->macros)
        return error_memory(parser->error);
    for (;;) {
        TRY(parse_macro(parser, step));
        if (!lexer_at_sign(&parser->lexer, ','))
            return 0;
        TRY(lexer_next(&parser->lexer));
    }
}

const struct clause step_clauses[] = {
    {"args", false, args_clause, 0, NULL, "the kernel's arguments in order, as in `args`"},
    {"block", true, block_clause, 0, NULL, "the threads of a block, one to three dimensions"},
    {"grid", true, grid_clause, 0, NULL, "the blocks of the grid, or `resident`: as many as run at once"},
    {"shared", false, shared_clause, 0, NULL, "dynamic shared memory of a block, in bytes; by default 0"},
    {"cluster", false, cluster_clause, 0, NULL, "blocks of a thread block cluster; by default none"},
    {"cooperative", false, cooperative_clause, 0, NULL,
     "a cooperative launch, whose blocks may wait for one another; the whole grid must run at once"},
    {"when", false, when_clause, 0, NULL, "a condition: without it, the configuration skips the launch"},
    {"repeat", false, repeat_clause, 0, NULL, "number of launches in a row; by default 1, and 0 skips the launch"},
    {"swap", false, swap_clause, 0, NULL,
     "pairs of buffers, `A, B` or `A, B, C, D`, that change places after each of the launches"},
    {"define", false, define_clause, 0, NULL,
     "macros for this launch alone, `A = 1` or `A = 1, B = N`, instead of a parameter's or another macro's value"},
};
_Static_assert(sizeof step_clauses / sizeof *step_clauses == STEP_CLAUSES, "STEP_CLAUSES is wrong");

/* ---- Statements ---- */

int parse_launch(struct parser *parser)
{
    struct space *space = parser->space;
    struct step *step = &space->steps[space->step_count];
    /* A faulty statement may have filled it. */
    *step = (struct step){.line = parser->keyword.line, .source = parser->lexer.source, .loop = loop_open(parser)};
    step->kernel_place = parser_place(parser);
    TRY(step_kernel_name(parser, &step->kernel));
    if (parser->lexer.token.kind == TOKEN_STRING && compiler_is_command(parser)) {
        int code =
            parser_error(parser, NULL, ERROR_SYNTAX, "the compiler command makes the kernel, which has no file here");
        error_hint(parser->error, "name the file in the command, if it reads one");
        return code;
    }
    TRY(kernel_file_parse(parser, true, step));
    TRY(clauses_parse(parser, step_clauses, STEP_CLAUSES, step));
    if (!step->arguments)
        return parser_error(parser, &parser->keyword, ERROR_SYNTAX, "there is no 'args'");
    loop_note(parser, step);
    space->step_count++;
    return 0;
}

int parse_args(struct parser *parser)
{
    return args_clause(parser, parser->space->steps);
}

int parse_block(struct parser *parser)
{
    return block_clause(parser, parser->space->steps);
}

int parse_grid(struct parser *parser)
{
    return grid_clause(parser, parser->space->steps);
}

int parse_shared(struct parser *parser)
{
    return shared_clause(parser, parser->space->steps);
}

int parse_cluster(struct parser *parser)
{
    return cluster_clause(parser, parser->space->steps);
}

/* ---- Checks of the whole ---- */

bool step_passes(const struct space *space, const struct step *step, size_t buffer)
{
    const struct argument *argument;
    for (size_t a = 0; (argument = argument_next(step->arguments, step->argument_count, &a));) {
        uint32_t viewed;
        if (argument->buffer == (int)buffer || (technique_viewed(space, argument, &viewed) && viewed == buffer))
            return true;
    }
    return false;
}

/* True if a variable has the address of the buffer, or of a view of it. */
static bool variables_pass(const struct space *space, size_t buffer)
{
    const struct argument *argument;
    uint32_t viewed;
    for (size_t v = 0; v < variables_count(space); v++)
        for (size_t a = 0; (argument = argument_next(variables_value(space, v), 1, &a));)
            if (argument->buffer == (int)buffer || (technique_viewed(space, argument, &viewed) && viewed == buffer))
                return true;
    return false;
}

static int check_outputs(struct parser *parser)
{
    const struct space *space = parser->space;
    size_t outputs = 0;
    for (size_t i = 0; i < space->buffer_count; i++) {
        const struct buffer *buffer = &space->buffers[i];
        bool by_variable = variables_pass(space, i), passed = by_variable;
        for (size_t s = 0; s < space->step_count; s++)
            passed |= step_passes(space, &space->steps[s], i);
        outputs += buffer_roles[buffer->role].compared;
        bool scratch = buffer->role == BUFFER_SCRATCH, referenced = false;
        for (size_t s = 0; s < space->reference_count; s++)
            if (step_passes(space, &space->reference[s], i)) {
                passed |= scratch;
                referenced |= !space->reference[s].fp64;
            }
        referenced |= by_variable;
        const bool faulty = parser->outline->faulty[statement_row_of("reference")];
        bool missed =
            !faulty && space->reference_kind == REFERENCE_KERNEL && space_is_referenced(buffer) && !referenced;
        if (buffer->role == BUFFER_INPUT || (passed && !missed))
            continue;
        int code = source_error(buffer->size->source, buffer->line, 1, parser->error, ERROR_SYNTAX,
                                "the %s '%s' is not passed to the %s", scratch ? "scratch buffer" : "output",
                                buffer->name, passed ? "reference" : "kernel");
        error_hint(parser->error, "name it in `args`");
        TRY(parser_keep_error(parser, NULL, code));
    }
    if (outputs == 0 && space->kernel) {
        int code = error_set(parser->error, ERROR_SYNTAX, "no buffer is an output: there is nothing to verify");
        error_place(parser->error, space->path, 0, 0);
        error_hint(parser->error, "expected: buffer NAME TYPE[COUNT] output");
        return code;
    }
    return 0;
}

/* Refuses to swap a buffer whose address a technique holds. */
static int check_swap(struct parser *parser, const struct step *step, uint32_t buffer)
{
    const struct space *space = parser->space;
    const struct buffer *swapped = &space->buffers[buffer];
    uint32_t held;
    for (int t = 0; t < TECHNIQUE_COUNT; t++)
        for (size_t at = 0; technique_data(space, t) && techniques[t]->holds && techniques[t]->holds(space, at, &held);
             at++) {
            if (held != buffer)
                continue;
            int code = source_error(step->source, step->line, 1, parser->error, ERROR_SYNTAX,
                                    "'%s' is swapped and in a '%s' statement", swapped->name,
                                    techniques[t]->statement.keyword);
            error_hint(parser->error, "a swap moves its buffers: use another buffer for '%s'",
                       techniques[t]->statement.keyword);
            return code;
        }
    return 0;
}

bool step_has_macro(const struct step *step, const char *name)
{
    bool found = false;
    for (size_t m = 0; step && m < step->macro_count; m++)
        found |= strcmp(step->macros[m].name, name) == 0;
    return found;
}

bool step_same_macros(const struct step *a, const struct step *b)
{
    size_t m = 0;
    if (a->macro_count != b->macro_count)
        return false;
    while (m < a->macro_count && strcmp(a->macros[m].name, b->macros[m].name) == 0 &&
           strcmp(a->macros[m].value->text, b->macros[m].value->text) == 0)
        m++;
    return m == a->macro_count;
}

/* The kernels of a sequence. */
struct numbering {
    const char **names, **titles;
    const struct step **steps;
    size_t count;
};

/* Assigns the step's kernel its number among the kernels. */
static int number_kernel(struct arena *arena, struct numbering *numbering, struct step *step)
{
    struct text title = {0};
    while (step->number < numbering->count && (strcmp(numbering->names[step->number], step->kernel) != 0 ||
                                               !step_same_macros(numbering->steps[step->number], step)))
        step->number++;
    if (step->number < numbering->count)
        return 0;
    text_printf(&title, "%s", step->kernel);
    for (size_t m = 0; m < step->macro_count; m++)
        text_printf(&title, "%s%s=%s", m ? ", " : " with ", step->macros[m].name, step->macros[m].value->text);
    const char *copy = title.failed ? NULL : arena_copy(arena, title.bytes, title.length);
    text_free(&title);
    numbering->names[step->number] = step->kernel;
    numbering->titles[step->number] = copy;
    numbering->steps[step->number] = step;
    numbering->count++;
    return copy ? 0 : ERROR_MEMORY;
}

/* True if a compiler command can make one machine code for both. */
static bool same_arguments(const struct space *space, const struct step *a, const struct step *b)
{
    bool same = a->argument_count == b->argument_count;
    for (size_t i = 0; same && i < a->argument_count; i++) {
        const struct argument *one = &a->arguments[i], *other = &b->arguments[i];
        same = one->role == other->role && one->type == other->type && one->is_struct == other->is_struct &&
               one->bytes == other->bytes && (one->buffer < 0) == (other->buffer < 0) &&
               (one->buffer < 0 || space->buffers[one->buffer].type == space->buffers[other->buffer].type);
    }
    return same;
}

static int other_arguments(struct parser *parser, const struct step *step, const struct step *first)
{
    int code = source_error(step->arguments_place.source, step->arguments_place.line, step->arguments_place.column,
                            parser->error, ERROR_SYNTAX,
                            "the arguments have other types than those of the launch of '%s' in line %d", step->kernel,
                            first->line);
    error_hint(parser->error,
               "a compiler command makes one machine code for all launches of a kernel: give one of them a macro "
               "of its own, `define SECOND = 1`");
    return code;
}

/* Numbers the kernels of a run's launches, or of the reference's, and limits what a struct launch holds. */
static int check_steps(struct parser *parser, struct step *steps, size_t count, const char *what,
                       struct numbering *numbering)
{
    struct space *space = parser->space;
    size_t arguments = variables_count(space), swaps = 0;
    *numbering = (struct numbering){.names = arena_array(&space->arena, count + 1, sizeof *numbering->names),
                                    .titles = arena_array(&space->arena, count + 1, sizeof *numbering->titles),
                                    .steps = arena_array(&space->arena, count + 1, sizeof *numbering->steps)};
    if (!numbering->names || !numbering->titles || !numbering->steps)
        return error_memory(parser->error);
    for (struct step *step = steps; step < steps + count; step++) {
        if (number_kernel(&space->arena, numbering, step))
            return error_memory(parser->error);
        const struct step *first = numbering->steps[step->number];
        if (space->compiler_command && steps == space->steps && !same_arguments(space, first, step))
            return other_arguments(parser, step, first);
        arguments += step->argument_count;
        swaps += step->swap_count;
        for (size_t i = 0; i < step->swap_count; i++) {
            TRY(check_swap(parser, step, step->swaps[i].a));
            TRY(check_swap(parser, step, step->swaps[i].b));
        }
    }
    if (arguments > SPACE_POOL_MAX || swaps > SPACE_SWAPS_MAX) {
        int code = error_set(parser->error, ERROR_SYNTAX, "%s %zu %s, more than %d", what,
                             arguments > SPACE_POOL_MAX ? arguments : swaps,
                             arguments > SPACE_POOL_MAX ? "arguments" : "swaps",
                             arguments > SPACE_POOL_MAX ? SPACE_POOL_MAX : SPACE_SWAPS_MAX);
        error_place(parser->error, space->path, 0, 0);
        error_hint(parser->error, "launch less, or pass what several launches need in one buffer");
        return code;
    }
    return 0;
}

int steps_check(struct parser *parser)
{
    struct space *space = parser->space;
    struct numbering run, reference;
    TRY(check_steps(parser, space->steps, space->step_count, "the launches have", &run));
    space->kernels = run.names;
    space->kernel_titles = run.titles;
    space->kernel_steps = run.steps;
    space->kernel_count = run.count;
    TRY(check_steps(parser, space->reference, space->reference_count, "the reference has", &reference));
    space->reference_kernels = reference.names;
    space->reference_kernel_count = reference.count;
    return check_outputs(parser);
}
