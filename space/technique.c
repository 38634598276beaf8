/* Walks the list of techniques, and provides what several of them need. */
#include "space/techniques.h"

#include <stdarg.h>

#include "base/text.h"

const struct technique *const techniques[TECHNIQUE_COUNT] = {
#define TECHNIQUE(name, effect) &technique_##name,
#include "lists/techniques.def"
#undef TECHNIQUE
};

void *technique_make(struct parser *parser, int technique, size_t bytes)
{
    void **data = &parser->space->private->techniques[technique];
    if (!*data)
        *data = arena_alloc(&parser->space->arena, bytes);
    if (!*data)
        error_memory(parser->error);
    return *data;
}

void *technique_data(const struct space *space, int technique)
{
    return space->private->techniques[technique];
}

/* ---- The list ---- */

const struct technique *technique_of_name(enum name_kind kind, bool typed)
{
    for (int i = 0; i < TECHNIQUE_COUNT; i++)
        if ((typed ? techniques[i]->typed_argument_names : techniques[i]->argument_names) >> kind & 1u)
            return techniques[i];
    return NULL;
}

int technique_evaluate_argument(const struct argument *argument, const struct expr_inputs *inputs, bool reference,
                                struct launch_argument *result, struct error *error)
{
    int i = 0;
    while (!(techniques[i]->argument_roles >> argument->role & 1u))
        i++;
    return techniques[i]->evaluate_argument(argument, inputs, reference, result, error);
}

int techniques_check(struct parser *parser)
{
    for (int i = TECHNIQUE_COUNT - 1; i >= 0; i--)
        if (techniques[i]->check && technique_data(parser->space, i))
            TRY(techniques[i]->check(parser));
    return 0;
}

void techniques_mark(struct space *space, const char *name, size_t length)
{
    for (int i = 0; i < TECHNIQUE_COUNT; i++)
        if (techniques[i]->mark && technique_data(space, i))
            techniques[i]->mark(space, name, length);
}

int techniques_check_source(const struct space *space, struct error *error)
{
    for (int i = 0; i < TECHNIQUE_COUNT; i++)
        if (techniques[i]->check_source && technique_data(space, i))
            TRY(techniques[i]->check_source(space, error));
    return 0;
}

int techniques_evaluate(const struct expr_inputs *inputs, bool reference, struct launch *launch, struct error *error)
{
    for (int i = TECHNIQUE_COUNT - 1; i >= 0; i--)
        if (techniques[i]->evaluate && technique_data(inputs->space, i) && (!reference || techniques[i]->reference))
            TRY(techniques[i]->evaluate(inputs, launch, error));
    return 0;
}

bool space_launch_fits(const struct space *space, const struct launch *launch, char *why, size_t room)
{
    const struct fitting fitting = {
        .space = space, .limits = &space->limits, .launch = launch, .why = why, .room = room};
    for (int i = 0; i < TECHNIQUE_COUNT; i++)
        if (techniques[i]->fits && !techniques[i]->fits(&fitting))
            return false;
    return true;
}

void space_transfers(const struct space *space, double *in_bytes, double *out_bytes)
{
    *in_bytes = *out_bytes = 0;
    for (int i = 0; i < TECHNIQUE_COUNT; i++)
        if (techniques[i]->transfers && technique_data(space, i))
            techniques[i]->transfers(space, in_bytes, out_bytes);
}

bool space_keeps_l2(const struct space *space)
{
    bool keeps = false;
    for (int i = 0; i < TECHNIQUE_COUNT; i++)
        keeps |= techniques[i]->keeps_l2 && technique_data(space, i);
    return keeps;
}

/* ---- Helpers of the rows ---- */

int technique_buffer(struct parser *parser, uint32_t *index)
{
    const struct token token = parser->lexer.token;
    const struct name *name =
        token.kind == TOKEN_NAME ? names_find(&parser->space->private->names, token.start, token.length) : NULL;
    if (!name || name->kind != NAME_BUFFER) {
        int code = lexer_expected(&parser->lexer, "a buffer");
        if (token.kind == TOKEN_NAME)
            parser_suggest(parser, &token, 1u << NAME_BUFFER);
        return code;
    }
    *index = name->index;
    return lexer_next(&parser->lexer);
}

int technique_filled_buffer(struct parser *parser, uint32_t *index)
{
    const struct token token = parser->lexer.token;
    TRY(technique_buffer(parser, index));
    const struct buffer *buffer = &parser->space->buffers[*index];
    if (buffer->fill != FILL_NONE)
        return 0;
    int code = parser_error(parser, &token, ERROR_SYNTAX, "'%s' is empty before the kernel runs", buffer->name);
    error_hint(parser->error, "use a filled buffer: "
#define FILL(NAME, name, zeros, meaning) #name ", "
#include "lists/fills.def"
#undef FILL
                              "file(\"NAME\")");
    return code;
}

int technique_check_place(struct parser *parser, uint32_t buffer, const struct statement *statement)
{
    const struct space *space = parser->space;
    const struct buffer *held = &space->buffers[buffer];
    for (int i = 0; i < TECHNIQUE_COUNT; i++) {
        if (!techniques[i]->moves || !technique_data(space, i) || !techniques[i]->moves(space, buffer))
            continue;
        const char *mover = techniques[i]->statement.keyword;
        int code = source_error(held->size->source, held->line, 1, parser->error, ERROR_SYNTAX,
                                "'%s' is in a %s and in a '%s' statement", held->name, mover, statement->keyword);
        error_hint(parser->error, "a %s moves its buffers: use another buffer for '%s'", mover, statement->keyword);
        return code;
    }
    return 0;
}

bool technique_refuse(const struct fitting *fitting, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_vformat(fitting->why, fitting->room, format, arguments);
    va_end(arguments);
    return false;
}

uint64_t technique_buffer_bytes(const struct fitting *fitting, uint32_t buffer)
{
    const struct buffer *row = &fitting->space->buffers[buffer];
    return row->count * row->type->bytes;
}
