#include "set/diagram.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"

uint64_t saturating_add(uint64_t a, uint64_t b)
{
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

uint64_t saturating_multiply(uint64_t a, uint64_t b)
{
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

struct wanted {
    const struct arc *arcs;
    size_t count;
};

static bool same(const void *owner, uint32_t item, const void *key)
{
    const struct diagram *diagram = owner;
    const struct node *node = &diagram->nodes[item];
    const struct wanted *wanted = key;
    return node->arc_count == wanted->count &&
           memcmp(diagram->arcs + node->first_arc, wanted->arcs, wanted->count * sizeof *wanted->arcs) == 0;
}

static bool reserve_arcs(struct diagram *diagram, size_t count)
{
    struct arc *arcs = array_grow(diagram->arcs, &diagram->arc_room, diagram->arc_count + count, sizeof *arcs);
    if (arcs)
        diagram->arcs = arcs;
    return arcs != NULL;
}

/* Reserves room for one more node with `count` arcs and their head. */
static bool reserve(struct diagram *diagram, size_t count)
{
    struct node *nodes = array_grow(diagram->nodes, &diagram->node_room, diagram->node_count + 1, sizeof *nodes);
    if (!nodes)
        return false;
    diagram->nodes = nodes;
    return reserve_arcs(diagram, count + 1);
}

/* Adds a node and copies its `count` arcs behind its head. The caller has reserved room. */
static void add_node(struct diagram *diagram, uint64_t total, const struct arc *arcs, size_t count)
{
    diagram->arcs[diagram->arc_count++] = (struct arc){
        .before = total, .child = (uint32_t)diagram->node_count, .last = (uint16_t)(count ? count - 1 : 0)};
    diagram->nodes[diagram->node_count++] =
        (struct node){.count = total, .first_arc = (uint32_t)diagram->arc_count, .arc_count = (uint32_t)count};
    if (count)
        memcpy(diagram->arcs + diagram->arc_count, arcs, count * sizeof *arcs);
    diagram->arc_count += count;
}

/* Adds the two nodes without arcs that every diagram has. */
static bool start(struct diagram *diagram)
{
    while (diagram->node_count <= NODE_END) {
        if (!reserve(diagram, 0))
            return false;
        add_node(diagram, diagram->node_count == NODE_END, NULL, 0);
    }
    return true;
}

bool diagram_has_arcs(uint32_t value_count)
{
    enum { SHORT_LIST = 64 };
    return value_count > SHORT_LIST;
}

size_t diagram_add_value(struct arc *arcs, size_t count, uint32_t child, uint32_t value, uint32_t value_count)
{
    bool arcs_of_several = diagram_has_arcs(value_count);
    if (arcs_of_several && child == NODE_NONE)
        return count;
    if (arcs_of_several && count && arcs[count - 1].child == child && arcs[count - 1].last + 1u == value) {
        arcs[count - 1].last++;
        return count;
    }
    arcs[count] = (struct arc){.child = child, .first = (uint16_t)value, .last = (uint16_t)value};
    return count + 1;
}

uint32_t diagram_node(struct diagram *diagram, struct arc *arcs, size_t count)
{
    uint64_t total = 0;
    if (!start(diagram))
        return UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        arcs[i].before = total;
        total = saturating_add(total, saturating_multiply((uint64_t)(arcs[i].last - arcs[i].first) + 1,
                                                          diagram->nodes[arcs[i].child].count));
    }
    if (total == 0)
        return NODE_NONE;
    if (diagram->arc_count + count >= UINT32_MAX || !reserve(diagram, count))
        return UINT32_MAX;
    const struct wanted wanted = {arcs, count};
    const struct hash_key key = {hash_u64(arcs, count * sizeof *arcs, count), same, diagram, &wanted};
    uint32_t node = (uint32_t)diagram->node_count;
    if (hash_table_put(&diagram->table, &key, &node))
        return UINT32_MAX;
    if (node == diagram->node_count)
        add_node(diagram, total, arcs, count);
    return node;
}

bool diagram_finish(struct diagram *diagram, size_t readable)
{
    hash_table_free(&diagram->table);
    if (!start(diagram) || !reserve_arcs(diagram, readable))
        return false;
    memset(diagram->arcs + diagram->arc_count, 0, readable * sizeof *diagram->arcs);
    for (size_t n = 0; n < diagram->node_count; n++)
        for (uint32_t r = 0; r < diagram->nodes[n].arc_count; r++) {
            struct arc *arc = &diagram->arcs[diagram->nodes[n].first_arc + r];
            arc->child = diagram->nodes[arc->child].first_arc - 1;
        }
    return true;
}

uint32_t diagram_below(const struct diagram *diagram, const struct arc *arc)
{
    return diagram->arcs[arc->child].child;
}

const struct arc *diagram_head(const struct diagram *diagram, uint32_t node)
{
    return &diagram->arcs[diagram->nodes[node].first_arc - 1];
}

void diagram_free(struct diagram *diagram)
{
    free(diagram->nodes);
    free(diagram->arcs);
    hash_table_free(&diagram->table);
    memset(diagram, 0, sizeof *diagram);
}

size_t diagram_bytes(const struct diagram *diagram)
{
    return diagram->node_count * sizeof *diagram->nodes + diagram->arc_count * sizeof *diagram->arcs +
           hash_table_bytes(&diagram->table);
}
