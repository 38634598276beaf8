/* Builds the diagram depth first over the levels. After each level, a key records what later constraints need to know
 * of the values bound so far. Prefixes with the same key have the same continuations and share a node.
 *
 * The key holds the remainder of each undecided constraint: the values of its largest closed terms, without those that
 * no longer matter because an interval of values decides. Each term is evaluated for all values of a parameter
 * together, which shares the cost of interpretation. */
#include "set/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bound.h"
#include "expression/space_internal.h"
#include "set/columns.h"
#include "set/memo.h"

struct level {
    uint16_t parameter;
    uint32_t value_count;
    uint32_t *closing; /* terms closed by this level, operands first */
    size_t closing_count;
    struct value *columns; /* of each closing term: its value for every value of the parameter */
    bool *integers;        /* of each closing term: the column holds integers only */
    uint32_t *deciding;    /* roots closed by this level */
    size_t deciding_count;
    uint32_t *open; /* terms of undecided roots that are open after this level, operands first */
    size_t open_count;
    uint32_t *pending; /* roots that are open after this level */
    size_t pending_count;
    struct arc *arcs; /* of the node under construction */
    struct memo memo; /* nodes by state before this level */
};

struct builder {
    const struct build_setup *setup;
    struct component *component;
    struct error *error;
    struct level levels[SPACE_PARAMETERS_MAX];
    uint8_t *closes;      /* by term: level that closes it; CLOSED_BEFORE for constants */
    uint32_t *column;     /* by term: its position in `closing` of that level */
    struct value *values; /* by term, if closed */
    struct bound *bounds; /* by term, if open */
    uint64_t *visited;    /* by term: last key into which it was written */
    uint64_t visit;
    unsigned char *key;
    uint32_t choices[SPACE_PARAMETERS_MAX]; /* by level */
    size_t memo_bytes;
    uint64_t work, max_work;
};

enum { CLOSED_BEFORE = 0xff, TAG_OPEN = 1, TAG_MET, TAG_VALUE, KEY_START = 64, WORK_PER_BYTE = 8 };

/* ---- Limits ---- */

static size_t bytes_used(const struct builder *builder)
{
    return builder->memo_bytes + diagram_bytes(builder->setup->diagram);
}

/* Reports the constraints whose state is kept at the level with the most states. */
static int too_large(struct builder *builder, const char *what)
{
    const struct space *space = builder->setup->space;
    size_t widest = 0, blamed = 0;
    uint32_t last = UINT32_MAX;
    char bytes[32];
    struct text names = {0};
    for (size_t l = 0; l < builder->component->count; l++)
        if (builder->levels[l].memo.used > builder->levels[widest].memo.used)
            widest = l;
    const struct level *level = &builder->levels[widest ? widest - 1 : 0];
    for (size_t i = 0; i < level->pending_count && blamed < 3; i++) {
        uint32_t constraint = builder->setup->roots->all[level->pending[i]].constraint;
        if (constraint == last)
            continue;
        last = constraint;
        text_printf(&names, "%s%s", blamed++ ? "; " : ", because of: ", space->constraints[constraint].text);
    }
    int code = error_set(builder->error, ERROR_MEMORY, "the space is too entangled: %s %s%s", what,
                         format_bytes(bytes, sizeof bytes, (double)builder->setup->max_bytes), text_string(&names));
    error_place(builder->error, space->path, last == UINT32_MAX ? 0 : space->constraints[last].line, 0);
    error_hint(builder->error,
               "give these parameters fewer values, write conditions that need fewer parameters at once, or "
               "raise --space-memory");
    text_free(&names);
    return code;
}

static int check_limits(struct builder *builder)
{
    if (bytes_used(builder) > builder->setup->max_bytes)
        return too_large(builder, "its diagram needs more than");
    if (builder->work > builder->max_work)
        return too_large(builder, "examining its combinations exceeds a limit of");
    return 0;
}

/* ---- Order of the parameters ---- */

static double term_bits(const struct builder *builder, const struct expression_node *term)
{
    const struct space *space = builder->setup->space;
    double bits = 0;
    if (operation_gives_truth(term->operation))
        return 1;
    for (uint64_t rest = term->names; rest; rest &= rest - 1)
        bits += log2((double)space->parameters[__builtin_ctzll(rest)].value_count);
    return bits;
}

/* Marks the operands of a term. */
static void visit_operands(const struct builder *builder, const struct expression_node *term)
{
    for (size_t i = 0; i < expression_operands(term); i++)
        builder->visited[term->operands[i]] = 1;
}

/* Estimates the bits of state after the parameters of `bound` are bound, and counts the terms that hold them. */
static double state_bits(const struct builder *builder, uint64_t members, uint64_t bound, size_t *live)
{
    const struct roots *roots = builder->setup->roots;
    double bits = 0, most = 0;
    *live = 0;
    for (size_t t = 0; t < roots->graph.count; t++)
        builder->visited[t] = 0;
    for (size_t r = 0; r < roots->count; r++) {
        const struct expression_node *root = &roots->graph.nodes[roots->all[r].node];
        if ((root->names & members) && (root->names & ~bound))
            builder->visited[roots->all[r].node] = 1;
    }
    for (size_t t = roots->graph.count; t-- > 0;) { /* users before operands */
        const struct expression_node *term = &roots->graph.nodes[t];
        if (!builder->visited[t] || !term->names)
            continue;
        if ((term->names & ~bound) == 0) {
            bits += term_bits(builder, term);
            ++*live;
            continue;
        }
        visit_operands(builder, term);
    }
    for (uint64_t rest = bound; rest; rest &= rest - 1)
        most += log2((double)builder->setup->space->parameters[__builtin_ctzll(rest)].value_count);
    return bits < most ? bits : most;
}

static double cost_of(const struct builder *builder, uint64_t members, const uint16_t *parameters, size_t count)
{
    uint64_t bound = 0;
    double cost = 0;
    size_t live;
    for (size_t l = 0; l < count; l++) {
        cost += exp2(state_bits(builder, members, bound, &live)) *
                (double)builder->setup->space->parameters[parameters[l]].value_count;
        bound |= (uint64_t)1 << parameters[l];
    }
    return cost;
}

/* Orders the parameters greedily by the least remaining state. Keeps the declared order in case of a tie. */
static void choose_order(struct builder *builder)
{
    struct component *component = builder->component;
    uint16_t greedy[SPACE_PARAMETERS_MAX];
    uint64_t members = 0, bound = 0;
    for (size_t i = 0; i < component->count; i++)
        members |= (uint64_t)1 << component->parameters[i];
    for (size_t l = 0; l < component->count; l++) {
        double best = INFINITY;
        size_t best_live = 0;
        for (size_t i = 0; i < component->count; i++) {
            uint64_t bit = (uint64_t)1 << component->parameters[i];
            size_t live;
            if (bound & bit)
                continue;
            double bits = state_bits(builder, members, bound | bit, &live);
            if (bits < best - 1e-9 || (bits < best + 1e-9 && live < best_live)) {
                best = bits;
                best_live = live;
                greedy[l] = component->parameters[i];
            }
        }
        bound |= (uint64_t)1 << greedy[l];
    }
    if (cost_of(builder, members, greedy, component->count) <
        0.999 * cost_of(builder, members, component->parameters, component->count))
        memcpy(component->parameters, greedy, component->count * sizeof *greedy);
}

/* ---- Work of each level ---- */

static uint8_t closing_level(const struct builder *builder, uint64_t parameters)
{
    for (size_t l = builder->component->count; l-- > 0;)
        if (parameters >> builder->component->parameters[l] & 1)
            return (uint8_t)l;
    return CLOSED_BEFORE;
}

/* Marks the terms that the undecided roots after level `l` reach. */
static void mark_open(struct builder *builder, const struct level *level)
{
    const struct roots *roots = builder->setup->roots;
    memset(builder->visited, 0, roots->graph.count * sizeof *builder->visited);
    for (size_t i = 0; i < level->pending_count; i++)
        builder->visited[roots->all[level->pending[i]].node] = 1;
    for (size_t t = roots->graph.count; t-- > 0;) {
        const struct expression_node *term = &roots->graph.nodes[t];
        if (builder->visited[t])
            visit_operands(builder, term);
    }
}

static int plan_columns(struct builder *builder, struct level *level)
{
    const struct parameter *parameter = &builder->setup->space->parameters[level->parameter];
    level->columns = calloc(level->closing_count * level->value_count + 1, sizeof *level->columns);
    level->integers = calloc(level->closing_count + 1, sizeof *level->integers);
    if (!level->columns || !level->integers)
        return error_memory(builder->error);
    for (size_t i = 0; i < level->closing_count; i++) {
        uint32_t t = level->closing[i];
        if (builder->setup->roots->graph.nodes[t].operation != OP_NAME)
            continue;
        memcpy(level->columns + i * level->value_count, parameter->values, level->value_count * sizeof *level->columns);
        builder->bounds[t] = bound_of_values(parameter->values, parameter->value_count);
        level->integers[i] = builder->bounds[t].known;
    }
    builder->memo_bytes += level->closing_count * level->value_count * sizeof *level->columns;
    return check_limits(builder);
}

static int plan_level(struct builder *builder, size_t l, uint64_t members)
{
    const struct roots *roots = builder->setup->roots;
    struct level *level = &builder->levels[l];
    level->parameter = builder->component->parameters[l];
    level->value_count = (uint32_t)builder->setup->space->parameters[level->parameter].value_count;
    level->closing = calloc(roots->graph.count + 1, sizeof *level->closing);
    level->open = calloc(roots->graph.count + 1, sizeof *level->open);
    level->deciding = calloc(roots->count + 1, sizeof *level->deciding);
    level->pending = calloc(roots->count + 1, sizeof *level->pending);
    level->arcs = calloc(level->value_count, sizeof *level->arcs);
    if (!level->closing || !level->open || !level->deciding || !level->pending || !level->arcs)
        return error_memory(builder->error);
    for (size_t r = 0; r < roots->count; r++) {
        uint32_t root = roots->all[r].node;
        if (!(roots->graph.nodes[root].names & members))
            continue;
        if (builder->closes[root] == l)
            level->deciding[level->deciding_count++] = (uint32_t)r;
        else if (builder->closes[root] > l)
            level->pending[level->pending_count++] = (uint32_t)r;
    }
    for (size_t t = 0; t < roots->graph.count; t++)
        if ((roots->graph.nodes[t].names & members) && builder->closes[t] == l) {
            builder->column[t] = (uint32_t)level->closing_count;
            level->closing[level->closing_count++] = (uint32_t)t;
        }
    mark_open(builder, level);
    for (size_t t = 0; t < roots->graph.count; t++)
        if (builder->visited[t] && builder->closes[t] != CLOSED_BEFORE && builder->closes[t] > l &&
            roots->graph.nodes[t].operation != OP_NAME)
            level->open[level->open_count++] = (uint32_t)t;
    return plan_columns(builder, level);
}

static int plan(struct builder *builder)
{
    const struct roots *roots = builder->setup->roots;
    uint64_t members = 0;
    for (size_t l = 0; l < builder->component->count; l++)
        members |= (uint64_t)1 << builder->component->parameters[l];
    for (size_t t = 0; t < roots->graph.count; t++) {
        builder->closes[t] = closing_level(builder, roots->graph.nodes[t].names & members);
        if (roots->graph.nodes[t].operation == OP_CONSTANT)
            builder->values[t] = roots->graph.nodes[t].constant;
    }
    int code = 0;
    for (size_t l = 0; l < builder->component->count && !code; l++)
        code = plan_level(builder, l, members);
    return code;
}

/* ---- Evaluating a level's closing terms for all values of its parameter ---- */

static struct operand operand_of(const struct builder *builder, const struct level *level, size_t l, uint32_t term)
{
    uint32_t column = builder->column[term];
    if (builder->closes[term] != l)
        return (struct operand){&builder->values[term], 0, builder->values[term].kind == VALUE_INT};
    return (struct operand){level->columns + (size_t)column * level->value_count, 1, level->integers[column]};
}

/* Fills the level's columns. Columns of the parameter itself never change. */
static void evaluate(struct builder *builder, size_t l)
{
    const struct roots *roots = builder->setup->roots;
    struct level *level = &builder->levels[l];
    size_t count = level->value_count;
    for (size_t i = 0; i < level->closing_count; i++) {
        const struct expression_node *term = &roots->graph.nodes[level->closing[i]];
        struct value *column = level->columns + i * count;
        if (term->operation == OP_NAME)
            continue;
        struct operand of[3];
        for (size_t o = 0; o < 3; o++) /* unused operands point at operand 0 */
            of[o] = o < expression_operands(term) ? operand_of(builder, level, l, term->operands[o]) : of[0];
        level->integers[i] = columns_fill(term->operation, of[0], of[1], of[2], count, column);
    }
    builder->work += (level->closing_count + 1) * count;
}

/* ---- Keys ---- */

static struct bound operand_bound(const struct builder *builder, size_t l, uint32_t term)
{
    uint8_t closes = builder->closes[term];
    return closes == CLOSED_BEFORE || closes <= l ? bound_of_values(&builder->values[term], 1) : builder->bounds[term];
}

static struct bound open_bound(const struct builder *builder, size_t l, uint32_t number)
{
    const struct expression_node *nodes = builder->setup->roots->graph.nodes, *term = &nodes[number];
    struct bound of[3];
    for (size_t i = 0; i < expression_operands(term); i++)
        of[i] = operand_bound(builder, l, term->operands[i]);
    return bound_of_node(nodes, term, of, OVERFLOW_FAULTS);
}

static unsigned char *write_value(unsigned char *key, const struct value *value)
{
    *key++ = (unsigned char)(TAG_VALUE + (int)value->kind);
    if (value->kind == VALUE_FAULT)
        return key;
    memcpy(key, &value->integer, sizeof value->integer);
    return key + sizeof value->integer;
}

/* Writes the remainder of a term after level `l`. Writes each term once: its later positions are implied. */
static unsigned char *write_term(struct builder *builder, size_t l, uint32_t number, unsigned char *key)
{
    const struct expression_node *term = &builder->setup->roots->graph.nodes[number];
    uint8_t closes = builder->closes[number];
    if (builder->visited[number] == builder->visit || closes == CLOSED_BEFORE)
        return key;
    builder->visited[number] = builder->visit;
    if (closes <= l)
        return write_value(key, &builder->values[number]);
    if (term->operation == OP_NAME)
        return key;
    struct bound bound = builder->bounds[number];
    if (bound.known && bound.low == bound.high)
        return write_value(key, &(struct value){.kind = VALUE_INT, .integer = bound.low});
    *key++ = TAG_OPEN;
    for (size_t i = 0; i < expression_operands(term); i++)
        if (term->operation != OP_CHOOSE || i == 0 ||
            !bound_surely(operand_bound(builder, l, term->operands[0]), i == 2))
            key = write_term(builder, l, term->operands[i], key);
    return key;
}

/* Writes the state after level `l` into builder->key. 0: no continuation is valid. */
static size_t write_key(struct builder *builder, size_t l, bool faulted)
{
    const struct roots *roots = builder->setup->roots;
    const struct level *level = &builder->levels[l];
    unsigned char *key = builder->key;
    for (size_t i = 0; i < level->open_count; i++)
        builder->bounds[level->open[i]] = open_bound(builder, l, level->open[i]);
    for (size_t i = 0; i < level->pending_count; i++)
        if (bound_surely(builder->bounds[roots->all[level->pending[i]].node], false))
            return 0;
    builder->visit++;
    *key++ = (unsigned char)(KEY_START + faulted);
    for (size_t i = 0; i < level->pending_count; i++) {
        uint32_t root = roots->all[level->pending[i]].node;
        if (bound_surely(builder->bounds[root], true))
            *key++ = TAG_MET;
        else
            key = write_term(builder, l, root, key);
    }
    builder->work += level->open_count + 1;
    return (size_t)(key - builder->key);
}

/* ---- The walk ---- */

/* Evaluates the roots that level `l` decides for value `v`; false if one excludes it. */
static bool decide(const struct builder *builder, const struct level *level, size_t v, bool *faulted)
{
    const struct roots *roots = builder->setup->roots;
    for (size_t i = 0; i < level->deciding_count; i++) {
        uint32_t column = builder->column[roots->all[level->deciding[i]].node];
        const struct value *value = &level->columns[(size_t)column * level->value_count + v];
        const bool has_truth = value_is_number(value);
        if (has_truth ? !value_truth(value) : builder->setup->faults_exclude)
            return false;
        *faulted |= !has_truth;
    }
    return true;
}

static int build_level(struct builder *builder, size_t l, bool faulted, uint32_t *node);

/* Builds the node below value `v` of level `l`, which no constraint excludes so far. */
static int build_child(struct builder *builder, size_t l, size_t v, bool faulted, uint32_t *child)
{
    const struct level *level = &builder->levels[l];
    if (l + 1 == builder->component->count) {
        *child = NODE_END;
        builder->component->faulted = faulted;
        if (faulted)
            memcpy(builder->component->fault, builder->choices, sizeof builder->choices);
        return 0;
    }
    for (size_t i = 0; i < level->closing_count; i++)
        builder->values[level->closing[i]] = level->columns[i * level->value_count + v];
    size_t length = write_key(builder, l, faulted);
    *child = NODE_NONE;
    if (length == 0)
        return 0;
    bool is_new;
    struct memo *memo = &builder->levels[l + 1].memo;
    size_t bytes = memo_bytes(memo);
    struct memo_entry *entry = memo_find(memo, builder->key, length, &is_new);
    if (!entry)
        return error_memory(builder->error);
    builder->memo_bytes += memo_bytes(memo) - bytes;
    if (!is_new) {
        *child = entry->node;
        return 0;
    }
    /* Deeper levels use other memos, so the entry stays valid. */
    TRY(build_level(builder, l + 1, faulted, child));
    entry->node = *child;
    return check_limits(builder);
}

static int build_level(struct builder *builder, size_t l, bool faulted, uint32_t *node)
{
    struct level *level = &builder->levels[l];
    size_t count = 0;
    evaluate(builder, l);
    for (size_t v = 0; v < level->value_count && !builder->component->faulted; v++) {
        uint32_t child;
        bool fault_here = faulted;
        builder->choices[l] = (uint32_t)v;
        child = NODE_NONE;
        if (decide(builder, level, v, &fault_here))
            TRY(build_child(builder, l, v, fault_here, &child));
        count = diagram_add_value(level->arcs, count, child, (uint32_t)v, level->value_count);
    }
    *node = NODE_NONE;
    if (builder->component->faulted)
        return 0;
    *node = diagram_node(builder->setup->diagram, level->arcs, count);
    return *node == UINT32_MAX ? error_memory(builder->error) : 0;
}

static void free_builder(struct builder *builder)
{
    for (size_t l = 0; l < builder->component->count; l++) {
        struct level *level = &builder->levels[l];
        free(level->closing);
        free(level->columns);
        free(level->integers);
        free(level->deciding);
        free(level->open);
        free(level->pending);
        free(level->arcs);
        memo_free(&level->memo);
    }
    free(builder->closes);
    free(builder->column);
    free(builder->values);
    free(builder->bounds);
    free(builder->visited);
    free(builder->key);
    free(builder);
}

int build_component(const struct build_setup *setup, struct component *component, struct error *error)
{
    size_t terms = setup->roots->graph.count;
    struct builder *builder = calloc(1, sizeof *builder);
    if (!builder)
        return error_memory(error);
    builder->setup = setup;
    builder->component = component;
    builder->error = error;
    builder->max_work =
        setup->max_bytes > UINT64_MAX / WORK_PER_BYTE ? UINT64_MAX : (uint64_t)setup->max_bytes * WORK_PER_BYTE;
    builder->closes = calloc(terms + 1, sizeof *builder->closes);
    builder->column = calloc(terms + 1, sizeof *builder->column);
    builder->values = calloc(terms + 1, sizeof *builder->values);
    builder->bounds = calloc(terms + 1, sizeof *builder->bounds);
    builder->visited = calloc(terms + 1, sizeof *builder->visited);
    /* A key has at most a tag and a value for each term, and a tag for each root. */
    builder->key = malloc(terms * (1 + sizeof(int64_t)) + setup->roots->count + 16);
    int code =
        builder->closes && builder->column && builder->values && builder->bounds && builder->visited && builder->key
            ? 0
            : error_memory(error);
    if (!code)
        choose_order(builder);
    if (!code)
        code = plan(builder);
    if (!code)
        code = build_level(builder, 0, false, &component->root_node);
    if (!code && !component->faulted)
        component->configurations = setup->diagram->nodes[component->root_node].count;
    free_builder(builder);
    return code;
}
