#include "space/condition.h"

#include <string.h>

#include "base/arena.h"
#include "space/expr.h"
#include "space/list.h"
#include "space/private.h"

/* A number, another value that is known, or the text of an expression. */
struct part {
    bool known;
    int64_t number;
    const struct value *other; /* a word or a float */
    const char *text;
    bool truth; /* of the text: its value is 0 or 1 */
};

struct writer {
    struct arena arena;
    const struct space *space;
    const struct device_limits *limits;
    const uint32_t *choices;
    int64_t static_bytes; /* of shared memory */
    bool partial;         /* a limit of 0 is unknown */
    bool failed;          /* out of memory */
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

static void append(struct text *text, const char *condition)
{
    if (text->length) {
        struct text before = *text;
        *text = (struct text){0};
        text_printf(text, "(%s && %s)", text_string(&before), condition);
        text_free(&before);
    } else {
        text_printf(text, "%s", condition);
    }
}

/* The text of an expression on which the sizes have an influence. False: it has none. */
static bool influenced(struct writer *writer, const struct expr *expr, struct part *part, bool *influence)
{
    *influence = expr && expr->uses_problems;
    return !*influence || (convert(writer, expr, 0, expr->code_count, part) && !part->other);
}

static bool add_constraint(struct writer *writer, const struct expr *condition, struct text *text)
{
    struct part part;
    bool influence, right = influenced(writer, condition, &part, &influence);
    if (!right || !influence || (part.known && part.number))
        return right; /* or it holds whatever the sizes are */
    append(text, text_of(writer, &part));
    return true;
}

static bool add_range(struct writer *writer, const struct expr *expr, int64_t most, struct text *text)
{
    struct part part;
    bool influence, right = influenced(writer, expr, &part, &influence);
    if (!right || !influence)
        return right;
    const char *value = text_of(writer, &part);
    const char *condition = arena_printf(&writer->arena, "((1 <= %s) && (%s <= %lld))", value, value, (long long)most);
    text->failed |= !condition;
    append(text, condition ? condition : "0");
    return true;
}

static bool add_shared(struct writer *writer, const struct expr *shared, int64_t most, struct text *text)
{
    struct part part;
    bool influence, right = influenced(writer, shared, &part, &influence);
    if (!right || !influence || (part.known && part.number <= most))
        return right;
    const char *condition = arena_printf(&writer->arena, "(%s <= %lld)", text_of(writer, &part), (long long)most);
    text->failed |= !condition;
    append(text, condition ? condition : "0");
    return true;
}

/* Threads of a block with more than one dimension: one alone has a limit of its own. */
static bool add_threads(struct writer *writer, const struct expr *const block[3], struct text *text)
{
    struct part all = known(1), part;
    bool influence = false, right = true;
    size_t dimensions = 0;
    for (int d = 0; d < 3 && right; d++) {
        if (!block[d])
            continue;
        influence |= block[d]->uses_problems;
        right = convert(writer, block[d], 0, block[d]->code_count, &part);
        dimensions += right && !(part.known && part.number == 1);
        right = right && binary(writer, OP_MULTIPLY, &all, &part);
    }
    if (!right || !influence || dimensions < 2)
        return right || !influence;
    const char *condition = arena_printf(&writer->arena, "(%s <= %lld)", text_of(writer, &all),
                                         (long long)limit_get(writer->limits, limit_find("max_threads")));
    text->failed |= !condition;
    append(text, condition ? condition : "0");
    return true;
}

static bool add_limits(struct writer *writer, const struct step *step, struct text *text)
{
    static const char *const grid_limits[] = {"max_grid_x", "max_grid_y", "max_grid_z"};
    static const char *const block_limits[] = {"max_block_x", "max_block_y", "max_block_z"};
    bool complete = true;
    for (int d = 0; d < 3; d++) {
        complete &= add_range(writer, step->grid[d], limit_get(writer->limits, limit_find(grid_limits[d])), text);
        complete &= add_range(writer, step->block[d], limit_get(writer->limits, limit_find(block_limits[d])), text);
    }
    complete &= add_threads(writer, step->block, text);
    if (writer->limits->shared_limit)
        complete &= add_shared(writer, step->shared, writer->limits->shared_limit - writer->static_bytes, text);
    return complete;
}

/* What a launch asks for, where there is one. */
static bool add_step(struct writer *writer, const struct step *step, struct text *text)
{
    struct part when = known(1);
    struct text own = {0};
    if (step->when && (!convert(writer, step->when, 0, step->when->code_count, &when) || when.other))
        return false;
    if (when.known)
        return !when.number || add_limits(writer, step, text);
    bool complete = add_limits(writer, step, &own);
    const char *condition = arena_printf(&writer->arena, "(!%s || %s)", when.text, text_string(&own));
    text->failed |= own.failed || !condition;
    if (own.length)
        append(text, condition ? condition : "0");
    text_free(&own);
    return complete;
}

bool space_condition(const struct space *space, const struct device_limits *limits, const uint32_t *choices,
                     int64_t static_bytes, struct text *text)
{
    struct writer writer = {.space = space, .limits = limits, .choices = choices, .static_bytes = static_bytes};
    struct text own = {0};
    bool complete = true;
    for (size_t c = 0; c < space->constraint_count; c++)
        complete &= add_constraint(&writer, space->constraints[c].condition, &own);
    for (size_t s = 0; s < space->step_count && limits; s++)
        complete &= add_step(&writer, &space->steps[s], &own);
    text_append(text, text_string(&own), own.length);
    text->failed |= own.failed || writer.failed;
    text_free(&own);
    arena_free(&writer.arena);
    return complete;
}

bool space_expression(const struct space *space, const struct expr *expr, const struct device_limits *limits,
                      const uint32_t *choices, struct text *text)
{
    struct writer writer = {.space = space, .limits = limits, .choices = choices, .partial = true};
    struct part part = {0};
    bool right = convert(&writer, expr, 0, expr->code_count, &part) && !part.other;
    if (right)
        text_printf(text, "%s", text_of(&writer, &part));
    text->failed |= writer.failed;
    arena_free(&writer.arena);
    return right;
}

/* ---- Traits ---- */

enum { STEP_TRAITS = 4 }; /* the three dimensions of a block, and the condition */

size_t space_trait_count(const struct space *space)
{
    return space->private->define_count + STEP_TRAITS * space->step_count;
}

static const struct expr *trait_of(const struct space *space, size_t number)
{
    size_t defines = space->private->define_count;
    if (number < defines)
        return space->private->defines[number].value;
    const struct step *step = &space->steps[(number - defines) / STEP_TRAITS];
    size_t part = (number - defines) % STEP_TRAITS;
    return part < 3 ? step->block[part] : step->when;
}

static bool is_size(const struct space *space, const char *text)
{
    bool found = false;
    for (size_t p = 0; p < space->problem_count; p++)
        found |= strcmp(space->problems[p].name, text) == 0;
    return found;
}

void space_trait(const struct space *space, size_t number, const struct device_limits *limits, const uint32_t *choices,
                 struct text *text)
{
    struct writer writer = {.space = space, .limits = limits, .choices = choices, .partial = true};
    struct part part;
    bool influence, right = influenced(&writer, trait_of(space, number), &part, &influence);
    if (right && influence && !part.known && !is_size(space, text_of(&writer, &part)))
        text_printf(text, "%s", text_of(&writer, &part));
    text->failed |= writer.failed;
    arena_free(&writer.arena);
}
