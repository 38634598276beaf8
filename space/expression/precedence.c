#include "expression/precedence.h"

#include <string.h>

/* ---- Shapes ---- */

static bool gives_truth(const struct compiler *compiler, uint32_t number)
{
    const struct expression_node *node = &compiler->graph.nodes[number];
    return operation_gives_truth(node->operation) ||
           (node->operation == OP_CHOOSE && gives_truth(compiler, node->operands[1]) &&
            gives_truth(compiler, node->operands[2]));
}

/* True if all values of the parameter are 0 or 1. */
static bool is_flag(const struct parameter *parameter)
{
    for (size_t i = 0; i < parameter->value_count; i++)
        if (parameter->values[i].kind != VALUE_INT || parameter->values[i].integer >> 1)
            return false;
    return true;
}

struct shape shape_operand(const struct compiler *compiler, const struct token *first)
{
    const struct expression_node *last = &compiler->graph.nodes[compiler->node];
    const bool names = last->operation == OP_NAME && expr_name_kind(last->operands[0]) == EXPR_PARAMETER;
    struct shape shape = {.start = first->start, .end = compiler->lexer->consumed, .operation = OP_COUNT};
    shape.literal = first->kind == TOKEN_INT || first->kind == TOKEN_FLOAT;
    shape.integer = first->kind == TOKEN_INT;
    shape.number = first->kind == TOKEN_INT ? (double)first->integer : first->real;
    if (first->kind == TOKEN_SIGN) { /* an expression in parentheses keeps its shape */
        shape.truth = compiler->shape.truth;
        shape.flag = compiler->shape.flag;
    } else {
        shape.truth = gives_truth(compiler, compiler->node);
        shape.flag =
            shape.truth || (names && is_flag(&compiler->space->parameters[expr_name_index(last->operands[0])]));
    }
    return shape;
}

static bool is_comparison(enum operation operation)
{
    return operation_compares(operation) || operation == OP_IN;
}

static bool is_bits(enum operation operation)
{
    return operation == OP_BIT_AND || operation == OP_BIT_XOR || operation == OP_BIT_OR;
}

static bool is_shift(enum operation operation)
{
    return operation == OP_SHIFT_LEFT || operation == OP_SHIFT_RIGHT;
}

static bool is_sum(enum operation operation)
{
    return operation == OP_ADD || operation == OP_SUBTRACT;
}

/* True if the operand is a number, but not a truth value. */
static bool is_number(const struct shape *shape)
{
    return shape->literal && shape->number != 0 && shape->number != 1;
}

/* ---- Errors ---- */

/* Quotes a part of the text on one line. */
static const char *quote(struct compiler *compiler, const char *start, const char *end)
{
    while (end > start && strchr(" \t\r\n\\", end[-1]))
        end--;
    const char *text = source_one_line(&compiler->space->arena, start, end);
    return text ? text : "";
}

static const char *text_of(struct compiler *compiler, const struct shape *shape)
{
    return quote(compiler, shape->start, shape->end);
}

static int misleads(struct compiler *compiler, const struct token *token, const char *message, const char *cure)
{
    struct lexer *lexer = compiler->lexer;
    if (!message || !cure)
        return error_memory(lexer->error);
    int code = source_error(lexer->source, token->line, token->column, lexer->error, ERROR_SYNTAX, "%s", message);
    error_hint(lexer->error, "%s", cure);
    return code;
}

#define SAY(...) arena_printf(&compiler->space->arena, __VA_ARGS__)

/* Reports a misleading grouping; `meant` and `read` are complete expressions. */
static int grouped(struct compiler *compiler, const struct token *token, const char *whole, const char *read,
                   const char *meant)
{
    if (!read || !meant)
        return error_memory(compiler->lexer->error);
    return misleads(compiler, token, SAY("'%s' is read as '%s'", whole, read),
                    SAY("write %s; or %s, if that is meant", meant, read));
}

/* A binary operator with its operands. */
struct pair {
    struct compiler *compiler;
    const struct token *token;
    enum operation operation;
    const struct shape *left, *right;
};

static const char *whole_of(const struct pair *pair)
{
    return quote(pair->compiler, pair->left->start, pair->right->end);
}

static const char *sign_of(const struct pair *pair)
{
    return quote(pair->compiler, pair->token->start, pair->right->start);
}

/* A < B < C */
static int chain(const struct pair *pair)
{
    struct compiler *compiler = pair->compiler;
    const struct shape *left = pair->left, *right = pair->right;
    const char *sign = sign_of(pair), *a = text_of(compiler, left), *b = text_of(compiler, right);
    bool left_compares = is_comparison(left->operation), both = left_compares && is_comparison(right->operation);
    const char *read = both            ? SAY("(%s) %s (%s)", a, sign, b)
                       : left_compares ? SAY("(%s) %s %s", a, sign, b)
                                       : SAY("%s %s (%s)", a, sign, b);
    const char *meant = both ? SAY("%s && %s", a, b)
                        : left_compares
                            ? SAY("%s && %s %s %s", a, quote(compiler, left->right_start, left->end), sign, b)
                            : SAY("%s %s %s && %s", a, sign, quote(compiler, right->start, right->left_end), b);
    return grouped(compiler, pair->token, whole_of(pair), read, meant);
}

/* A & B == C, or A << B + C: one operand is an expression whose operator binds tighter. */
static int regrouped(const struct pair *pair, bool of_right)
{
    struct compiler *compiler = pair->compiler;
    const struct shape *left = pair->left, *right = pair->right;
    const char *sign = sign_of(pair), *a = text_of(compiler, left), *b = text_of(compiler, right);
    if (of_right)
        return grouped(compiler, pair->token, whole_of(pair), SAY("%s %s (%s)", a, sign, b),
                       SAY("(%s %s %s) %s", a, sign, quote(compiler, right->start, right->left_end),
                           quote(compiler, right->left_end, right->end)));
    return grouped(compiler, pair->token, whole_of(pair), SAY("(%s) %s %s", a, sign, b),
                   SAY("%s (%s %s %s)", quote(compiler, left->start, left->right_start),
                       quote(compiler, left->right_start, left->end), sign, b));
}

/* ---- Rules ---- */

/* True if the `!` before the left operand seems to negate the whole expression. */
static bool negation_misleads(const struct pair *pair)
{
    const struct shape *left = pair->left, *right = pair->right;
    enum operation operation = pair->operation;
    if (left->operation != OP_NOT)
        return false;
    if (operation == OP_REMAINDER || operation == OP_DIVIDE)
        return true;
    if (operation != OP_BIT_AND && operation != OP_EQUAL && operation != OP_NOT_EQUAL)
        return is_comparison(operation);
    bool same =
        right->literal && (right->number == 0 || (right->number == 1 && left->of_flag)); /* both readings agree */
    return !right->flag && (operation == OP_BIT_AND || !same);
}

/* Checks for surprising groups of operands. */
static int check_groups(const struct pair *pair)
{
    struct compiler *compiler = pair->compiler;
    const struct shape *left = pair->left, *right = pair->right;
    bool a = is_comparison(left->operation), b = is_comparison(right->operation);
    const struct shape *other = a ? right : left;
    if (is_comparison(pair->operation) && (a || b))
        return chain(pair);
    if (negation_misleads(pair))
        return grouped(compiler, pair->token, whole_of(pair),
                       SAY("(%s) %s", text_of(compiler, left), quote(compiler, pair->token->start, right->end)),
                       SAY("!(%s)", quote(compiler, left->right_start, right->end)));
    if (is_bits(pair->operation) && (a || b) && !other->truth) /* clear for truth values */
        return regrouped(pair, b);
    if (is_shift(pair->operation) && (is_sum(left->operation) || is_sum(right->operation)))
        return regrouped(pair, is_sum(right->operation));
    return 0;
}

static int always_true(const struct pair *pair)
{
    struct compiler *compiler = pair->compiler;
    const struct shape *left = pair->left, *right = pair->right;
    const char *number = text_of(compiler, is_number(right) ? right : left);
    bool compared = is_number(right) && operation_compares(left->operation);
    return misleads(compiler, pair->token, SAY("'%s' in '%s' is always true", number, whole_of(pair)),
                    compared ? SAY("write %s %s %s %s", text_of(compiler, left), sign_of(pair),
                                   quote(compiler, left->start, left->right_start), number)
                             : SAY("write a condition on each side of %s", sign_of(pair)));
}

/* True for decimal numbers that are usually bases or exponents. */
static bool is_power(const struct shape *left, const struct shape *right)
{
    bool base = left->literal && (left->number == 2 || left->number == 10) && left->start[1] != 'x';
    bool exponent = right->literal && (right->number == 2 || right->number == 3) && right->start[1] != 'x';
    return base || exponent;
}

static int no_power(const struct pair *pair)
{
    struct compiler *compiler = pair->compiler;
    const char *a = text_of(compiler, pair->left), *b = text_of(compiler, pair->right);
    const char *cure = !pair->left->literal      ? SAY("write a product; or %s ^ (%s), if that is meant", a, b)
                       : pair->left->number == 2 ? SAY("write 1 << %s; or (%s) ^ %s, if that is meant", b, a, b)
                                                 : SAY("write a product; or (%s) ^ %s, if that is meant", a, b);
    return misleads(compiler, pair->token, SAY("'%s' is the exclusive or of all bits, not a power", whole_of(pair)),
                    cure);
}

static bool is_zero_quotient(const struct shape *left, const struct shape *right)
{
    return left->integer && right->integer && left->number > 0 && left->number < right->number;
}

/* Checks for surprising operands. */
static int check_operands(const struct pair *pair)
{
    struct compiler *compiler = pair->compiler;
    const struct shape *left = pair->left, *right = pair->right;
    if ((pair->operation == OP_AND || pair->operation == OP_OR) && (is_number(left) || is_number(right)))
        return always_true(pair);
    if (pair->operation == OP_BIT_XOR && is_power(left, right))
        return no_power(pair);
    if (pair->operation == OP_DIVIDE && is_zero_quotient(left, right))
        return misleads(compiler, pair->token, SAY("'%s' is 0: the quotient of integers is an integer", whole_of(pair)),
                        SAY("write %s.0 / %s, or divide last", text_of(compiler, left), text_of(compiler, right)));
    return 0;
}

int shape_binary(struct compiler *compiler, const struct token *token, enum operation operation, struct shape *left,
                 const struct shape *right)
{
    const struct pair pair = {compiler, token, operation, left, right};
    TRY(check_groups(&pair));
    TRY(check_operands(&pair));
    bool truth = is_comparison(operation) || operation == OP_AND || operation == OP_OR;
    *left = (struct shape){.start = left->start,
                           .end = right->end,
                           .left_end = left->end,
                           .right_start = right->start,
                           .operation = operation,
                           .truth = truth,
                           .flag = truth};
    return 0;
}

int shape_unary(struct compiler *compiler, const struct token *token, enum operation operation, struct shape *shape)
{
    if (operation == OP_COMPLEMENT && shape->truth) {
        const char *operand = text_of(compiler, shape);
        return misleads(compiler, token, SAY("'~%s' is never 0: it is the complement of all bits of 0 or 1", operand),
                        SAY("write !%s", operand));
    }
    bool literal = operation == OP_NEGATE && shape->literal;
    *shape = (struct shape){.start = token->start,
                            .end = shape->end,
                            .left_end = token->start,
                            .right_start = shape->start,
                            .operation = literal ? OP_COUNT : operation,
                            .literal = literal,
                            .integer = literal && shape->integer,
                            .number = -shape->number,
                            .truth = operation == OP_NOT,
                            .flag = operation == OP_NOT,
                            .of_flag = shape->flag};
    return 0;
}

int shape_conditional(struct compiler *compiler, const struct token *token, struct shape *conditional,
                      const struct shape *then, const struct shape *otherwise)
{
    enum operation top = conditional->operation, last = otherwise->operation;
    const struct pair pair = {compiler, token, OP_CHOOSE, conditional, otherwise};
    bool truth = then->flag || (then->literal && !is_number(then));
    if (is_sum(top) || is_shift(top) || top == OP_MULTIPLY || top == OP_DIVIDE)
        return grouped(compiler, token, whole_of(&pair),
                       SAY("(%s) %s", text_of(compiler, conditional), quote(compiler, token->start, otherwise->end)),
                       SAY("%s (%s)", quote(compiler, conditional->start, conditional->right_start),
                           quote(compiler, conditional->right_start, otherwise->end)));
    if (!truth && (is_comparison(last) || last == OP_AND || last == OP_OR))
        return grouped(
            compiler, token, whole_of(&pair),
            SAY("%s (%s)", quote(compiler, conditional->start, otherwise->start), text_of(compiler, otherwise)),
            SAY("(%s) %s", quote(compiler, conditional->start, otherwise->left_end),
                quote(compiler, otherwise->left_end, otherwise->end)));
    *conditional = (struct shape){.start = conditional->start,
                                  .end = otherwise->end,
                                  .operation = OP_CHOOSE,
                                  .truth = then->truth && otherwise->truth,
                                  .flag = then->flag && otherwise->flag};
    return 0;
}

static bool may_be_condition(const struct shape *shape)
{
    return shape->flag || shape->operation == OP_CHOOSE || (shape->literal && !is_number(shape));
}

int shape_implication(struct compiler *compiler, const struct token *token, struct shape *left,
                      const struct shape *right)
{
    const struct pair pair = {compiler, token, OP_OR, left, right};
    if (is_number(left) || is_number(right) || (!may_be_condition(left) && !may_be_condition(right)))
        return misleads(compiler, token, SAY("'%s' is an implication, and between numbers", whole_of(&pair)),
                        SAY("write %s >= %s; or conditions on both sides of =>", text_of(compiler, left),
                            text_of(compiler, right)));
    *left =
        (struct shape){.start = left->start, .end = right->end, .operation = OP_CHOOSE, .truth = true, .flag = true};
    return 0;
}
