#include "space/terms.h"

#include <stdlib.h>
#include <string.h>

#include "space/private.h"

static const struct value fault = {.kind = (enum value_kind)VALUE_FAULT};

int term_truth(const struct value *value)
{
    switch ((int)value->kind) {
    case VALUE_INT:
        return value->integer != 0;
    case VALUE_FLOAT:
        return value->real != 0;
    default:
        return -1;
    }
}

static struct value truth_value(int truth)
{
    return truth < 0 ? fault : (struct value){.kind = VALUE_INT, .integer = truth};
}

struct value term_value(const struct term *term, const struct value *a, const struct value *b, const struct value *c)
{
    struct value result;
    int truth;
    switch (term->operation) {
    case TERM_AND:
        truth = term_truth(a);
        return truth == 1 ? truth_value(term_truth(b)) : truth_value(truth);
    case TERM_OR:
        truth = term_truth(a);
        return truth == 0 ? truth_value(term_truth(b)) : truth_value(truth);
    case TERM_CHOOSE:
        truth = term_truth(a);
        return truth < 0 ? fault : truth ? *b : *c;
    case OP_TRUTH:
        return truth_value(term_truth(a));
    default:
        break;
    }
    bool binary = term->operation >= OP_BINARY_FIRST;
    if ((int)a->kind == VALUE_FAULT || (binary && (int)b->kind == VALUE_FAULT))
        return fault;
    expr_fault failed = binary ? expr_binary((enum operation)term->operation, a, b, &result)
                               : expr_unary((enum operation)term->operation, a, &result);
    return failed ? fault : result;
}

/* ---- Building ---- */

static bool same_value(const struct value *a, const struct value *b)
{
    return a->kind == b->kind &&
           ((int)a->kind == VALUE_FAULT || memcmp(&a->integer, &b->integer, sizeof a->integer) == 0);
}

static bool same_term(const struct term *a, const struct term *b)
{
    if (a->operation != b->operation || a->parameter != b->parameter || a->a != b->a || a->b != b->b || a->c != b->c)
        return false;
    return a->operation != TERM_CONSTANT || same_value(&a->constant, &b->constant);
}

/* Adds a term, or finds an equal earlier one, and returns its number; -1 when out of memory. Folds constants. */
static int64_t add_term(struct terms *terms, struct term term)
{
    if (term.operation != TERM_CONSTANT && term.operation != TERM_PARAMETER) {
        const struct term *all = terms->terms;
        bool three = term.operation == TERM_CHOOSE, two = three || term.operation >= OP_BINARY_FIRST;
        term.parameters = all[term.a].parameters;
        if (two)
            term.parameters |= all[term.b].parameters;
        if (three)
            term.parameters |= all[term.c].parameters;
        if (!term.parameters) {
            struct value value = term_value(&term, &all[term.a].constant, &all[term.b].constant, &all[term.c].constant);
            term = (struct term){.operation = TERM_CONSTANT, .constant = value};
        }
    }
    for (size_t i = 0; i < terms->count; i++)
        if (same_term(&terms->terms[i], &term))
            return (int64_t)i;
    if (terms->count == terms->room) {
        size_t room = terms->room ? terms->room * 2 : 64;
        struct term *grown = realloc(terms->terms, room * sizeof *grown);
        if (!grown)
            return -1;
        terms->terms = grown;
        terms->room = room;
    }
    terms->terms[terms->count] = term;
    return (int64_t)terms->count++;
}

/* Converts one expression's code back into a tree. */
struct reader {
    struct terms *terms;
    const struct space *space;
    const struct expr *expr;
};

static int64_t read_leaf(struct reader *reader, const struct instruction *code)
{
    struct term term = {.operation = TERM_CONSTANT};
    switch (code->operation) {
    case OP_CONSTANT:
        term.constant = reader->expr->constants[code->operand];
        break;
    case OP_PROBLEM:
        term.constant = reader->space->problems[code->operand].value;
        break;
    case OP_LIMIT:
        term.constant =
            (struct value){.kind = VALUE_INT, .integer = limit_get(&reader->space->limits, &limit_rows[code->operand])};
        break;
    default: /* OP_PARAMETER; with one value, it is a constant */
        if (reader->space->parameters[code->operand].value_count == 1) {
            term.constant = reader->space->parameters[code->operand].values[0];
            break;
        }
        term = (struct term){
            .operation = TERM_PARAMETER, .parameter = code->operand, .parameters = (uint64_t)1 << code->operand};
        break;
    }
    return add_term(reader->terms, term);
}

bool term_gives_truth(const struct term *term)
{
    return operation_compares(term->operation) || term->operation == TERM_AND || term->operation == TERM_OR ||
           term->operation == OP_NOT;
}

/* Reads the instructions from `at` up to `end` (exclusive), which leave one value. Jumps identify && || ?: in the code:
 *     L AND(to E) R TRUTH E:          C JUMP_FALSE(to E) A JUMP(to F) E: B F: */
static int64_t read_code(struct reader *reader, size_t at, size_t end)
{
    uint32_t stack[EXPR_STACK_MAX];
    size_t top = 0;
    while (at < end) {
        const struct instruction *code = &reader->expr->code[at++];
        int64_t number;
        if (code->operation <= OP_LIMIT) {
            number = read_leaf(reader, code);
        } else if (code->operation == OP_AND || code->operation == OP_OR) {
            int64_t right = read_code(reader, at, code->operand);
            at = code->operand;
            if (right < 0)
                return -1;
            number = add_term(reader->terms, (struct term){.operation = code->operation == OP_AND ? TERM_AND : TERM_OR,
                                                           .a = stack[--top],
                                                           .b = (uint32_t)right});
        } else if (code->operation == OP_JUMP_FALSE) {
            size_t otherwise = code->operand, after = reader->expr->code[otherwise - 1].operand;
            int64_t yes = read_code(reader, at, otherwise - 1), no = yes < 0 ? -1 : read_code(reader, otherwise, after);
            at = after;
            if (no < 0)
                return -1;
            number = add_term(
                reader->terms,
                (struct term){.operation = TERM_CHOOSE, .a = stack[--top], .b = (uint32_t)yes, .c = (uint32_t)no});
        } else if (code->operation == OP_TRUTH && term_gives_truth(&reader->terms->terms[stack[top - 1]])) {
            continue;
        } else {
            struct term term = {.operation = code->operation};
            if (code->operation >= OP_BINARY_FIRST)
                term.b = stack[--top];
            term.a = stack[--top];
            number = add_term(reader->terms, term);
        }
        if (number < 0)
            return -1;
        stack[top++] = (uint32_t)number;
    }
    return stack[0];
}

/* Splits a chain of && into its conditions: each is decided, and excludes, by itself. */
static bool add_roots(struct terms *terms, uint32_t number, uint32_t constraint)
{
    const struct term *term = &terms->terms[number];
    if (term->operation == TERM_AND) {
        uint32_t left = term->a, right = term->b;
        return add_roots(terms, left, constraint) && add_roots(terms, right, constraint);
    }
    if (terms->root_count == terms->root_room) {
        size_t room = terms->root_room ? terms->root_room * 2 : 16;
        struct root *grown = realloc(terms->roots, room * sizeof *grown);
        if (!grown)
            return false;
        terms->roots = grown;
        terms->root_room = room;
    }
    terms->roots[terms->root_count++] = (struct root){.term = number, .constraint = constraint};
    return true;
}

int terms_add(struct terms *terms, const struct space *space, const struct expr *expr, uint32_t *number,
              struct error *error)
{
    struct reader reader = {.terms = terms, .space = space, .expr = expr};
    int64_t added = read_code(&reader, 0, expr->code_count);
    *number = (uint32_t)added;
    return added < 0 ? error_memory(error) : 0;
}

int terms_build(struct terms *terms, const struct space *space, size_t constraint_count, struct error *error)
{
    for (size_t i = 0; i < constraint_count; i++) {
        uint32_t number;
        TRY(terms_add(terms, space, space->constraints[i].condition, &number, error));
        if (!add_roots(terms, number, (uint32_t)i))
            return error_memory(error);
    }
    return 0;
}

void terms_free(struct terms *terms)
{
    free(terms->terms);
    free(terms->roots);
    memset(terms, 0, sizeof *terms);
}
