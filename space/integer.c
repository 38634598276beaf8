/* Code for expressions of integers only, besides words that are only compared: three-address instructions whose
 * operands are parameters, constants or positions of the postfix code's stack. Operations without an integer result
 * (overflow, division by zero, the logarithm of 6) fall back to the postfix code, which reports errors. */
#include <string.h>

#include "space/expr.h"
#include "space/list.h"
#include "space/private.h"

/* An operand's location: a kind and a number. Stack positions come first: 0 is always readable. */
enum { ON_STACK = 0, IN_PARAMETERS = 1 << 14, IN_CONSTANTS = 2 << 14, OPERAND_NUMBER = (1 << 14) - 1 };

/* Operations besides those of the postfix code. */
enum { INTEGER_MOVE = OP_COUNT, INTEGER_JUMP_TRUE, INTEGER_RETURN };

struct integer_code {
    uint16_t operation, result, a, b; /* of a jump: `result` is the target */
};

/* ---- Compiling ---- */

/* What is known at compile time about a value on the stack. */
struct operand {
    uint16_t at;
    bool word, truth; /* truth: 0 or 1 */
};

struct translator {
    const struct expr *expr;
    uint64_t integers, words; /* the space's integer_parameters and word_parameters */
    struct integer_code *code;
    size_t count;
    size_t top; /* depth of the stack; stack[top - 1] is the last value */
    struct operand stack[EXPR_STACK_MAX + 1];
    enum join { JOIN_NONE, JOIN_TRUTH, JOIN_ANY } joins[EXPR_CODE_MAX + 1]; /* at each position of the postfix code */
    uint16_t places_now[EXPR_CODE_MAX + 1];                                 /* maps positions of the postfix code */
};

enum { GROWTH = 3 }; /* most instructions for one of the postfix code, including the move before a join */

static void put(struct translator *translator, int operation, size_t result, uint16_t a, uint16_t b)
{
    translator->code[translator->count++] = (struct integer_code){(uint16_t)operation, (uint16_t)result, a, b};
}

/* Makes the last instruction's result the value at the top. */
static void set_top(struct translator *translator, bool truth)
{
    translator->stack[translator->top - 1] = (struct operand){(uint16_t)(translator->top - 1), false, truth};
}

/* Two paths join behind this point: both leave the value in its stack position. The other path comes from `&&` or `||`,
 * which leave a truth value, or from `?:`. */
static void settle(struct translator *translator, enum join join)
{
    struct operand *top = &translator->stack[translator->top - 1];
    if (top->at != translator->top - 1) {
        put(translator, INTEGER_MOVE, translator->top - 1, top->at, top->at);
        top->at = (uint16_t)(translator->top - 1);
    }
    top->truth &= join == JOIN_TRUTH;
}

static bool push(struct translator *translator, const struct instruction *code)
{
    const struct value *constants = translator->expr->constants;
    struct operand *top = &translator->stack[translator->top++];
    if (code->operation == OP_CONSTANT) {
        enum value_kind kind = constants[code->operand].kind;
        *top = (struct operand){(uint16_t)(IN_CONSTANTS | code->operand), kind == VALUE_WORD, false};
        return kind != VALUE_FLOAT; /* the next instruction, OP_IN, takes the set */
    }
    *top = (struct operand){(uint16_t)(IN_PARAMETERS | code->operand), translator->words >> code->operand & 1u, false};
    return code->operation == OP_PARAMETER && ((translator->integers | translator->words) >> code->operand & 1u);
}

/* Translates jumps and OP_TRUTH. Afterwards the stack is as on the fall-through path. */
static bool branch(struct translator *translator, const struct instruction *code)
{
    struct operand *top = &translator->stack[translator->top - 1];
    if (code->operation == OP_JUMP) {
        if (top->word) /* the other side would have to be a word, too */
            return false;
        settle(translator, JOIN_ANY);
        put(translator, OP_JUMP, code->operand, 0, 0);
        translator->joins[code->operand] = JOIN_ANY;
        translator->top--;
        return true;
    }
    if (top->word)
        return false;
    if (code->operation == OP_JUMP_FALSE) {
        put(translator, OP_JUMP_FALSE, code->operand, top->at, 0);
        translator->top--;
        return true;
    }
    if (!top->truth) /* a truth value is already in its position */
        put(translator, OP_TRUTH, translator->top - 1, top->at, top->at);
    set_top(translator, true);
    if (code->operation == OP_TRUTH)
        return true;
    put(translator, code->operation == OP_AND ? OP_JUMP_FALSE : INTEGER_JUMP_TRUE, code->operand, top->at, 0);
    if (translator->joins[code->operand] == JOIN_NONE)
        translator->joins[code->operand] = JOIN_TRUTH;
    translator->top--;
    return true;
}

static bool apply(struct translator *translator, const struct instruction *code)
{
    struct operand *top = &translator->stack[translator->top - 1], *left = top - 1;
    if (code->operation < OP_BINARY_FIRST) {
        put(translator, code->operation, translator->top - 1, top->at, top->at);
        bool word = top->word;
        set_top(translator, code->operation == OP_NOT || code->operation == OP_IS_POW2);
        return !word;
    }
    bool equality = code->operation == OP_EQUAL || code->operation == OP_NOT_EQUAL;
    bool fits = equality ? left->word == top->word && (!top->word || sizeof(char *) == sizeof(int64_t))
                         : !left->word && !top->word;
    put(translator, code->operation, translator->top - 2, left->at, top->at);
    translator->top--;
    set_top(translator, operation_compares(code->operation) || code->operation == OP_IN);
    return fits;
}

/* Returns false if the expression is not of integers only. */
static bool translate(struct translator *translator)
{
    const struct expr *expr = translator->expr;
    for (size_t at = 0; at < expr->code_count; at++) {
        const struct instruction *code = &expr->code[at];
        if (translator->joins[at])
            settle(translator, translator->joins[at]);
        translator->places_now[at] = (uint16_t)translator->count;
        if (!(code->operation <= OP_LIMIT   ? push(translator, code)
              : code->operation <= OP_TRUTH ? branch(translator, code)
                                            : apply(translator, code)))
            return false;
    }
    if (translator->joins[expr->code_count])
        settle(translator, translator->joins[expr->code_count]);
    translator->places_now[expr->code_count] = (uint16_t)translator->count;
    put(translator, INTEGER_RETURN, 0, translator->stack[0].at, translator->stack[0].at);
    for (size_t i = 0; i < translator->count; i++) {
        struct integer_code *code = &translator->code[i];
        if (code->operation == OP_JUMP || code->operation == OP_JUMP_FALSE || code->operation == INTEGER_JUMP_TRUE)
            code->result = translator->places_now[code->result];
    }
    return !translator->stack[0].word;
}

bool integer_code_make(const struct space *space, struct arena *arena, struct expr *expr)
{
    struct integer_code code[GROWTH * EXPR_CODE_MAX + 2];
    struct translator translator = {.expr = expr,
                                    .integers = space->private->integer_parameters,
                                    .words = space->private->word_parameters,
                                    .code = code};
    expr->integers = NULL;
    if (!translate(&translator))
        return true;
    struct integer_code *made = arena_array(arena, translator.count, sizeof *code);
    if (!made)
        return false;
    memcpy(made, code, translator.count * sizeof *code);
    expr->integers = made;
    return true;
}

/* ---- Running ---- */

/* Rare operations use the functions of the postfix code. */
static bool rare(enum operation operation, int64_t a, int64_t b, int64_t *result)
{
    const struct value left = {.kind = VALUE_INT, .integer = a}, right = {.kind = VALUE_INT, .integer = b};
    struct value value;
    if (operation < OP_BINARY_FIRST ? expr_unary(operation, &left, &value)
                                    : expr_binary(operation, &left, &right, &value))
        return false;
    *result = value.integer;
    return value.kind == VALUE_INT;
}

/* Divides; operands that fit 32 bits are several times faster. */
static bool divide(enum operation operation, int64_t a, int64_t b, int64_t *result)
{
    if ((((uint64_t)a | (uint64_t)b) >> 32) != 0 || b == 0)
        return rare(operation, a, b, result);
    uint32_t dividend = (uint32_t)a, divisor = (uint32_t)b;
    *result = operation == OP_REMAINDER ? dividend % divisor
                                        : dividend / divisor + (operation == OP_CEILDIV && dividend % divisor != 0);
    return true;
}

/* Executes an instruction with two operands, except jumps. */
static inline bool calculate(enum operation operation, int64_t a, int64_t b, int64_t *result)
{
    switch (operation) {
    case OP_ADD:
        return !__builtin_add_overflow(a, b, result);
    case OP_SUBTRACT:
        return !__builtin_sub_overflow(a, b, result);
    case OP_MULTIPLY:
        return !__builtin_mul_overflow(a, b, result);
    case OP_DIVIDE:
    case OP_REMAINDER:
    case OP_CEILDIV:
        return divide(operation, a, b, result);
    case OP_EQUAL:
        *result = a == b;
        return true;
    case OP_NOT_EQUAL:
        *result = a != b;
        return true;
    case OP_LESS:
        *result = a < b;
        return true;
    case OP_LESS_EQUAL:
        *result = a <= b;
        return true;
    case OP_GREATER:
        *result = a > b;
        return true;
    case OP_GREATER_EQUAL:
        *result = a >= b;
        return true;
    case OP_NOT:
        *result = !a;
        return true;
    default:
        return rare(operation, a, b, result);
    }
}

bool integer_code_run(const struct integer_code *code, const struct value *values, const struct expr *expr,
                      int64_t *result)
{
    struct value stack[EXPR_STACK_MAX + 1];
    const struct value *const bases[] = {stack, values, expr->constants};
    const struct integer_code *at = code;
    stack[0].integer = 0; /* jumps read it */
    for (;;) {
        const int64_t a = bases[at->a >> 14][at->a & OPERAND_NUMBER].integer;
        int operation = at->operation;
        if (operation == OP_IN) {
            const struct value value = {.kind = VALUE_INT, .integer = a};
            stack[at->result].integer = value_set_has(expr->constants[at->b & OPERAND_NUMBER].set, &value);
        } else if (operation >= OP_UNARY_FIRST && operation < OP_COUNT) {
            const int64_t b = bases[at->b >> 14][at->b & OPERAND_NUMBER].integer;
            if (!calculate((enum operation)operation, a, b, &stack[at->result].integer))
                return false;
        } else if (operation == INTEGER_RETURN) {
            *result = a;
            return true;
        } else if (operation == OP_JUMP || (operation == OP_JUMP_FALSE && !a) ||
                   (operation == INTEGER_JUMP_TRUE && a)) {
            at = code + at->result;
            continue;
        } else if (operation == OP_TRUTH) {
            stack[at->result].integer = a != 0;
        } else if (operation == INTEGER_MOVE) {
            stack[at->result].integer = a;
        }
        at++;
    }
}
