/* Expressions of the space language: C syntax over 64-bit integers, floats and words, with `in` and `=>` besides. Each
 * is compiled once to postfix code and evaluated without allocating. expr_bind makes the code that is run many times:
 * what the sizes and the device decide is decided there, and integers get code of their own. */
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
    EXPR_DEPTH_MAX = 64,  /* parentheses, signs before a value, `?:` and calls within one another */
    EXPR_STACK_MAX = 256, /* values that wait for their operator */
    EXPR_CODE_MAX = 1024  /* instructions: operators, names and numbers; a name from `let` counts as what it names */
};

struct expr {
    uint16_t code_count;
    uint16_t stack; /* most values at once */
    const struct instruction *code;
    const struct value *constants;
    const struct expr_place *places; /* of each instruction's token */
    bool uses_problems, uses_limits, uses_words;
    uint64_t parameters;                 /* bit p: parameter p occurs */
    const struct integer_code *integers; /* array made by expr_bind; NULL: not bound, or not of integers alone */
    const char *what;                    /* the statement that it belongs to: "require" */
    const char *text;                    /* as written, on one line */
    int line, column;                    /* of its start */
    const struct source_text *source;    /* for the line in errors; outlives the expression */
};

/* What an expression may name besides constants, and why nothing else. */
struct expr_rules {
    bool parameters, problems, limits;
    bool chunk;      /* chunk_length, where the space has a split */
    const char *why; /* hint when it names something else; NULL: it may name everything */
};

/* Compiles the expression that starts at the lexer's current token and leaves the first token behind it as the current
 * one. The lexer's source is kept: it must live as long as the space. `what` is borrowed. Errors go where the lexer's
 * do. */
int expr_compile(struct space *space, struct lexer *lexer, const struct expr_rules *rules, const char *what,
                 const struct expr **expr);

/* The same from a text of cutune's own, which names what a configuration may name. Errors are shown at `place`. The
 * text belongs to the space's arena; NULL is out of memory. */
int expr_compile_made(struct space *space, const char *text, const struct expr *place, const char *what,
                      const struct expr **expr, struct error *error);

/* The condition of `param NAME = ... when CONDITION else VALUE`, which starts at the lexer's current token, compiled
 * to: where it holds, parameter number `parameter` is not `otherwise` (or anything, when the list has that value too,
 * as `listed` says), elsewhere it is `otherwise`. */
int expr_compile_when(struct space *space, struct lexer *lexer, size_t parameter, const struct value *otherwise,
                      bool listed, const struct expr **expr);

/* A part of the file with every run of white space and continued lines as one space. NULL: out of memory. */
const char *expr_one_line(struct arena *arena, const char *start, const char *end);

/* The same expression with the space's problem sizes and limits (as far as they are known) put in, and everything
 * decided that they decide: parameters that only occur where nothing leads any more are not in its mask. Its values and
 * errors are those of `expr`. ERROR_MEMORY otherwise. */
int expr_bind(struct space *space, const struct expr *expr, const struct expr **bound, struct error *error);

/* What names stand for. Problems and limits are the space's. */
struct expr_inputs {
    const struct space *space;
    const struct value *values; /* by parameter */
    size_t bound;               /* the first `bound` parameters have values; they are named in errors */
};

/* ERROR_VALUE at the operator: overflow, division by zero, a float that is not finite, a kind that the operator does
 * not take, a limit while no device is known. */
int expr_eval(const struct expr *expr, const struct expr_inputs *inputs, struct value *result, struct error *error);
/* The same as a truth value: a number other than 0 is true, a word is an error. */
int expr_true(const struct expr *expr, const struct expr_inputs *inputs, bool *result, struct error *error);
/* The same for what must be an integer within least .. most; `thing` names it in the error. */
int expr_integer(const struct expr *expr, const struct expr_inputs *inputs, const char *thing, int64_t least,
                 int64_t most, int64_t *result, struct error *error);
/* An error about the expression's value, at its start, with ", in WHAT at CONFIGURATION" behind the message. */
int expr_error(const struct expr *expr, const struct expr_inputs *inputs, struct error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- Between the compiler and the evaluator ---- */

enum operation {
    OP_CONSTANT, /* operand: number in `constants` */
    OP_PARAMETER,
    OP_PROBLEM,
    OP_LIMIT,
    OP_JUMP,       /* operand: where to */
    OP_JUMP_FALSE, /* takes the condition */
    OP_AND,        /* takes the left side; false: puts 0 and jumps over the right side */
    OP_OR,         /* takes the left side; true: puts 1 and jumps over the right side */
    OP_TRUTH,      /* any number to 0 or 1 */
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

/* Makes expr->integers where it can; the code is bound. False: out of memory. */
bool integer_code_make(const struct space *space, struct arena *arena, struct expr *expr);
/* False when the value is no integer or there is none: then expr_eval's own way says what there is. */
bool integer_code_run(const struct integer_code *code, const struct value *values, const struct expr *expr,
                      int64_t *result);

/* NULL when it went well, else what went wrong, in words. */
typedef const char *expr_fault;
expr_fault expr_unary(enum operation operation, const struct value *a, struct value *result);
expr_fault expr_binary(enum operation operation, const struct value *a, const struct value *b, struct value *result);
/* Writes "16 % 0" or "log2(-1)". */
void expr_operands_text(enum operation operation, const struct value *a, const struct value *b, char *buffer,
                        size_t room);

/* The language's functions, for the table of names. */
extern const char *const expr_functions[];
extern const size_t expr_function_count;

#endif
