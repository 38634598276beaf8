#include "language/variable.h"

#include <stdio.h>
#include <string.h>

#include "base/symbol.h"
#include "language/arguments.h"
#include "language/techniques.h"

/* ---- Reading ---- */

static const int setters[] = {TECHNIQUE_constant, TECHNIQUE_device_variable};
enum { SETTERS = sizeof setters / sizeof *setters };
_Static_assert((int)SETTERS *(int)VARIABLES_EACH_MAX == (int)SPACE_VARIABLES_MAX, "room for all variables");

/* A macro would replace the name in the source. */
static int check_name(struct parser *parser, const struct token *token, const char *own)
{
    size_t length;
    const char *word = symbol_word(own, &length);
    const struct name *name = names_find(&parser->space->private->names, word, length);
    if (name && (name->kind == NAME_PARAMETER || name->kind == NAME_PROBLEM)) {
        int code = parser_error(parser, token, ERROR_SYNTAX, "'%s' is %s, a macro in the source", name->text,
                                name_kind_text(name->kind));
        error_hint(parser->error, "rename one of them: the variable would not be found under its name");
        return code;
    }
    for (size_t s = 0; s < SETTERS; s++) {
        const struct variable_statements *all = technique_data(parser->space, setters[s]);
        for (size_t i = 0; all && i < all->count; i++)
            if (strcmp(all->rows[i].name, own) == 0)
                return parser_error(parser, token, ERROR_SYNTAX, "%s is set twice", own);
    }
    return 0;
}

int variable_begin(struct parser *parser, int technique, const char *what, struct variable_statement **row)
{
    struct space *space = parser->space;
    struct variable_statements *all = technique_make(parser, technique, sizeof *all);
    if (!all)
        return ERROR_MEMORY;
    const struct token first = parser->lexer.token;
    if (first.kind != TOKEN_NAME)
        return lexer_expected(&parser->lexer, what);
    TRY(lexer_extend_name(&parser->lexer));
    const struct token token = parser->lexer.token;
    *row = &all->rows[all->count];
    **row = (struct variable_statement){.place = parser_place(parser), .value = {.buffer = -1}};
    if (memchr(token.start, '<', token.length)) {
        int code = parser_error(parser, &first, ERROR_SYNTAX, "an instance of a template cannot be set");
        error_hint(parser->error, "write its symbol in the machine code, as `cuobjdump -elf` shows it: _Z5tableIfE");
        return code;
    }
    (*row)->name = arena_copy(&space->arena, token.start, token.length);
    if (!(*row)->name)
        return error_memory(parser->error);
    if (token.length >= SPACE_SYMBOL_BYTES)
        return parser_error(parser, &first, ERROR_SYNTAX, "the name of the variable is longer than %d bytes",
                            SPACE_SYMBOL_BYTES - 1);
    TRY(check_name(parser, &first, (*row)->name));
    return lexer_next(&parser->lexer);
}

int variable_value(struct parser *parser, struct variable_statement *row)
{
    const struct token token = parser->lexer.token;
    const struct argument *argument;
    TRY(argument_parse(parser, true, &row->value));
    for (size_t a = 0; (argument = argument_next(&row->value, 1, &a));) {
        if (argument->buffer >= 0 ||
            (argument->role != ARGUMENT_CHUNK_OFFSET && argument->role != ARGUMENT_CHUNK_LENGTH))
            continue;
        int code = parser_error(parser, &token, ERROR_SYNTAX, "a variable cannot have the numbers of a chunk");
        error_hint(parser->error, "chunks run at the same time: pass the numbers in `args`");
        return code;
    }
    return 0;
}

int variable_contents(struct parser *parser, struct variable_statement *row)
{
    uint32_t buffer;
    TRY(technique_filled_buffer(parser, &buffer));
    row->value.buffer = (int)buffer;
    row->contents = true;
    return 0;
}

int variable_end(struct parser *parser, int technique)
{
    ((struct variable_statements *)technique_data(parser->space, technique))->count++;
    return 0;
}

/* ---- Parts of a technique ---- */

bool variables_hold(const struct space *space, int technique, size_t at, uint32_t *buffer)
{
    const struct variable_statements *all = technique_data(space, technique);
    const struct argument *argument;
    for (size_t i = 0; i < all->count; i++)
        for (size_t a = 0; (argument = argument_next(&all->rows[i].value, 1, &a));) {
            if (argument->buffer < 0 || at-- > 0)
                continue;
            *buffer = (uint32_t)argument->buffer;
            return true;
        }
    return false;
}

void variables_mark(struct space *space, int technique, const char *name, size_t length)
{
    struct variable_statements *all = technique_data(space, technique);
    for (size_t i = 0; i < all->count; i++) {
        size_t word_length;
        const char *word = symbol_word(all->rows[i].name, &word_length);
        if (!name || (word_length == length && memcmp(word, name, length) == 0))
            all->rows[i].in_source = true;
    }
}

/* A variant may lack a variable, but a variable that no variant can have is a mistake. */
int variables_check_source(const struct space *space, int technique, const char *declaration, struct error *error)
{
    const struct variable_statements *all = technique_data(space, technique);
    for (size_t i = 0; i < all->count; i++) {
        const struct variable_statement *row = &all->rows[i];
        if (row->in_source)
            continue;
        size_t length;
        const char *word = symbol_word(row->name, &length);
        const char *type = row->value.buffer >= 0 ? space->buffers[row->value.buffer].type->c_name
                           : row->value.type      ? row->value.type->c_name
                                                  : "TYPE";
        int code = source_error(row->place.source, row->place.line, row->place.column, error, ERROR_SYNTAX,
                                "'%s' does not occur in %s", row->name, space->source_path);
        error_hint(error, "expected there: %s %s %s%.*s%s;", declaration, type,
                   row->value.buffer >= 0 && !row->contents ? "*" : "", (int)length, word,
                   row->contents ? "[...]" : "");
        return code;
    }
    return 0;
}

int variables_evaluate(const struct expr_inputs *inputs, int technique, struct launch *launch, struct error *error)
{
    const struct variable_statements *all = technique_data(inputs->space, technique);
    for (size_t i = 0; i < all->count; i++) {
        const struct variable_statement *row = &all->rows[i];
        struct launch_variable *variable = &launch->variables[launch->variable_count++];
        snprintf(variable->name, sizeof variable->name, "%s", row->name);
        variable->contents = row->contents;
        variable->restored = technique != TECHNIQUE_constant; /* kernels cannot write constants */
        variable->argument = (uint32_t)launch->argument_count;
        TRY(argument_evaluate(&row->value, inputs, false, launch, &launch->arguments[launch->argument_count++], error));
    }
    return 0;
}

/* ---- All variables ---- */

size_t variables_count(const struct space *space)
{
    size_t count = 0;
    for (size_t s = 0; s < SETTERS; s++) {
        const struct variable_statements *all = technique_data(space, setters[s]);
        count += all ? all->count : 0;
    }
    return count;
}

const struct variable_statement *variables_statement(const struct space *space, size_t number)
{
    for (size_t s = 0; s < SETTERS; s++) {
        const struct variable_statements *all = technique_data(space, setters[s]);
        if (all && number < all->count)
            return &all->rows[number];
        number -= all ? all->count : 0;
    }
    return NULL;
}

const struct argument *variables_value(const struct space *space, size_t number)
{
    return &variables_statement(space, number)->value;
}
