#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "expression/expr.h"
#include "expression/space_internal.h"
#include "space/config.h"

/* ---- Errors ---- */

static void put_context(const struct expr *expr, const struct expr_inputs *inputs, char *buffer, size_t room)
{
    int length = snprintf(buffer, room, ", in %s", expr->what);
    if (inputs->bound == 0 || length < 0 || (size_t)length + 4 >= room)
        return;
    memcpy(buffer + length, " at ", 5);
    space_values_text(inputs->space, inputs->values, inputs->bound, buffer + length + 4, room - (size_t)length - 4);
    for (uint32_t d = 0; inputs->loop && d <= inputs->loop->depth; d++) {
        const struct loop *loop = d < inputs->loop->depth ? inputs->loop->outer : inputs->loop;
        const size_t used = strlen(buffer);
        snprintf(buffer + used, room - used, " %s=%" PRId64, loop->name, inputs->counters[d]);
    }
}

int expr_error(const struct expr *expr, const struct expr_inputs *inputs, struct error *error, const char *format, ...)
{
    char message[256], context[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    text_vformat(message, sizeof message, format, arguments);
    va_end(arguments);
    put_context(expr, inputs, context, sizeof context);
    return source_error(expr->source, expr->line, expr->column, error, ERROR_VALUE, "%s%s", message, context);
}

static int fault_error(const struct expr *expr, size_t at, const struct expr_inputs *inputs, struct error *error,
                       const char *fault, const char *detail)
{
    char context[sizeof error->message];
    const struct expr_place *place = &expr->places[at];
    put_context(expr, inputs, context, sizeof context);
    return source_error(expr->source, place->line, place->column, error, ERROR_VALUE, "%s: %s%s", fault, detail,
                        context);
}

/* ---- Evaluation ---- */

/* Evaluates an expression as it is written, part by part, to find where and why it has no value. */
struct walk {
    const struct expr *expr;
    const struct expr_inputs *inputs;
    struct error *error;
    size_t at; /* the place of the next part */
};

static bool find_named(const void *context, uint32_t name, struct value *value)
{
    const struct expr_inputs *inputs = context;
    const size_t index = expr_name_index(name);
    switch (expr_name_kind(name)) {
    case EXPR_PARAMETER:
        *value = inputs->values[index];
        return true;
    case EXPR_PROBLEM:
        *value = inputs->space->problems[index].value;
        return true;
    case EXPR_COUNTER:
        *value = value_integer(inputs->counters[index]);
        return true;
    default:
        *value = value_integer(limit_get(&inputs->space->limits, &limit_rows[index]));
        return inputs->space->has_limits;
    }
}

/* Reports an unknown limit as its own kind of error: the expression may have a value on a device. */
static int no_limits(const struct walk *walk, const struct limit_row *limit)
{
    struct error cause = {0}, *error = walk->error;
    int code = fault_error(walk->expr, walk->at, walk->inputs, &cause, "device limits are unknown without a device",
                           limit->name);
    if (!error || error->code != ERROR_NONE)
        return code;
    cause.code = ERROR_NO_DEVICE;
    cause.list = error->list;
    *error = cause;
    return ERROR_NO_DEVICE;
}

/* Skips the parts of a node that is not evaluated. */
static void skip(struct walk *walk, uint32_t number)
{
    const struct expression_node *node = &walk->expr->expression.nodes[number];
    for (size_t i = 0; i < expression_operands(node); i++)
        skip(walk, node->operands[i]);
    walk->at++;
}

static int find_value(struct walk *walk, uint32_t number, struct value *result)
{
    const struct expression_node *node = &walk->expr->expression.nodes[number];
    const bool conditional = node->operation >= OP_AND;
    struct value of[3] = {value_fault(), value_fault(), value_fault()};
    char text[2 * VALUE_TEXT_BYTES + 16];
    for (size_t i = 0; i < expression_operands(node); i++) {
        const bool truth = conditional && i && of[0].kind != VALUE_WORD && value_truth(&of[0]);
        const bool taken =
            !conditional || i == 0 ||
            (of[0].kind != VALUE_WORD && truth == (node->operation == OP_CHOOSE ? i == 1 : node->operation == OP_AND));
        if (taken)
            TRY(find_value(walk, node->operands[i], &of[i]));
        else
            skip(walk, node->operands[i]);
    }
    if (node->operation == OP_CONSTANT) {
        *result = node->constant;
    } else if (node->operation == OP_NAME) {
        if (!find_named(walk->inputs, node->operands[0], result))
            return no_limits(walk, &limit_rows[expr_name_index(node->operands[0])]);
    } else {
        const char *fault = operation_apply(node->operation, OVERFLOW_FAULTS, &of[0], &of[1], &of[2], result);
        if (fault && conditional)
            value_text(&of[of[0].kind != VALUE_WORD], text, sizeof text);
        else if (fault)
            operation_text(node->operation, &of[0], &of[expression_operands(node) - 1], text, sizeof text);
        if (fault)
            return fault_error(walk->expr, walk->at, walk->inputs, walk->error, fault, text);
    }
    walk->at++;
    return 0;
}

int expr_eval(const struct expr *expr, const struct expr_inputs *inputs, struct value *result, struct error *error)
{
    if (expr->written) {
        *result = expression_value(&expr->expression, OVERFLOW_FAULTS, find_named, inputs);
        if (result->kind != VALUE_FAULT)
            return 0;
        expr = expr->written;
    }
    struct walk walk = {.expr = expr, .inputs = inputs, .error = error};
    return find_value(&walk, (uint32_t)expr->expression.count - 1, result);
}

int expr_true(const struct expr *expr, const struct expr_inputs *inputs, bool *result, struct error *error)
{
    struct value value;
    TRY(expr_eval(expr, inputs, &value, error));
    if (value.kind == VALUE_WORD)
        return expr_error(expr, inputs, error, "a word is neither true nor false: %s", value.word);
    *result = value_truth(&value);
    return 0;
}

int expr_integer(const struct expr *expr, const struct expr_inputs *inputs, const char *thing, int64_t least,
                 int64_t most, int64_t *result, struct error *error)
{
    struct value value;
    char text[VALUE_TEXT_BYTES];
    TRY(expr_eval(expr, inputs, &value, error));
    if (value.kind != VALUE_INT)
        return expr_error(expr, inputs, error, "%s must be an integer, not %s", thing,
                          value_text(&value, text, sizeof text));
    if (value.integer < least && most == INT64_MAX)
        return expr_error(expr, inputs, error, "%s must be at least %" PRId64 ", not %" PRId64, thing, least,
                          value.integer);
    if (value.integer < least || value.integer > most)
        return expr_error(expr, inputs, error, "%s must be from %" PRId64 " to %" PRId64 ", not %" PRId64, thing, least,
                          most, value.integer);
    *result = value.integer;
    return 0;
}

/* ---- Binding ---- */

static bool is_bound(const void *context, uint32_t name, struct value *value)
{
    const struct expr_inputs inputs = {.space = context};
    const enum expr_name kind = expr_name_kind(name);
    return kind != EXPR_PARAMETER && kind != EXPR_COUNTER && find_named(&inputs, name, value);
}

int expr_bind(struct space *space, const struct expr *expr, const struct expr **result, struct error *error)
{
    struct expression_graph graph = {0};
    struct expr *bound = arena_alloc(&space->arena, sizeof *bound);
    if (!bound)
        return error_memory(error);
    *bound = *expr;
    int code = expression_finish(&graph, expression_copy(&graph, &expr->expression, is_bound, space), &space->arena,
                                 &bound->expression);
    expression_graph_free(&graph);
    if (code)
        return error_memory(error);
    bound->written = expr->written ? expr->written : expr;
    bound->parameters = expr_root(bound)->names;
    bound->uses_problems = bound->uses_limits = false;
    for (size_t n = 0; n < bound->expression.count; n++)
        bound->uses_limits |= bound->expression.nodes[n].operation == OP_NAME &&
                              expr_name_kind(bound->expression.nodes[n].operands[0]) == EXPR_LIMIT;
    *result = bound;
    return 0;
}
