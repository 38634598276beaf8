#include "language/condition.h"

#include <stdlib.h>
#include <string.h>

#include "base/architecture.h"
#include "base/arena.h"
#include "base/array.h"
#include "expression/expr.h"
#include "expression/space_internal.h"
#include "language/demand.h"

struct writer {
    struct arena arena;            /* of texts */
    struct expression_graph graph; /* of sizes, named limits and constants */
    const struct space *space;
    const struct device_limits *limits;
    const uint32_t *choices;
    bool named;         /* limits that differ between architectures are names, other limits are numbers */
    bool of_limits;     /* conditions without limits are left out */
    bool partial;       /* a limit of 0 is unknown */
    bool failed;        /* out of memory */
    const char **parts; /* of a condition: all must hold */
    size_t count, room;
};

/* ---- Simplifying ---- */

/* Finds the value of a name; false: the name stays. */
static bool find_value(const struct writer *writer, uint32_t name, struct value *value)
{
    const size_t index = expr_name_index(name);
    const struct limit_row *limit = &limit_rows[index];
    if (expr_name_kind(name) == EXPR_PARAMETER)
        *value = writer->space->parameters[index].values[writer->choices[index]];
    else if (expr_name_kind(name) == EXPR_PROBLEM)
        return false;
    else if (writer->named) /* a limit common to all architectures is a number */
        *value = value_integer(architecture_limit(limit, 0));
    else
        *value = value_integer(writer->limits ? limit_get(writer->limits, limit) : LIMIT_UNKNOWN);
    return expr_name_kind(name) == EXPR_PARAMETER ||
           (value->integer != LIMIT_UNKNOWN && (value->integer || writer->named || !writer->partial));
}

static bool is_number(const struct writer *writer, uint32_t node, int64_t number)
{
    const struct expression_node *of = &writer->graph.nodes[node];
    return of->operation == OP_CONSTANT && of->constant.kind == VALUE_INT && of->constant.integer == number;
}

/* True if every known architecture has at least `number` of a limit. */
static bool all_have(const struct writer *writer, uint32_t limit, uint32_t number)
{
    const struct expression_node *name = &writer->graph.nodes[limit], *most = &writer->graph.nodes[number];
    const int64_t least = name->operation == OP_NAME && expr_name_kind(name->operands[0]) == EXPR_LIMIT
                              ? architecture_least(&limit_rows[expr_name_index(name->operands[0])])
                              : LIMIT_UNKNOWN;
    return least != LIMIT_UNKNOWN && most->operation == OP_CONSTANT && most->constant.integer <= least;
}

/* Simplifies operations that need no text: multiplication and division by 1, a remainder by 1, comparisons with limits
 * that all architectures satisfy, and a truth value != 0. False if no rule applies. */
static bool simplify(struct writer *writer, enum operation operation, uint32_t a, uint32_t b, uint32_t *simpler)
{
    const bool one = is_number(writer, b, 1);
    *simpler = a;
    if (operation == OP_REMAINDER && one)
        *simpler = expression_constant(&writer->graph, value_integer(0));
    else if ((operation == OP_GCD && (one || is_number(writer, a, 1))) ||
             (operation == OP_LESS_EQUAL && all_have(writer, b, a)) ||
             (operation == OP_GREATER_EQUAL && all_have(writer, a, b)))
        *simpler = expression_constant(&writer->graph, value_integer(1));
    else if (operation == OP_MULTIPLY && is_number(writer, a, 1))
        *simpler = b;
    else
        return ((operation == OP_MULTIPLY || operation == OP_DIVIDE || operation == OP_CEILDIV) && one) ||
               (operation == OP_NOT_EQUAL && is_number(writer, b, 0) &&
                operation_gives_truth(writer->graph.nodes[a].operation));
    return true;
}

/* True for a word, a float, a set or a fault. */
static bool is_other(const struct writer *writer, uint32_t node)
{
    const struct expression_node *of = &writer->graph.nodes[node];
    return of->operation == OP_CONSTANT && of->constant.kind != VALUE_INT;
}

static uint32_t make(struct writer *writer, enum operation operation, uint32_t a, uint32_t b, uint32_t c)
{
    struct expression_graph *graph = &writer->graph;
    uint32_t simpler;
    if (a == EXPRESSION_NONE || b == EXPRESSION_NONE || c == EXPRESSION_NONE)
        return EXPRESSION_NONE;
    if (operation == OP_AND || operation == OP_OR) { /* makes the right side a truth value; either side may decide */
        const int64_t decisive = operation == OP_OR;
        b = make(writer, OP_NOT_EQUAL, b, expression_constant(graph, value_integer(0)), 0);
        if (b == EXPRESSION_NONE || (is_number(writer, b, decisive) && !is_other(writer, a)))
            return b;
        if (graph->nodes[a].operation == OP_CONSTANT && graph->nodes[a].constant.kind == VALUE_INT)
            return (graph->nodes[a].constant.integer != 0) == decisive
                       ? expression_constant(graph, value_integer(decisive))
                       : b;
    } else if (operation_rows[operation].operands == 2 && !is_other(writer, a) && !is_other(writer, b) &&
               simplify(writer, operation, a, b, &simpler)) {
        return simpler;
    }
    return expression_fold(graph, OVERFLOW_FAULTS, operation, a, b, c);
}

/* Returns the node of an expression, with known values in place of names. */
static uint32_t convert(struct writer *writer, const struct expr *expr)
{
    uint32_t numbers[EXPR_PARTS_MAX];
    for (size_t n = 0; n < expr->expression.count; n++) {
        const struct expression_node *node = &expr->expression.nodes[n];
        const uint32_t *of = node->operands;
        struct value value = node->constant;
        if (node->operation == OP_CONSTANT || (node->operation == OP_NAME && find_value(writer, of[0], &value)))
            numbers[n] = expression_constant(&writer->graph, value);
        else if (node->operation == OP_NAME)
            numbers[n] = expression_name(&writer->graph, of[0]);
        else
            numbers[n] = make(writer, node->operation, numbers[of[0]], numbers[of[1]], numbers[of[2]]);
    }
    writer->failed |= numbers[expr->expression.count - 1] == EXPRESSION_NONE;
    return numbers[expr->expression.count - 1];
}

/* ---- Texts ---- */

static const char *text_of(struct writer *writer, uint32_t number);

#define TEXT(...) arena_printf(&writer->arena, __VA_ARGS__)

/* Formats membership in one item of a set as a condition on `text`; NULL: the item has no text. */
static const char *item_text(struct writer *writer, const struct value_set_item *item, const char *text)
{
    const long long first = item->range.first, last = item->range.last, step = item->range.step;
    if (item->one && item->value.kind == VALUE_INT)
        return TEXT("(%s == %lld)", text, (long long)item->value.integer);
    if (item->one) /* a word never equals a number */
        return item->value.kind == VALUE_WORD ? "0" : NULL;
    return TEXT("(((%s >= %lld) && (%s <= %lld)) && (((%s - %lld) %% %lld) == 0))", text, first, text, last, text,
                first, step);
}

static const char *membership(struct writer *writer, const char *text, const struct value_set *set)
{
    const char *all = "0";
    for (size_t i = 0; i < set->count && all; i++) {
        const char *one = item_text(writer, &set->items[i], text);
        all = !one ? NULL : i ? TEXT("(%s || %s)", all, one) : one;
    }
    return all;
}

static const char *operation_text_of(struct writer *writer, enum operation operation, const char *const of[3])
{
    const char *sign = operation_rows[operation].text;
    switch (operation) {
    case OP_NOT:
        return TEXT("!%s", of[0]);
    case OP_COMPLEMENT:
        return TEXT("(-1 - %s)", of[0]);
    case OP_IS_POW2:
        return TEXT("((%s > 0) && ((%s & (%s - 1)) == 0))", of[0], of[0], of[0]);
    case OP_NEGATE:
        return TEXT("(0 - %s)", of[0]);
    case OP_ABS:
        return TEXT("max(%s, (0 - %s))", of[0], of[0]);
    case OP_CHOOSE:
        return TEXT("(%s ? %s : %s)", of[0], of[1], of[2]);
    case OP_LOG2:
        return NULL;
    default:
        return operation_rows[operation].notation == NOTATION_SIGN ? TEXT("(%s %s %s)", of[0], sign, of[1])
                                                                   : TEXT("%s(%s, %s)", sign, of[0], of[1]);
    }
}

/* Returns the text of a node; NULL: it has none. */
static const char *text_of(struct writer *writer, uint32_t number)
{
    const struct expression_node *node = &writer->graph.nodes[number];
    const char *of[3] = {NULL, NULL, NULL};
    if (node->operation == OP_CONSTANT)
        return node->constant.kind == VALUE_INT ? TEXT("%lld", (long long)node->constant.integer) : NULL;
    if (node->operation == OP_NAME) {
        const size_t index = expr_name_index(node->operands[0]);
        if (expr_name_kind(node->operands[0]) == EXPR_LIMIT)
            return writer->named ? limit_rows[index].name : NULL;
        return writer->space->problems[index].value.kind == VALUE_INT ? writer->space->problems[index].name : NULL;
    }
    for (size_t i = 0; i < expression_operands(node) && !(node->operation == OP_IN && i == 1); i++)
        if (!(of[i] = text_of(writer, node->operands[i])))
            return NULL;
    return node->operation == OP_IN ? membership(writer, of[0], writer->graph.nodes[node->operands[1]].constant.set)
                                    : operation_text_of(writer, node->operation, of);
}

/* ---- Conditions ---- */

static void append(struct writer *writer, const char *part)
{
    const char **parts = array_grow(writer->parts, &writer->room, writer->count + 1, sizeof *parts);
    writer->failed |= !parts || !part;
    if (!parts)
        return;
    writer->parts = parts;
    parts[writer->count++] = part;
}

/* Prints the conjunction as a balanced tree, because readers limit the nesting. */
static void print_all(const struct writer *writer, size_t first, size_t count, struct text *text)
{
    const size_t half = count - count / 2;
    if (count == 1)
        text_printf(text, "%s", writer->parts[first]);
    if (count < 2)
        return;
    text_printf(text, "(");
    print_all(writer, first, half, text);
    text_printf(text, " && ");
    print_all(writer, first + half, count - half, text);
    text_printf(text, ")");
}

/* True if the expression has limits that differ between architectures. */
static bool names_limits(const struct expr *expr)
{
    for (size_t i = 0; i < expr->expression.count; i++) {
        const struct expression_node *node = &expr->expression.nodes[i];
        if (node->operation == OP_NAME && expr_name_kind(node->operands[0]) == EXPR_LIMIT &&
            architecture_limit(&limit_rows[expr_name_index(node->operands[0])], 0) == LIMIT_UNKNOWN)
            return true;
    }
    return false;
}

/* Adds a condition that depends on the sizes or named limits. Other conditions are known to hold for a valid
 * configuration. `limits`: replaces the writer's. */
static bool add(struct writer *writer, const struct expr *condition, const struct device_limits *limits)
{
    const struct device_limits *own = writer->limits;
    if (!(condition->uses_problems && !writer->of_limits) && !(writer->named && names_limits(condition)))
        return true;
    writer->limits = limits;
    const uint32_t node = convert(writer, condition);
    writer->limits = own;
    if (node == EXPRESSION_NONE)
        return false;
    const struct expression_node *root = &writer->graph.nodes[node];
    if (root->operation == OP_CONSTANT && root->constant.kind == VALUE_INT && root->constant.integer)
        return true;
    const char *text = text_of(writer, node);
    if (text)
        append(writer, text);
    return text != NULL;
}

static bool add_demands(struct writer *writer, int64_t static_bytes)
{
    const struct space_private *private = writer->space->private;
    struct device_limits left = {0};
    bool complete = true;
    if (writer->limits) {
        left = *writer->limits;
        left.shared_limit -= left.shared_limit ? static_bytes : 0;
    }
    for (size_t i = 0; i < private->demand_count && (writer->named || writer->limits); i++) {
        const struct demand *demand = &private->demands[i];
        const bool shared = strcmp(demand->name, "shared_limit") == 0;
        if (!demand->run_only && demand->of & 1u << LAUNCH_OF_RUN && !(shared && writer->limits && !left.shared_limit))
            complete &= add(writer, demand->condition, writer->limits ? &left : NULL);
    }
    return complete;
}

/* Adds the space's constraints in their unbound form. */
static bool add_constraints(struct writer *writer)
{
    const struct space *space = writer->space;
    bool complete = true;
    for (size_t c = 0; c < space->constraint_count; c++) {
        const struct constraint *constraint = &space->constraints[c];
        if (!constraint->device)
            complete &= add(writer, constraint->written ? constraint->written : constraint->condition, writer->limits);
    }
    return complete;
}

static bool write_condition(struct writer *writer, int64_t static_bytes, struct text *text)
{
    bool complete = add_constraints(writer);
    complete &= add_demands(writer, static_bytes);
    print_all(writer, 0, writer->count, text);
    text->failed |= writer->failed;
    free(writer->parts);
    expression_graph_free(&writer->graph);
    arena_free(&writer->arena);
    return complete;
}

bool space_condition(const struct space *space, const struct device_limits *limits, const uint32_t *choices,
                     int64_t static_bytes, struct text *text)
{
    struct writer writer = {.space = space, .limits = limits, .choices = choices};
    return write_condition(&writer, static_bytes, text);
}

bool space_requirement(const struct space *space, const uint32_t *choices, bool of_limits, struct text *text)
{
    struct writer writer = {.space = space, .choices = choices, .named = true, .of_limits = of_limits};
    return write_condition(&writer, 0, text);
}

bool space_requirement_of(const struct space *space, const char *configuration, bool of_limits, struct text *text)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    if (space_config_parse(space, configuration, choices, NULL))
        return false;
    space_requirement(space, choices, of_limits, text);
    return true;
}

bool space_expression(const struct space *space, const struct expr *expr, const struct device_limits *limits,
                      const uint32_t *choices, struct text *text)
{
    struct writer writer = {.space = space, .limits = limits, .choices = choices, .named = !limits, .partial = true};
    /* The counter of a loop has no single value. */
    const uint32_t node = expr_counts(expr) ? EXPRESSION_NONE : convert(&writer, expr);
    const char *value = node == EXPRESSION_NONE ? NULL : text_of(&writer, node);
    if (value)
        text_printf(text, "%s", value);
    text->failed |= writer.failed;
    expression_graph_free(&writer.graph);
    arena_free(&writer.arena);
    return value != NULL;
}
