#include "set/valid_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expression/space_internal.h"
#include "set/valid_set_internal.h"

/* ---- Construction ---- */

static struct valid_set *make(const struct space *space, size_t max_bytes)
{
    struct valid_set *set = calloc(1, sizeof *set);
    if (!set)
        return NULL;
    set->space = space;
    set->max_bytes = max_bytes;
    set->parameter_count = space->parameter_count;
    set->cartesian = 1;
    for (size_t p = 0; p < space->parameter_count; p++) {
        set->value_counts[p] = (uint32_t)space->parameters[p].value_count;
        set->cartesian = saturating_multiply(set->cartesian, set->value_counts[p]);
    }
    return set;
}

void valid_set_free(struct valid_set *set)
{
    if (!set)
        return;
    diagram_free(&set->diagram);
    free(set->left);
    free(set);
}

/* Parameters that one root names are in one component. Components and their parameters are in declared order. */
static void find_components(struct valid_set *set, const struct roots *roots)
{
    uint64_t groups[SPACE_PARAMETERS_MAX];
    for (size_t p = 0; p < set->parameter_count; p++)
        groups[p] = (uint64_t)1 << p;
    for (size_t r = 0; r < roots->count; r++) {
        uint64_t joined = roots->graph.nodes[roots->all[r].node].names, all = joined;
        for (size_t p = 0; p < set->parameter_count; p++)
            if (groups[p] & joined)
                all |= groups[p];
        for (size_t p = 0; p < set->parameter_count; p++)
            if (all >> p & 1)
                groups[p] = all;
    }
    for (size_t p = 0; p < set->parameter_count; p++) {
        if ((size_t)__builtin_ctzll(groups[p]) != p)
            continue;
        struct component *component = &set->components[set->component_count];
        for (uint64_t rest = groups[p]; rest; rest &= rest - 1) {
            component->parameters[component->count++] = (uint16_t)__builtin_ctzll(rest);
            set->component_of[__builtin_ctzll(rest)] = (uint8_t)set->component_count;
        }
        set->component_count++;
    }
}

enum { NO_LEVEL = 0xff };

/* Marks the level at which each node is reachable from a root; NO_LEVEL if it is not. Children have lower numbers than
 * their parents. Call before the diagram is finished. */
static void mark_levels(const struct diagram *diagram, uint32_t root, uint8_t *level)
{
    memset(level, NO_LEVEL, diagram->node_count);
    if (diagram->node_count)
        level[root] = 0;
    for (size_t n = root; n > NODE_END; n--)
        for (uint32_t r = 0; level[n] != NO_LEVEL && r < diagram->nodes[n].arc_count; r++)
            level[diagram->arcs[diagram->nodes[n].first_arc + r].child] = (uint8_t)(level[n] + 1);
}

/* Computes the number of quarterings that find an arc in each level's nodes. Call before the diagram is finished. */
static bool find_steps(struct valid_set *set, uint32_t *most)
{
    const struct diagram *diagram = &set->diagram;
    uint8_t *level = malloc(diagram->node_count + 1);
    if (!level)
        return false;
    for (size_t c = 0; c < set->component_count; c++) {
        struct component *component = &set->components[c];
        mark_levels(diagram, component->root_node, level);
        for (size_t n = NODE_END + 1; n <= component->root_node; n++) {
            uint32_t steps = 0;
            while (level[n] != NO_LEVEL && 1u << 2 * steps < diagram->nodes[n].arc_count)
                steps++;
            if (level[n] != NO_LEVEL && steps > component->steps[level[n]])
                component->steps[level[n]] = (uint8_t)steps;
            *most = steps > *most ? steps : *most;
        }
    }
    free(level);
    return true;
}

static bool finish(struct valid_set *set)
{
    uint32_t most = 1;
    set->count = 1;
    for (size_t c = set->component_count; c-- > 0;) {
        struct component *component = &set->components[c];
        for (size_t l = 0; l < component->count; l++) {
            component->value_counts[l] = set->value_counts[component->parameters[l]];
            component->has_arcs[l] = diagram_has_arcs(component->value_counts[l]);
        }
        component->is_free =
            component->count == 1 && component->configurations == set->value_counts[component->parameters[0]];
        set->strides[c] = set->count;
        set->count = saturating_multiply(set->count, component->configurations);
        if (!component->is_free || component->configurations > 1)
            set->digits[set->digit_count++] = (uint8_t)c;
    }
    for (size_t c = 0; c < set->component_count; c++)
        if (set->components[c].configurations == 0)
            set->count = 0;
    return find_steps(set, &most) && diagram_finish(&set->diagram, (size_t)1 << 2 * most);
}

/* Decides the roots without parameters; false: a root excludes everything. *faulted: a root has no value. */
static bool decide_constants(const struct build_setup *setup, bool *faulted)
{
    bool allowed = true;
    for (size_t r = 0; r < setup->roots->count; r++) {
        const struct expression_node *root = &setup->roots->graph.nodes[setup->roots->all[r].node];
        if (root->operation != OP_CONSTANT)
            continue;
        const bool has_truth = value_is_number(&root->constant);
        allowed &= has_truth ? value_truth(&root->constant) : !setup->faults_exclude;
        *faulted |= !has_truth;
    }
    return allowed;
}

/* Builds the components until one is empty. The whole set is empty then, and faults of other components are not
 * errors. */
static int build_components(const struct build_setup *setup, struct valid_set *set, bool *faulted, struct error *error)
{
    bool empty = !decide_constants(setup, faulted);
    for (size_t c = 0; c < set->component_count && !empty; c++) {
        struct component *component = &set->components[c];
        TRY(build_component(setup, component, error));
        *faulted |= component->faulted;
        empty = !component->faulted && component->configurations == 0;
    }
    *faulted &= !empty;
    return 0;
}

/* Returns the node below value `v` of a node in an unfinished diagram. */
static uint32_t child_of(const struct diagram *diagram, uint32_t node, uint32_t value)
{
    for (uint32_t r = 0; r < diagram->nodes[node].arc_count; r++) {
        const struct arc *arc = &diagram->arcs[diagram->nodes[node].first_arc + r];
        if (arc->first <= value && value <= arc->last)
            return arc->child;
    }
    return NODE_NONE;
}

/* Finds a configuration of a non-empty component: the default's values where possible, else the first valid ones. */
static void some_choices(const struct valid_set *set, const struct component *component, uint32_t *choices)
{
    uint32_t node = component->root_node;
    for (size_t l = 0; l < component->count; l++) {
        choices[l] = set->space->parameters[component->parameters[l]].default_;
        for (uint32_t v = 0; child_of(&set->diagram, node, choices[l]) == NODE_NONE; v++)
            choices[l] = v;
        node = child_of(&set->diagram, node, choices[l]);
    }
}

/* Finds a configuration where a constraint has no value and all constraints with a value hold. Reports the error of the
 * constraint without a value. */
static int raise_fault(const struct valid_set *set, const struct roots *roots, struct error *error)
{
    const struct space *space = set->space;
    struct value values[SPACE_PARAMETERS_MAX];
    const struct expr_inputs inputs = {.space = space, .values = values, .bound = space->parameter_count};
    for (size_t c = 0; c < set->component_count; c++) {
        const struct component *component = &set->components[c];
        uint32_t some[SPACE_PARAMETERS_MAX];
        if (!component->faulted)
            some_choices(set, component, some);
        for (size_t l = 0; l < component->count; l++) {
            uint32_t choice = (component->faulted ? component->fault : some)[l];
            values[component->parameters[l]] = space->parameters[component->parameters[l]].values[choice];
        }
    }
    for (size_t r = 0; r < roots->count; r++) {
        bool holds;
        TRY(expr_true(space->constraints[roots->all[r].constraint].condition, &inputs, &holds, error));
    }
    return error_set(error, ERROR_VALUE, "%s: a constraint has no value", space->path);
}

/* Builds the set that the first `constraint_count` constraints allow. */
static int build(struct valid_set **result, const struct space *space, size_t constraint_count, size_t max_bytes,
                 bool faults_exclude, struct error *error)
{
    struct roots roots = {0};
    struct valid_set *set = make(space, max_bytes);
    bool faulted = false;
    *result = NULL;
    if (!set)
        return error_memory(error);
    struct build_setup setup = {.space = space,
                                .roots = &roots,
                                .diagram = &set->diagram,
                                .max_bytes = max_bytes,
                                .faults_exclude = faults_exclude};
    int code = roots_find(&roots, space, constraint_count, error);
    if (!code) {
        find_components(set, &roots);
        code = build_components(&setup, set, &faulted, error);
    }
    if (!code && faulted && !faults_exclude)
        code = raise_fault(set, &roots, error);
    roots_free(&roots);
    if (!code && !finish(set))
        code = error_memory(error);
    if (code) {
        valid_set_free(set);
        return code;
    }
    *result = set;
    return 0;
}

int valid_set_build(struct valid_set **result, const struct space *space, size_t max_bytes, struct error *error)
{
    *result = NULL;
    if (!space->bound)
        return error_set(error, ERROR_USAGE, "%s: the sizes of the space are not fixed yet", space->path);
    TRY(build(result, space, space->constraint_count, max_bytes, false, error));
    (*result)->left = malloc((space->constraint_count + 1) * sizeof *(*result)->left);
    if (!(*result)->left) {
        valid_set_free(*result);
        *result = NULL;
        return error_memory(error);
    }
    for (size_t k = 0; k <= space->constraint_count; k++)
        (*result)->left[k] = NAN;
    return 0;
}

/* ---- From a list ---- */

static int compare_rows(const void *left, const void *right, void *context)
{
    const uint32_t *a = *(const uint32_t *const *)left, *b = *(const uint32_t *const *)right;
    for (size_t p = 0; p < *(const size_t *)context; p++)
        if (a[p] != b[p])
            return a[p] < b[p] ? -1 : 1;
    return 0;
}

/* Builds the node of sorted rows `from` .. `to` - 1, which agree on the parameters before `p`. */
static bool list_node(struct valid_set *set, const uint32_t **rows, size_t from, size_t to, size_t p, uint32_t *node)
{
    uint32_t values = set->value_counts[p];
    bool sparse = diagram_has_arcs(values); /* visits only values that occur */
    struct arc *arcs = calloc(sparse && to - from < values ? to - from + 1 : values, sizeof *arcs);
    size_t count = 0;
    bool good = arcs != NULL;
    for (uint32_t value = 0; value < values && good; value++) {
        size_t end = from;
        uint32_t child = NODE_NONE;
        if (sparse && from == to)
            break;
        if (sparse)
            value = rows[from][p];
        while (end < to && rows[end][p] == value)
            end++;
        if (end > from)
            child = NODE_END;
        if (end > from && p + 1 < set->parameter_count)
            good = list_node(set, rows, from, end, p + 1, &child);
        count = diagram_add_value(arcs, count, child, value, values);
        from = end;
    }
    if (good) {
        *node = diagram_node(&set->diagram, arcs, count);
        good = *node != UINT32_MAX;
    }
    free(arcs);
    return good;
}

int valid_set_from_list(struct valid_set **result, const struct space *space, const uint32_t *choices, size_t count,
                        struct error *error)
{
    size_t width = space->parameter_count;
    struct valid_set *set = make(space, SIZE_MAX);
    const uint32_t **rows = malloc((count + 1) * sizeof *rows);
    *result = NULL;
    bool good = set && rows;
    for (size_t i = 0; i < count * width && good; i++)
        if (choices[i] >= set->value_counts[i % width]) {
            free(rows);
            valid_set_free(set);
            return error_set(error, ERROR_DATA, "row %zu: %s has no value number %u", i / width + 1,
                             space->parameters[i % width].name, choices[i]);
        }
    if (good) {
        struct component *component = &set->components[0];
        for (size_t i = 0; i < count; i++)
            rows[i] = choices + i * width;
        qsort_r(rows, count, sizeof *rows, compare_rows, &width);
        component->count = width;
        for (size_t p = 0; p < width; p++)
            component->parameters[p] = (uint16_t)p;
        set->component_count = 1;
        good = list_node(set, rows, 0, count, 0, &component->root_node);
        component->configurations = good ? set->diagram.nodes[component->root_node].count : 0;
    }
    free(rows);
    if (!good || !finish(set)) {
        valid_set_free(set);
        return error_memory(error);
    }
    *result = set;
    return 0;
}

/* ---- Counts ---- */

uint64_t valid_set_count(const struct valid_set *set)
{
    return set->count;
}

double set_component_real(const struct valid_set *set, const struct component *component, double **counts)
{
    const struct diagram *diagram = &set->diagram;
    if (component->configurations != UINT64_MAX)
        return (double)component->configurations;
    if (!*counts) {
        *counts = calloc(diagram->node_count, sizeof **counts);
        if (!*counts)
            return NAN;
        (*counts)[NODE_END] = 1;
        for (size_t n = NODE_END + 1; n < diagram->node_count; n++)
            for (uint32_t r = 0; r < diagram->nodes[n].arc_count; r++) {
                const struct arc *arc = &diagram->arcs[diagram->nodes[n].first_arc + r];
                (*counts)[n] += (double)(arc->last - arc->first + 1) * (*counts)[diagram_below(diagram, arc)];
            }
    }
    return (*counts)[component->root_node];
}

double valid_set_count_real(const struct valid_set *set)
{
    double product = 1, *counts = NULL;
    for (size_t c = 0; c < set->component_count; c++)
        product *= set_component_real(set, &set->components[c], &counts);
    free(counts);
    return set->count ? product : 0;
}

size_t valid_set_parameter_count(const struct valid_set *set)
{
    return set->parameter_count;
}

uint32_t valid_set_value_count(const struct valid_set *set, size_t parameter)
{
    return set->value_counts[parameter];
}

uint64_t valid_set_cartesian(const struct valid_set *set)
{
    return set->cartesian;
}

size_t valid_set_nodes(const struct valid_set *set)
{
    return set->diagram.node_count;
}

size_t valid_set_bytes(const struct valid_set *set)
{
    return diagram_bytes(&set->diagram);
}

/* Returns the number of configurations that the first `constraints` constraints allow; cached. */
static double left_by(const struct valid_set *set, size_t constraints)
{
    struct valid_set *smaller;
    if (constraints == set->space->constraint_count)
        return valid_set_count_real(set);
    if (isnan(set->left[constraints]) && build(&smaller, set->space, constraints, set->max_bytes, true, NULL) == 0) {
        set->left[constraints] = valid_set_count_real(smaller);
        valid_set_free(smaller);
    }
    return set->left[constraints];
}

double valid_set_removed(const struct valid_set *set, size_t constraint)
{
    return set->left ? left_by(set, constraint) - left_by(set, constraint + 1) : NAN;
}

/* ---- Index and configuration ---- */

/* Returns 1 if arc `number` of a node exists and begins at or below `rest`, else 0. Branch-free, because half of the
 * branches would be mispredicted. May read behind the node's last arc, but ignores that value. */
static uint32_t begins(const struct arc *head, uint32_t number, uint64_t rest)
{
    return (uint32_t)((number <= head->last) & (head[1 + number].before <= rest));
}

/* Finds the arc behind the head that begins at or below `rest` configurations, in `steps` quarterings: three
 * independent comparisons take the time of one. */
static const struct arc *arc_of_rest(const struct arc *head, uint32_t steps, uint64_t rest)
{
    uint32_t low = 0;
    for (uint32_t step = 1u << 2 * steps >> 2; step; step >>= 2)
        low += step * (begins(head, low + step, rest) + begins(head, low + 2 * step, rest) +
                       begins(head, low + 3 * step, rest));
    return &head[1 + low];
}

/* Finds the arc behind the head that begins at or below `value`. */
static const struct arc *arc_of_value(const struct arc *head, uint32_t value)
{
    const struct arc *arcs = head + 1;
    uint32_t low = 0, count = head->last + 1u;
    while (count > 1) {
        uint32_t half = count / 2;
        low += arcs[low + half].first <= value ? half : 0;
        count -= half;
    }
    return &arcs[low];
}

/* Same for short lists: comparing with all `count` > 0 arcs is faster than a few dependent comparisons. */
static const struct arc *run_of_rest_in_few(const struct arc *head, uint32_t count, uint64_t rest)
{
    uint32_t even = 0, odd = 0, r = 1;
    for (; r + 1 < count; r += 2) {
        even += head[1 + r].before <= rest;
        odd += head[2 + r].before <= rest;
    }
    if (r < count)
        even += head[1 + r].before <= rest;
    return &head[1 + even + odd];
}

/* Finds the arc that begins at or below `rest`. The code path is the same for all nodes of a level, which makes
 * branches predictable; except for long lists, whose nodes differ much. */
static const struct arc *run_at(const struct component *component, size_t l, const struct arc *head, uint64_t rest)
{
    enum { FEW = 16 };
    if (component->has_arcs[l])
        return arc_of_rest(head, head->last ? (33 - (uint32_t)__builtin_clz(head->last)) / 2 : 0, rest);
    return component->value_counts[l] <= FEW ? run_of_rest_in_few(head, component->value_counts[l], rest)
                                             : arc_of_rest(head, component->steps[l], rest);
}

void set_get_component(const struct valid_set *set, const struct component *component, uint64_t rest, uint32_t *choices)
{
    const struct arc *all = set->diagram.arcs, *head = diagram_head(&set->diagram, component->root_node);
    for (size_t l = 0; l < component->count; l++) {
        const struct arc *arc = run_at(component, l, head, rest);
        uint32_t value = arc->first;
        head = &all[arc->child];
        rest -= arc->before;
        if (component->has_arcs[l]) { /* short lists avoid the expensive division */
            uint64_t values = rest / head->before;
            rest -= values * head->before;
            value += (uint32_t)values;
        }
        choices[component->parameters[l]] = value;
    }
}

bool set_find_component(const struct valid_set *set, const struct component *component, const uint32_t *choices,
                        uint64_t *index)
{
    const struct arc *all = set->diagram.arcs, *head = diagram_head(&set->diagram, component->root_node);
    uint64_t sum = 0;
    for (size_t l = 0; l < component->count; l++) {
        uint32_t value = choices[component->parameters[l]];
        const struct arc *arc = component->has_arcs[l] ? arc_of_value(head, value) : head + 1 + value;
        if (value < arc->first || value > arc->last || arc->child == 0)
            return false;
        head = &all[arc->child];
        sum += arc->before + (value - arc->first) * head->before;
    }
    *index = sum;
    return true;
}

/* Returns the index of a configuration of a component whose counts may saturate. */
static uint64_t saturated_index(const struct valid_set *set, const struct component *component, const uint32_t *choices)
{
    const struct arc *all = set->diagram.arcs, *head = diagram_head(&set->diagram, component->root_node);
    uint64_t sum = 0;
    for (size_t l = 0; l < component->count; l++) {
        uint32_t value = choices[component->parameters[l]];
        const struct arc *arc = component->has_arcs[l] ? arc_of_value(head, value) : head + 1 + value;
        head = &all[arc->child];
        sum = saturating_add(sum, saturating_add(arc->before, saturating_multiply(value - arc->first, head->before)));
    }
    return sum;
}

void valid_set_get(const struct valid_set *set, uint64_t index, uint32_t *choices)
{
    memset(choices, 0, set->parameter_count * sizeof *choices);
    for (size_t d = 0; d < set->digit_count; d++) { /* the last component first */
        const struct component *component = &set->components[set->digits[d]];
        uint64_t rest = index;
        if (d + 1 < set->digit_count) {
            index = rest / component->configurations;
            rest -= index * component->configurations;
        }
        if (component->is_free)
            choices[component->parameters[0]] = (uint32_t)rest;
        else
            set_get_component(set, component, rest, choices);
    }
}

/* True if all choices are indices of values. Choices without a digit are checked only here. */
static bool in_range(const struct valid_set *set, const uint32_t *choices)
{
    for (size_t p = 0; p < set->parameter_count; p++)
        if (choices[p] >= set->value_counts[p])
            return false;
    return true;
}

bool valid_set_find(const struct valid_set *set, const uint32_t *choices, uint64_t *index)
{
    uint64_t sum = 0, rest;
    bool saturated = set->count == UINT64_MAX;
    if (set->count == 0 || !in_range(set, choices))
        return false;
    for (size_t d = 0; d < set->digit_count; d++) {
        const struct component *component = &set->components[set->digits[d]];
        uint64_t stride = set->strides[set->digits[d]];
        if (component->is_free)
            rest = choices[component->parameters[0]];
        else if (!set_find_component(set, component, choices, &rest))
            return false;
        if (saturated && !component->is_free)
            rest = saturated_index(set, component, choices);
        sum = !saturated ? sum + rest * stride : rest ? saturating_add(sum, saturating_multiply(rest, stride)) : sum;
    }
    if (index)
        *index = sum;
    return true;
}

bool valid_set_find_default(const struct valid_set *set, const struct space *space, uint64_t *index)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    *index = UINT64_MAX;
    if (space->no_default)
        return false;
    space_default(space, choices);
    return valid_set_find(set, choices, index);
}

uint64_t valid_set_sample(const struct valid_set *set, struct random *random)
{
    return random_below(random, set->count);
}
