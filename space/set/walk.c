/* Movement in a valid set: random draws, close configurations, neighbours, and enumeration in order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "set/valid_set_internal.h"

/* Returns the node's first arc, from number `r` on, with a valid continuation. */
static uint32_t next_run(const struct diagram *diagram, const struct node *node, uint32_t r)
{
    while (r < node->arc_count && diagram->arcs[node->first_arc + r].child == 0)
        r++;
    return r;
}

/* Draws from a component that is too large for an index, using floating-point counts of the continuations. */
static void draw_component(const struct valid_set *set, const struct component *component, const double *counts,
                           struct random *random, uint32_t *choices)
{
    const struct diagram *diagram = &set->diagram;
    uint32_t number = component->root_node;
    for (size_t l = 0; l < component->count; l++) {
        const struct node *node = &diagram->nodes[number];
        double rest = random_unit(random) * counts[number];
        const struct arc *arc = NULL;
        for (uint32_t r = next_run(diagram, node, 0); r < node->arc_count; r = next_run(diagram, node, r + 1)) {
            arc = &diagram->arcs[node->first_arc + r];
            double below = (double)(arc->last - arc->first + 1) * counts[diagram_below(diagram, arc)];
            if (rest < below || next_run(diagram, node, r + 1) == node->arc_count)
                break;
            rest -= below;
        }
        uint64_t step = (uint64_t)(rest / counts[diagram_below(diagram, arc)]), most = (uint64_t)arc->last - arc->first;
        choices[component->parameters[l]] = arc->first + (uint32_t)(step < most ? step : most);
        number = diagram_below(diagram, arc);
    }
}

void valid_set_draw(const struct valid_set *set, struct random *random, uint32_t *choices)
{
    double *counts = NULL;
    for (size_t c = 0; c < set->component_count; c++) {
        const struct component *component = &set->components[c];
        if (component->configurations == UINT64_MAX && !isnan(set_component_real(set, component, &counts)) && counts)
            draw_component(set, component, counts, random, choices);
        else
            set_get_component(set, component, random_below(random, component->configurations), choices);
    }
    free(counts);
}

/* ---- Following ---- */

/* Returns the distance between the wanted value and the arc's closest value: a different parameter outweighs all
 * positions together. */
static uint64_t run_distance(const struct arc *arc, uint32_t wanted, uint32_t *value)
{
    static const uint64_t different = (uint64_t)1 << 32;
    *value = wanted < arc->first ? arc->first : wanted > arc->last ? arc->last : wanted;
    return *value == wanted ? 0 : different + (*value > wanted ? *value - wanted : wanted - *value);
}

void valid_set_follow(const struct valid_set *set, uint32_t *choices)
{
    const struct diagram *diagram = &set->diagram;
    for (size_t c = 0; c < set->component_count; c++) {
        const struct component *component = &set->components[c];
        uint32_t number = component->root_node;
        for (size_t l = 0; l < component->count; l++) {
            const struct node *node = &diagram->nodes[number];
            uint32_t *choice = &choices[component->parameters[l]], wanted = *choice, value;
            uint64_t least = UINT64_MAX;
            for (uint32_t r = next_run(diagram, node, 0); r < node->arc_count; r = next_run(diagram, node, r + 1)) {
                const struct arc *arc = &diagram->arcs[node->first_arc + r];
                uint64_t distance = run_distance(arc, wanted, &value);
                if (distance < least) {
                    least = distance;
                    *choice = value;
                    number = diagram_below(diagram, arc);
                }
            }
        }
    }
}

/* ---- Neighbours and walks ---- */

size_t valid_set_neighbours(const struct valid_set *set, uint64_t index, enum neighbourhood neighbourhood,
                            uint64_t *neighbours, size_t room)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    size_t count = 0;
    valid_set_get(set, index, choices);
    for (size_t p = 0; p < set->parameter_count; p++) {
        uint32_t here = choices[p], from = 0, to = set->value_counts[p] - 1;
        size_t c = set->component_of[p];
        uint64_t old = 0, new;
        set_find_component(set, &set->components[c], choices, &old);
        if (neighbourhood == NEIGHBOURS_ADJACENT) {
            from = here ? here - 1 : 0;
            to = here < to ? here + 1 : to;
        }
        for (uint32_t value = from; value <= to; value++) {
            choices[p] = value;
            if (value == here || !set_find_component(set, &set->components[c], choices, &new))
                continue;
            if (count < room)
                neighbours[count] = index + (new - old) * set->strides[c];
            count++;
        }
        choices[p] = here;
    }
    return count;
}

void valid_walk_start(const struct valid_set *set, struct valid_walk *walk)
{
    memset(walk, 0, sizeof *walk);
    walk->set = set;
}

/* Sets the levels of component `c` from `level` on, and all later components, to their first values. */
static void walk_down(struct valid_walk *walk, size_t c, size_t level, size_t place, uint32_t number)
{
    const struct valid_set *set = walk->set;
    for (; c < set->component_count; c++, level = 0) {
        const struct component *component = &set->components[c];
        if (level == 0)
            number = component->root_node;
        for (; level < component->count; level++, place++) {
            const struct node *node = &set->diagram.nodes[number];
            walk->nodes[place] = number;
            walk->arcs[place] = next_run(&set->diagram, node, 0);
            const struct arc *arc = &set->diagram.arcs[node->first_arc + walk->arcs[place]];
            walk->choices[component->parameters[level]] = arc->first;
            number = diagram_below(&set->diagram, arc);
        }
    }
}

bool valid_walk_next(struct valid_walk *walk, const uint32_t **choices, size_t *first_changed)
{
    const struct valid_set *set = walk->set;
    size_t place = set->parameter_count, lowest = SPACE_PARAMETERS_MAX;
    *choices = walk->choices;
    if (!walk->started) {
        walk->started = true;
        if (first_changed)
            *first_changed = 0;
        if (set->count)
            walk_down(walk, 0, 0, 0, 0);
        return set->count > 0;
    }
    for (size_t c = set->component_count; c-- > 0;)
        for (size_t l = set->components[c].count; l-- > 0;) {
            const struct node *node = &set->diagram.nodes[walk->nodes[--place]];
            const struct arc *arc = &set->diagram.arcs[node->first_arc + walk->arcs[place]];
            uint32_t next = next_run(&set->diagram, node, walk->arcs[place] + 1);
            size_t parameter = set->components[c].parameters[l];
            lowest = parameter < lowest ? parameter : lowest;
            if (walk->choices[parameter] < arc->last) {
                walk->choices[parameter]++;
            } else if (next < node->arc_count) {
                walk->arcs[place] = next;
                arc = &set->diagram.arcs[node->first_arc + next];
                walk->choices[parameter] = arc->first;
            } else {
                continue;
            }
            walk_down(walk, c, l + 1, place + 1, diagram_below(&set->diagram, arc));
            if (first_changed)
                *first_changed = lowest;
            return true;
        }
    return false;
}
