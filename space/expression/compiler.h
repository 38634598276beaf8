/* Shared by the parts of the expression compiler: compile.c begins and ends, grammar.c parses operators, values and
 * names, emit.c emits code. */
#ifndef CUTUNE_EXPRESSION_COMPILER_H
#define CUTUNE_EXPRESSION_COMPILER_H

#include "expression/expr.h"
#include "expression/list.h"
#include "expression/space_internal.h"

/* Notation of an expression (space/expression/precedence.h). */
struct shape {
    const char *start, *end;            /* its text */
    const char *left_end, *right_start; /* end of the left operand, start of the right one */
    enum operation operation;           /* outermost operation; OP_COUNT: a single operand, or in parentheses */
    bool literal, integer;              /* a literal number; an integer literal */
    double number;
    bool truth;   /* the value is a truth value, 0 or 1 */
    bool flag;    /* the value is 0 or 1, like truth values */
    bool of_flag; /* a `!` whose operand is a flag */
};

/* State of compiling one expression. Operators on constants are evaluated at once. */
struct compiler {
    struct space *space;
    struct lexer *lexer;
    const struct expr_rules *rules;
    struct expr *expr;
    unsigned depth;
    struct expression_graph graph;
    uint32_t node;      /* last node */
    struct shape shape; /* shape of the last node */
    size_t count;
    struct expr_place places[EXPR_PARTS_MAX];
};

/* grammar.c */
int compile_expression(struct compiler *compiler);

/* emit.c */
/* Records ERROR_SYNTAX at a token and returns it. */
int compiler_error(struct compiler *compiler, const struct token *token, const char *message);
/* Each makes a node at the token; it becomes the last node. */
int emit_name(struct compiler *compiler, const struct token *token, enum expr_name kind, size_t index);
int emit_constant(struct compiler *compiler, const struct token *token, struct value value);
/* Applies an operation to `a`, to `a` and `b`, or to both and the last node. */
int emit_node(struct compiler *compiler, const struct token *token, enum operation operation, uint32_t a, uint32_t b);
/* Applies an operation to the last node, or to `left` and the last node; folds constants. */
int emit_operator(struct compiler *compiler, const struct token *token, enum operation operation, uint32_t left);
/* Inserts another expression; all its parts get the token's place. */
int emit_inline(struct compiler *compiler, const struct token *token, const struct expr *named);

#endif
