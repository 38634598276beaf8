/* device_variable: a variable of the kernel's source in device memory, set before each run. */
#include "language/techniques.h"
#include "language/variable.h"

static int parse(struct parser *parser)
{
    struct variable_statement *row = NULL;
    TRY(variable_begin(parser, TECHNIQUE_device_variable, "the name of a __device__ or __managed__ variable", &row));
    bool contents = lexer_at_word(&parser->lexer, "from");
    if (!contents && !lexer_at_sign(&parser->lexer, '='))
        return lexer_expected(&parser->lexer, "'=' or 'from'");
    TRY(lexer_next(&parser->lexer));
    TRY(contents ? variable_contents(parser, row) : variable_value(parser, row));
    return variable_end(parser, TECHNIQUE_device_variable);
}

static bool holds(const struct space *space, size_t at, uint32_t *buffer)
{
    return variables_hold(space, TECHNIQUE_device_variable, at, buffer);
}

static void mark(struct space *space, const char *name, size_t length)
{
    variables_mark(space, TECHNIQUE_device_variable, name, length);
}

static int check_source(const struct space *space, struct error *error)
{
    return variables_check_source(space, TECHNIQUE_device_variable, "__device__", error);
}

static int evaluate(const struct expr_inputs *inputs, struct launch *launch, struct error *error)
{
    return variables_evaluate(inputs, TECHNIQUE_device_variable, launch, error);
}

const struct technique technique_device_variable = {
    .statement =
        {
            .keyword = "device_variable",
            .most = VARIABLES_EACH_MAX,
            .phase = PHASE_USES,
            .flags = STATEMENT_BUFFERS,
            .parse = parse,
            .usage = "device_variable NAME = VALUE   or: device_variable NAME from BUFFER   (a VALUE as in args: int "
                     "0, int[2] { 1, 2 }, "
                     "BUFFER + OFFSET, struct { in, int N })",
            .summary = "a `__device__` or `__managed__` variable of the source, set before each run",
            .text =
                "A value is written as in `args`: the name of a buffer is its address, for a variable that is a "
                "pointer. The "
                "variable must have the size of the value, which `cutune check --compile` compares. With `from`, the "
                "contents of the buffer, "
                "which needs a fill, are copied into the variable.\n"
                "cutune sets the variable before each run, and the time does not contain that. So a kernel may change "
                "the "
                "variable: a counter of tiles, for example, begins each run with the same value. An output may be "
                "passed to "
                "the kernel by a variable alone.\n"
                "The reference and the accept kernel have the variables of their own code set, too; kernels that fill "
                "buffers "
                "have not. A variable in a namespace has its name there: `ns::next_tile`. An instance of a template "
                "has "
                "its symbol in the machine code: `_Z9next_tileIiE`. A `static` variable of a function cannot be set. "
                "cutune leaves out variables that the code of a variant lacks.",
            .example = "device_variable next_tile = uint 0\n"
                       "device_variable SOURCE = in\n"
                       "device_variable LIMITS = struct { in + ROWS, int[2] { ROWS, COLS } }",
        },
    .reference = true,
    .holds = holds,
    .mark = mark,
    .check_source = check_source,
    .evaluate = evaluate,
};
