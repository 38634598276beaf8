#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "space/expr.h"
#include "space/list.h"
#include "space/private.h"

/* ---- Errors ---- */

static void put_context(const struct expr *expr, const struct expr_inputs *inputs, char *buffer, size_t room)
{
    int length = snprintf(buffer, room, ", in %s", expr->what);
    if (inputs->bound == 0 || length < 0 || (size_t)length + 4 >= room)
        return;
    memcpy(buffer + length, " at ", 5);
    space_values_text(inputs->space, inputs->values, inputs->bound, buffer + length + 4, room - (size_t)length - 4);
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

static int operator_error(const struct expr *expr, size_t at, const struct value *a, const struct value *b,
                          const char *fault, const struct expr_inputs *inputs, struct error *error)
{
    char text[2 * VALUE_TEXT_BYTES + 16];
    if (expr->code[at].operation < OP_UNARY_FIRST) /* used as a condition */
        value_text(a, text, sizeof text);
    else
        expr_operands_text(expr->code[at].operation, a, b, text, sizeof text);
    return fault_error(expr, at, inputs, error, fault, text);
}

/* ---- Evaluation ---- */

/* Executes a jump or OP_TRUTH; all but OP_JUMP take the value at the top as a condition. Returns the new top. */
static struct value *branch(const struct instruction *code, struct value *top, size_t *at)
{
    bool truth = code->operation != OP_JUMP && value_truth(top);
    switch (code->operation) {
    case OP_JUMP:
        *at = code->operand;
        return top;
    case OP_JUMP_FALSE:
        if (!truth)
            *at = code->operand;
        return top - 1;
    case OP_TRUTH:
        *top = value_integer(truth);
        return top;
    default: /* OP_AND, OP_OR */
        if (truth == (code->operation == OP_AND))
            return top - 1;
        *top = value_integer(truth);
        *at = code->operand;
        return top;
    }
}

static void load(const struct expr *expr, const struct instruction *code, const struct expr_inputs *inputs,
                 struct value *value)
{
    switch (code->operation) {
    case OP_CONSTANT:
        *value = expr->constants[code->operand];
        break;
    case OP_PARAMETER:
        *value = inputs->values[code->operand];
        break;
    case OP_PROBLEM:
        *value = inputs->space->problems[code->operand].value;
        break;
    default: /* OP_LIMIT */
        *value =
            (struct value){.kind = VALUE_INT, .integer = limit_get(&inputs->space->limits, &limit_rows[code->operand])};
        break;
    }
}

/* A cause of its own: the expression may have a value on a device. */
static int no_limits(const struct expr *expr, size_t at, const struct expr_inputs *inputs, struct error *error)
{
    struct error cause = {0};
    int code = fault_error(expr, at, inputs, &cause, "device limits are unknown without a device",
                           limit_rows[expr->code[at].operand].name);
    if (!error || error->code != ERROR_NONE)
        return code;
    cause.code = ERROR_NO_DEVICE;
    cause.list = error->list;
    *error = cause;
    return ERROR_NO_DEVICE;
}

/* Evaluates code on values of any kind. */
static int evaluate(const struct expr *expr, const struct expr_inputs *inputs, struct value *result,
                    struct error *error)
{
    struct value stack[EXPR_STACK_MAX + 1], *top = stack; /* stack[0] is unused, so that `top` always points to a
                                                             value */
    for (size_t at = 0; at < expr->code_count;) {
        const struct instruction *code = &expr->code[at++];
        expr_fault fault = NULL;
        if (code->operation <= OP_LIMIT) {
            if (code->operation == OP_LIMIT && !inputs->space->has_limits)
                return no_limits(expr, at - 1, inputs, error);
            load(expr, code, inputs, ++top);
        } else if (code->operation < OP_UNARY_FIRST) {
            if (code->operation != OP_JUMP && top->kind == VALUE_WORD)
                return operator_error(expr, at - 1, top, top, "a word is neither true nor false", inputs, error);
            top = branch(code, top, &at);
        } else if (code->operation < OP_BINARY_FIRST) {
            fault = expr_unary(code->operation, top, top);
            if (fault)
                return operator_error(expr, at - 1, top, top, fault, inputs, error);
        } else {
            struct value value;
            fault = expr_binary(code->operation, top - 1, top, &value);
            if (fault)
                return operator_error(expr, at - 1, top - 1, top, fault, inputs, error);
            *--top = value;
        }
    }
    *result = *top;
    return 0;
}

int expr_eval(const struct expr *expr, const struct expr_inputs *inputs, struct value *result, struct error *error)
{
    int64_t integer;
    if (!expr->integers || !integer_code_run(expr->integers, inputs->values, expr, &integer))
        return evaluate(expr, inputs, result, error);
    *result = value_integer(integer);
    return 0;
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
