/* A decision diagram with many values and counts: one level per parameter, a node per set of continuations that is the
 * same. Srinivasan et al., "Algorithms for Discrete Function Manipulation" (1990), has the structure; counts at the
 * nodes make it an index (Knuth, TAOCP 4A, 7.1.4). Consecutive values with the same continuation are one arc. */
#ifndef CUTUNE_SPACE_DIAGRAM_H
#define CUTUNE_SPACE_DIAGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NODE_NONE = 0, /* nothing is valid below */ NODE_END = 1 /* every parameter has its value */ };

/* In front of each node's arcs stands a head, so that a walk down touches one place per level: `before` is the node's
 * count, `child` its number and `last` how many arcs it has, less one. */
struct arc {
    uint64_t before;      /* configurations below the node's earlier arcs */
    uint32_t child;       /* number of the node below; once the diagram is finished, the place of its head in `arcs` */
    uint16_t first, last; /* values */
};

struct node {
    uint64_t count; /* configurations below; saturates at UINT64_MAX */
    uint32_t first_arc, arc_count;
};

struct diagram {
    struct node *nodes; /* a child before its parents */
    size_t node_count, node_room;
    struct arc *arcs;
    size_t arc_count, arc_room;
    uint32_t *table; /* nodes by their content: open addressing, 0 is free */
    size_t table_size;
};

/* Whether nodes of a parameter of so many values have arcs of several values. Short lists have an arc for each value
 * instead, also for those that are not valid (child NODE_NONE): a value is then found without a search, and a
 * configuration without a division. */
bool diagram_has_arcs(uint32_t value_count);
/* Adds a value, in ascending order, to the `count` arcs of a node that is being made; returns the new count. */
size_t diagram_add_value(struct arc *arcs, size_t count, uint32_t child, uint32_t value, uint32_t value_count);

/* The number of the node with these arcs (`before` is filled in); UINT32_MAX when memory is out. NODE_NONE when nothing
 * is below. */
uint32_t diagram_node(struct diagram *diagram, struct arc *arcs, size_t count);
/* Ends building: links arcs to heads, drops what only building needs, and makes room for reading `readable` arcs behind
 * the last one. False when memory is out. */
bool diagram_finish(struct diagram *diagram, size_t readable);
/* Of a finished diagram: the number of the node below an arc. */
uint32_t diagram_below(const struct diagram *diagram, const struct arc *arc);
/* Of a finished diagram: the head of a node. */
const struct arc *diagram_head(const struct diagram *diagram, uint32_t node);
void diagram_free(struct diagram *diagram);
size_t diagram_bytes(const struct diagram *diagram);

/* Sums and products that stay at UINT64_MAX. */
uint64_t saturating_add(uint64_t a, uint64_t b);
uint64_t saturating_multiply(uint64_t a, uint64_t b);

#endif
