/* Expressions of the space language: C syntax over 64-bit integers, floats and words, plus `in` and `=>`. Compiled once
 * to postfix code and evaluated without allocation. expr_bind specialises code that runs often: it evaluates what sizes
 * and device determine, and compiles integer expressions further. */
#ifndef CUTUNE_SPACE_EXPR_H
#define CUTUNE_SPACE_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "space/lexer.h"
#include "space/space.h"
#include "space/value.h"

enum {
    EXPR_DEPTH_MAX = 64,  /* nesting of parentheses, signs before a value, `?:` and calls */
    EXPR_STACK_MAX = 256, /* values waiting for their operator */
    EXPR_CODE_MAX = 1024  /* instructions: operators, names and numbers; a name from `let` counts as its expression */
};

struct expr {
    uint16_t code_count;
    uint16_t stack; /* greatest depth */
    const struct instruction *code;
    const struct value *constants;
    const struct expr_place *places; /* position of each instruction's token */
    bool uses_problems, uses_limits, uses_words;
    uint64_t parameters;                 /* bit p: parameter p occurs */
    const struct integer_code *integers; /* array made by expr_bind; NULL: not bound, or not of integers only */
    const char *what;                    /* its statement: "require" */
    const char *text;                    /* source text on one line */
    int line, column;                    /* of its start */
    const struct source_text *source;    /* to quote the line in errors; outlives the expression */
};

/* Which names an expression may use besides constants, and the explanation for others. */
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

/* Copies a part of the file with each run of white space and continuations as one space. NULL when out of memory. */
const char *expr_one_line(struct arena *arena, const char *start, const char *end);

/* Specialises an expression for the space's problem sizes and known limits, and folds what they decide: parameters that
 * only occur in unreachable code leave its mask. Values and errors stay those of `expr`. Fails with ERROR_MEMORY. */
int expr_bind(struct space *space, const struct expr *expr, const struct expr **bound, struct error *error);

/* Values of names. Problems and limits come from the space. */
struct expr_inputs {
    const struct space *space;
    const struct value *values; /* by parameter */
    size_t bound;               /* the first `bound` parameters have values, which errors show */
};

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

/* ---- Internal: shared by the compiler and the evaluator ---- */

enum operation {
    OP_CONSTANT, /* operand: index into `constants` */
    OP_PARAMETER,
    OP_PROBLEM,
    OP_LIMIT,
    OP_JUMP,       /* operand: target */
    OP_JUMP_FALSE, /* pops the condition */
    OP_AND,        /* pops the left side; if false, pushes 0 and jumps over the right side */
    OP_OR,         /* pops the left side; if true, pushes 1 and jumps over the right side */
    OP_TRUTH,      /* converts a number to 0 or 1 */
    OP_UNARY_FIRST,
    OP_NOT = OP_UNARY_FIRST,
    OP_COMPLEMENT,
    OP_NEGATE,
    OP_ABS,
    OP_LOG2,
    OP_IS_POW2,
    OP_BINARY_FIRST,
    OP_ADD = OP_BINARY_FIRST,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_REMAINDER,
    OP_SHIFT_LEFT,
    OP_SHIFT_RIGHT,
    OP_BIT_AND,
    OP_BIT_OR,
    OP_BIT_XOR,
    OP_EQUAL,
    OP_NOT_EQUAL,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_GREATER,
    OP_GREATER_EQUAL,
    OP_MIN,
    OP_MAX,
    OP_CEILDIV,
    OP_GCD,
    OP_LCM,
    OP_IN, /* the right side is a VALUE_SET */
    OP_COUNT
};

/* == != < <= > >= */
static inline bool operation_compares(unsigned operation)
{
    return operation >= OP_EQUAL && operation <= OP_GREATER_EQUAL;
}

struct instruction {
    uint16_t operation, operand;
};

struct expr_place {
    int line, column;
};

/* Makes expr->integers from bound code if possible. False when out of memory. */
bool integer_code_make(const struct space *space, struct arena *arena, struct expr *expr);
/* False if the result is not an integer or does not exist: expr_eval gives the value or the error. */
bool integer_code_run(const struct integer_code *code, const struct value *values, const struct expr *expr,
                      int64_t *result);

/* operators.c: NULL on success, otherwise a message. */
typedef const char *expr_fault;
expr_fault expr_unary(enum operation operation, const struct value *a, struct value *result);
expr_fault expr_binary(enum operation operation, const struct value *a, const struct value *b, struct value *result);
/* Writes the operation with its operands: "16 % 0" or "log2(-1)". */
void expr_operands_text(enum operation operation, const struct value *a, const struct value *b, char *buffer,
                        size_t room);

/* The language's functions, for the table of names and the manual. */
struct expr_function {
    const char *name, *usage, *meaning;
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
