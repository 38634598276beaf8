/* surface: a surface object over a copy of a buffer, passed to the kernel as an argument. */
#include "language/clauses.h"
#include "language/techniques.h"
#include "technique/texture.h"

static const struct clause clauses[] = {
    {"layers", false, texture_parse_layers, 0, NULL,
     "number of surfaces of one or two dimensions, which are one behind the other in the buffer"},
    {"when", false, NULL, offsetof(struct texture_statement, when), NULL,
     "condition: where it is false, there is no surface, and the kernel gets 0"},
};
enum { CLAUSES = sizeof clauses / sizeof *clauses };

static int parse(struct parser *parser)
{
    struct texture_statements *all = technique_make(parser, TECHNIQUE_surface, sizeof *all);
    if (!all)
        return ERROR_MEMORY;
    struct texture_statement *surface = &all->rows[all->count];
    *surface = (struct texture_statement){
        .what = "surface", .line = parser->keyword.line, .memory.word = MEMORY_SURFACE, .when.word = 1};
    TRY(parser_declare(parser, NAME_SURFACE, all->count, &surface->name));
    TRY(parser_expect(parser, '=', "'='"));
    TRY(technique_buffer(parser, &surface->buffer));
    TRY(texture_parse_shape(parser, surface));
    TRY(clauses_parse(parser, clauses, CLAUSES, surface));
    all->count++;
    return texture_check_layers(parser, surface);
}

/* The host compares elements in the buffer, which gets the surface's contents only after the run. */
static int check_loops(struct parser *parser, const struct texture_statement *surface)
{
    const struct space_private *private = parser->space->private;
    for (size_t i = 0; i < private->loop_count; i++) {
        const struct loop *loop = &private->loops[i];
        if (!loop->until || loop->buffer != surface->buffer)
            continue;
        const char *name = parser->space->buffers[loop->buffer].name;
        int code = source_error(loop->source, loop->line, 1, parser->error, ERROR_SYNTAX,
                                "'%s' ends a loop and has the surface '%s'", name, surface->name);
        error_hint(parser->error,
                   "a buffer has the contents of its surface only after the run: use another buffer for `until`");
        return code;
    }
    return 0;
}

static int check(struct parser *parser)
{
    const struct texture_statements *all = technique_data(parser->space, TECHNIQUE_surface);
    for (size_t i = 0; i < all->count; i++) {
        TRY(technique_check_passed(parser, ARGUMENT_SURFACE, i, all->rows[i].name, all->rows[i].extents[0],
                                   all->rows[i].line));
        TRY(check_loops(parser, &all->rows[i]));
    }
    return 0;
}

static bool holds(const struct space *space, size_t at, uint32_t *buffer)
{
    const struct texture_statements *all = technique_data(space, TECHNIQUE_surface);
    if (at < all->count)
        *buffer = all->rows[at].buffer;
    return at < all->count;
}

/* ---- As an argument ---- */

/* Surfaces follow the textures of a launch. */
static size_t first_of(const struct space *space)
{
    const struct texture_statements *textures = technique_data(space, TECHNIQUE_texture);
    return textures ? textures->count : 0;
}

static int parse_argument(struct parser *parser, const struct name *name, struct argument *argument)
{
    return technique_parse_view(parser, name, ARGUMENT_SURFACE, argument);
}

static int evaluate_argument(const struct argument *argument, const struct expr_inputs *inputs, bool reference,
                             struct launch *launch, struct launch_argument *result, struct error *error)
{
    TRY(technique_evaluate_view(argument, inputs, reference, launch, result, error));
    result->view = (uint16_t)(result->view + first_of(inputs->space));
    return 0;
}

/* ---- Evaluating a configuration ---- */

static bool is_view(const struct launch_argument *argument, size_t view)
{
    return argument->buffer < 0 && argument->role == ARGUMENT_SURFACE && argument->view == view;
}

/* True if a kernel of the launch gets the surface. The contents of another one would replace results. */
static bool passes(const struct launch *launch, size_t view)
{
    bool found = false;
    for (size_t i = 0; i < launch->argument_count; i++)
        found |= is_view(&launch->arguments[i], view);
    for (size_t i = 0; i < launch->part_count; i++)
        found |= is_view(&launch->parts[i], view);
    return found;
}

static int evaluate_one(const struct texture_statement *statement, const struct expr_inputs *inputs,
                        struct launch_texture *surface, struct error *error)
{
    bool used = true;
    if (statement->when.value)
        TRY(expr_true(statement->when.value, inputs, &used, error));
    if (!used)
        return 0;
    surface->memory = MEMORY_SURFACE;
    return texture_evaluate_shape(statement, inputs, surface, error);
}

/* The contents of two surfaces cannot both return to a buffer. */
static int check_alone(const struct texture_statements *all, size_t at, const struct launch_texture *surfaces,
                       const struct expr_inputs *inputs, struct error *error)
{
    const struct buffer *buffer = &inputs->space->buffers[all->rows[at].buffer];
    for (size_t i = 0; i < at && surfaces[at].width && buffer->role != BUFFER_INPUT; i++) {
        if (all->rows[i].buffer != all->rows[at].buffer || !surfaces[i].width)
            continue;
        int code = expr_error(all->rows[at].extents[0], inputs, error, "'%s' has the surfaces '%s' and '%s'",
                              buffer->name, all->rows[i].name, all->rows[at].name);
        error_hint(error, "a buffer that a kernel writes has one surface in a configuration: give each a `when`");
        return code;
    }
    return 0;
}

static int evaluate(const struct expr_inputs *inputs, struct launch *launch, struct error *error)
{
    const struct texture_statements *all = technique_data(inputs->space, TECHNIQUE_surface);
    const size_t first = first_of(inputs->space);
    launch->texture_count = (uint16_t)(launch->texture_count + all->count);
    for (size_t i = 0; i < all->count; i++) {
        if (passes(launch, first + i))
            TRY(evaluate_one(&all->rows[i], inputs, &launch->textures[first + i], error));
        TRY(check_alone(all, i, &launch->textures[first], inputs, error));
    }
    return 0;
}

static int demand(struct demand_list *list)
{
    const struct texture_statements *all = technique_data(list->space, TECHNIQUE_surface);
    for (size_t i = 0; all && i < all->count; i++) {
        list->when = all->rows[i].when.value ? all->rows[i].when.value->text : NULL;
        TRY(texture_demand(list, &all->rows[i]));
    }
    return 0;
}

const struct technique technique_surface = {
    .statement =
        {
            .keyword = "surface",
            .most = TEXTURES_EACH_MAX,
            .phase = PHASE_VIEWS,
            .flags = STATEMENT_BUFFERS | STATEMENT_DECLARES,
            .parse = parse,
            .usage = "surface NAME = BUFFER TYPE WIDTH   or: surface NAME = BUFFER TYPE WIDTH, HEIGHT   "
                     "or: surface NAME = BUFFER TYPE WIDTH, HEIGHT, DEPTH   (then perhaps layers, when)",
            .summary = "a surface object over a copy of a buffer in a CUDA array",
            .text =
                "`args` passes it by its name, for a parameter of type `cudaSurfaceObject_t`. The kernel reads and "
                "writes it by `surf1Dread`, `surf2Dwrite`, `surf3Dwrite`, `surf2DLayeredwrite` and so on, whose x "
                "counts bytes: `surf2Dwrite(value, NAME, x * sizeof(TYPE), y)`.\n"
                "Before a run, the array gets the contents of the buffer: those of an input once, of an `inout` buffer "
                "before each run, and of an `output`, which are poison, before each verified run. After a verified "
                "run the buffer gets the contents of the array, and they are compared as usual. The time contains none "
                "of these copies. The elements of an output behind those of the surface are the kernel's to write by "
                "the buffer's address.\n"
                "A kernel that writes the buffer itself in some configurations needs `when`, because the contents of "
                "the array would replace its results. Likewise, a buffer that kernels write may have several surfaces, "
                "but one in each configuration.",
            .example = "param STORE = pointer, plane\n"
                       "surface target = out float COLS, ROWS when STORE == plane\n"
                       "args out, target, in, int ROWS, int COLS",
            .clauses = clauses,
            .clause_count = CLAUSES,
        },
    .reference = true,
    .argument_names = 1u << NAME_SURFACE,
    .argument_roles = 1u << ARGUMENT_SURFACE,
    .parse_argument = parse_argument,
    .evaluate_argument = evaluate_argument,
    .check = check,
    .holds = holds,
    .evaluate = evaluate,
    .demand = demand,
};
