/* A multi-valued decision diagram with counts: one level per parameter, one node per distinct set of continuations
 * (Srinivasan et al., "Algorithms for Discrete Function Manipulation", 1990). Counts at the nodes make it an index
 * (Knuth, TAOCP 4A, 7.1.4). One arc holds consecutive values with the same continuation. */
#ifndef CUTUNE_SET_DIAGRAM_H
#define CUTUNE_SET_DIAGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_table.h"

enum { NODE_NONE = 0, /* no valid configuration below */ NODE_END = 1 /* all parameters are bound */ };

/* A head precedes each node's arcs, so that descending touches one place per level. In a head, `before` is the node's
 * count, `child` its number and `last` its number of arcs less one. */
struct arc {
    uint64_t before;      /* configurations below the node's earlier arcs */
    uint32_t child;       /* number of the node below; in a finished diagram: position of its head in `arcs` */
    uint16_t first, last; /* values */
};

struct node {
    uint64_t count; /* configurations below; saturates at UINT64_MAX */
    uint32_t first_arc, arc_count;
};

struct diagram {
    struct node *nodes; /* children before parents */
    size_t node_count, node_room;
    struct arc *arcs;
    size_t arc_count, arc_room;
    struct hash_table table; /* nodes by their content */
};

/* True if arcs of a parameter with this many values may hold several values. Short lists have one arc for each value,
 * even for invalid ones (child NODE_NONE): finding a value needs no search, and a configuration no division. */
bool diagram_has_arcs(uint32_t value_count);
/* Adds a value, in ascending order, to the `count` arcs of a node under construction; returns the new count. */
size_t diagram_add_value(struct arc *arcs, size_t count, uint32_t child, uint32_t value, uint32_t value_count);

/* Returns the number of the node with these arcs, whose `before` it sets; UINT32_MAX when out of memory. NODE_NONE if
 * nothing is below. */
uint32_t diagram_node(struct diagram *diagram, struct arc *arcs, size_t count);
/* Finishes the diagram: links arcs to heads, frees what only building needs, and makes `readable` arcs behind the last
 * one safe to read. False when out of memory. */
bool diagram_finish(struct diagram *diagram, size_t readable);
/* Returns the number of the node below an arc of a finished diagram. */
uint32_t diagram_below(const struct diagram *diagram, const struct arc *arc);
/* Returns the head of a node of a finished diagram. */
const struct arc *diagram_head(const struct diagram *diagram, uint32_t node);
void diagram_free(struct diagram *diagram);
size_t diagram_bytes(const struct diagram *diagram);

/* Return the sum and product, saturating at UINT64_MAX. */
uint64_t saturating_add(uint64_t a, uint64_t b);
uint64_t saturating_multiply(uint64_t a, uint64_t b);

#endif
