/* Expression graphs in which equal parts share a node. The space language (space/expression/expr.h) and conditions on
 * sizes (db/sizes/size_condition.h) parse their texts into such graphs. */
#ifndef CUTUNE_BASE_EXPRESSION_H
#define CUTUNE_BASE_EXPRESSION_H

#include "base/arena.h"
#include "base/hash_table.h"
#include "base/operation.h"

struct expression_node {
    uint32_t operation;    /* enum operation */
    uint32_t operands[3];  /* numbers of earlier nodes; OP_NAME: the first is the name's number */
    uint64_t names;        /* bit n: name n occurs; names from 64 on have no bit */
    struct value constant; /* OP_CONSTANT */
};

/* Returns the number of operands of a node. */
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

/* Number returned when out of memory. A node with such an operand is EXPRESSION_NONE, too. */
#define EXPRESSION_NONE UINT32_MAX

/* Each returns the number of the equal node, which it adds if it is missing. Ignores operands that the operation does
 * not take. */
uint32_t expression_constant(struct expression_graph *graph, struct value value);
uint32_t expression_name(struct expression_graph *graph, uint32_t name);
uint32_t expression_node(struct expression_graph *graph, enum operation operation, uint32_t a, uint32_t b, uint32_t c);
/* Same, but folds: if constants determine the result, returns a constant (possibly a fault) or one of the operands. */
uint32_t expression_fold(struct expression_graph *graph, enum overflow overflow, enum operation operation, uint32_t a,
                         uint32_t b, uint32_t c);

void expression_graph_free(struct expression_graph *graph);

/* ---- Finished expressions ---- */

enum { EXPRESSION_NODES_MAX = 2048 }; /* expression_value keeps their values on the stack */

/* The nodes of one expression, operands before users; the last one is its value. */
struct expression {
    size_t count; /* at most EXPRESSION_NODES_MAX */
    const struct expression_node *nodes;
};

/* Copies a node and all nodes that it depends on into an arena. ERROR_MEMORY; ERROR_DATA: more than
 * EXPRESSION_NODES_MAX nodes. */
int expression_finish(const struct expression_graph *graph, uint32_t root, struct arena *arena,
                      struct expression *expression);

/* Sets *value to the value of a name; false: the name has none. */
typedef bool expression_named(const void *context, uint32_t name, struct value *value);

/* Adds an expression to a graph and returns its node. `named` NULL: copies it unchanged; otherwise replaces names by
 * their values and folds the result with OVERFLOW_FAULTS. */
uint32_t expression_copy(struct expression_graph *graph, const struct expression *expression, expression_named *named,
                         const void *context);

/* Computes the value; a fault if it does not exist, for example because a required name has no value. Evaluates each
 * node once. */
struct value expression_value(const struct expression *expression, enum overflow overflow, expression_named *named,
                              const void *context);

#endif
