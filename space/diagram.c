#include "space/diagram.h"

#include <stdlib.h>
#include <string.h>

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

static bool grow(void **array, size_t *room, size_t need, size_t size)
{
    if (need <= *room)
        return true;
    size_t larger = *room * 2 > need ? *room * 2 : need + 64;
    void *grown = realloc(*array, larger * size);
    if (!grown)
        return false;
    *array = grown;
    *room = larger;
    return true;
}

static uint64_t hash_arcs(const struct arc *arcs, size_t count)
{
    return hash_u64(arcs, count * sizeof *arcs, count);
}

static bool grow_table(struct diagram *diagram)
{
    size_t size = diagram->table_size ? diagram->table_size * 2 : 1024;
    uint32_t *table = calloc(size, sizeof *table);
    if (!table)
        return false;
    for (size_t i = NODE_END + 1; i < diagram->node_count; i++) {
        const struct node *node = &diagram->nodes[i];
        size_t at = hash_arcs(diagram->arcs + node->first_arc, node->arc_count) & (size - 1);
        while (table[at])
            at = (at + 1) & (size - 1);
        table[at] = (uint32_t)i;
    }
    free(diagram->table);
    diagram->table = table;
    diagram->table_size = size;
    return true;
}

/* Adds a node and copies its `count` arcs behind its head. */
static bool add_node(struct diagram *diagram, uint64_t total, const struct arc *arcs, size_t count)
{
    if (!grow((void **)&diagram->nodes, &diagram->node_room, diagram->node_count + 1, sizeof *diagram->nodes) ||
        !grow((void **)&diagram->arcs, &diagram->arc_room, diagram->arc_count + count + 1, sizeof *diagram->arcs))
        return false;
    diagram->arcs[diagram->arc_count++] = (struct arc){
        .before = total, .child = (uint32_t)diagram->node_count, .last = (uint16_t)(count ? count - 1 : 0)};
    diagram->nodes[diagram->node_count++] =
        (struct node){.count = total, .first_arc = (uint32_t)diagram->arc_count, .arc_count = (uint32_t)count};
    if (count)
        memcpy(diagram->arcs + diagram->arc_count, arcs, count * sizeof *arcs);
    diagram->arc_count += count;
    return true;
}

/* Adds the two nodes without arcs that every diagram has. */
static bool start(struct diagram *diagram)
{
    return diagram->node_count || (add_node(diagram, 0, NULL, 0) && add_node(diagram, 1, NULL, 0));
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
    if (3 * diagram->node_count >= 2 * diagram->table_size && !grow_table(diagram))
        return UINT32_MAX;
    size_t at = hash_arcs(arcs, count) & (diagram->table_size - 1);
    for (; diagram->table[at]; at = (at + 1) & (diagram->table_size - 1)) {
        const struct node *node = &diagram->nodes[diagram->table[at]];
        if (node->arc_count == count && memcmp(diagram->arcs + node->first_arc, arcs, count * sizeof *arcs) == 0)
            return diagram->table[at];
    }
    if (diagram->node_count >= UINT32_MAX - 1 || diagram->arc_count + count >= UINT32_MAX ||
        !add_node(diagram, total, arcs, count))
        return UINT32_MAX;
    diagram->table[at] = (uint32_t)diagram->node_count - 1;
    return (uint32_t)diagram->node_count - 1;
}

bool diagram_finish(struct diagram *diagram, size_t readable)
{
    free(diagram->table);
    diagram->table = NULL;
    diagram->table_size = 0;
    if (!start(diagram) ||
        !grow((void **)&diagram->arcs, &diagram->arc_room, diagram->arc_count + readable, sizeof *diagram->arcs))
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
    free(diagram->table);
    memset(diagram, 0, sizeof *diagram);
}

size_t diagram_bytes(const struct diagram *diagram)
{
    return diagram->node_count * sizeof *diagram->nodes + diagram->arc_count * sizeof *diagram->arcs +
           diagram->table_size * sizeof *diagram->table;
}
