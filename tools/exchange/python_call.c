/* The functions of Python that lists of values are written with. Each gets its arguments as a list. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exchange/python_eval.h"

typedef struct python_value value;

static value boolean(bool truth)
{
    return (value){.kind = PYTHON_BOOL, .integer = truth};
}

static int call_range(struct python *python, const struct python_node *node, const value *arguments, size_t count,
                      value *result)
{
    int64_t start = 0, stop, step = 1;
    for (size_t i = 0; i < count; i++)
        if (!python_is_integer(&arguments[i]))
            return python_fail(python, node->at, "range takes integers, not a %s", python_kind_name(arguments[i].kind));
    stop = arguments[count > 1].integer;
    if (count > 1)
        start = arguments[0].integer;
    if (count > 2)
        step = arguments[2].integer;
    if (step == 0)
        return python_fail(python, node->at, "the step of a range is 0");
    bool empty = step > 0 ? start >= stop : start <= stop;
    uint64_t span = step > 0 ? (uint64_t)stop - (uint64_t)start : (uint64_t)start - (uint64_t)stop;
    uint64_t length = empty ? 0 : (span - 1) / (step > 0 ? (uint64_t)step : -(uint64_t)step) + 1;
    if (length > PYTHON_ITEMS_MAX)
        return python_fail(python, node->at, "the range is longer than %d", PYTHON_ITEMS_MAX);
    *result = (value){.kind = PYTHON_RANGE, .count = (size_t)length, .range = {start, step}};
    return 0;
}

static int sequence_of(struct python *python, const struct python_node *node, const value *arguments, size_t count,
                       value *result)
{
    (void)count;
    static const value empty = {.kind = PYTHON_LIST};
    if (!python_is_sequence(&arguments[0]))
        return python_fail(python, node->at, "%s takes a list, not a %s", node->name,
                           python_kind_name(arguments[0].kind));
    return python_concatenate(python, node->at, &arguments[0], &empty, result);
}

static int by_order(const void *left, const void *right)
{
    const value *a = left, *b = right;
    return a->kind == PYTHON_TEXT ? strcmp(a->text, b->text) : python_order(a, b);
}

static int call_sorted(struct python *python, const struct python_node *node, const value *arguments, size_t count,
                       value *result)
{
    TRY(sequence_of(python, node, arguments, count, result));
    for (size_t i = 0; i < result->count; i++)
        if (python_is_sequence(&result->items[i]) ||
            (result->items[i].kind == PYTHON_TEXT) != (result->items[0].kind == PYTHON_TEXT))
            return python_fail(python, node->at, "a list of such items has no order");
    if (result->count)
        qsort((void *)result->items, result->count, sizeof *result->items, by_order);
    return 0;
}

static int call_extreme(struct python *python, const struct python_node *node, const value *arguments, size_t count,
                        value *result)
{
    const value all = {.kind = PYTHON_LIST, .count = count, .items = arguments};
    const value *list = count == 1 ? &arguments[0] : &all;
    if (!python_is_sequence(list) || list->count == 0)
        return python_fail(python, node->at, "%s takes two numbers or more, or a list that is not empty", node->name);
    python->steps += list->count;
    for (size_t i = 0; i < list->count; i++) {
        value item = python_item(list, i);
        if (!python_is_number(&item))
            return python_fail(python, node->at, "%s takes numbers, not a %s", node->name, python_kind_name(item.kind));
        if (i == 0 || (node->name[1] == 'i' ? python_order(&item, result) < 0 : python_order(&item, result) > 0))
            *result = item;
    }
    return 0;
}

static int call_sum(struct python *python, const struct python_node *node, const value *arguments, size_t count,
                    value *result)
{
    const struct python_node plus = {.kind = NODE_BINARY, .operation = PYTHON_ADD, .at = node->at};
    TRY(sequence_of(python, node, arguments, count, result));
    value total = {.kind = PYTHON_INT}, list = *result, sum;
    for (size_t i = 0; i < list.count; i++) {
        TRY(python_binary(python, &plus, &total, &list.items[i], &sum));
        total = sum;
    }
    *result = total;
    return 0;
}

static int call_number(struct python *python, const struct python_node *node, const value *arguments, size_t count,
                       value *result)
{
    const value *a = &arguments[0];
    int64_t negated;
    (void)count;
    if (!python_is_number(a))
        return python_fail(python, node->at, "%s takes a number, not a %s", node->name, python_kind_name(a->kind));
    if (strcmp(node->name, "float") == 0)
        return python_put_real(python, node->at, result, python_real(a));
    if (strcmp(node->name, "int") == 0 && a->kind == PYTHON_FLOAT)
        return a->real >= -0x1p63 && a->real < 0x1p63 ? python_put_integer(result, (int64_t)a->real)
                                                      : python_too_large(python, node->at);
    if (strcmp(node->name, "int") == 0)
        return python_put_integer(result, a->integer);
    if (a->kind == PYTHON_FLOAT)
        return python_put_real(python, node->at, result, fabs(a->real));
    if (a->integer >= 0)
        return python_put_integer(result, a->integer);
    return __builtin_sub_overflow((int64_t)0, a->integer, &negated) ? python_too_large(python, node->at)
                                                                    : python_put_integer(result, negated);
}

static int call_other(struct python *python, const struct python_node *node, const value *arguments, size_t count,
                      value *result)
{
    (void)count;
    if (strcmp(node->name, "bool") == 0) {
        *result = boolean(python_truth(&arguments[0]));
        return 0;
    }
    if (strcmp(node->name, "len") == 0)
        return python_is_sequence(&arguments[0]) ? python_put_integer(result, (int64_t)arguments[0].count)
                                                 : python_fail(python, node->at, "len takes a list");
    const struct python_node operator= {.kind = NODE_BINARY, .operation = PYTHON_POWER, .at = node->at};
    return python_binary(python, &operator, & arguments[0], &arguments[1], result);
}

static const struct function {
    const char *name;
    size_t least, most;
    int (*call)(struct python *, const struct python_node *, const value *, size_t, value *);
} functions[] = {
    {"range", 1, 3, call_range},   {"list", 1, 1, sequence_of},  {"tuple", 1, 1, sequence_of},
    {"sorted", 1, 1, call_sorted}, {"min", 1, 64, call_extreme}, {"max", 1, 64, call_extreme},
    {"sum", 1, 1, call_sum},       {"abs", 1, 1, call_number},   {"int", 1, 1, call_number},
    {"float", 1, 1, call_number},  {"bool", 1, 1, call_other},   {"len", 1, 1, call_other},
    {"pow", 2, 2, call_other},
};

int python_call(struct python *python, const struct python_node *node, const struct python_binding *bindings,
                value *result)
{
    enum { ARGUMENTS_MAX = 64 };
    value arguments[ARGUMENTS_MAX];
    const struct function *function = NULL;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, node->name) == 0)
            function = &functions[i];
    if (!function) {
        int code = python_fail(python, node->at, "the function %.64s is not understood", node->name);
        error_hint(python->error, "the functions are range list tuple sorted min max sum abs int float bool len pow");
        return code;
    }
    if (node->count < function->least || node->count > function->most)
        return python_fail(python, node->at, "%s takes %zu to %zu arguments, not %zu", node->name, function->least,
                           function->most, node->count);
    for (size_t i = 0; i < node->count; i++)
        TRY(python_eval(python, node->children[i], bindings, &arguments[i]));
    return function->call(python, node, arguments, node->count, result);
}
