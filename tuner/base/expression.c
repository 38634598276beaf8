#include "base/expression.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/hash.h"

/* ---- Building ---- */

/* Compares constants by their bits: 0.0 differs from -0.0. */
static bool same(const void *owner, uint32_t item, const void *key)
{
    const struct expression_node *a = &((const struct expression_graph *)owner)->nodes[item], *b = key;
    return a->operation == b->operation && memcmp(a->operands, b->operands, sizeof a->operands) == 0 &&
           a->constant.kind == b->constant.kind && a->constant.integer == b->constant.integer;
}

static uint32_t add(struct expression_graph *graph, const struct expression_node *node)
{
    const uint64_t parts[] = {(uint64_t)node->operation << 32 | node->operands[0],
                              (uint64_t)node->operands[1] << 32 | node->operands[2], node->constant.kind,
                              (uint64_t)node->constant.integer};
    const struct hash_key key = {hash_u64(parts, sizeof parts, 0), same, graph, node};
    uint32_t item = (uint32_t)graph->count;
    struct expression_node *nodes = array_grow(graph->nodes, &graph->room, graph->count + 1, sizeof *nodes);
    if (!nodes)
        return EXPRESSION_NONE;
    graph->nodes = nodes;
    if (hash_table_put(&graph->table, &key, &item))
        return EXPRESSION_NONE;
    if (item == graph->count)
        nodes[graph->count++] = *node;
    return item;
}

uint32_t expression_constant(struct expression_graph *graph, struct value value)
{
    if (value.kind == VALUE_FAULT)
        value = value_fault();
    return add(graph, &(struct expression_node){.operation = OP_CONSTANT, .constant = value});
}

uint32_t expression_name(struct expression_graph *graph, uint32_t name)
{
    return add(graph, &(struct expression_node){
                          .operation = OP_NAME, .operands = {name}, .names = name < 64 ? (uint64_t)1 << name : 0});
}

uint32_t expression_node(struct expression_graph *graph, enum operation operation, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t operands[3] = {a, b, c};
    struct expression_node node = {.operation = operation};
    for (size_t i = 0; i < expression_operands(&node); i++) {
        if (operands[i] == EXPRESSION_NONE)
            return EXPRESSION_NONE;
        node.operands[i] = operands[i];
        node.names |= graph->nodes[operands[i]].names;
    }
    return add(graph, &node);
}

/* True if constants determine the result of && || ?:. Sets *node to that result. */
static bool decide(const struct expression_graph *graph, enum operation operation, uint32_t a, uint32_t b, uint32_t c,
                   uint32_t *node)
{
    const struct expression_node *condition = &graph->nodes[a];
    if (operation < OP_AND || condition->operation != OP_CONSTANT || !value_is_number(&condition->constant))
        return false;
    const bool truth = value_truth(&condition->constant);
    *node = operation == OP_CHOOSE && !truth ? c : b;
    return operation == OP_CHOOSE ||
           (truth == (operation == OP_AND) && operation_gives_truth(graph->nodes[b].operation));
}

uint32_t expression_fold(struct expression_graph *graph, enum overflow overflow, enum operation operation, uint32_t a,
                         uint32_t b, uint32_t c)
{
    const uint32_t operands[3] = {a, b, c};
    const size_t count = operation_rows[operation].operands;
    struct value values[3] = {value_fault(), value_fault(), value_fault()}, value;
    uint32_t decided;
    bool constant = true;
    for (size_t i = 0; i < count; i++) {
        if (operands[i] == EXPRESSION_NONE)
            return EXPRESSION_NONE;
        const struct expression_node *operand = &graph->nodes[operands[i]];
        constant &= operand->operation == OP_CONSTANT;
        if (operand->operation == OP_CONSTANT)
            values[i] = operand->constant;
    }
    if (decide(graph, operation, a, b, c, &decided))
        return decided;
    const char *fault = operation_apply(operation, overflow, &values[0], &values[1], &values[2], &value);
    return constant || !fault ? expression_constant(graph, value) : expression_node(graph, operation, a, b, c);
}

void expression_graph_free(struct expression_graph *graph)
{
    free(graph->nodes);
    hash_table_free(&graph->table);
    memset(graph, 0, sizeof *graph);
}

/* ---- Finished expressions ---- */

int expression_finish(const struct expression_graph *graph, uint32_t root, struct arena *arena,
                      struct expression *expression)
{
    uint32_t *number = root == EXPRESSION_NONE ? NULL : calloc(root + (size_t)1, sizeof *number); /* 0: not copied */
    size_t count = 0;
    int code = number ? 0 : ERROR_MEMORY;
    if (!code)
        number[root] = 1;
    for (uint32_t n = root; !code && n != UINT32_MAX; n--) { /* users before operands */
        const struct expression_node *node = &graph->nodes[n];
        count += number[n];
        for (size_t i = 0; number[n] && i < expression_operands(node); i++)
            number[node->operands[i]] = 1;
    }
    if (!code && count > EXPRESSION_NODES_MAX)
        code = ERROR_DATA;
    struct expression_node *nodes = code ? NULL : arena_array(arena, count, sizeof *nodes), *at = nodes;
    if (!code && !nodes)
        code = ERROR_MEMORY;
    for (uint32_t n = 0; !code && n <= root; n++) {
        if (!number[n])
            continue;
        *at = graph->nodes[n];
        for (size_t i = 0; i < expression_operands(at); i++)
            at->operands[i] = number[at->operands[i]];
        number[n] = (uint32_t)(at++ - nodes);
    }
    free(number);
    *expression = (struct expression){code ? 0 : count, nodes};
    return code;
}

uint32_t expression_copy(struct expression_graph *graph, const struct expression *expression, expression_named *named,
                         const void *context)
{
    uint32_t numbers[EXPRESSION_NODES_MAX] = {EXPRESSION_NONE};
    for (size_t n = 0; n < expression->count; n++) {
        const struct expression_node *node = &expression->nodes[n];
        uint32_t operands[3] = {0};
        struct value value;
        for (size_t i = 0; i < expression_operands(node); i++)
            operands[i] = numbers[node->operands[i]];
        if (node->operation == OP_CONSTANT)
            numbers[n] = expression_constant(graph, node->constant);
        else if (node->operation == OP_NAME && named && named(context, node->operands[0], &value))
            numbers[n] = expression_constant(graph, value);
        else if (node->operation == OP_NAME)
            numbers[n] = expression_name(graph, node->operands[0]);
        else if (named)
            numbers[n] =
                expression_fold(graph, OVERFLOW_FAULTS, node->operation, operands[0], operands[1], operands[2]);
        else
            numbers[n] = expression_node(graph, node->operation, operands[0], operands[1], operands[2]);
    }
    return numbers[expression->count - 1];
}

struct value expression_value(const struct expression *expression, enum overflow overflow, expression_named *named,
                              const void *context)
{
    struct value values[EXPRESSION_NODES_MAX];
    for (size_t n = 0; n < expression->count; n++) {
        const struct expression_node *node = &expression->nodes[n];
        if (node->operation == OP_CONSTANT) {
            values[n] = node->constant;
            continue;
        }
        if (node->operation == OP_NAME) {
            if (!named(context, node->operands[0], &values[n]))
                values[n] = value_fault();
            continue;
        }
        const struct value *a = &values[node->operands[0]], *b = &values[node->operands[1]];
        if (operation_keeps_integers(node->operation) && a->kind == VALUE_INT && b->kind == VALUE_INT) {
            values[n].kind = VALUE_INT; /* the usual case */
            if (operation_apply_integers(node->operation, overflow, a->integer, b->integer, &values[n].integer))
                values[n] = value_fault();
        } else {
            operation_apply(node->operation, overflow, a, b, &values[node->operands[2]], &values[n]);
        }
    }
    return values[expression->count - 1];
}
