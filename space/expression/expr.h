/* Expressions of the space language: C syntax over 64-bit integers, floats and words, plus `in` and `=>`. Parsed to
 * graphs (base/expression.h). expr_bind specialises those that are evaluated often: it folds what sizes and device
 * determine. */
#ifndef CUTUNE_EXPRESSION_EXPR_H
#define CUTUNE_EXPRESSION_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/expression.h"
#include "expression/lexer.h"
#include "space/space.h"

enum {
    EXPR_DEPTH_MAX = 64,  /* nesting of parentheses, signs before a value, `?:` and calls */
    EXPR_PARTS_MAX = 1024 /* operators, names and numbers; a name from `let` counts as its expression */
};

/* Kinds of the graph's names, which combine a kind and an index. Names of parameters equal their indices. */
enum expr_name { EXPR_PARAMETER, EXPR_PROBLEM, EXPR_LIMIT, EXPR_COUNTER };
static inline uint32_t expr_name(enum expr_name kind, size_t index)
{
    return (uint32_t)kind << 16 | (uint32_t)index;
}
static inline enum expr_name expr_name_kind(uint32_t name)
{
    return (enum expr_name)(name >> 16);
}
static inline size_t expr_name_index(uint32_t name)
{
    return name & 0xffff;
}

struct expr {
    struct expression expression;
    const struct expr *written;      /* the unbound expression; NULL: this expression is not bound */
    const struct expr_place *places; /* of the tokens of all parts in evaluation order, repeated parts included; a bound
                                        expression has the places of `written` */
    size_t part_count;               /* number of places */
    bool uses_problems, uses_limits, uses_words;
    uint64_t parameters;              /* bit p: parameter p occurs */
    unsigned counters;                /* bit d: the counter of the loop at depth d occurs */
    const char *what;                 /* its statement: "require" */
    const char *text;                 /* source text on one line */
    int line, column;                 /* of its start */
    const struct source_text *source; /* to quote the line in errors; outlives the expression */
};

struct expr_place {
    int line, column;
};

/* The last node, which is the expression's value. */
static inline const struct expression_node *expr_root(const struct expr *expr)
{
    return &expr->expression.nodes[expr->expression.count - 1];
}

/* Names that an expression may use besides constants, and the explanation for others. */
struct expr_rules {
    bool parameters, problems, limits;
    bool chunk;      /* chunk_length, if the space has a split */
    const char *why; /* hint for other names; NULL: all are allowed */
};

/* Compiles the expression at the lexer's current token and makes the first token behind it current. Keeps the lexer's
 * source, which must live as long as the space. Borrows `what`. Reports errors where the lexer does. */
int expr_compile(struct space *space, struct lexer *lexer, const struct expr_rules *rules, const char *what,
                 const struct expr **expr);

/* Same from a generated text, which may use the names of a configuration. Shows errors at `place`. The text belongs to
 * the space's arena; NULL stands for out of memory. */
int expr_compile_made(struct space *space, const char *text, const struct expr *place, const char *what,
                      const struct expr **expr, struct error *error);

/* Compiles the condition of `param NAME = ... when CONDITION else VALUE`, at the lexer's current token, to a
 * constraint: where the condition holds, parameter `parameter` is not `otherwise` (or anything, if the list contains
 * it: `listed`); elsewhere it is `otherwise`. */
int expr_compile_when(struct space *space, struct lexer *lexer, size_t parameter, const struct value *otherwise,
                      bool listed, const struct expr **expr);

/* Specialises an expression: replaces problem sizes and known limits by their values, and folds. Parameters that only
 * occur in unreachable code leave its mask. Values and errors stay those of `expr`. Fails with ERROR_MEMORY. */
int expr_bind(struct space *space, const struct expr *expr, const struct expr **bound, struct error *error);

/* Values of names. Problems and limits come from the space. */
struct expr_inputs {
    const struct space *space;
    const struct value *values; /* by parameter */
    size_t bound;               /* the first `bound` parameters have values, which errors show */
    const struct loop *loop;    /* the innermost loop around the expression, whose counters have values; NULL: none */
    int64_t counters[SPACE_LOOP_DEPTH_MAX]; /* by depth */
};

/* True if the expression, if any, names a counter. */
static inline bool expr_counts(const struct expr *expr)
{
    return expr && expr->counters;
}

/* Evaluates an expression. ERROR_VALUE at the operator for overflow, division by zero, a non-finite float, an
 * unsuitable kind of value, or a limit without a known device. */
int expr_eval(const struct expr *expr, const struct expr_inputs *inputs, struct value *result, struct error *error);
/* Same as a truth value: numbers other than 0 are true, words are errors. */
int expr_true(const struct expr *expr, const struct expr_inputs *inputs, bool *result, struct error *error);
/* Same for an integer that must be within least .. most; `thing` names it in the error. */
int expr_integer(const struct expr *expr, const struct expr_inputs *inputs, const char *thing, int64_t least,
                 int64_t most, int64_t *result, struct error *error);
/* Records an error about the expression's value at its start, appending ", in WHAT at CONFIGURATION". */
int expr_error(const struct expr *expr, const struct expr_inputs *inputs, struct error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The language's functions, for the table of names and the manual. */
struct expr_function {
    const char *name, *usage, *meaning;
    enum operation operation; /* OP_CONSTANT: sizeof */
};
extern const struct expr_function expr_functions[];
extern const size_t expr_function_count;

/* The operators for the manual: a row for each precedence, the tightest first. */
struct expr_operators {
    const char *signs, *meaning;
};
extern const struct expr_operators expr_operators[];
extern const size_t expr_operators_count;

#endif
