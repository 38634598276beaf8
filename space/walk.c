/* Ways through a valid set: draws, the nearest member, neighbours, all of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "space/set.h"

/* The first run of a node from number `r` on that leads anywhere. */
static uint32_t next_run(const struct diagram *diagram, const struct node *node, uint32_t r)
{
    while (r < node->run_count && diagram->runs[node->first_run + r].child == 0)
        r++;
    return r;
}

/* A walk down a cluster that is too large for an index, by the real counts of the continuations. */
static void draw_cluster(const struct valid_set *set, const struct cluster *cluster, const double *counts,
                         struct random *random, uint32_t *choices)
{
    const struct diagram *diagram = &set->diagram;
    uint32_t number = cluster->root_node;
    for (size_t l = 0; l < cluster->count; l++) {
        const struct node *node = &diagram->nodes[number];
        double rest = random_unit(random) * counts[number];
        const struct run *run = NULL;
        for (uint32_t r = next_run(diagram, node, 0); r < node->run_count; r = next_run(diagram, node, r + 1)) {
            run = &diagram->runs[node->first_run + r];
            double below = (double)(run->last - run->first + 1) * counts[diagram_below(diagram, run)];
            if (rest < below || next_run(diagram, node, r + 1) == node->run_count)
                break;
            rest -= below;
        }
        uint64_t step = (uint64_t)(rest / counts[diagram_below(diagram, run)]), most = (uint64_t)run->last - run->first;
        choices[cluster->parameters[l]] = run->first + (uint32_t)(step < most ? step : most);
        number = diagram_below(diagram, run);
    }
}

void valid_set_draw(const struct valid_set *set, struct random *random, uint32_t *choices)
{
    double *counts = NULL;
    for (size_t c = 0; c < set->cluster_count; c++) {
        const struct cluster *cluster = &set->clusters[c];
        if (cluster->configurations == UINT64_MAX && !isnan(set_cluster_real(set, cluster, &counts)) && counts)
            draw_cluster(set, cluster, counts, random, choices);
        else
            set_get_cluster(set, cluster, random_below(random, cluster->configurations), choices);
    }
    free(counts);
}

/* ---- Nearest ---- */

/* How far the run's best value is from what is wanted: a different parameter weighs more than all positions together.
 */
static uint64_t run_distance(const struct run *run, uint32_t wanted, uint32_t *value)
{
    static const uint64_t different = (uint64_t)1 << 32;
    *value = wanted < run->first ? run->first : wanted > run->last ? run->last : wanted;
    return *value == wanted ? 0 : different + (*value > wanted ? *value - wanted : wanted - *value);
}

static void nearest_in_cluster(const struct valid_set *set, const struct cluster *cluster, uint64_t *cost,
                               uint8_t *level, uint32_t *choices)
{
    const struct diagram *diagram = &set->diagram;
    uint32_t wanted[SPACE_PARAMETERS_MAX], value;
    set_mark_levels(diagram, cluster->root_node, level, true);
    for (size_t l = 0; l < cluster->count; l++)
        wanted[l] = choices[cluster->parameters[l]];
    cost[NODE_NONE] = UINT64_MAX / 2;
    cost[NODE_END] = 0;
    for (size_t n = NODE_END + 1; n <= cluster->root_node; n++) {
        cost[n] = UINT64_MAX;
        for (uint32_t r = 0; level[n] != SET_NO_LEVEL && r < diagram->nodes[n].run_count; r++) {
            const struct run *run = &diagram->runs[diagram->nodes[n].first_run + r];
            uint64_t here = cost[diagram_below(diagram, run)] + run_distance(run, wanted[level[n]], &value);
            cost[n] = here < cost[n] ? here : cost[n];
        }
    }
    uint32_t number = cluster->root_node;
    for (size_t l = 0; l < cluster->count; l++) {
        const struct run *run = &diagram->runs[diagram->nodes[number].first_run];
        while (cost[diagram_below(diagram, run)] + run_distance(run, wanted[l], &value) != cost[number])
            run++;
        choices[cluster->parameters[l]] = value;
        number = diagram_below(diagram, run);
    }
}

int valid_set_nearest(const struct valid_set *set, uint32_t *choices, struct error *error)
{
    uint64_t *cost = malloc(set->diagram.node_count * sizeof *cost);
    uint8_t *level = malloc(set->diagram.node_count);
    int code = cost && level ? 0 : error_memory(error);
    for (size_t c = 0; c < set->cluster_count && !code; c++)
        nearest_in_cluster(set, &set->clusters[c], cost, level, choices);
    free(cost);
    free(level);
    return code;
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
        size_t c = set->cluster_of[p];
        uint64_t old = 0, new;
        set_find_cluster(set, &set->clusters[c], choices, &old);
        if (neighbourhood == NEIGHBOURS_ADJACENT) {
            from = here ? here - 1 : 0;
            to = here < to ? here + 1 : to;
        }
        for (uint32_t value = from; value <= to; value++) {
            choices[p] = value;
            if (value == here || !set_find_cluster(set, &set->clusters[c], choices, &new))
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

/* Sets the levels from `level` of cluster `c` on, and all clusters behind it, to their first values. */
static void walk_down(struct valid_walk *walk, size_t c, size_t level, size_t place, uint32_t number)
{
    const struct valid_set *set = walk->set;
    for (; c < set->cluster_count; c++, level = 0) {
        const struct cluster *cluster = &set->clusters[c];
        if (level == 0)
            number = cluster->root_node;
        for (; level < cluster->count; level++, place++) {
            const struct node *node = &set->diagram.nodes[number];
            walk->nodes[place] = number;
            walk->runs[place] = next_run(&set->diagram, node, 0);
            const struct run *run = &set->diagram.runs[node->first_run + walk->runs[place]];
            walk->choices[cluster->parameters[level]] = run->first;
            number = diagram_below(&set->diagram, run);
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
    for (size_t c = set->cluster_count; c-- > 0;)
        for (size_t l = set->clusters[c].count; l-- > 0;) {
            const struct node *node = &set->diagram.nodes[walk->nodes[--place]];
            const struct run *run = &set->diagram.runs[node->first_run + walk->runs[place]];
            uint32_t next = next_run(&set->diagram, node, walk->runs[place] + 1);
            size_t parameter = set->clusters[c].parameters[l];
            lowest = parameter < lowest ? parameter : lowest;
            if (walk->choices[parameter] < run->last) {
                walk->choices[parameter]++;
            } else if (next < node->run_count) {
                walk->runs[place] = next;
                run = &set->diagram.runs[node->first_run + next];
                walk->choices[parameter] = run->first;
            } else {
                continue;
            }
            walk_down(walk, c, l + 1, place + 1, diagram_below(&set->diagram, run));
            if (first_changed)
                *first_changed = lowest;
            return true;
        }
    return false;
}
