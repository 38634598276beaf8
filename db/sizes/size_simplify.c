#include "sizes/size_simplify.h"

#include "sizes/choose_fit.h"

/* ---- Ranges ---- */

static const struct size_range any = {INT64_MIN, INT64_MAX}, truths = {0, 1};

static struct size_range range_of(const struct size_node *node)
{
    return (struct size_range){node->least, node->most};
}

static bool lies_in(struct size_range range, int64_t least, int64_t most)
{
    return range.least >= least && range.most <= most;
}

static bool is_truth(const struct size_node *node)
{
    return node->least >= 0 && node->most <= 1;
}

/* Whether a number is true: not 0. */
static struct size_range truth_of(struct size_range range)
{
    bool never = range.least == 0 && range.most == 0, always = range.least > 0 || range.most < 0;
    return (struct size_range){always, !never};
}

/* Of what is monotone in each operand, whatever the other one is. */
static struct size_range at_ends(enum size_kind kind, struct size_range a, struct size_range b)
{
    const int64_t values[4] = {size_kind_apply(kind, a.least, b.least, 0), size_kind_apply(kind, a.least, b.most, 0),
                               size_kind_apply(kind, a.most, b.least, 0), size_kind_apply(kind, a.most, b.most, 0)};
    struct size_range range = {values[0], values[0]};
    for (int i = 1; i < 4; i++) {
        range.least = choose_min(values[i], range.least);
        range.most = choose_max(values[i], range.most);
    }
    return range;
}

/* All ones up to the highest one of a number that is not negative. */
static int64_t fill(int64_t number)
{
    for (int shift = 1; shift < 64; shift *= 2)
        number |= number >> shift;
    return number;
}

static struct size_range range_of_bits(enum size_kind kind, struct size_range a, struct size_range b)
{
    bool natural = a.least >= 0 && b.least >= 0;
    if (natural && kind == NODE_BIT_AND)
        return (struct size_range){0, choose_min(a.most, b.most)};
    if (natural)
        return (struct size_range){kind == NODE_BIT_OR ? choose_max(a.least, b.least) : 0, fill(a.most | b.most)};
    if (kind == NODE_BIT_AND && (a.least >= 0 || b.least >= 0))
        return (struct size_range){0, a.least >= 0 ? a.most : b.most};
    return any;
}

static struct size_range range_of_divisor(enum size_kind kind, struct size_range a, struct size_range b)
{
    if (kind == NODE_LOW_BIT)
        return (struct size_range){1, b.most};
    if (a.least < 0 || b.least < 0)
        return kind == NODE_GCD || kind == NODE_LCM ? (struct size_range){0, INT64_MAX} : any;
    if (kind == NODE_LCM)
        return (struct size_range){0, INT64_MAX};
    if (a.least > 0 && b.least > 0)
        return (struct size_range){1, choose_min(a.most, b.most)};
    return (struct size_range){0, choose_max(a.most, b.most)};
}

static struct size_range range_of_remainder(struct size_range a, struct size_range b)
{
    if (b.least < 1)
        return any;
    int64_t most = b.most - 1;
    if (a.least < 0)
        return (struct size_range){-most, most};
    return (struct size_range){0, choose_min(a.most, most)};
}

/* Between which numbers an operation lies whose operands lie between these. */
static struct size_range find_range(enum size_kind kind, const struct size_range *of)
{
    struct size_range truth = truth_of(of[0]);
    switch (kind) {
    case NODE_NOT:
        return (struct size_range){!truth.most, !truth.least};
    case NODE_AND:
    case NODE_OR:
        return at_ends(kind, truth, truth_of(of[1]));
    case NODE_CHOICE:
        return (struct size_range){choose_min(of[1].least, of[2].least), choose_max(of[1].most, of[2].most)};
    case NODE_EQUAL:
    case NODE_DIFFERENT:
        if (of[0].most < of[1].least || of[1].most < of[0].least)
            return (struct size_range){kind == NODE_DIFFERENT, kind == NODE_DIFFERENT};
        return truths;
    case NODE_QUOTIENT:
    case NODE_CEILDIV:
    case NODE_SMALL_QUOTIENT:
    case NODE_SMALL_CEILDIV:
        return of[1].least >= 1 ? at_ends(kind, of[0], of[1]) : any;
    case NODE_SHIFT_LEFT:
    case NODE_SHIFT_RIGHT:
        return lies_in(of[1], 0, 62) ? at_ends(kind, of[0], of[1]) : any;
    case NODE_REMAINDER:
        return range_of_remainder(of[0], of[1]);
    case NODE_BIT_AND:
    case NODE_BIT_OR:
    case NODE_BIT_XOR:
        return range_of_bits(kind, of[0], of[1]);
    case NODE_GCD:
    case NODE_LCM:
    case NODE_LOW_BIT:
        return range_of_divisor(kind, of[0], of[1]);
    default:
        return at_ends(kind, of[0], of[1]);
    }
}

/* The range of one side of a choice: what it compares with a number lies on that side of it. */
static struct size_range range_of_side(const struct size_node *condition, const struct size_node *side, bool truth)
{
    struct size_range range = range_of(side);
    if (condition->kind < NODE_AT_MOST || condition->kind > NODE_GREATER || condition->operands[0] != side ||
        condition->operands[1]->kind != NODE_NUMBER)
        return range;
    bool below = (condition->kind == NODE_AT_MOST || condition->kind == NODE_LESS) == truth;
    bool equal = (condition->kind == NODE_AT_MOST || condition->kind == NODE_AT_LEAST) == truth;
    int64_t bound = condition->operands[1]->number;
    if (below)
        range.most = choose_min(range.most, equal ? bound : choose_minus(bound, 1));
    else
        range.least = choose_max(range.least, equal ? bound : choose_plus(bound, 1));
    return range;
}

/* ---- Making nodes ---- */

static struct size_node *make(struct size_graph *graph, enum size_kind kind, struct size_node *a, struct size_node *b,
                              struct size_node *c);

static struct size_node *make_number(struct size_graph *graph, int64_t number)
{
    struct size_node *node = size_graph_node(graph, NODE_NUMBER, number, NULL, NULL, NULL);
    if (node)
        node->least = node->most = number;
    return node;
}

static bool is_number(const struct size_node *node, int64_t number)
{
    return node->kind == NODE_NUMBER && node->number == number;
}

/* Which power of two it is; -1: none. */
static int power_of(const struct size_node *node)
{
    if (node->kind != NODE_NUMBER || node->number < 1 || (node->number & (node->number - 1)))
        return -1;
    return __builtin_ctzll((unsigned long long)node->number);
}

/* ---- Rules: each gives a simpler node, or NULL if it does not apply (or is out of memory) ---- */

/* Operations with a number that leave the other operand as it is. */
static struct size_node *drop_number(struct size_node *a, struct size_node *b, enum size_kind kind)
{
    static const struct {
        enum size_kind kind;
        bool second; /* the number is the second operand */
        int64_t number;
    } rows[] = {
        {NODE_PLUS, true, 0},        {NODE_PLUS, false, 0},    {NODE_MINUS, true, 0},   {NODE_TIMES, true, 1},
        {NODE_TIMES, false, 1},      {NODE_QUOTIENT, true, 1}, {NODE_CEILDIV, true, 1}, {NODE_SHIFT_LEFT, true, 0},
        {NODE_SHIFT_RIGHT, true, 0}, {NODE_BIT_OR, true, 0},   {NODE_BIT_OR, false, 0}, {NODE_BIT_XOR, true, 0},
        {NODE_BIT_XOR, false, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].kind == kind && is_number(rows[i].second ? b : a, rows[i].number))
            return rows[i].second ? a : b;
    return NULL;
}

/* && with what is true, || with what is not, and comparisons of truths with 0. */
static struct size_node *drop_truth(struct size_graph *graph, struct size_node *a, struct size_node *b,
                                    enum size_kind kind)
{
    if (kind == NODE_AND || kind == NODE_OR) {
        struct size_range first = truth_of(range_of(a)), second = truth_of(range_of(b));
        int64_t neutral = kind == NODE_AND;
        if (first.least == first.most && first.least == neutral && is_truth(b))
            return b;
        if (second.least == second.most && second.least == neutral && is_truth(a))
            return a;
    }
    if (kind == NODE_DIFFERENT && is_truth(a) && is_number(b, 0))
        return a;
    return kind == NODE_EQUAL && is_truth(a) && is_number(b, 0) ? make(graph, NODE_NOT, a, NULL, NULL) : NULL;
}

/* Divisions by powers of two are shifts, those of numbers of 32 bits are short. */
static struct size_node *divide(struct size_graph *graph, struct size_node *a, struct size_node *b, enum size_kind kind)
{
    const int64_t short_most = UINT32_MAX;
    int power = power_of(b);
    if (a->least < 0 || b->least < 1)
        return NULL;
    if (kind == NODE_REMAINDER && a->most < b->least)
        return a;
    if (kind == NODE_REMAINDER && power >= 0)
        return make(graph, NODE_BIT_AND, a, make_number(graph, b->number - 1), NULL);
    if (kind == NODE_CEILDIV && power >= 0 && a->most <= INT64_MAX - b->number)
        return make(graph, NODE_SHIFT_RIGHT, make(graph, NODE_PLUS, a, make_number(graph, b->number - 1), NULL),
                    make_number(graph, power), NULL);
    if (kind == NODE_QUOTIENT && power >= 0)
        return make(graph, NODE_SHIFT_RIGHT, a, make_number(graph, power), NULL);
    if (kind == NODE_QUOTIENT && a->most <= short_most && b->most <= short_most)
        return make(graph, NODE_SMALL_QUOTIENT, a, b, NULL);
    if (kind == NODE_CEILDIV && a->most <= short_most && b->most <= short_most - a->most)
        return make(graph, NODE_SMALL_CEILDIV, a, b, NULL);
    return NULL;
}

/* gcd(a, 8). */
static struct size_node *take_low_bit(struct size_graph *graph, struct size_node *a, struct size_node *b,
                                      enum size_kind kind)
{
    if (kind == NODE_GCD && power_of(b) >= 0)
        return make(graph, NODE_LOW_BIT, a, b, NULL);
    if (kind == NODE_GCD && power_of(a) >= 0)
        return make(graph, NODE_LOW_BIT, b, a, NULL);
    return NULL;
}

/* The operation whose result lies in this range, by an operator of C if it can. */
static struct size_node *make_plain(struct size_graph *graph, enum size_kind kind, struct size_node *a,
                                    struct size_node *b, struct size_node *c, struct size_range range)
{
    enum size_kind plain = size_kind_rows[kind].plain;
    bool can = plain && lies_in(range, INT64_MIN + 1, INT64_MAX - 1); /* what saturates has one of the ends */
    if (kind == NODE_SHIFT_RIGHT)
        can = a->least >= 0 && lies_in(range_of(b), 0, 62);
    if (kind == NODE_AND || kind == NODE_OR)
        can = is_truth(a) && is_truth(b);
    if (!can)
        return size_graph_node(graph, kind, 0, a, b, c);
    return size_graph_node(graph, plain, 0, a, b, c);
}

static struct size_node *simplify_choice(struct size_graph *graph, struct size_node *condition, struct size_node *a,
                                         struct size_node *b)
{
    struct size_range truth = truth_of(range_of(condition));
    if (truth.least == truth.most)
        return truth.most ? a : b;
    if (a == b)
        return a;
    if (condition->kind == NODE_NOT)
        return make(graph, NODE_CHOICE, condition->operands[0], b, a);
    if (is_truth(condition) && is_number(a, 1) && is_number(b, 0))
        return condition;
    return is_number(a, 0) && is_number(b, 1) ? make(graph, NODE_NOT, condition, NULL, NULL) : NULL;
}

static struct size_node *simplify(struct size_graph *graph, enum size_kind kind, struct size_node *a,
                                  struct size_node *b, struct size_node *c)
{
    struct size_node *simpler = NULL;
    if (kind == NODE_CHOICE)
        return simplify_choice(graph, a, b, c);
    if (!b)
        return kind == a->kind && is_truth(a->operands[0]) ? a->operands[0] : NULL; /* not not */
    simpler = drop_number(a, b, kind);
    if (!simpler)
        simpler = drop_truth(graph, a, b, kind);
    if (!simpler && (kind == NODE_QUOTIENT || kind == NODE_CEILDIV || kind == NODE_REMAINDER))
        simpler = divide(graph, a, b, kind);
    return simpler ? simpler : take_low_bit(graph, a, b, kind);
}

/* The simplest node for an operation. Each rule makes fewer or cheaper operations of it, so this ends. */
static struct size_node *make(struct size_graph *graph, enum size_kind kind, struct size_node *a, struct size_node *b,
                              struct size_node *c)
{
    if (graph->failed)
        return NULL;
    struct size_node *const operands[3] = {a, b, c};
    if (size_kind_rows[kind].full)
        kind = size_kind_rows[kind].full;
    const size_t count = size_kind_operands(kind);
    struct size_range of[3] = {any, any, any};
    int64_t numbers[3] = {0};
    bool known = true;
    for (size_t i = 0; i < count; i++) {
        of[i] = i && kind == NODE_CHOICE ? range_of_side(a, operands[i], i == 1) : range_of(operands[i]);
        numbers[i] = operands[i]->number;
        known = known && operands[i]->kind == NODE_NUMBER;
    }
    if (known)
        return make_number(graph, size_kind_apply(kind, numbers[0], numbers[1], numbers[2]));
    struct size_range range = find_range(kind, of);
    if (range.least == range.most)
        return make_number(graph, range.least);
    struct size_node *simpler = simplify(graph, kind, a, b, c);
    if (simpler || graph->failed)
        return simpler;
    struct size_node *node = make_plain(graph, kind, a, b, c, range);
    if (node) {
        node->least = range.least;
        node->most = range.most;
    }
    return node;
}

/* ---- Cases ---- */

/* CASES_MOST: truths of which one after the other is assumed. CASES_DEPTH: at once. */
enum { CASES_MOST = 4, CASES_DEPTH = 2, VISITED_MOST = 64 };

/* The node where `fact` has the value `truth`. */
static struct size_node *assume(struct size_graph *graph, struct size_node *node, const struct size_node *fact,
                                int64_t truth)
{
    struct size_node *operands[3] = {NULL, NULL, NULL};
    bool same = true;
    if (node == fact)
        return make_number(graph, truth);
    if (node->round == graph->rounds)
        return node->assumed;
    for (size_t i = 0; i < size_kind_operands(node->kind); i++) {
        operands[i] = assume(graph, node->operands[i], fact, truth);
        if (!operands[i])
            return NULL;
        same = same && operands[i] == node->operands[i];
    }
    node->assumed = same ? node : make(graph, node->kind, operands[0], operands[1], operands[2]);
    node->round = graph->rounds;
    return node->assumed;
}

/* Adds a truth that may be assumed, unless it is there. */
static size_t add_case(struct size_node *truth, struct size_node **cases, size_t count)
{
    for (size_t c = 0; c < count; c++)
        if (cases[c] == truth)
            return count;
    if (count < CASES_MOST && is_truth(truth) && truth->kind != NODE_NOT && truth->kind != NODE_NUMBER)
        cases[count++] = truth;
    return count;
}

/* What choices ask, then other truths: those nearest to the root first. */
static size_t list_cases(struct size_node *root, struct size_node **cases)
{
    struct size_node *visited[VISITED_MOST] = {root};
    size_t count = 0, visited_count = 1;
    for (size_t i = 0; i < visited_count; i++)
        for (size_t o = 0; o < size_kind_operands(visited[i]->kind) && visited_count < VISITED_MOST; o++)
            visited[visited_count++] = visited[i]->operands[o];
    for (size_t i = 0; i < visited_count; i++)
        if (visited[i]->kind == NODE_CHOICE)
            count = add_case(visited[i]->operands[0], cases, count);
    for (size_t i = 1; i < visited_count; i++)
        count = add_case(visited[i], cases, count);
    return count;
}

/* What comes to the same whether something holds or not comes to that: grids of launches that are skipped do. */
static struct size_node *unite_cases(struct size_graph *graph, struct size_node *root, int depth)
{
    struct size_node *cases[CASES_MOST];
    if (!root || root->kind == NODE_NUMBER || depth == 0)
        return root;
    size_t count = list_cases(root, cases);
    for (size_t c = 0; c < count; c++) {
        struct size_node *results[2] = {NULL, NULL};
        for (int truth = 0; truth < 2; truth++) {
            graph->rounds++;
            results[truth] = unite_cases(graph, assume(graph, root, cases[c], truth), depth - 1);
        }
        if (results[0] == results[1])
            return results[0];
    }
    return root;
}

/* ---- Simplifying ---- */

static struct size_node *simplify_all(struct size_graph *graph, struct size_node *node, const struct size_range *ranges)
{
    struct size_node *operands[3] = {NULL, NULL, NULL};
    if (node->simpler || graph->failed)
        return node->simpler;
    for (size_t i = 0; i < size_kind_operands(node->kind); i++)
        operands[i] = simplify_all(graph, node->operands[i], ranges);
    if (node->kind == NODE_NUMBER) {
        node->simpler = make_number(graph, node->number);
    } else if (node->kind == NODE_NAMED && ranges && ranges[node->number].least == ranges[node->number].most) {
        node->simpler = make_number(graph, ranges[node->number].least);
    } else if (node->kind == NODE_NAMED) {
        struct size_node *made = size_graph_node(graph, NODE_NAMED, node->number, NULL, NULL, NULL);
        if (made && ranges) {
            made->least = ranges[node->number].least;
            made->most = ranges[node->number].most;
        }
        node->simpler = made;
    } else {
        node->simpler = make(graph, node->kind, operands[0], operands[1], operands[2]);
    }
    return node->simpler;
}

struct size_node *size_simplify(struct size_graph *graph, struct size_node *node, const struct size_range *ranges)
{
    struct size_node *simpler = simplify_all(graph, node, ranges);
    return simpler && is_truth(simpler) ? unite_cases(graph, simpler, CASES_DEPTH) : simpler;
}
