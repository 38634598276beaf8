/* The constraints of a space as one graph of terms, to evaluate them while only some parameters have values. Equal
 * sub-expressions are one term: each partial result is computed and compared once.
 *
 * A term is closed when all its parameters are bound. Then it has a value, which may be a fault. A fault is an error
 * only if the whole constraint needs it (as in C, && || ?: guard their right sides) and nothing else excludes the
 * configuration. */
#ifndef CUTUNE_SPACE_TERMS_H
#define CUTUNE_SPACE_TERMS_H

#include "space/expr.h"

/* Operations of terms besides those of expr.h. */
enum term_operation {
    TERM_CONSTANT = OP_COUNT,
    TERM_PARAMETER,
    TERM_AND,
    TERM_OR,
    TERM_CHOOSE /* a ? b : c */
};

/* The kind of a value that does not exist: division by zero, overflow. Extends enum value_kind. */
enum { VALUE_FAULT = 15 };

struct term {
    uint16_t operation;    /* enum operation or enum term_operation */
    uint16_t parameter;    /* TERM_PARAMETER */
    uint32_t a, b, c;      /* operands, with lower numbers */
    uint64_t parameters;   /* bit p: parameter p occurs */
    struct value constant; /* TERM_CONSTANT */
};

/* A condition that must hold. A constraint that is a chain of && has one root per link. */
struct root {
    uint32_t term;
    uint32_t constraint; /* index of the space's constraint */
};

struct terms {
    struct term *terms; /* operands before users */
    size_t count, room;
    struct root *roots;
    size_t root_count, root_room;
};

/* Builds the terms of the first `constraint_count` constraints of a bound space. A zeroed struct is empty. */
int terms_build(struct terms *terms, const struct space *space, size_t constraint_count, struct error *error);
/* Adds the terms of another expression and finds the number of its last, its value. */
int terms_add(struct terms *terms, const struct space *space, const struct expr *expr, uint32_t *number,
              struct error *error);
void terms_free(struct terms *terms);

/* Computes a closed term from its operands' values; a fault if it has no value. */
struct value term_value(const struct term *term, const struct value *a, const struct value *b, const struct value *c);

/* Is the result always 0 or 1? */
bool term_gives_truth(const struct term *term);

/* 1: true, 0: false, -1: a fault or a word. */
int term_truth(const struct value *value);

#endif
