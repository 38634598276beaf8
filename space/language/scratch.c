/* Scratch buffers, the only buffers whose sizes may depend on parameters. Each is allocated once, for the largest
 * size. */
#include "language/scratch.h"

#include <stdlib.h>

#include "base/bound.h"
#include "expression/space_internal.h"
#include "space/config.h"

/* True if all constraints that name only these parameters hold. */
static bool allowed(uint64_t parameters, const struct expr_inputs *inputs)
{
    const struct space *space = inputs->space;
    for (size_t i = 0; i < space->constraint_count; i++) {
        const struct expr *condition = space->constraints[i].condition;
        bool holds = false;
        if (!(condition->parameters & ~parameters) && (expr_true(condition, inputs, &holds, NULL) || !holds))
            return false;
    }
    return true;
}

static int evaluate(const struct expr *size, const struct expr_inputs *inputs, int64_t *count, struct error *error)
{
    return expr_integer(size, inputs, "the size of a scratch buffer", 0, INT64_MAX, count, error);
}

/* Tries all combinations of the parameters in the size. Ignores combinations without a value, which other constraints
 * may exclude; fails if no combination has a value. */
static int enumerate(const struct space *space, const struct expr *size, int64_t *largest, struct error *error)
{
    uint32_t choices[SPACE_PARAMETERS_MAX] = {0};
    struct value values[SPACE_PARAMETERS_MAX];
    const struct expr_inputs inputs = {.space = space, .values = values, .bound = space->parameter_count};
    struct error fault = {0};
    *largest = -1;
    do {
        int64_t count = 0;
        space_values(space, choices, values);
        int code = evaluate(size, &inputs, &count, NULL);
        if ((code && fault.code) || (!code && count <= *largest) || !allowed(size->parameters, &inputs))
            continue;
        if (code)
            evaluate(size, &inputs, &count, &fault);
        else
            *largest = count;
    } while (space_next_choices(space, size->parameters, choices));
    if (*largest < 0 && fault.code) {
        if (error)
            *error = fault;
        return fault.code;
    }
    *largest = *largest < 0 ? 0 : *largest; /* no valid combination */
    return 0;
}

/* Bounds an expression of a bound space over all values of its parameters. */
static int find_bound(const struct space *space, const struct expr *expr, struct bound *bound, struct error *error)
{
    const struct expression_node *nodes = expr->expression.nodes;
    struct bound *bounds = calloc(expr->expression.count, sizeof *bounds);
    for (size_t n = 0; n < expr->expression.count && bounds; n++) {
        const struct expression_node *node = &nodes[n];
        const uint32_t *of = node->operands;
        if (node->operation == OP_CONSTANT)
            bounds[n] = bound_of_values(&node->constant, 1);
        else if (node->operation == OP_NAME && expr_name_kind(of[0]) == EXPR_PARAMETER)
            bounds[n] = bound_of_values(space->parameters[of[0]].values, space->parameters[of[0]].value_count);
        else if (node->operation != OP_NAME)
            bounds[n] = bound_of_node(nodes, node, (const struct bound[]){bounds[of[0]], bounds[of[1]], bounds[of[2]]},
                                      OVERFLOW_FAULTS);
        *bound = bounds[n];
    }
    int code = bounds ? 0 : error_memory(error);
    free(bounds);
    return code;
}

/* Estimates the largest size: the upper end of its bound over all values of its parameters. */
static int estimate(const struct space *space, const struct expr *size, int64_t *largest, struct error *error)
{
    const struct expr_inputs inputs = {.space = space};
    struct bound bound = {0};
    TRY(find_bound(space, size, &bound, error));
    *largest = bound.high;
    if (bound.known && bound.high >= 0)
        return 0;
    int code = expr_error(size, &inputs, error, "the largest size of the scratch buffer is unknown");
    error_hint(error, "its parameters have more than %d combinations: name fewer, or limit it: min(SIZE, LIMIT)",
               SCRATCH_COMBINATIONS_MAX);
    return code;
}

static bool few_combinations(const struct space *space, uint64_t parameters)
{
    uint64_t combinations = 1;
    for (size_t p = 0; p < space->parameter_count && combinations <= SCRATCH_COMBINATIONS_MAX; p++)
        if (parameters >> p & 1u)
            combinations *= space->parameters[p].value_count;
    return combinations <= SCRATCH_COMBINATIONS_MAX;
}

int scratch_bind(struct space *space, struct buffer *buffer, struct error *error)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    struct value values[SPACE_PARAMETERS_MAX];
    const struct expr_inputs inputs = {.space = space, .values = values, .bound = space->parameter_count};
    int64_t largest, by_default;
    TRY(expr_bind(space, buffer->size, &buffer->size, error));
    TRY(few_combinations(space, buffer->size->parameters) ? enumerate(space, buffer->size, &largest, error)
                                                          : estimate(space, buffer->size, &largest, error));
    /* The reference runs with the default configuration, even an invalid one. */
    space_default(space, choices);
    space_values(space, choices, values);
    if (!evaluate(buffer->size, &inputs, &by_default, NULL) && by_default > largest)
        largest = by_default;
    buffer->count = (uint64_t)largest;
    return 0;
}

int scratch_evaluate(const struct expr_inputs *inputs, struct launch *launch, struct error *error)
{
    const struct space *space = inputs->space;
    size_t scratch = 0;
    for (size_t i = 0; i < space->buffer_count; i++) {
        const struct buffer *buffer = &space->buffers[i];
        int64_t count;
        if (buffer->role != BUFFER_SCRATCH)
            continue;
        TRY(evaluate(buffer->size, inputs, &count, error));
        if ((uint64_t)count > buffer->count)
            return expr_error(
                buffer->size, inputs, error,
                "the scratch buffer '%s' has %lld elements, more than the %llu of any valid configuration",
                buffer->name, (long long)count, (unsigned long long)buffer->count);
        launch->scratch_bytes[scratch++] = (uint64_t)count * buffer->type->bytes;
    }
    return 0;
}

uint64_t space_buffer_bytes(const struct space *space, const struct launch *launch, size_t buffer)
{
    const struct buffer *row = &space->buffers[buffer];
    size_t scratch = 0;
    if (row->role != BUFFER_SCRATCH)
        return row->count * row->type->bytes;
    for (size_t i = 0; i < buffer; i++)
        scratch += space->buffers[i].role == BUFFER_SCRATCH;
    return launch->scratch_bytes[scratch];
}
