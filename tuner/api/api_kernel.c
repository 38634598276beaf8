/* A tuned kernel: chooses a configuration, compiles it, and evaluates its launch. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/api_compile.h"
#include "expression/expr.h"
#include "language/condition.h"

struct cutune_kernel {
    struct arena arena;
    struct cutune_best best;
    struct cutune_sequence sequence;
    struct api_code code;
};

/* State of opening that the kernel does not keep. */
struct opening {
    const struct cutune_database *database;
    const struct cutune_device *device;
    struct cutune_kernel *kernel;
    struct arena arena;
    struct space *space;
    struct selection *selection;
    uint32_t choices[SPACE_PARAMETERS_MAX];
    struct launch *launch; /* large */
    struct bundle bundle;  /* of the kernel's code */
};

/* ---- The space ---- */

int api_bind(struct space *space, const char *problem, const struct cutune_device *device, struct error *error)
{
    struct arena arena = {0};
    const char **overrides = arena_array(&arena, strlen(problem) + 1, sizeof *overrides);
    size_t count = 0;
    int code = overrides ? 0 : error_memory(error);
    for (const char *at = problem + strspn(problem, " "); !code && *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        if (!(overrides[count++] = arena_copy(&arena, at, length)))
            code = error_memory(error);
        at += length;
    }
    if (!code)
        code = space_bind(space, overrides, count, device && device->detailed ? &device->limits : NULL, error);
    arena_free(&arena);
    return code;
}

int api_check_constraints(const struct space *space, const uint32_t *choices, const char *configuration,
                          struct error *error)
{
    struct value values[SPACE_PARAMETERS_MAX];
    const struct expr_inputs inputs = {.space = space, .values = values, .bound = space->parameter_count};
    for (size_t p = 0; p < space->parameter_count; p++)
        values[p] = space->parameters[p].values[choices[p]];
    for (size_t c = 0; c < space->constraint_count; c++) {
        bool holds = false;
        int code = expr_true(space->constraints[c].condition, &inputs, &holds, error);
        if (code)
            return code;
        if (!holds)
            return error_set(error, ERROR_NOTHING_VALID, "%.300s is not valid: %.300s does not hold", configuration,
                             space->constraints[c].text);
    }
    return 0;
}

/* Sets opening->choices and launch to those of the configuration. True if it can run here; otherwise `error` has the
 * reason. */
static bool fits(struct opening *opening, const char *configuration, struct error *error)
{
    const struct space *space = opening->space;
    char why[256];
    if (space_config_parse(space, configuration, opening->choices, error) ||
        api_check_constraints(space, opening->choices, configuration, error))
        return false;
    if (space_launch(space, opening->choices, opening->launch, error))
        return false;
    if (space->has_limits && !space_launch_fits(space, LAUNCH_OF_RUN, opening->choices, why, sizeof why)) {
        error_set(error, ERROR_NOTHING_VALID, "%.300s is not possible here: %s", configuration, why);
        return false;
    }
    return true;
}

/* ---- Choosing a configuration ---- */

/* Copies the generation, since the kernel outlives the database. */
static bool keep_generation(struct cutune_kernel *kernel)
{
    const char **generation = &kernel->best.generation;
    *generation = arena_copy(&kernel->arena, *generation, strlen(*generation));
    return *generation;
}

/* Takes the space's default if no row is usable. */
static int take_default(struct opening *opening, struct error *error)
{
    struct text text = {0};
    struct error reason = {0};
    int code = 0;
    space_default(opening->space, opening->choices);
    space_config_text(opening->space, opening->choices, &text);
    opening->kernel->best = api_best(
        opening->database, &(struct selection_row){.device = "", .text = text_string(&text)}, CHOOSE_RULE_DEFAULT);
    if (text.failed) {
        code = error_memory(error);
    } else if (!fits(opening, text_string(&text), &reason)) {
        code = error_set(error, ERROR_NOTHING_VALID, "no known configuration of %s is valid for these sizes on %s",
                         opening->space->path, opening->device->limits.name);
        error_hint(error, "of its default: %s", reason.message);
    }
    const char *kept = arena_copy(&opening->kernel->arena, text_string(&text), text.length);
    opening->kernel->best.configuration = kept;
    text_free(&text);
    return (kept && keep_generation(opening->kernel)) || code ? code : error_memory(error);
}

static bool requirement(const void *context, const char *configuration, bool of_limits, struct text *text)
{
    return space_requirement_of(context, configuration, of_limits, text);
}

/* Selects the rows of this version of the space and its source, or all rows. The space is not bound yet; it says
 * where rows are valid. */
static int select_rows(struct opening *opening, unsigned flags, struct error *error)
{
    const struct space *space = opening->space;
    struct provenance now = provenance_unknown();
    const struct api_kernel *known = api_find_kernel(opening->database, space->name);
    size_t count = 0;
    if (!known)
        return 0;
    space_describe(space, &now);
    const struct best **rows = arena_array(&opening->arena, known->row_count, sizeof *rows);
    if (!rows)
        return error_memory(error);
    for (size_t i = 0; i < known->row_count; i++)
        if ((flags & CUTUNE_STALE) || provenance_same(&known->rows[i]->provenance, &now, PROVENANCE_VERSION))
            rows[count++] = known->rows[i];
    int code = count ? api_select(opening->database, rows, count, &opening->selection, error) : 0;
    return code || !count ? code : selection_require(opening->selection, requirement, space, error);
}

/* Takes the first configuration, in the order of the rules, that is valid here. */
static int choose(struct opening *opening, struct error *error)
{
    const struct selection *selection = opening->selection;
    struct selection_device device = api_selection_device(opening->device);
    struct text problem = {0};
    long double sizes[PAIRS_MAX];
    enum choose_rule rule;
    size_t row;
    if (!selection)
        return take_default(opening, error);
    bool *excluded = arena_array(&opening->arena, selection->row_count, sizeof *excluded);
    space_problem_text(opening->space, &problem);
    int code = excluded && !problem.failed ? selection_sizes(selection, text_string(&problem), sizes, error)
                                           : error_memory(error);
    text_free(&problem);
    if (code)
        return code;
    while ((row = selection_choose(selection, &device, sizes, excluded, &rule)) < selection->row_count) {
        struct cutune_best *best = &opening->kernel->best;
        struct arena *arena = &opening->kernel->arena;
        if (!fits(opening, selection->rows[row].text, NULL)) {
            excluded[row] = true;
            continue;
        }
        *best = api_choice(opening->database, selection, row, rule, sizes);
        best->configuration = arena_copy(arena, best->configuration, strlen(best->configuration));
        best->device = arena_copy(arena, best->device, strlen(best->device));
        best->problem = arena_copy(arena, best->problem, strlen(best->problem));
        best->date = arena_copy(arena, best->date, strlen(best->date));
        bool kept = best->configuration && best->device && best->problem && best->date;
        return kept && keep_generation(opening->kernel) ? 0 : error_memory(error);
    }
    return take_default(opening, error);
}

/* ---- The launches, as the caller gets them ---- */

/* The memory that a compiler command wants is a buffer behind those of the space. */
static struct cutune_buffer *make_buffers(const struct space *space, const struct launch *launch, struct arena *arena)
{
    struct cutune_buffer *buffers = arena_array(arena, space->buffer_count + 1, sizeof *buffers);
    if (buffers)
        buffers[space->buffer_count] = (struct cutune_buffer){.name = "",
                                                              .bytes = launch->workspace_bytes,
                                                              .scratch = 1,
                                                              .written = 1,
                                                              .type = "uchar",
                                                              .count = launch->workspace_bytes};
    for (size_t b = 0; buffers && b < space->buffer_count; b++) {
        const struct buffer *from = &space->buffers[b];
        buffers[b] = (struct cutune_buffer){.name = arena_copy(arena, from->name, strlen(from->name)),
                                            .bytes = space_buffer_bytes(space, launch, b),
                                            .scratch = from->role == BUFFER_SCRATCH,
                                            .written = from->role != BUFFER_INPUT,
                                            .type = arena_copy(arena, from->type->name, strlen(from->type->name)),
                                            .count = space_buffer_bytes(space, launch, b) / from->type->bytes};
        if (!buffers[b].name || !buffers[b].type)
            return NULL;
    }
    return buffers;
}

/* False: out of memory. */
static bool make_argument(const struct opening *opening, const struct launch_argument *from, struct cutune_argument *to)
{
    to->place = from->at;
    if (from->buffer >= 0) {
        to->kind = CUTUNE_ARGUMENT_BUFFER;
        to->index = (unsigned)from->buffer;
        to->offset = from->offset_bytes;
    } else if (from->role == ARGUMENT_PLAIN) {
        to->kind = CUTUNE_ARGUMENT_VALUE;
        to->bytes = from->bytes;
        void *value = arena_alloc(&opening->kernel->arena, from->bytes);
        if (!value)
            return false;
        to->value = memcpy(value, opening->launch->words + from->word, from->bytes);
    } else if (from->role == ARGUMENT_TENSOR_MAP) {
        to->kind = CUTUNE_ARGUMENT_TENSOR_MAP;
        to->index = from->view;
    } else if (from->role == ARGUMENT_WORKSPACE) {
        to->kind = CUTUNE_ARGUMENT_BUFFER;
        to->index = (unsigned)opening->space->buffer_count;
        to->offset = from->offset_bytes;
    } else {
        to->kind = CUTUNE_ARGUMENT_CALLER;
    }
    return true;
}

/* Makes the parts of an argument. False: out of memory. */
static bool make_parts(const struct opening *opening, const struct launch_argument *from, struct cutune_argument *to)
{
    struct arena *arena = &opening->kernel->arena;
    struct cutune_argument *parts = from->part_count ? arena_array(arena, from->part_count, sizeof *parts) : NULL;
    bool made = parts || !from->part_count;
    for (size_t p = 0; made && p < from->part_count; p++)
        made = make_argument(opening, &opening->launch->parts[from->part_first + p], &parts[p]);
    to->parts = parts;
    to->part_count = from->part_count;
    return made;
}

/* Names the types of numbers, if the arguments are those of the only statement. False: out of memory. */
static bool name_types(const struct opening *opening, struct arena *arena, struct cutune_argument *arguments)
{
    const struct space *space = opening->space;
    for (size_t i = 0; !opening->kernel->code.reordered && space->step_count == 1 && i < space->steps[0].argument_count;
         i++) {
        const struct element_type *type = space->steps[0].arguments[i].type;
        if (arguments[i].kind != CUTUNE_ARGUMENT_VALUE || !type)
            continue;
        arguments[i].type = arena_copy(arena, type->name, strlen(type->name));
        if (!arguments[i].type)
            return false;
    }
    return true;
}

/* Makes the arguments of a launch; of a call in a loop, its own. */
static struct cutune_argument *make_arguments(const struct opening *opening, const struct launch_step *step)
{
    const struct launch *launch = opening->launch;
    struct arena *arena = &opening->kernel->arena;
    struct cutune_argument *arguments = arena_array(arena, step->argument_count, sizeof *arguments);
    for (size_t i = 0; arguments && i < step->argument_count; i++) {
        const struct launch_argument *from = &launch->arguments[step->argument_first + i];
        if (!make_argument(opening, from, &arguments[i]) || !make_parts(opening, from, &arguments[i]))
            return NULL;
    }
    return arguments && name_types(opening, arena, arguments) ? arguments : NULL;
}
_Static_assert((int)CUTUNE_ARGUMENTS_MAX == (int)SPACE_ARGUMENTS_MAX, "arguments of a launch");

static struct cutune_tensor_map *make_tensor_maps(const struct launch *launch, struct arena *arena)
{
    struct cutune_tensor_map *maps = arena_array(arena, launch->tensor_map_count, sizeof *maps);
    for (size_t i = 0; maps && i < launch->tensor_map_count; i++) {
        const struct launch_tensor_map *from = &launch->tensor_maps[i];
        const struct tensor_codes codes = space_tensor_codes(from);
        maps[i] = (struct cutune_tensor_map){.buffer = from->buffer,
                                             .offset = from->offset_bytes,
                                             .rank = from->rank,
                                             .type = codes.type,
                                             .interleave = codes.interleave,
                                             .swizzle = codes.swizzle,
                                             .l2_promotion = codes.l2_promotion,
                                             .out_of_bounds = codes.out_of_bounds};
        for (size_t d = 0; d < TENSOR_RANK_MAX; d++) {
            maps[i].sizes[d] = from->sizes[d];
            maps[i].box[d] = from->box[d];
            maps[i].element_strides[d] = from->element_strides[d];
        }
        for (size_t d = 0; d < TENSOR_RANK_MAX - 1; d++)
            maps[i].strides[d] = from->strides[d];
    }
    return maps;
}

static const char *lowered_name(const struct cutune_kernel *kernel, size_t number)
{
    return kernel->code.names.bytes + text_strings_bytes(kernel->code.names.bytes, number);
}

/* Finds the machine code that has each kernel. */
static int make_cubins(struct opening *opening, struct error *error)
{
    struct bundle *bundle = &opening->bundle;
    struct cutune_kernel *kernel = opening->kernel;
    const struct text *code = &kernel->code.cubin;
    if (!bundle_read(code->bytes, code->length, bundle))
        return error_set(error, ERROR_COMPILE, "%s: the machine code is damaged", opening->space->path);
    struct cutune_cubin *cubins = arena_array(&kernel->arena, bundle->part_count, sizeof *cubins);
    for (size_t i = 0; cubins && i < bundle->part_count; i++)
        cubins[i] = (struct cutune_cubin){bundle->parts[i].bytes, bundle->parts[i].length};
    kernel->sequence.cubins = cubins;
    kernel->sequence.cubin_count = bundle->part_count;
    return cubins ? 0 : error_memory(error);
}

/* Makes a launch. `known`: an earlier call of the same step, without which its arguments are made, too; NULL: none. */
static bool make_launch(struct opening *opening, const struct launch_step *from, const unsigned (*swaps)[2],
                        const struct cutune_argument *known, struct cutune_launch *to)
{
    struct cutune_kernel *kernel = opening->kernel;
    *to = (struct cutune_launch){.kernel = lowered_name(kernel, from->kernel),
                                 .cubin = opening->bundle.of[from->kernel],
                                 .shared_bytes = from->shared_bytes,
                                 .cooperative = from->cooperative,
                                 .programmatic = from->programmatic,
                                 .repeat = from->repeat,
                                 .swap_count = from->swap_count,
                                 .argument_count = from->argument_count,
                                 .swaps = swaps + from->swap_first,
                                 .arguments = known ? known : make_arguments(opening, from)};
    memcpy(to->block, from->block, sizeof to->block);
    memcpy(to->grid, from->grid, sizeof to->grid);
    memcpy(to->cluster, from->cluster, sizeof to->cluster);
    return to->arguments;
}

/* Makes the launches in order; the rounds of loops are written out. */
static int make_launches(struct opening *opening, const unsigned (*swaps)[2], struct error *error)
{
    struct launch *launch = opening->launch;
    struct launch_walk walk;
    const struct cutune_argument *known[SPACE_LAUNCHES_MAX] = {NULL};
    size_t count = 0;
    if (launch->until_count) {
        error_set(error, ERROR_DATA, "%s: a loop ends by a condition, so that its launches are not known ahead",
                  opening->space->path);
        error_hint(error, "write the loop in your program: `cutune emit` and cutune_best have the configuration");
        return ERROR_DATA;
    }
    for (launch_walk_start(&walk, launch); walk.call.step != LAUNCH_WALK_END;
         launch_walk_next(&walk, launch, NULL, NULL, NULL))
        count++;
    struct cutune_launch *launches = arena_array(&opening->kernel->arena, count, sizeof *launches);
    opening->kernel->sequence.launches = launches;
    for (launch_walk_start(&walk, launch); launches && walk.call.step != LAUNCH_WALK_END;
         launch_walk_next(&walk, launch, NULL, NULL, NULL)) {
        const struct launch_step *step = &launch->steps[walk.call.step];
        struct cutune_launch *made = &launches[opening->kernel->sequence.launch_count++];
        launch_enter(launch, &walk.call);
        if (!make_launch(opening, step, swaps, known[walk.call.step], made))
            return error_memory(error);
        known[walk.call.step] = step->field_count ? NULL : made->arguments;
    }
    return launches ? 0 : error_memory(error);
}

/* The statements that the launches do not contain; NULL: out of memory. */
static const char *left_to_caller(const struct launch *launch, struct arena *arena)
{
    const struct {
        bool used;
        const char *statement;
    } statements[] = {{launch->window.bytes > 0, "l2_window"},
                      {launch->variable_count > 0, "constant or device_variable"},
                      {launch->texture_count > 0, "texture"},
                      {launch->pipeline.total > 0, "pipeline"}};
    struct text names = {0};
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (statements[i].used)
            text_printf(&names, "%s%s", names.length ? ", " : "", statements[i].statement);
    const char *kept = names.failed ? NULL : arena_copy(arena, text_string(&names), names.length);
    text_free(&names);
    return kept;
}

static int make_sequence(struct opening *opening, struct error *error)
{
    struct cutune_kernel *kernel = opening->kernel;
    struct arena *arena = &kernel->arena;
    const struct launch *launch = opening->launch;
    unsigned(*swaps)[2] = arena_array(arena, launch->swap_count, sizeof *swaps);
    struct cutune_buffer *buffers = make_buffers(opening->space, launch, arena);
    struct cutune_tensor_map *maps = make_tensor_maps(launch, arena);
    const char *left = left_to_caller(launch, arena);
    if (!swaps || !buffers || !maps || !left)
        return error_memory(error);
    for (size_t i = 0; i < launch->swap_count; i++)
        memcpy(swaps[i], (const unsigned[]){launch->swaps[i].a, launch->swaps[i].b}, sizeof swaps[i]);
    kernel->sequence =
        (struct cutune_sequence){.buffer_count = opening->space->buffer_count + (launch->workspace_bytes > 0),
                                 .tensor_map_count = launch->tensor_map_count,
                                 .buffers = buffers,
                                 .tensor_maps = maps,
                                 .graph = launch->graph,
                                 .carveout = launch->has_carveout ? launch->carveout : -1,
                                 .left_to_caller = left};
    int code = make_cubins(opening, error);
    return code ? code : make_launches(opening, (const unsigned(*)[2])swaps, error);
}

/* ---- Opening ---- */

static int check(const struct opening *opening, const char *path, struct error *error)
{
    if (!opening->space->kernel)
        return error_set(error, ERROR_DATA, "%s has no kernel: there is nothing to compile", path);
    if (opening->device->limits.cc <= 0)
        return error_set(error, ERROR_USAGE, "the compute capability of %s is not known", opening->device->limits.name);
    return 0;
}

static int parse(struct opening *opening, const char *path, unsigned flags, struct error *error)
{
    struct text text = {0};
    int code = space_read(path, &text, error);
    if (!code && (flags & CUTUNE_UNTRUSTED))
        code = space_refuse_untrusted(path, text_string(&text), text.length, error);
    if (!code)
        code = space_parse_text(&opening->space, path, text_string(&text), text.length, NULL, error);
    text_free(&text);
    return code;
}

int cutune_kernel_open(struct cutune_kernel **kernel, const struct cutune_database *database, const char *space,
                       const struct cutune_device *device, const char *problem, unsigned flags,
                       struct cutune_error *error)
{
    if (kernel)
        *kernel = NULL;
    if (!kernel || !database || !space || !device)
        return api_null(error, __func__);
    struct opening opening = {.database = database, .device = device, .kernel = calloc(1, sizeof **kernel)};
    struct error own = {0};
    opening.launch = arena_alloc(&opening.arena, sizeof *opening.launch);
    int code = opening.kernel && opening.launch ? parse(&opening, space, flags, &own) : error_memory(&own);
    if (!code)
        code = check(&opening, space, &own);
    if (!code)
        code = select_rows(&opening, flags, &own);
    if (!code)
        code = api_bind(opening.space, problem ? problem : "", device, &own);
    if (!code)
        code = choose(&opening, &own);
    if (!code)
        code = api_compile(opening.space, opening.choices, opening.launch, device->limits.cc,
                           opening.kernel->best.configuration, flags, &opening.kernel->code, &own);
    if (!code)
        code = make_sequence(&opening, &own);
    selection_free(opening.selection);
    space_free(opening.space);
    arena_free(&opening.arena);
    if (code) {
        cutune_kernel_close(opening.kernel);
        return api_error(error, &own);
    }
    *kernel = opening.kernel;
    return 0;
}

void cutune_kernel_close(struct cutune_kernel *kernel)
{
    if (!kernel)
        return;
    api_code_free(&kernel->code);
    arena_free(&kernel->arena);
    free(kernel);
}

const struct cutune_best *cutune_kernel_best(const struct cutune_kernel *kernel)
{
    return kernel ? &kernel->best : NULL;
}

const struct cutune_sequence *cutune_kernel_sequence(const struct cutune_kernel *kernel)
{
    return kernel ? &kernel->sequence : NULL;
}

const void *cutune_kernel_cubin(const struct cutune_kernel *kernel, size_t *bytes)
{
    if (bytes)
        *bytes = kernel ? kernel->sequence.cubins->count : 0;
    return kernel ? kernel->sequence.cubins->bytes : NULL;
}
