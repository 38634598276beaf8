/* constant: a __constant__ variable of the kernel's source, filled from a buffer. */
#include <stdio.h>
#include <string.h>

#include "language/techniques.h"

struct constant_statements {
    size_t count;
    struct constant_statement {
        const char *symbol;
        uint32_t buffer;
        const struct source_text *source;
        struct expr_place place; /* of the symbol */
        bool in_source;          /* its name occurs in the kernel's source */
    } rows[SPACE_CONSTANTS_MAX];
};

/* The symbol belongs to the source, where a macro of the same name would replace it. */
static int parse(struct parser *parser)
{
    struct space *space = parser->space;
    struct constant_statements *all = technique_make(parser, TECHNIQUE_constant, sizeof *all);
    if (!all)
        return ERROR_MEMORY;
    struct constant_statement *constant = &all->rows[all->count];
    const struct token token = parser->lexer.token;
    if (token.kind != TOKEN_NAME || token.length > SPACE_WORD_MAX)
        return lexer_expected(&parser->lexer, "the name of a __constant__ variable");
    const struct name *name = names_find(&space->private->names, token.start, token.length);
    if (name && (name->kind == NAME_PARAMETER || name->kind == NAME_PROBLEM)) {
        int code = parser_error(parser, NULL, ERROR_SYNTAX, "'%s' is %s, a macro in the source", name->text,
                                name_kind_text(name->kind));
        error_hint(parser->error, "rename one of them: the variable would not be found under its name");
        return code;
    }
    for (size_t i = 0; i < all->count; i++)
        if (lexer_at_word(&parser->lexer, all->rows[i].symbol))
            return parser_error(parser, NULL, ERROR_SYNTAX, "%s is filled twice", all->rows[i].symbol);
    constant->symbol = arena_copy(&space->arena, token.start, token.length);
    if (!constant->symbol)
        return error_memory(parser->error);
    constant->source = parser->lexer.source;
    constant->place = (struct expr_place){token.line, token.column};
    TRY(lexer_next(&parser->lexer));
    TRY(parser_expect(parser, '=', "'='"));
    TRY(technique_filled_buffer(parser, &constant->buffer));
    all->count++;
    return 0;
}

static bool holds(const struct space *space, size_t at, uint32_t *buffer)
{
    const struct constant_statements *all = technique_data(space, TECHNIQUE_constant);
    if (at < all->count)
        *buffer = all->rows[at].buffer;
    return at < all->count;
}

static void mark(struct space *space, const char *name, size_t length)
{
    struct constant_statements *all = technique_data(space, TECHNIQUE_constant);
    for (size_t i = 0; i < all->count; i++) {
        const char *symbol = all->rows[i].symbol;
        if (!name || (strlen(symbol) == length && memcmp(symbol, name, length) == 0))
            all->rows[i].in_source = true;
    }
}

/* A variant may lack a symbol, but a symbol that no variant can have is a mistake. */
static int check_source(const struct space *space, struct error *error)
{
    const struct constant_statements *all = technique_data(space, TECHNIQUE_constant);
    for (size_t i = 0; i < all->count; i++) {
        const struct constant_statement *row = &all->rows[i];
        if (row->in_source)
            continue;
        int code = source_error(row->source, row->place.line, row->place.column, error, ERROR_SYNTAX,
                                "'%s' does not occur in %s", row->symbol, space->source_path);
        error_hint(error, "expected there: __constant__ %s %s[...];", space->buffers[row->buffer].type->c_name,
                   row->symbol);
        return code;
    }
    return 0;
}

static int evaluate(const struct expr_inputs *inputs, struct launch *launch, struct error *error)
{
    const struct constant_statements *all = technique_data(inputs->space, TECHNIQUE_constant);
    (void)error;
    launch->constant_count = (uint16_t)all->count;
    for (size_t i = 0; i < all->count; i++) {
        snprintf(launch->constants[i].symbol, sizeof launch->constants[i].symbol, "%s", all->rows[i].symbol);
        launch->constants[i].buffer = all->rows[i].buffer;
    }
    return 0;
}

static int demand(struct demand_list *list)
{
    const struct constant_statements *all = technique_data(list->space, TECHNIQUE_constant);
    for (size_t i = 0; all && i < all->count; i++) {
        const struct buffer *buffer = &list->space->buffers[all->rows[i].buffer];
        const char *bytes = demand_buffer_bytes(list, all->rows[i].buffer);
        list->place = buffer->size;
        DEMAND(list, bytes ? demand_text(list, "%s <= constant_bytes", bytes) : NULL,
               demand_text(list, "'%s' has $ bytes, the device's constant memory $", buffer->name), bytes,
               "constant_bytes");
    }
    return 0;
}

const struct technique technique_constant = {
    .statement =
        {
            .keyword = "constant",
            .most = SPACE_CONSTANTS_MAX,
            .phase = PHASE_USES,
            .flags = STATEMENT_BUFFERS,
            .parse = parse,
            .usage = "constant SYMBOL = BUFFER",
            .summary = "a `__constant__` variable of the source, filled from a buffer",
            .text = "cutune leaves out variables that the code of a variant lacks. The buffer needs"
                    " a fill.",
            .example = "buffer coeff float[256] random\n"
                       "constant COEFF = coeff",
        },
    .reference = true,
    .holds = holds,
    .mark = mark,
    .check_source = check_source,
    .evaluate = evaluate,
    .demand = demand,
};
