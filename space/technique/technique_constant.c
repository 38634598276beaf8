/* constant: a __constant__ variable of the kernel's source, filled from a buffer or set to a value. */
#include "expression/c_type.h"
#include "language/techniques.h"
#include "language/variable.h"

/* Unlike an argument, the name of a buffer is its contents: that is the use of constant memory. */
static int parse(struct parser *parser)
{
    struct variable_statement *row = NULL;
    TRY(variable_begin(parser, TECHNIQUE_constant, "the name of a __constant__ variable", &row));
    TRY(parser_expect(parser, '=', "'='"));
    const struct token token = parser->lexer.token;
    const struct name *name =
        token.kind == TOKEN_NAME ? names_find(&parser->space->private->names, token.start, token.length) : NULL;
    bool is_free = !name || name->kind == NAME_FREE;
    bool is_value = (name && name->kind == NAME_TYPE) || (is_free && lexer_at_word(&parser->lexer, "struct"));
    TRY(c_type_refuse(parser->space, &parser->lexer));
    TRY(is_value ? variable_value(parser, row) : variable_contents(parser, row));
    return variable_end(parser, TECHNIQUE_constant);
}

static bool holds(const struct space *space, size_t at, uint32_t *buffer)
{
    return variables_hold(space, TECHNIQUE_constant, at, buffer);
}

static void mark(struct space *space, const char *name, size_t length)
{
    variables_mark(space, TECHNIQUE_constant, name, length);
}

static int check_source(const struct space *space, struct error *error)
{
    return variables_check_source(space, TECHNIQUE_constant, "__constant__", error);
}

static int evaluate(const struct expr_inputs *inputs, struct launch *launch, struct error *error)
{
    return variables_evaluate(inputs, TECHNIQUE_constant, launch, error);
}

static int demand(struct demand_list *list)
{
    const struct variable_statements *all = technique_data(list->space, TECHNIQUE_constant);
    for (size_t i = 0; all && i < all->count; i++) {
        if (!all->rows[i].contents)
            continue;
        const struct buffer *buffer = &list->space->buffers[all->rows[i].value.buffer];
        const char *bytes = demand_buffer_bytes(list, (uint32_t)all->rows[i].value.buffer);
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
            .most = VARIABLES_EACH_MAX,
            .phase = PHASE_USES,
            .flags = STATEMENT_BUFFERS,
            .parse = parse,
            .usage = "constant NAME = BUFFER   or: constant NAME = TYPE VALUE   (or TYPE[COUNT] { VALUE, ... }, or "
                     "struct { ... }, as in args)",
            .summary = "a `__constant__` variable of the source, filled from a buffer or set to a value",
            .text = "The contents of the buffer, which needs a fill, are copied into the variable. A value is written "
                    "as in `args`, "
                    "and the variable must have its size. A variable in a namespace has its name there: `ns::COEFF`. "
                    "An instance of a template has its symbol in the machine code, as `cuobjdump -elf` shows it: "
                    "`_Z5COEFFIfE`. "
                    "cutune leaves out "
                    "variables that the code of a variant lacks.",
            .example = "buffer coeff float[256] random\n"
                       "constant COEFF = coeff\n"
                       "constant SHAPE = int[2] { ROWS, COLS }",
        },
    .reference = true,
    .holds = holds,
    .mark = mark,
    .check_source = check_source,
    .evaluate = evaluate,
    .demand = demand,
};
