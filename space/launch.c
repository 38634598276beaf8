/* Evaluates a configuration: its launch and its compiler options. */
#include <math.h>
#include <string.h>

#include "space/define.h"
#include "space/private.h"
#include "space/scratch.h"
#include "space/techniques.h"

static int scalar(const struct argument *argument, const struct expr_inputs *inputs, struct launch_argument *result,
                  struct error *error)
{
    const struct element_type *type = argument->type;
    bool integers = type->family != FAMILY_FLOAT;
    struct value value;
    char text[VALUE_TEXT_BYTES];
    TRY(expr_eval(argument->value, inputs, &value, error));
    value_text(&value, text, sizeof text);
    if (value.kind == VALUE_WORD)
        return expr_error(argument->value, inputs, error, "the word %s cannot be passed to a kernel", text);
    if (integers && value.kind == VALUE_FLOAT)
        return expr_error(argument->value, inputs, error, "%s is not an integer, but its type is %s", text, type->name);
    result->bytes = type->bytes;
    bool fits = integers ? element_put_integer(type, value.integer, result->scalar)
                         : element_put_real(type, value_real(&value), result->scalar);
    return fits ? 0 : expr_error(argument->value, inputs, error, "%s does not fit the type %s", text, type->name);
}

static int fill_argument(const struct argument *argument, const struct expr_inputs *inputs, bool reference,
                         struct launch_argument *result, struct error *error)
{
    result->buffer = argument->buffer;
    if (argument->buffer >= 0)
        return 0;
    return argument->role == ARGUMENT_PLAIN ? scalar(argument, inputs, result, error)
                                            : technique_evaluate_argument(argument, inputs, reference, result, error);
}

static int fill_launch(const struct space *space, bool reference, const uint32_t *choices, struct launch *launch,
                       struct error *error)
{
    const struct shape *shape = reference ? &space->reference_shape : &space->shape;
    const struct argument *arguments = reference ? space->reference_arguments : space->arguments;
    struct value values[SPACE_PARAMETERS_MAX];
    const struct expr_inputs inputs = {.space = space, .values = values, .bound = space->parameter_count};
    const struct {
        const struct expr *const *sizes;
        uint32_t *results;
        const char *thing;
    } parts[] = {{shape->block, launch->block, "a block's size"}, {shape->grid, launch->grid, "a grid's size"}};
    int64_t size;
    memset(launch, 0, sizeof *launch);
    space_values(space, choices, values);
    for (size_t part = 0; part < 2; part++)
        for (int i = 0; i < 3; i++) {
            size = 1;
            if (parts[part].sizes[i])
                TRY(expr_integer(parts[part].sizes[i], &inputs, parts[part].thing, 1, UINT32_MAX, &size, error));
            parts[part].results[i] = (uint32_t)size;
        }
    size = 0;
    if (shape->shared)
        TRY(expr_integer(shape->shared, &inputs, "the size of shared memory", 0, UINT32_MAX, &size, error));
    launch->shared_bytes = (uint64_t)size;
    launch->argument_count = space->argument_count;
    for (size_t i = 0; i < space->argument_count; i++)
        TRY(fill_argument(&arguments[i], &inputs, reference, &launch->arguments[i], error));
    TRY(scratch_evaluate(&inputs, launch, error));
    return techniques_evaluate(&inputs, reference, launch, error);
}

int space_launch(const struct space *space, const uint32_t *choices, struct launch *launch, struct error *error)
{
    return fill_launch(space, false, choices, launch, error);
}

int space_reference_launch(const struct space *space, struct launch *launch, struct error *error)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    space_default(space, choices);
    return fill_launch(space, true, choices, launch, error);
}

int space_compile_options(const struct space *space, const uint32_t *choices, struct text *options, size_t *count,
                          struct error *error)
{
    struct value values[SPACE_PARAMETERS_MAX], value;
    const struct expr_inputs inputs = {.space = space, .values = values, .bound = space->parameter_count};
    char text[VALUE_TEXT_BYTES];
    *count = 0;
    space_values(space, choices, values);
    for (size_t i = 0; i < space->parameter_count; i++)
        if (space->parameters[i].in_source)
            define_macro(options, count, space->parameters[i].name, &values[i]);
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
