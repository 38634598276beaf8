/* Rejects expressions that most people read in another way than C, and therefore the language, parses them. Examples:
 * comparisons in a row, `!` and bit operators before a comparison, a number as a condition, `^` for a power.
 * Parentheses resolve the ambiguity. */
#ifndef CUTUNE_EXPRESSION_PRECEDENCE_H
#define CUTUNE_EXPRESSION_PRECEDENCE_H

#include "expression/compiler.h"

/* Shape of an operand: a name, a number, a call, or an expression in parentheses. The current token is behind the
 * operand; `first` is its first token. */
struct shape shape_operand(const struct compiler *compiler, const struct token *first);

/* Each function combines the shapes of operands into the shape of the operator at `token`. A misleading expression is
 * ERROR_SYNTAX, with the cure. */
int shape_unary(struct compiler *compiler, const struct token *token, enum operation operation, struct shape *shape);
int shape_binary(struct compiler *compiler, const struct token *token, enum operation operation, struct shape *left,
                 const struct shape *right);
/* `conditional` is the condition on entry, and the whole expression on return. */
int shape_conditional(struct compiler *compiler, const struct token *token, struct shape *conditional,
                      const struct shape *then, const struct shape *otherwise);
/* `A => B` */
int shape_implication(struct compiler *compiler, const struct token *token, struct shape *left,
                      const struct shape *right);

#endif
