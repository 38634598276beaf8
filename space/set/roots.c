#include "set/roots.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Finds the value of a parameter with a single value. */
static bool find_only(const void *context, uint32_t name, struct value *value)
{
    const struct parameter *parameter = &((const struct space *)context)->parameters[name];
    *value = parameter->values[0];
    return parameter->value_count == 1;
}

/* Splits a chain of && into its operands, which are decided independently. */
static bool add(struct roots *roots, uint32_t node, uint32_t constraint)
{
    if (roots->graph.nodes[node].operation == OP_AND) {
        const uint32_t *operands = roots->graph.nodes[node].operands;
        return add(roots, operands[0], constraint) && add(roots, operands[1], constraint);
    }
    struct root *all = array_grow(roots->all, &roots->room, roots->count + 1, sizeof *all);
    if (!all)
        return false;
    roots->all = all;
    all[roots->count++] = (struct root){.node = node, .constraint = constraint};
    return true;
}

int roots_find(struct roots *roots, const struct space *space, size_t constraint_count, struct error *error)
{
    for (size_t i = 0; i < constraint_count; i++) {
        uint32_t node = expression_copy(&roots->graph, &space->constraints[i].condition->expression, find_only, space);
        if (node == EXPRESSION_NONE || !add(roots, node, (uint32_t)i))
            return error_memory(error);
    }
    return 0;
}

void roots_free(struct roots *roots)
{
    expression_graph_free(&roots->graph);
    free(roots->all);
    memset(roots, 0, sizeof *roots);
}
