/* Binds an expression: one pass over its code that substitutes known values and drops what they decide. All jumps lead
 * forward; code between a jump and its target is entered by falling through only. */
#include <string.h>

#include "space/expr.h"
#include "space/private.h"

struct folder {
    const struct space *space;
    const struct expr *from;
    struct expr *to;
    struct instruction *code;
    struct expr_place *places;
    struct value *constants;
    size_t count, constant_count;
    size_t barrier;                         /* target of a jump */
    bool always[EXPR_CODE_MAX + 1];         /* this OP_JUMP of `from` is always executed */
    bool target[EXPR_CODE_MAX + 1];         /* this position of `from` is the target of a remaining jump */
    uint16_t places_now[EXPR_CODE_MAX + 1]; /* maps positions of `from` to `to` */
};

static void put(struct folder *folder, size_t at, enum operation operation, uint16_t operand)
{
    folder->places[folder->count] = folder->from->places[at];
    folder->code[folder->count++] = (struct instruction){(uint16_t)operation, operand};
}

static void put_constant(struct folder *folder, size_t at, struct value value)
{
    folder->constants[folder->constant_count] = value;
    put(folder, at, OP_CONSTANT, (uint16_t)folder->constant_count++);
}

/* The value `below` positions under the top, if it and all above it are constants. */
static struct value *constant(struct folder *folder, size_t below)
{
    if (folder->count < folder->barrier + below + 1)
        return NULL;
    for (size_t i = 1; i <= below + 1; i++)
        if (folder->code[folder->count - i].operation != OP_CONSTANT)
            return NULL;
    return &folder->constants[folder->code[folder->count - below - 1].operand];
}

/* Applies an operator. One without a value stays, because it may never be reached. So does the OP_TRUTH that ends the
 * right side of a remaining && or ||: readers of the code rely on it. */
static void apply(struct folder *folder, size_t at, const struct instruction *code)
{
    struct value *top = constant(folder, 0), *left = constant(folder, 1), result;
    if (code->operation >= OP_BINARY_FIRST) {
        if (left && !expr_binary(code->operation, left, top, &result)) {
            *left = result;
            folder->count--;
            return;
        }
    } else if (top && !(code->operation == OP_TRUTH && folder->target[at + 1]) &&
               !expr_unary(code->operation, top, &result)) {
        *top = result;
        return;
    }
    put(folder, at, code->operation, code->operand);
}

/* Returns the next position in `from`. */
static size_t branch(struct folder *folder, size_t at, const struct instruction *code)
{
    struct value *top = constant(folder, 0);
    bool known = top && top->kind != VALUE_WORD;
    if (code->operation == OP_JUMP) {
        if (folder->always[at])
            return code->operand;
    } else if (known && code->operation == OP_JUMP_FALSE) {
        folder->count--;
        if (!value_truth(top))
            return code->operand;
        folder->always[code->operand - 1] = true; /* the OP_JUMP that ends this side */
        return at + 1;
    } else if (known) {
        if (value_truth(top) == (code->operation == OP_AND)) {
            folder->count--;
            return at + 1;
        }
        *top = value_integer(code->operation == OP_OR);
        return code->operand;
    }
    folder->target[code->operand] = true;
    put(folder, at, code->operation, code->operand);
    return at + 1;
}

static size_t step(struct folder *folder, size_t at)
{
    const struct instruction *code = &folder->from->code[at];
    const struct space *space = folder->space;
    switch (code->operation) {
    case OP_CONSTANT:
        put_constant(folder, at, folder->from->constants[code->operand]);
        break;
    case OP_PARAMETER:
        folder->to->parameters |= (uint64_t)1 << code->operand;
        put(folder, at, OP_PARAMETER, code->operand);
        break;
    case OP_PROBLEM:
        put_constant(folder, at, space->problems[code->operand].value);
        break;
    case OP_LIMIT:
        if (space->has_limits) {
            int64_t limit = limit_get(&space->limits, &limit_rows[code->operand]);
            put_constant(folder, at, (struct value){.kind = VALUE_INT, .integer = limit});
        } else {
            folder->to->uses_limits = true;
            put(folder, at, OP_LIMIT, code->operand);
        }
        break;
    case OP_JUMP:
    case OP_JUMP_FALSE:
    case OP_AND:
    case OP_OR:
        return branch(folder, at, code);
    default:
        apply(folder, at, code);
        break;
    }
    return at + 1;
}

int expr_bind(struct space *space, const struct expr *expr, const struct expr **bound, struct error *error)
{
    struct arena *arena = &space->arena;
    size_t count = expr->code_count;
    struct folder folder = {.space = space, .from = expr};
    folder.to = arena_alloc(arena, sizeof *folder.to);
    folder.code = arena_array(arena, count, sizeof *folder.code);
    folder.places = arena_array(arena, count, sizeof *folder.places);
    folder.constants = arena_array(arena, count, sizeof *folder.constants);
    if (!folder.to || !folder.code || !folder.places || !folder.constants)
        return error_memory(error);
    *folder.to = *expr;
    folder.to->parameters = 0;
    folder.to->uses_problems = folder.to->uses_limits = false;
    for (size_t at = 0; at < count;) {
        folder.places_now[at] = (uint16_t)folder.count;
        if (folder.target[at])
            folder.barrier = folder.count;
        at = step(&folder, at);
    }
    folder.places_now[count] = (uint16_t)folder.count;
    for (size_t i = 0; i < folder.count; i++)
        if (folder.code[i].operation > OP_LIMIT && folder.code[i].operation < OP_TRUTH)
            folder.code[i].operand = folder.places_now[folder.code[i].operand];
    folder.to->code = folder.code;
    folder.to->places = folder.places;
    folder.to->constants = folder.constants;
    folder.to->code_count = (uint16_t)folder.count;
    *bound = folder.to;
    return integer_code_make(space, arena, folder.to) ? 0 : error_memory(error);
}
