#include <string.h>

#include "space/compiler.h"

int compiler_error(struct compiler *compiler, const struct token *token, const char *message)
{
    return source_error(compiler->lexer->source, token->line, token->column, compiler->lexer->error, ERROR_SYNTAX, "%s",
                        message);
}

static int push(struct compiler *compiler, const struct token *token)
{
    if (++compiler->stack <= compiler->expr->stack)
        return 0;
    if (compiler->stack > EXPR_STACK_MAX)
        return compiler_error(compiler, token,
                              "the expression is too complex: more than 256 values wait for operators");
    compiler->expr->stack = (uint16_t)compiler->stack;
    return 0;
}

int emit(struct compiler *compiler, const struct token *token, enum operation operation, size_t operand)
{
    if (compiler->count == EXPR_CODE_MAX)
        return compiler_error(compiler, token, "the expression is too long: more than 1024 operators and operands");
    compiler->places[compiler->count] = (struct expr_place){token->line, token->column};
    compiler->code[compiler->count++] = (struct instruction){(uint16_t)operation, (uint16_t)operand};
    if (operation <= OP_LIMIT)
        return push(compiler, token);
    if (operation >= OP_BINARY_FIRST || operation == OP_JUMP_FALSE || operation == OP_AND || operation == OP_OR)
        compiler->stack--;
    return 0;
}

int emit_constant(struct compiler *compiler, const struct token *token, struct value value)
{
    if (compiler->constant_count == EXPR_CODE_MAX) /* folding may leave unused constants */
        return compiler_error(compiler, token, "the expression is too long: more than 1024 constants");
    compiler->constants[compiler->constant_count++] = value;
    return emit(compiler, token, OP_CONSTANT, compiler->constant_count - 1);
}

/* Are the last `count` values constants? */
static bool constants_on_top(const struct compiler *compiler, size_t count)
{
    bool constant = compiler->count >= compiler->barrier + count;
    for (size_t i = 1; constant && i <= count; i++)
        constant = compiler->code[compiler->count - i].operation == OP_CONSTANT;
    return constant;
}

int emit_operator(struct compiler *compiler, const struct token *token, enum operation operation)
{
    size_t operands = operation >= OP_BINARY_FIRST ? 2 : 1;
    if (!constants_on_top(compiler, operands))
        return emit(compiler, token, operation, 0);
    struct value result, *a = &compiler->constants[compiler->code[compiler->count - operands].operand];
    struct value *b = &compiler->constants[compiler->code[compiler->count - 1].operand];
    expr_fault fault = operands == 2 ? expr_binary(operation, a, b, &result) : expr_unary(operation, a, &result);
    if (fault) {
        char text[2 * VALUE_TEXT_BYTES + 16];
        expr_operands_text(operation, a, b, text, sizeof text);
        return source_error(compiler->lexer->source, token->line, token->column, compiler->lexer->error, ERROR_VALUE,
                            "%s: %s", fault, text);
    }
    compiler->count -= operands;
    compiler->stack -= (unsigned)operands;
    compiler->constant_count -= operands == 2 && b == &compiler->constants[compiler->constant_count - 1];
    *a = result;
    compiler->stack++;
    compiler->count++;
    return 0;
}

int emit_inline(struct compiler *compiler, const struct token *token, const struct expr *named)
{
    size_t first = compiler->count;
    unsigned stack = compiler->stack;
    bool jumps = false;
    for (size_t at = 0; at < named->code_count; at++) {
        struct instruction code = named->code[at];
        if (code.operation == OP_CONSTANT) {
            TRY(emit_constant(compiler, token, named->constants[code.operand]));
            continue;
        }
        if (code.operation > OP_LIMIT && code.operation < OP_TRUTH) {
            jumps = true;
            code.operand = (uint16_t)(code.operand + first);
        }
        TRY(emit(compiler, token, code.operation, code.operand));
        if (code.operation == OP_JUMP) /* only one of both values will exist */
            compiler->stack--;
    }
    compiler->stack = stack + 1;
    if (jumps)
        compiler->barrier = compiler->count;
    compiler->expr->parameters |= named->parameters;
    compiler->expr->uses_problems |= named->uses_problems;
    compiler->expr->uses_limits |= named->uses_limits;
    return 0;
}

void emit_land(struct compiler *compiler, size_t jump)
{
    compiler->code[jump].operand = (uint16_t)compiler->count;
    compiler->barrier = compiler->count;
}
