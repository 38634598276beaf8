/* Evaluates the launch and the compiler options of a configuration. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "expression/space_internal.h"
#include "language/arguments.h"
#include "language/define.h"
#include "language/kernel_file.h"
#include "language/scratch.h"
#include "language/step.h"
#include "language/techniques.h"
#include "language/unroll.h"
#include "space/config.h"
#include "space/facts.h"

static int launches_nothing(const struct step *step, const struct expr_inputs *inputs, struct error *error)
{
    const struct expr *place = step->when ? step->when : step->repeat ? step->repeat : step->loop->last;
    int code = expr_error(place, inputs, error, "nothing is launched");
    error_hint(error, "exclude such configurations with `require`");
    return code;
}

/* The arrays behind `loops` have as many items as their counts say. */
static void clear(struct launch *launch)
{
    memset(launch, 0, offsetof(struct launch, loops));
}

static int fill_launch(const struct space *space, bool reference, const uint32_t *choices, struct launch *launch,
                       struct error *error)
{
    const struct step *steps = reference ? space->reference : space->steps;
    size_t count = reference ? space->reference_count : space->step_count;
    struct value values[SPACE_PARAMETERS_MAX];
    const struct expr_inputs inputs = {.space = space, .values = values, .bound = space->parameter_count};
    clear(launch);
    space_values(space, choices, values);
    TRY(scratch_evaluate(&inputs, launch, error));
    TRY(unroll_steps(steps, count, &inputs, reference, launch, error));
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
    clear(launch);
    launch->argument_count = ACCEPT_ARGUMENTS;
    launch->arguments[0] = (struct launch_argument){.buffer = -1, .bytes = sizeof(uint64_t)};
    launch_take(launch, &launch->arguments[0]);
    TRY(unroll_step(&space->accept->step, &inputs, true, launch, error));
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
    clear(launch);
    launch->argument_count = FILL_ARGUMENTS;
    launch->arguments[0].buffer = (int)buffer;
    launch->arguments[1] = (struct launch_argument){.buffer = -1, .bytes = sizeof filled->count};
    memcpy(launch_take(launch, &launch->arguments[1]), &filled->count, sizeof filled->count);
    TRY(unroll_step(from, &inputs, true, launch, error));
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
    return (space->reference_kind == REFERENCE_KERNEL ? space->reference_kernels : space->kernels)[launch->kernels[k]];
}

/* Appends the texts of the `option` statements and adds their number to *count. */
static int append_options(const struct expr_inputs *inputs, struct text *options, size_t *count, struct error *error)
{
    const struct space *space = inputs->space;
    struct value value;
    char text[VALUE_TEXT_BYTES];
    for (size_t i = 0; i < space->option_count; i++) {
        const struct compile_option *option = &space->options[i];
        text_printf(options, "%s", option->prefix);
        if (option->value) {
            TRY(expr_eval(option->value, inputs, &value, error));
            text_printf(options, "%s", value_text(&value, text, sizeof text));
        }
        text_append(options, "", 1);
        ++*count;
    }
    return options->failed ? error_memory(error) : 0;
}

/* `file`: NULL: the kernel's source. `own`: a step whose macros replace others; NULL: none. */
static int compile_options(const struct space *space, const struct kernel_file *file, const struct step *own,
                           const uint32_t *choices, struct text *options, size_t *count, struct error *error)
{
    struct value values[SPACE_PARAMETERS_MAX], value;
    const struct expr_inputs inputs = {.space = space, .values = values, .bound = space->parameter_count};
    *count = 0;
    space_values(space, choices, values);
    for (size_t i = 0; i < space->parameter_count; i++)
        if ((file ? file->parameters >> i & 1u : space->parameters[i].in_source) &&
            !step_has_macro(own, space->parameters[i].macro))
            define_macro(options, count, space->parameters[i].macro, &values[i]);
    TRY(define_options(&inputs, own, options, count, error));
    for (size_t m = 0; own && m < own->macro_count; m++) {
        TRY(expr_eval(own->macros[m].value, &inputs, &value, error));
        define_macro(options, count, own->macros[m].name, &value);
    }
    if (!space->compiler_command) /* which gets them all */
        TRY(append_options(&inputs, options, count, error));
    return options->failed ? error_memory(error) : 0;
}

int space_option_texts(const struct space *space, const uint32_t *choices, struct text *options, size_t *count,
                       struct error *error)
{
    struct value values[SPACE_PARAMETERS_MAX];
    const struct expr_inputs inputs = {.space = space, .values = values, .bound = space->parameter_count};
    space_values(space, choices, values);
    *count = 0;
    return append_options(&inputs, options, count, error);
}

int space_each_define(const struct space *space, const uint32_t *choices, space_take_value *take, void *context,
                      struct error *error)
{
    struct value values[SPACE_PARAMETERS_MAX], value;
    const struct expr_inputs inputs = {.space = space, .values = values, .bound = space->parameter_count};
    space_values(space, choices, values);
    for (size_t i = 0; i < space->private->define_count; i++) {
        TRY(expr_eval(space->private->defines[i].value, &inputs, &value, error));
        take(context, space->private->defines[i].name, &value);
    }
    return 0;
}

int space_each_macro(const struct space *space, const uint32_t *choices, const struct launch *launch, size_t k,
                     space_take_value *take, void *context, struct error *error)
{
    struct value values[SPACE_PARAMETERS_MAX], value;
    const struct expr_inputs inputs = {.space = space, .values = values, .bound = space->parameter_count};
    const struct step *step = space->kernel_steps[launch->kernels[k]];
    space_values(space, choices, values);
    for (size_t m = 0; m < step->macro_count; m++) {
        TRY(expr_eval(step->macros[m].value, &inputs, &value, error));
        take(context, step->macros[m].name, &value);
    }
    return 0;
}

int space_compile_options(const struct space *space, const uint32_t *choices, struct text *options, size_t *count,
                          struct error *error)
{
    return compile_options(space, NULL, NULL, choices, options, count, error);
}

/* Finds the part of a launch's kernel: kernels with the same macros share one. */
static int find_part(const struct space *space, const struct launch *launch, size_t kernel, struct bundle_plan *plan,
                     struct error *error)
{
    const struct step *step = space->kernel_steps[launch->kernels[kernel]];
    size_t earlier = 0;
    while (earlier < kernel && !step_same_macros(space->kernel_steps[launch->kernels[earlier]], step))
        earlier++;
    plan->of[kernel] = earlier < kernel ? plan->of[earlier] : (uint32_t)plan->part_count;
    if (earlier < kernel)
        return 0;
    if (plan->part_count == BUNDLE_PARTS_MAX) {
        int code =
            error_set(error, ERROR_DATA, "the launches have more than %d different sets of macros", BUNDLE_PARTS_MAX);
        error_place(error, space->path, step->line, 0);
        return code;
    }
    plan->part_count++;
    return 0;
}

bool space_has_macros(const struct space *space)
{
    bool found = false;
    for (size_t s = 0; s < space->step_count; s++)
        found |= space->steps[s].macro_count > 0;
    return found;
}

int space_launch_options(const struct space *space, const struct launch *launch, const uint32_t *choices,
                         const char *further, struct text *options, struct bundle_plan *plan, struct error *error)
{
    *plan = (struct bundle_plan){0};
    for (size_t k = 0; k < launch->kernel_count; k++) {
        const size_t parts = plan->part_count;
        TRY(find_part(space, launch, k, plan, error));
        if (plan->part_count == parts)
            continue;
        TRY(compile_options(space, NULL, space->kernel_steps[launch->kernels[k]], choices, options,
                            &plan->option_counts[parts], error));
        if (further) {
            text_append(options, further, strlen(further) + 1);
            plan->option_counts[parts]++;
        }
    }
    return options->failed ? error_memory(error) : 0;
}

int space_step_options(const struct space *space, const struct step *step, uint32_t set, struct text *options,
                       size_t *count, struct error *error)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    space_set_choices(space, set, choices);
    return compile_options(space, kernel_file_alone(step->file), NULL, choices, options, count, error);
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
