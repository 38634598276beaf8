#include "sizes/size_node.h"

const struct size_kind_row size_kind_rows[NODE_KIND_COUNT] = {
    [NODE_NOT] = {"!", "not", 0, 0},
    [NODE_CHOICE] = {"?", "choice", 0, 0},
    [NODE_PLUS] = {"+", "plus", NODE_PLAIN_PLUS, 0},
    [NODE_MINUS] = {"-", "minus", NODE_PLAIN_MINUS, 0},
    [NODE_TIMES] = {"*", "times", NODE_PLAIN_TIMES, 0},
    [NODE_QUOTIENT] = {"/", "quotient", 0, 0},
    [NODE_REMAINDER] = {"%", "remainder", 0, 0},
    [NODE_SHIFT_LEFT] = {"<<", "shift_left", 0, 0},
    [NODE_SHIFT_RIGHT] = {">>", "shift_right", NODE_PLAIN_SHIFT_RIGHT, 0},
    [NODE_EQUAL] = {"==", "equal", 0, 0},
    [NODE_DIFFERENT] = {"!=", "different", 0, 0},
    [NODE_AT_MOST] = {"<=", "at_most", 0, 0},
    [NODE_AT_LEAST] = {">=", "at_least", 0, 0},
    [NODE_LESS] = {"<", "less", 0, 0},
    [NODE_GREATER] = {">", "greater", 0, 0},
    [NODE_AND] = {"&&", "and", NODE_PLAIN_AND, 0},
    [NODE_OR] = {"||", "or", NODE_PLAIN_OR, 0},
    [NODE_BIT_AND] = {"&", "bit_and", 0, 0},
    [NODE_BIT_OR] = {"|", "bit_or", 0, 0},
    [NODE_BIT_XOR] = {"^", "bit_xor", 0, 0},
    [NODE_MIN] = {"min", "min", 0, 0},
    [NODE_MAX] = {"max", "max", 0, 0},
    [NODE_CEILDIV] = {"ceildiv", "ceildiv", 0, 0},
    [NODE_GCD] = {"gcd", "gcd", 0, 0},
    [NODE_LCM] = {"lcm", "lcm", 0, 0},
    [NODE_PLAIN_PLUS] = {"+", NULL, 0, NODE_PLUS},
    [NODE_PLAIN_MINUS] = {"-", NULL, 0, NODE_MINUS},
    [NODE_PLAIN_TIMES] = {"*", NULL, 0, NODE_TIMES},
    [NODE_PLAIN_SHIFT_RIGHT] = {">>", NULL, 0, NODE_SHIFT_RIGHT},
    [NODE_PLAIN_AND] = {"&", NULL, 0, NODE_AND},
    [NODE_PLAIN_OR] = {"|", NULL, 0, NODE_OR},
    [NODE_LOW_BIT] = {NULL, "low_bit", 0, 0},
    [NODE_SMALL_QUOTIENT] = {NULL, "small_quotient", 0, 0},
    [NODE_SMALL_CEILDIV] = {NULL, "small_ceildiv", 0, 0},
};

/* ---- Nodes ---- */

static bool same(const struct size_node *a, const struct size_node *b)
{
    return a->kind == b->kind && a->number == b->number && a->operands[0] == b->operands[0] &&
           a->operands[1] == b->operands[1] && a->operands[2] == b->operands[2];
}

static size_t bucket_of(const struct size_node *node)
{
    uint64_t bits = (uint64_t)node->number * NODE_KIND_COUNT + node->kind;
    for (size_t i = 0; i < 3; i++)
        bits = (bits ^ (uintptr_t)node->operands[i]) * 0x9e3779b97f4a7c15;
    return bits >> 32 & (NODE_BUCKETS - 1);
}

struct size_node *size_graph_node(struct size_graph *graph, enum size_kind kind, int64_t number, struct size_node *a,
                                  struct size_node *b, struct size_node *c)
{
    const struct size_node like = {
        .kind = kind, .number = number, .operands = {a, b, c}, .least = INT64_MIN, .most = INT64_MAX};
    struct size_node **bucket = &graph->buckets[bucket_of(&like)];
    for (struct size_node *earlier = *bucket; earlier && !graph->failed; earlier = earlier->in_bucket)
        if (same(earlier, &like))
            return earlier;
    struct size_node *made = graph->failed ? NULL : arena_alloc(graph->arena, sizeof *made);
    graph->failed = !made;
    if (!made)
        return NULL;
    *made = like;
    made->before = graph->last;
    made->in_bucket = *bucket;
    graph->last = *bucket = made;
    return made;
}
