/* The demands of a space: lists those of launches, scratch buffers and techniques, binds them, and asks for them. */
#include "base/text.h"
#include "expression/space_internal.h"
#include "language/demand.h"
#include "language/techniques.h"
#include "space/config.h"

bool demand_varies(const struct step *step)
{
    bool varies = expr_counts(step->shared) || expr_counts(step->when) || expr_counts(step->repeat);
    for (int i = 0; i < 3; i++)
        varies |= expr_counts(step->block[i]) || expr_counts(step->grid[i]) || expr_counts(step->cluster[i]);
    return varies;
}

/* Adds a condition to list->when. */
static int when_too(struct demand_list *list, const char *condition)
{
    if (!condition)
        return error_memory(list->error);
    list->when = list->when ? demand_text(list, "%s && %s", list->when, condition) : condition;
    return list->when ? 0 : error_memory(list->error);
}

/* A loop with a negative step or another counter in its bounds may have rounds at any time. */
static int when_loop(struct demand_list *list, const struct loop *loop)
{
    const bool upwards = !loop->by || loop->times;
    return upwards && !expr_counts(loop->first) && !expr_counts(loop->last)
               ? when_too(list, demand_text(list, "(%s) <= (%s)", loop->first->text, loop->last->text))
               : 0;
}

int demand_launched(struct demand_list *list, const struct step *step)
{
    list->when = NULL;
    for (const struct loop *loop = step->loop; loop; loop = loop->outer)
        TRY(when_loop(list, loop));
    if (step->when && !expr_counts(step->when))
        TRY(when_too(list, demand_text(list, "(%s)", step->when->text)));
    return step->repeat && !expr_counts(step->repeat)
               ? when_too(list, demand_text(list, "(%s) > 0", step->repeat->text))
               : 0;
}

/* Adds a device limit as a constraint: of a launch if `step` is set. A condition on a counter may skip a launch in all
 * rounds, so that its limits are no constraints. */
static int add_constraint(struct space *space, const char *name, const struct expr *place, const struct step *step,
                          const char *condition, struct error *error)
{
    struct demand_list list = {
        .space = space, .place = place, .name = name, .of = 1u << LAUNCH_OF_RUN, .run_only = !step, .error = error};
    if (step && (expr_counts(step->when) || expr_counts(step->repeat)))
        return 0;
    if (step && step->loop)
        TRY(demand_launched(&list, step));
    else if (step && step->when)
        list.when = step->when->text;
    struct demand *demand = demand_append(&list, condition);
    if (demand)
        demand->constraint = true;
    return demand ? 0 : (int)error->code;
}

/* Adds the limits on sizes `thing`_x, _y and _z. */
static int add_sizes(struct space *space, const struct step *step, const struct expr *const sizes[3],
                     const char *const names[3], struct error *error)
{
    for (int i = 0; i < 3 && sizes[i]; i++) {
        if (expr_counts(sizes[i]))
            continue;
        const char *text = sizes[i]->text;
        TRY(add_constraint(space, names[i], sizes[i], step,
                           arena_printf(&space->arena, "1 <= (%s) && (%s) <= %s", text, text, names[i]), error));
    }
    return 0;
}

/* Limits each dimension before their product, so that absurd sizes are pruned instead of overflowing. */
static int add_step(struct space *space, const struct step *step, struct error *error)
{
    static const char *const block_names[] = {"max_block_x", "max_block_y", "max_block_z"};
    static const char *const grid_names[] = {"max_grid_x", "max_grid_y", "max_grid_z"};
    const char *product = NULL;
    TRY(add_sizes(space, step, step->block, block_names, error));
    bool varies = false;
    for (int i = 0; i < 3 && step->block[i]; i++) {
        varies |= expr_counts(step->block[i]);
        product = product ? arena_printf(&space->arena, "%s * (%s)", product, step->block[i]->text)
                          : arena_printf(&space->arena, "(%s)", step->block[i]->text);
        if (!product)
            return error_memory(error);
    }
    if (!varies && step->block[0])
        TRY(add_constraint(space, "max_threads", step->block[0], step,
                           arena_printf(&space->arena, "%s <= max_threads", product), error));
    if (!step->compiler_grid)
        TRY(add_sizes(space, step, step->grid, grid_names, error));
    if (!step->shared || expr_counts(step->shared))
        return 0;
    const char *text = step->shared->text;
    return add_constraint(space, "shared_limit", step->shared, step,
                          arena_printf(&space->arena, "0 <= (%s) && (%s) <= shared_limit", text, text), error);
}

/* A scratch buffer alone must fit the device's memory. */
static int add_scratch(struct space *space, struct error *error)
{
    for (size_t i = 0; i < space->buffer_count; i++) {
        const struct buffer *buffer = &space->buffers[i];
        const char *text = buffer->size->text;
        if (buffer->role == BUFFER_SCRATCH)
            TRY(add_constraint(space, "memory_bytes", buffer->size, NULL,
                               arena_printf(&space->arena, "0 <= (%s) && (%s) <= memory_bytes / %u", text, text,
                                            (unsigned)buffer->type->bytes),
                               error));
    }
    return 0;
}

int demands_make(struct space *space, struct error *error)
{
    for (size_t s = 0; s < space->step_count; s++)
        TRY(add_step(space, &space->steps[s], error));
    TRY(add_scratch(space, error));
    return techniques_demand(space, error);
}

int demands_bind(struct space *space, struct error *error)
{
    struct space_private *private = space->private;
    for (size_t i = 0; i < private->demand_count; i++) {
        struct demand *demand = &private->demands[i];
        if (demand->constraint)
            space->constraints[space->constraint_count++] = (struct constraint){.text = demand->text,
                                                                                .name = demand->name,
                                                                                .device = true,
                                                                                .line = demand->line,
                                                                                .condition = demand->condition};
        else
            TRY(expr_bind(space, demand->condition, &demand->bound, error));
    }
    return 0;
}

static void explain(const struct demand *demand, const struct expr_inputs *inputs, char *why, size_t room)
{
    char number[VALUE_TEXT_BYTES];
    struct text text = {0};
    struct value value;
    size_t next = 0;
    for (const char *c = demand->why; *c; c++)
        if (*c != '$') {
            text_append(&text, c, 1);
        } else {
            const struct expr *of = demand->numbers[next++];
            const bool known = of && !expr_eval(of, inputs, &value, NULL);
            text_printf(&text, "%s", known ? value_text(&value, number, sizeof number) : "2^63 or more");
        }
    text_format(why, room, "%s", text_string(&text));
    text_free(&text);
}

bool space_launch_fits(const struct space *space, enum launch_of of, const uint32_t *choices, char *why, size_t room)
{
    struct value values[SPACE_PARAMETERS_MAX];
    const struct expr_inputs inputs = {.space = space, .values = values, .bound = space->parameter_count};
    const struct space_private *private = space->private;
    space_values(space, choices, values);
    for (size_t i = 0; i < private->demand_count; i++) {
        const struct demand *demand = &private->demands[i];
        bool holds = false;
        if (demand->constraint || !(demand->of >> of & 1u))
            continue;
        if (!expr_true(demand->bound, &inputs, &holds, NULL) && holds)
            continue;
        explain(demand, &inputs, why, room);
        return false;
    }
    return true;
}
