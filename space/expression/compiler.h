/* Shared by the parts of the expression compiler: grammar.c parses operators, values and names, emit.c emits
 * code. */
#ifndef CUTUNE_EXPRESSION_COMPILER_H
#define CUTUNE_EXPRESSION_COMPILER_H

#include "expression/expr.h"
#include "expression/list.h"
#include "expression/space_internal.h"

/* How an expression is written (space/expression/precedence.h). */
struct shape {
    const char *start, *end;            /* its text */
    const char *left_end, *right_start; /* of a unary or binary operator: where its operands end and begin */
    enum operation operation;           /* the outermost; OP_COUNT: a single operand, or in parentheses */
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
    unsigned depth;
    struct expression_graph graph;
    uint32_t node;      /* what has been compiled last */
    struct shape shape; /* of that */
    size_t count;
    struct expr_place places[EXPR_PARTS_MAX];
};

/* grammar.c */
int compile_expression(struct compiler *compiler);

/* emit.c */
/* Records ERROR_SYNTAX at a token and returns it. */
int compiler_error(struct compiler *compiler, const struct token *token, const char *message);
/* Each makes a node, the last one, which occurs at the token. */
int emit_name(struct compiler *compiler, const struct token *token, enum expr_name kind, size_t index);
int emit_constant(struct compiler *compiler, const struct token *token, struct value value);
/* Of an operation: of `a`, of `a` and `b`, or of these and the last node. */
int emit_node(struct compiler *compiler, const struct token *token, enum operation operation, uint32_t a, uint32_t b);
/* Of an operation of the last node, or of `left` and that one. Applies it at once if these are constants. */
int emit_operator(struct compiler *compiler, const struct token *token, enum operation operation, uint32_t left);
/* Of another expression, all of which gets the token's place. */
int emit_inline(struct compiler *compiler, const struct token *token, const struct expr *named);

#endif
