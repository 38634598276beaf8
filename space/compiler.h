/* Shared by the parts of the expression compiler: expr.c parses operators, operand.c values and names, emit.c emits
 * code. */
#ifndef CUTUNE_SPACE_COMPILER_H
#define CUTUNE_SPACE_COMPILER_H

#include "space/expr.h"
#include "space/list.h"
#include "space/private.h"

/* How an expression is written (space/precedence.h). */
struct shape {
    const char *start, *end;            /* its text */
    const char *left_end, *right_start; /* of a unary or binary operator: where its operands end and begin */
    enum operation operation;           /* the outermost; OP_JUMP: ?:, OP_COUNT: a single operand, or in parentheses */
    bool literal, integer;              /* a number as such; an integer */
    double number;
    bool truth;   /* 0 or 1, being a truth value */
    bool flag;    /* 0 or 1, like all truth values */
    bool of_flag; /* of a `!`: its operand is a flag */
};

/* State of compiling one expression. Operators on constants are evaluated at once. */
struct compiler {
    struct space *space;
    struct lexer *lexer;
    const struct expr_rules *rules;
    struct expr *expr;
    unsigned depth, stack;
    struct shape shape; /* of what has been compiled last */
    size_t barrier;     /* target of a jump: code before it must not be folded with code behind it */
    size_t count, constant_count;
    struct instruction code[EXPR_CODE_MAX];
    struct expr_place places[EXPR_CODE_MAX];
    struct value constants[EXPR_CODE_MAX];
};

/* expr.c */
int compile_expression(struct compiler *compiler);
/* Skips a required sign. */
int compiler_expect(struct compiler *compiler, int sign, const char *what);

/* operand.c */
int compile_primary(struct compiler *compiler);
/* Compiles the set of an `in`. The current token is the '{'. Consumes the value at the top of the stack. */
int compile_set(struct compiler *compiler, const struct token *in);

/* emit.c */
/* Records ERROR_SYNTAX at a token and returns it. */
int compiler_error(struct compiler *compiler, const struct token *token, const char *message);
int emit(struct compiler *compiler, const struct token *token, enum operation operation, size_t operand);
int emit_constant(struct compiler *compiler, const struct token *token, struct value value);
/* Emits an operator on the last one or two values, or applies it at once if these are constants. */
int emit_operator(struct compiler *compiler, const struct token *token, enum operation operation);
/* Inserts another expression's code; all of it gets the token's position. */
int emit_inline(struct compiler *compiler, const struct token *token, const struct expr *named);
/* Sets the operand of a jump to the current end of the code. */
void emit_land(struct compiler *compiler, size_t jump);

#endif
