/* What the parts of the expression compiler share: expr.c reads operators, operand.c values and names, emit.c writes
 * code. */
#ifndef CUTUNE_SPACE_COMPILER_H
#define CUTUNE_SPACE_COMPILER_H

#include "space/expr.h"
#include "space/list.h"
#include "space/private.h"

/* The code of the expression that is being compiled. Numbers and operators on them alone are evaluated at once. */
struct compiler {
    struct space *space;
    struct lexer *lexer;
    const struct expr_rules *rules;
    struct expr *expr;
    unsigned depth, stack;
    size_t barrier; /* a jump leads here: code before it cannot be folded with code behind it */
    size_t count, constant_count;
    struct instruction code[EXPR_CODE_MAX];
    struct expr_place places[EXPR_CODE_MAX];
    struct value constants[EXPR_CODE_MAX];
};

/* expr.c */
int compile_expression(struct compiler *compiler);
/* Records ERROR_SYNTAX at a token and returns it. */
int compiler_error(struct compiler *compiler, const struct token *token, const char *message);
/* Passes over a sign that must be there. */
int compiler_expect(struct compiler *compiler, int sign, const char *what);

/* operand.c */
int compile_primary(struct compiler *compiler);
/* With the '{' behind `in` as the current token: takes the value at the top. */
int compile_set(struct compiler *compiler, const struct token *in);

/* emit.c */
int emit(struct compiler *compiler, const struct token *token, enum operation operation, size_t operand);
int emit_constant(struct compiler *compiler, const struct token *token, struct value value);
/* Emits an operator on the last one or two values. When these are constants it is applied instead. */
int emit_operator(struct compiler *compiler, const struct token *token, enum operation operation);
/* Puts another expression's code here; all of it counts as written at the token. */
int emit_inline(struct compiler *compiler, const struct token *token, const struct expr *named);
/* Sets the operand of a jump to the place that comes next. */
void emit_land(struct compiler *compiler, size_t jump);

#endif
