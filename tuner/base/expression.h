/* Expressions as graphs, in which equal parts are one node: of the space language (space/expression/expr.h) and of
 * conditions on sizes (db/sizes/size_condition.h), which parse them. */
#ifndef CUTUNE_BASE_EXPRESSION_H
#define CUTUNE_BASE_EXPRESSION_H

#include "base/arena.h"
#include "base/hash_table.h"
#include "base/operation.h"

struct expression_node {
    uint32_t operation;    /* enum operation */
    uint32_t operands[3];  /* numbers of earlier nodes; of OP_NAME: the name's number */
    uint64_t names;        /* bit n: the name n occurs, of the names below 64 */
    struct value constant; /* OP_CONSTANT */
};

/* How many operands a node has. */
static inline size_t expression_operands(const struct expression_node *node)
{
    return operation_rows[node->operation].operands;
}

/* ---- Building ---- */

/* A zeroed struct is the empty graph. */
struct expression_graph {
    struct expression_node *nodes; /* operands before users */
    size_t count, room;
    struct hash_table table;
};

/* The number of a node that does not exist: memory is out. A node with such an operand does not exist either. */
#define EXPRESSION_NONE UINT32_MAX

/* Each finds the equal node, or adds one, and returns its number. Operands that the operation does not take are
 * ignored. */
uint32_t expression_constant(struct expression_graph *graph, struct value value);
uint32_t expression_name(struct expression_graph *graph, uint32_t name);
uint32_t expression_node(struct expression_graph *graph, enum operation operation, uint32_t a, uint32_t b, uint32_t c);
/* The same, but what its constants decide is a constant, possibly a fault, or one of its operands. */
uint32_t expression_fold(struct expression_graph *graph, enum overflow overflow, enum operation operation, uint32_t a,
                         uint32_t b, uint32_t c);

void expression_graph_free(struct expression_graph *graph);

/* ---- Finished expressions ---- */

enum { EXPRESSION_NODES_MAX = 2048 }; /* their values lie on the stack */

/* The nodes of one expression, operands before users; the last one is its value. */
struct expression {
    size_t count; /* at most EXPRESSION_NODES_MAX */
    const struct expression_node *nodes;
};

/* Takes what a node needs out of a graph, into an arena. ERROR_MEMORY; ERROR_DATA: it has too many nodes. */
int expression_finish(const struct expression_graph *graph, uint32_t root, struct arena *arena,
                      struct expression *expression);

/* The value of a name; false: it has none. */
typedef bool expression_named(const void *context, uint32_t name, struct value *value);

/* Adds an expression to a graph and returns its node: as it is (`named` NULL), or folded, with the values of the names
 * that have one in their place. Faults are those of OVERFLOW_FAULTS. */
uint32_t expression_copy(struct expression_graph *graph, const struct expression *expression, expression_named *named,
                         const void *context);

/* Computes the value: a fault if it has none, as where it needs a name without a value. Evaluates each node once. */
struct value expression_value(const struct expression *expression, enum overflow overflow, expression_named *named,
                              const void *context);

#endif
