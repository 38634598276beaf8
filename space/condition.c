#include "space/condition.h"

#include <stdlib.h>
#include <string.h>

#include "base/architecture.h"
#include "base/arena.h"
#include "base/array.h"
#include "space/demand.h"
#include "space/expr.h"
#include "space/list.h"
#include "space/private.h"

/* A number, another value that is known, or the text of an expression. */
struct part {
    bool known;
    int64_t number;
    const struct value *other; /* a word or a float */
    const char *text;
    bool truth;                    /* of the text: its value is 0 or 1 */
    const struct limit_row *limit; /* that the text is the name of; NULL: none */
};

struct writer {
    struct arena arena;
    const struct space *space;
    const struct device_limits *limits;
    const uint32_t *choices;
    bool named;         /* limits in which architectures differ are names, the others numbers */
    bool of_limits;     /* conditions without limits are left out */
    bool partial;       /* a limit of 0 is unknown */
    bool failed;        /* out of memory */
    const char **parts; /* of a condition: all must hold */
    size_t count, room;
};

/* As the condition's language writes them; NULL: it cannot. */
static const char *const signs[OP_COUNT] = {
    [OP_ADD] = "+",          [OP_SUBTRACT] = "-", [OP_MULTIPLY] = "*",       [OP_DIVIDE] = "/",
    [OP_REMAINDER] = "%",    [OP_EQUAL] = "==",   [OP_NOT_EQUAL] = "!=",     [OP_LESS] = "<",
    [OP_LESS_EQUAL] = "<=",  [OP_GREATER] = ">",  [OP_GREATER_EQUAL] = ">=", [OP_SHIFT_LEFT] = "<<",
    [OP_SHIFT_RIGHT] = ">>", [OP_BIT_AND] = "&",  [OP_BIT_OR] = "|",         [OP_BIT_XOR] = "^",
};
static const char *const functions[OP_COUNT] = {
    [OP_MIN] = "min", [OP_MAX] = "max", [OP_CEILDIV] = "ceildiv", [OP_GCD] = "gcd", [OP_LCM] = "lcm",
};

static struct part known(int64_t number)
{
    return (struct part){.known = true, .number = number};
}

static const char *text_of(struct writer *writer, const struct part *part)
{
    const char *text = part->known ? arena_printf(&writer->arena, "%lld", (long long)part->number) : part->text;
    writer->failed |= !text;
    return text ? text : "0";
}

/* What all architectures have in common is a number. */
static bool load_name(const struct limit_row *limit, struct part *part)
{
    const int64_t number = architecture_limit(limit, 0);
    *part = number == LIMIT_UNKNOWN ? (struct part){.text = limit->name, .limit = limit} : known(number);
    return true;
}

/* False: it has no text. */
static bool load(const struct writer *writer, const struct expr *expr, const struct instruction *code,
                 struct part *part)
{
    const struct value *value = NULL;
    switch (code->operation) {
    case OP_CONSTANT:
        value = &expr->constants[code->operand];
        break;
    case OP_PARAMETER:
        value = &writer->space->parameters[code->operand].values[writer->choices[code->operand]];
        break;
    case OP_PROBLEM:
        *part = (struct part){.text = writer->space->problems[code->operand].name};
        return writer->space->problems[code->operand].value.kind == VALUE_INT;
    default: /* OP_LIMIT */
        if (writer->named)
            return load_name(&limit_rows[code->operand], part);
        if (!writer->limits)
            return false;
        *part = known(limit_get(writer->limits, &limit_rows[code->operand]));
        return !writer->partial || part->number;
    }
    *part = value->kind == VALUE_INT ? known(value->integer) : (struct part){.other = value};
    return true;
}

/* Sets a part to a value. False: out of memory. */
static bool set(struct writer *writer, const struct value *value, struct part *part)
{
    struct value *copy = value->kind == VALUE_INT ? NULL : arena_alloc(&writer->arena, sizeof *copy);
    if (value->kind == VALUE_INT)
        *part = known(value->integer);
    else if (copy)
        *part = (struct part){.other = memcpy(copy, value, sizeof *copy)};
    return value->kind == VALUE_INT || copy;
}

static struct value value_of(const struct part *part)
{
    return part->other ? *part->other : value_integer(part->number);
}

static bool unary(struct writer *writer, enum operation operation, struct part *part)
{
    if (part->known || part->other) {
        struct value value = value_of(part), result;
        return !expr_unary(operation, &value, &result) && set(writer, &result, part);
    }
    part->truth = operation == OP_NOT || operation == OP_IS_POW2;
    part->limit = NULL;
    if (operation == OP_NOT)
        part->text = arena_printf(&writer->arena, "!%s", part->text);
    else if (operation == OP_COMPLEMENT)
        part->text = arena_printf(&writer->arena, "(-1 - %s)", part->text);
    else if (operation == OP_IS_POW2)
        part->text =
            arena_printf(&writer->arena, "((%s > 0) && ((%s & (%s - 1)) == 0))", part->text, part->text, part->text);
    else if (operation == OP_NEGATE)
        part->text = arena_printf(&writer->arena, "(0 - %s)", part->text);
    else if (operation == OP_ABS)
        part->text = arena_printf(&writer->arena, "max(%s, (0 - %s))", part->text, part->text);
    else
        return false;
    return part->text != NULL;
}

/* What needs no text: tiles of one element divide everything, and what is true or false is its own truth. */
static bool simplify(enum operation operation, struct part *a, const struct part *b)
{
    bool one = b->known && b->number == 1;
    if (operation == OP_REMAINDER && one)
        *a = known(0);
    else if (operation == OP_GCD && (one || (a->known && a->number == 1)))
        *a = known(1);
    else if (operation == OP_MULTIPLY && a->known && a->number == 1)
        *a = *b;
    else
        return ((operation == OP_MULTIPLY || operation == OP_DIVIDE || operation == OP_CEILDIV) && one) ||
               (operation == OP_NOT_EQUAL && b->known && !b->number && a->truth);
    return true;
}

/* One item of a set, as a condition on the text. NULL: it has none. */
static const char *item_text(struct writer *writer, const struct value_set_item *item, const char *text)
{
    const struct list_range *range = &item->range;
    if (item->one && item->value.kind == VALUE_INT)
        return arena_printf(&writer->arena, "(%s == %lld)", text, (long long)item->value.integer);
    if (item->one) /* no word is a number */
        return item->value.kind == VALUE_WORD ? "0" : NULL;
    return arena_printf(&writer->arena, "(((%s >= %lld) && (%s <= %lld)) && (((%s - %lld) %% %lld) == 0))", text,
                        (long long)range->first, text, (long long)range->last, text, (long long)range->first,
                        (long long)range->step);
}

static bool membership(struct writer *writer, struct part *a, const struct value_set *set)
{
    const char *text = a->text, *all = "0";
    for (size_t i = 0; i < set->count && all; i++) {
        const char *one = item_text(writer, &set->items[i], text);
        all = !one ? NULL : i ? arena_printf(&writer->arena, "(%s || %s)", all, one) : one;
    }
    *a = (struct part){.text = all, .truth = true};
    return all != NULL;
}

/* Whether no known architecture has less of a limit than a number. */
static bool all_have(const struct part *limit, const struct part *number)
{
    const int64_t least = limit->limit ? architecture_least(limit->limit) : LIMIT_UNKNOWN;
    return least != LIMIT_UNKNOWN && number->known && number->number <= least;
}

static bool binary(struct writer *writer, enum operation operation, struct part *a, const struct part *b)
{
    if ((a->known || a->other) && (b->known || b->other)) {
        const struct value left = value_of(a), right = value_of(b);
        struct value result;
        return !expr_binary(operation, &left, &right, &result) && set(writer, &result, a);
    }
    if (operation == OP_IN)
        return membership(writer, a, b->other->set);
    if (a->other || b->other)
        return false;
    if (simplify(operation, a, b))
        return true;
    if ((operation == OP_LESS_EQUAL && all_have(b, a)) || (operation == OP_GREATER_EQUAL && all_have(a, b))) {
        *a = known(1);
        return true;
    }
    const char *left = text_of(writer, a), *right = text_of(writer, b);
    if (!signs[operation] && !functions[operation])
        return false;
    *a = (struct part){.text = functions[operation]
                                   ? arena_printf(&writer->arena, "%s(%s, %s)", functions[operation], left, right)
                                   : arena_printf(&writer->arena, "(%s %s %s)", left, signs[operation], right),
                       .truth = operation_compares(operation)};
    return a->text != NULL;
}

static bool convert(struct writer *writer, const struct expr *expr, size_t from, size_t to, struct part *result);

/* left && right, left || right: the right side is the code up to the jump's target, which OP_TRUTH ends. */
static bool shortcut(struct writer *writer, const struct expr *expr, size_t at, struct part *left)
{
    const struct instruction *code = &expr->code[at];
    struct part right;
    if (left->other)
        return false;
    if (left->known && (left->number != 0) == (code->operation == OP_OR)) {
        *left = known(left->number != 0);
        return true;
    }
    if (!convert(writer, expr, at + 1, code->operand, &right) || right.other)
        return false;
    if (left->known) {
        *left = right;
        return true;
    }
    if (right.known && (right.number != 0) == (code->operation == OP_OR)) {
        *left = known(right.number != 0);
        return true;
    }
    left->truth = true;
    left->limit = NULL;
    left->text = arena_printf(&writer->arena, "(%s %s %s)", left->text, code->operation == OP_AND ? "&&" : "||",
                              text_of(writer, &right));
    return left->text != NULL;
}

/* condition ? one : other: the jump leads behind the OP_JUMP that ends the first. Sets *end to the code behind both. */
static bool conditional(struct writer *writer, const struct expr *expr, size_t at, struct part *condition, size_t *end)
{
    size_t other_at = expr->code[at].operand;
    struct part one, other;
    *end = expr->code[other_at - 1].operand;
    if (condition->other)
        return false;
    if (condition->known)
        return condition->number ? convert(writer, expr, at + 1, other_at - 1, condition)
                                 : convert(writer, expr, other_at, *end, condition);
    if (!convert(writer, expr, at + 1, other_at - 1, &one) || !convert(writer, expr, other_at, *end, &other) ||
        one.other || other.other)
        return false;
    condition->truth = false;
    condition->limit = NULL;
    condition->text =
        arena_printf(&writer->arena, "(%s ? %s : %s)", condition->text, text_of(writer, &one), text_of(writer, &other));
    return condition->text != NULL;
}

/* Converts the code of one value. False: it has no text. */
static bool convert(struct writer *writer, const struct expr *expr, size_t from, size_t to, struct part *result)
{
    struct part *stack = arena_array(&writer->arena, EXPR_STACK_MAX + 1, sizeof *stack), *top = stack;
    bool right = stack != NULL;
    for (size_t at = from; right && at < to;) {
        const struct instruction *code = &expr->code[at++];
        if (code->operation <= OP_LIMIT) {
            right = load(writer, expr, code, ++top);
        } else if (code->operation == OP_AND || code->operation == OP_OR) {
            right = shortcut(writer, expr, at - 1, top);
            at = code->operand;
        } else if (code->operation == OP_JUMP_FALSE) {
            right = conditional(writer, expr, at - 1, top, &at);
        } else if (code->operation == OP_TRUTH) {
            right = binary(writer, OP_NOT_EQUAL, top, &(struct part){.known = true});
        } else if (code->operation < OP_UNARY_FIRST) {
            right = false; /* an OP_JUMP belongs to an OP_JUMP_FALSE */
        } else if (code->operation < OP_BINARY_FIRST) {
            right = unary(writer, code->operation, top);
        } else {
            top--;
            right = binary(writer, code->operation, top, top + 1);
        }
    }
    if (right)
        *result = *top;
    return right;
}

/* ---- Conditions ---- */

static void append(struct writer *writer, const char *part)
{
    const char **parts = array_grow(writer->parts, &writer->room, writer->count + 1, sizeof *parts);
    writer->failed |= !parts || !part;
    if (!parts)
        return;
    writer->parts = parts;
    parts[writer->count++] = part;
}

/* As a tree that is as low as possible: readers bear only so much nesting. */
static void print_all(const struct writer *writer, size_t first, size_t count, struct text *text)
{
    const size_t half = count - count / 2;
    if (count == 1)
        text_printf(text, "%s", writer->parts[first]);
    if (count < 2)
        return;
    text_printf(text, "(");
    print_all(writer, first, half, text);
    text_printf(text, " && ");
    print_all(writer, first + half, count - half, text);
    text_printf(text, ")");
}

/* Whether an expression has limits in which architectures differ. */
static bool names_limits(const struct expr *expr)
{
    for (size_t i = 0; i < expr->code_count; i++)
        if (expr->code[i].operation == OP_LIMIT &&
            architecture_limit(&limit_rows[expr->code[i].operand], 0) == LIMIT_UNKNOWN)
            return true;
    return false;
}

/* Adds a condition on which the sizes (or named limits) have an influence. A configuration is known to be valid where
 * they have none. `limits`: instead of the writer's. */
static bool add(struct writer *writer, const struct expr *condition, const struct device_limits *limits)
{
    const struct device_limits *own = writer->limits;
    struct part part = known(1);
    writer->limits = limits;
    bool influence = (condition->uses_problems && !writer->of_limits) || (writer->named && names_limits(condition));
    bool right = !influence || (convert(writer, condition, 0, condition->code_count, &part) && !part.other);
    writer->limits = own;
    if (right && !(part.known && part.number))
        append(writer, text_of(writer, &part));
    return right;
}

static bool add_demands(struct writer *writer, int64_t static_bytes)
{
    const struct space_private *private = writer->space->private;
    struct device_limits left = {0};
    bool complete = true;
    if (writer->limits) {
        left = *writer->limits;
        left.shared_limit -= left.shared_limit ? static_bytes : 0;
    }
    for (size_t i = 0; i < private->demand_count && (writer->named || writer->limits); i++) {
        const struct demand *demand = &private->demands[i];
        const bool shared = strcmp(demand->name, "shared_limit") == 0;
        if (!demand->run_only && demand->of & 1u << LAUNCH_OF_RUN && !(shared && writer->limits && !left.shared_limit))
            complete &= add(writer, demand->condition, writer->limits ? &left : NULL);
    }
    return complete;
}

/* As it was before the space was bound. */
static bool add_constraints(struct writer *writer)
{
    const struct space *space = writer->space;
    bool complete = true;
    for (size_t c = 0; c < space->constraint_count; c++) {
        const struct constraint *constraint = &space->constraints[c];
        if (!constraint->device)
            complete &= add(writer, constraint->written ? constraint->written : constraint->condition, writer->limits);
    }
    return complete;
}

static bool write_condition(struct writer *writer, int64_t static_bytes, struct text *text)
{
    bool complete = add_constraints(writer);
    complete &= add_demands(writer, static_bytes);
    print_all(writer, 0, writer->count, text);
    text->failed |= writer->failed;
    free(writer->parts);
    arena_free(&writer->arena);
    return complete;
}

bool space_condition(const struct space *space, const struct device_limits *limits, const uint32_t *choices,
                     int64_t static_bytes, struct text *text)
{
    struct writer writer = {.space = space, .limits = limits, .choices = choices};
    return write_condition(&writer, static_bytes, text);
}

bool space_requirement(const struct space *space, const uint32_t *choices, bool of_limits, struct text *text)
{
    struct writer writer = {.space = space, .choices = choices, .named = true, .of_limits = of_limits};
    return write_condition(&writer, 0, text);
}

bool space_requirement_of(const struct space *space, const char *configuration, bool of_limits, struct text *text)
{
    uint32_t choices[SPACE_PARAMETERS_MAX];
    if (space_config_parse(space, configuration, choices, NULL))
        return false;
    space_requirement(space, choices, of_limits, text);
    return true;
}

bool space_expression(const struct space *space, const struct expr *expr, const struct device_limits *limits,
                      const uint32_t *choices, struct text *text)
{
    struct writer writer = {.space = space, .limits = limits, .choices = choices, .named = !limits, .partial = true};
    struct part part = {0};
    bool right = convert(&writer, expr, 0, expr->code_count, &part) && !part.other;
    if (right)
        text_printf(text, "%s", text_of(&writer, &part));
    text->failed |= writer.failed;
    arena_free(&writer.arena);
    return right;
}
