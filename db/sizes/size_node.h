/* Expressions of sizes as graphs, in which equal parts are one node: what db/sizes/size_condition.c parses, evaluates
 * and prints, and db/sizes/size_simplify.c makes simpler. */
#ifndef CUTUNE_SIZES_SIZE_NODE_H
#define CUTUNE_SIZES_SIZE_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "sizes/choose_fit.h"

/* What a node does with its operands. */
enum size_kind {
    NODE_NUMBER,
    NODE_NAMED,
    NODE_NOT,
    NODE_CHOICE,
    NODE_OPERATORS,
    NODE_PLUS = NODE_OPERATORS,
    NODE_MINUS,
    NODE_TIMES,
    NODE_QUOTIENT,
    NODE_REMAINDER,
    NODE_SHIFT_LEFT, /* before < and <= */
    NODE_SHIFT_RIGHT,
    NODE_EQUAL,
    NODE_DIFFERENT,
    NODE_AT_MOST, /* before <, which it begins with */
    NODE_AT_LEAST,
    NODE_LESS,
    NODE_GREATER,
    NODE_AND,
    NODE_OR,
    NODE_BIT_AND, /* behind && */
    NODE_BIT_OR,
    NODE_BIT_XOR,
    NODE_FUNCTIONS,
    NODE_MIN = NODE_FUNCTIONS,
    NODE_MAX,
    NODE_CEILDIV,
    NODE_GCD,
    NODE_LCM,
    NODE_SIMPLER,              /* from here on, only db/sizes/size_simplify.c makes them: no text has them */
    NODE_PLAIN = NODE_SIMPLER, /* these are operators of C, since nothing can overflow */
    NODE_PLAIN_PLUS = NODE_PLAIN,
    NODE_PLAIN_MINUS,
    NODE_PLAIN_TIMES,
    NODE_PLAIN_SHIFT_RIGHT,
    NODE_PLAIN_AND, /* of truths */
    NODE_PLAIN_OR,
    NODE_PLAIN_END,
    NODE_LOW_BIT = NODE_PLAIN_END,
    NODE_SMALL_QUOTIENT,
    NODE_SMALL_CEILDIV,
    NODE_KIND_COUNT
};

struct size_kind_row {
    const char *text, *function; /* in conditions and as an operator of C; of db/sizes/choose_fit.h behind choose_ */
    enum size_kind plain, full;  /* the kind that cannot overflow, and of that one this one; 0: none */
};
extern const struct size_kind_row size_kind_rows[NODE_KIND_COUNT];

/* How many operands it has: 0 for a number or a size. */
static inline size_t size_kind_operands(enum size_kind kind)
{
    if (kind < NODE_NOT)
        return 0;
    if (kind == NODE_NOT)
        return 1;
    return kind == NODE_CHOICE ? 3 : 2;
}

/* The value of an operation; operands that it has not are ignored. */
static inline int64_t size_kind_apply(enum size_kind kind, int64_t a, int64_t b, int64_t c)
{
    switch (kind) {
    case NODE_NOT:
        return choose_not(a);
    case NODE_CHOICE:
        return choose_choice(a, b, c);
    case NODE_PLUS:
        return choose_plus(a, b);
    case NODE_MINUS:
        return choose_minus(a, b);
    case NODE_TIMES:
        return choose_times(a, b);
    case NODE_QUOTIENT:
        return choose_quotient(a, b);
    case NODE_REMAINDER:
        return choose_remainder(a, b);
    case NODE_SHIFT_LEFT:
        return choose_shift_left(a, b);
    case NODE_SHIFT_RIGHT:
        return choose_shift_right(a, b);
    case NODE_EQUAL:
        return choose_equal(a, b);
    case NODE_DIFFERENT:
        return choose_different(a, b);
    case NODE_AT_MOST:
        return choose_at_most(a, b);
    case NODE_AT_LEAST:
        return choose_at_least(a, b);
    case NODE_LESS:
        return choose_less(a, b);
    case NODE_GREATER:
        return choose_greater(a, b);
    case NODE_AND:
        return choose_and(a, b);
    case NODE_OR:
        return choose_or(a, b);
    case NODE_BIT_AND:
        return choose_bit_and(a, b);
    case NODE_BIT_OR:
        return choose_bit_or(a, b);
    case NODE_BIT_XOR:
        return choose_bit_xor(a, b);
    case NODE_MIN:
        return choose_min(a, b);
    case NODE_MAX:
        return choose_max(a, b);
    case NODE_CEILDIV:
        return choose_ceildiv(a, b);
    case NODE_GCD:
        return choose_gcd(a, b);
    case NODE_LCM:
        return choose_lcm(a, b);
    case NODE_PLAIN_PLUS:
        return a + b;
    case NODE_PLAIN_MINUS:
        return a - b;
    case NODE_PLAIN_TIMES:
        return a * b;
    case NODE_PLAIN_SHIFT_RIGHT:
        return a >> b;
    case NODE_PLAIN_AND:
        return a & b;
    case NODE_PLAIN_OR:
        return a | b;
    case NODE_LOW_BIT:
        return choose_low_bit(a, b);
    case NODE_SMALL_QUOTIENT:
        return choose_small_quotient(a, b);
    case NODE_SMALL_CEILDIV:
        return choose_small_ceildiv(a, b);
    default:
        return 0;
    }
}

struct size_node {
    enum size_kind kind;
    int64_t number; /* or the number of the size */
    struct size_node *operands[3];
    int64_t least, most;                  /* its value lies between */
    struct size_node *before, *in_bucket; /* the one that was made before, at all and with this hash */
    struct size_node *simpler;            /* what it has become in another graph; NULL: nothing yet */
    struct size_node *assumed;            /* what it is in a case, in the last round that looked at it */
    size_t round;
    size_t mark, value; /* the last list that has it, and its place among the values */
    size_t uses, part;  /* in a text as C: how many others take it, and its number as a constant from 1 on */
};

/* Zeroed with its arena: empty. */
enum { NODE_BUCKETS = 1024 };
struct size_graph {
    struct arena *arena;
    struct size_node *last, *buckets[NODE_BUCKETS]; /* operands were made before what takes them */
    bool failed;                                    /* out of memory: some nodes are NULL */
    size_t rounds;
};

/* The node that is as the one given, an earlier one or a new one. NULL: out of memory, now or before. */
struct size_node *size_graph_node(struct size_graph *graph, enum size_kind kind, int64_t number, struct size_node *a,
                                  struct size_node *b, struct size_node *c);

#endif
