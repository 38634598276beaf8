/* Evaluates the launch and the compiler options of a configuration. */
#include <math.h>
#include <string.h>

#include "expression/space_internal.h"
#include "language/arguments.h"
#include "language/define.h"
#include "language/kernel_file.h"
#include "language/scratch.h"
#include "language/techniques.h"
#include "space/config.h"

/* Evaluates sizes; a missing one is 1. */
static int fill_sizes(const struct expr *const exprs[3], const char *thing, const struct expr_inputs *inputs,
                      uint32_t sizes[3], struct error *error)
{
    for (int i = 0; i < 3; i++) {
        int64_t size = 1;
        if (exprs[i])
            TRY(expr_integer(exprs[i], inputs, thing, 1, UINT32_MAX, &size, error));
        sizes[i] = (uint32_t)size;
    }
    return 0;
}

/* Finds the kernel among those in use, or adds it. */
static uint16_t use_kernel(struct launch *launch, uint32_t kernel)
{
    size_t k = 0;
    while (k < launch->kernel_count && launch->kernels[k] != kernel)
        k++;
    if (k == launch->kernel_count)
        launch->kernels[launch->kernel_count++] = (uint16_t)kernel;
    return (uint16_t)k;
}

static int fill_swaps(const struct step *from, const struct expr_inputs *inputs, struct launch *launch,
                      struct launch_step *step, struct error *error)
{
    step->swap_first = (uint32_t)launch->swap_count;
    step->swap_count = (uint32_t)from->swap_count;
    for (size_t i = 0; i < from->swap_count; i++) {
        const struct launch_swap *swap = &from->swaps[i];
        const struct buffer *a = &inputs->space->buffers[swap->a], *b = &inputs->space->buffers[swap->b];
        uint64_t a_bytes = space_buffer_bytes(inputs->space, launch, swap->a);
        uint64_t b_bytes = space_buffer_bytes(inputs->space, launch, swap->b);
        if (a_bytes != b_bytes)
            return expr_error(b->size, inputs, error, "'%s' and '%s' cannot be swapped: they have %llu and %llu bytes",
                              a->name, b->name, (unsigned long long)a_bytes, (unsigned long long)b_bytes);
        launch->swaps[launch->swap_count++] = *swap;
    }
    return 0;
}

/* Adds a launch, unless `when` or `repeat` skips it. */
static int fill_step(const struct step *from, const struct expr_inputs *inputs, bool reference, struct launch *launch,
                     struct error *error)
{
    struct launch_step *step = &launch->steps[launch->step_count];
    bool wanted = true;
    int64_t repeat = 1, shared = 0;
    if (from->when)
        TRY(expr_true(from->when, inputs, &wanted, error));
    if (wanted && from->repeat)
        TRY(expr_integer(from->repeat, inputs, "the number of repeated launches", 0, SPACE_REPEATS_MAX, &repeat,
                         error));
    if (!wanted || repeat == 0)
        return 0;
    TRY(fill_sizes(from->block, "a block's size", inputs, step->block, error));
    if (!from->resident)
        TRY(fill_sizes(from->grid, "a grid's size", inputs, step->grid, error));
    TRY(fill_sizes(from->cluster, "a cluster's size", inputs, step->cluster, error));
    if (step->cluster[0] == 1 && step->cluster[1] == 1 && step->cluster[2] == 1)
        memset(step->cluster, 0, sizeof step->cluster);
    if (from->shared)
        TRY(expr_integer(from->shared, inputs, "the size of shared memory", 0, UINT32_MAX, &shared, error));
    step->kernel = use_kernel(launch, reference ? 0 : from->number);
    step->cooperative = from->cooperative;
    step->repeat = (uint32_t)repeat;
    step->shared_bytes = (uint64_t)shared;
    step->argument_first = (uint32_t)launch->argument_count;
    step->argument_count = (uint32_t)from->argument_count;
    for (size_t i = 0; i < from->argument_count; i++)
        TRY(argument_evaluate(&from->arguments[i], inputs, reference, launch,
                              &launch->arguments[launch->argument_count++], error));
    launch->step_count++;
    return fill_swaps(from, inputs, launch, step, error);
}

static int launches_nothing(const struct step *step, const struct expr_inputs *inputs, struct error *error)
{
    int code = expr_error(step->when ? step->when : step->repeat, inputs, error, "nothing is launched");
    error_hint(error, "exclude such configurations with `require`");
    return code;
}

static int fill_launch(const struct space *space, bool reference, const uint32_t *choices, struct launch *launch,
                       struct error *error)
{
    const struct step *steps = reference ? &space->reference : space->steps;
    size_t count = reference ? 1 : space->step_count;
    struct value values[SPACE_PARAMETERS_MAX];
    const struct expr_inputs inputs = {.space = space, .values = values, .bound = space->parameter_count};
    memset(launch, 0, sizeof *launch);
    space_values(space, choices, values);
    TRY(scratch_evaluate(&inputs, launch, error));
    for (size_t s = 0; s < count; s++)
        TRY(fill_step(&steps[s], &inputs, reference, launch, error));
    if (launch->step_count == 0 && count > 0)
        return launches_nothing(&steps[count - 1], &inputs, error);
    return techniques_evaluate(&inputs, reference, launch, error);
}

int space_launch(const struct space *space, const uint32_t *choices, struct launch *launch, struct error *error)
{
    return fill_launch(space, false, choices, launch, error);
}

int space_reference_launch(const struct space *space, uint32_t set, struct launch *launch, struct error *error)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    space_set_choices(space, set, choices);
    return fill_launch(space, space->reference_kind == REFERENCE_KERNEL, choices, launch, error);
}

/* Returns the configuration of a set; its choices are stored in `values`. */
static struct expr_inputs set_inputs(const struct space *space, uint32_t set, struct value values[SPACE_PARAMETERS_MAX])
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    space_set_choices(space, set, choices);
    space_values(space, choices, values);
    return (struct expr_inputs){.space = space, .values = values, .bound = space->parameter_count};
}

int space_accept_launch(const struct space *space, uint32_t set, struct launch *launch, struct error *error)
{
    struct launch_step *step = &launch->steps[0];
    struct value values[SPACE_PARAMETERS_MAX];
    const struct expr_inputs inputs = set_inputs(space, set, values);
    memset(launch, 0, sizeof *launch);
    launch->argument_count = ACCEPT_ARGUMENTS;
    launch->arguments[0] = (struct launch_argument){.buffer = -1, .bytes = sizeof(uint64_t)};
    launch_take(launch, &launch->arguments[0]);
    TRY(fill_step(&space->accept->step, &inputs, true, launch, error));
    step->argument_first = 0;
    step->argument_count += ACCEPT_ARGUMENTS;
    return techniques_evaluate(&inputs, true, launch, error);
}

int space_fill_launch(const struct space *space, size_t buffer, struct launch *launch, struct error *error)
{
    const struct buffer *filled = &space->buffers[buffer];
    const struct step *from = &filled->by->step;
    struct launch_step *step = &launch->steps[0];
    struct value values[SPACE_PARAMETERS_MAX];
    const struct expr_inputs inputs = set_inputs(space, 0, values);
    memset(launch, 0, sizeof *launch);
    launch->argument_count = FILL_ARGUMENTS;
    launch->arguments[0].buffer = (int)buffer;
    launch->arguments[1] = (struct launch_argument){.buffer = -1, .bytes = sizeof filled->count};
    memcpy(launch_take(launch, &launch->arguments[1]), &filled->count, sizeof filled->count);
    TRY(fill_step(from, &inputs, true, launch, error));
    step->argument_first = 0;
    step->argument_count += FILL_ARGUMENTS;
    if (from->block[0])
        return 0;
    uint64_t blocks = (filled->count - 1) / FILL_THREADS + 1;
    step->block[0] = FILL_THREADS;
    step->grid[0] = (uint32_t)blocks;
    if (blocks <= UINT32_MAX)
        return 0;
    int code = expr_error(filled->size, &inputs, error, "'%s' has too many elements for a thread each", filled->name);
    error_hint(error, "write its shape: by %s block X grid X", from->kernel);
    return code;
}

void space_launch_kernels(const struct space *space, const struct launch *launch, struct text *names)
{
    for (size_t k = 0; k < launch->kernel_count; k++) {
        const char *name = space->kernels[launch->kernels[k]];
        text_append(names, name, strlen(name) + 1);
    }
}

const char *space_reference_kernel(const struct space *space, const struct launch *launch, size_t k)
{
    return space->reference_kind == REFERENCE_KERNEL ? space->reference.kernel : space->kernels[launch->kernels[k]];
}

uint32_t space_argument_bytes(const struct launch_argument *argument)
{
    enum { ADDRESS_BYTES = 8 }; /* of a device address or a texture object */
    if (argument->buffer < 0 && argument->role == ARGUMENT_TENSOR_MAP)
        return TENSOR_MAP_BYTES;
    return argument->buffer >= 0 || argument->role == ARGUMENT_TEXTURE ? ADDRESS_BYTES : argument->bytes;
}

uint64_t space_launch_count(const struct launch *launch)
{
    uint64_t count = 0;
    for (size_t s = 0; s < launch->step_count; s++)
        count += launch->steps[s].repeat;
    return count;
}

void space_launch_places(const struct launch *launch, size_t buffer_count, uint32_t *places)
{
    for (size_t b = 0; b < buffer_count; b++)
        places[b] = (uint32_t)b;
    for (size_t s = 0; s < launch->step_count; s++) {
        const struct launch_step *step = &launch->steps[s];
        /* The pairs of a step are disjoint, so that an even number of exchanges changes nothing. */
        for (uint32_t i = 0; i < step->swap_count && step->repeat % 2; i++) {
            const struct launch_swap *swap = &launch->swaps[step->swap_first + i];
            uint32_t kept = places[swap->a];
            places[swap->a] = places[swap->b];
            places[swap->b] = kept;
        }
    }
}

/* `file`: NULL: the kernel's source. */
static int compile_options(const struct space *space, const struct kernel_file *file, const uint32_t *choices,
                           struct text *options, size_t *count, struct error *error)
{
    struct value values[SPACE_PARAMETERS_MAX], value;
    const struct expr_inputs inputs = {.space = space, .values = values, .bound = space->parameter_count};
    char text[VALUE_TEXT_BYTES];
    *count = 0;
    space_values(space, choices, values);
    for (size_t i = 0; i < space->parameter_count; i++)
        if (file ? file->parameters >> i & 1u : space->parameters[i].in_source)
            define_macro(options, count, space->parameters[i].macro, &values[i]);
    TRY(define_options(&inputs, options, count, error));
    for (size_t i = 0; i < space->option_count; i++) {
        const struct compile_option *option = &space->options[i];
        text_printf(options, "%s", option->prefix);
        if (option->value) {
            TRY(expr_eval(option->value, &inputs, &value, error));
            text_printf(options, "%s", value_text(&value, text, sizeof text));
        }
        text_append(options, "", 1);
        ++*count;
    }
    return options->failed ? error_memory(error) : 0;
}

int space_compile_options(const struct space *space, const uint32_t *choices, struct text *options, size_t *count,
                          struct error *error)
{
    return compile_options(space, NULL, choices, options, count, error);
}

int space_step_options(const struct space *space, const struct step *step, uint32_t set, struct text *options,
                       size_t *count, struct error *error)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    space_set_choices(space, set, choices);
    return compile_options(space, kernel_file_alone(step->file), choices, options, count, error);
}

const char *space_step_path(const struct space *space, const struct step *step)
{
    const struct kernel_file *alone = kernel_file_alone(step->file);
    return alone ? alone->path : space->source_path;
}

const char *space_step_source(const struct space *space, const struct step *step)
{
    const struct kernel_file *alone = kernel_file_alone(step->file);
    return alone ? alone->source : space->source;
}
