#include "expression/compiler.h"

int compiler_error(struct compiler *compiler, const struct token *token, const char *message)
{
    return source_error(compiler->lexer->source, token->line, token->column, compiler->lexer->error, ERROR_SYNTAX, "%s",
                        message);
}

/* Makes a node the last node, at the token's place. */
static int put(struct compiler *compiler, const struct token *token, uint32_t node)
{
    if (compiler->count == EXPR_PARTS_MAX)
        return compiler_error(compiler, token, "the expression is too long: more than 1024 operators and operands");
    if (node == EXPRESSION_NONE)
        return error_memory(compiler->lexer->error);
    compiler->places[compiler->count++] = (struct expr_place){token->line, token->column};
    compiler->node = node;
    return 0;
}

int emit_name(struct compiler *compiler, const struct token *token, enum expr_name kind, size_t index)
{
    return put(compiler, token, expression_name(&compiler->graph, expr_name(kind, index)));
}

int emit_constant(struct compiler *compiler, const struct token *token, struct value value)
{
    return put(compiler, token, expression_constant(&compiler->graph, value));
}

int emit_node(struct compiler *compiler, const struct token *token, enum operation operation, uint32_t a, uint32_t b)
{
    return put(compiler, token, expression_node(&compiler->graph, operation, a, b, compiler->node));
}

int emit_operator(struct compiler *compiler, const struct token *token, enum operation operation, uint32_t left)
{
    const size_t operands = operation_rows[operation].operands;
    const uint32_t a = operands == 2 ? left : compiler->node;
    const struct expression_node *nodes = compiler->graph.nodes;
    if (nodes[a].operation != OP_CONSTANT || nodes[compiler->node].operation != OP_CONSTANT)
        return emit_node(compiler, token, operation, a, compiler->node);
    const struct value left_value = nodes[a].constant, right = nodes[compiler->node].constant;
    struct value result;
    const char *fault = operation_apply(operation, OVERFLOW_FAULTS, &left_value, &right, &right, &result);
    if (fault) {
        char text[2 * VALUE_TEXT_BYTES + 16];
        operation_text(operation, &left_value, &right, text, sizeof text);
        return source_error(compiler->lexer->source, token->line, token->column, compiler->lexer->error, ERROR_VALUE,
                            "%s: %s", fault, text);
    }
    compiler->count -= operands;
    return emit_constant(compiler, token, result);
}

int emit_inline(struct compiler *compiler, const struct token *token, const struct expr *named)
{
    const uint32_t node = expression_copy(&compiler->graph, &named->expression, NULL, NULL);
    for (size_t i = 0; i < named->part_count; i++)
        TRY(put(compiler, token, node));
    compiler->expr->uses_problems |= named->uses_problems;
    compiler->expr->uses_limits |= named->uses_limits;
    return 0;
}
