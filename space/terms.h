/* The constraints of a space as one graph of terms, for evaluating them while only some parameters have values. Equal
 * sub-expressions are one term, so a partial result is known, and compared, once.
 *
 * A term is closed when all its parameters are bound; then it has a value, which may be a fault: a fault is an error
 * only when the whole constraint needs it (C's && || ?: guard their right sides) and nothing else excludes the
 * configuration. */
#ifndef CUTUNE_SPACE_TERMS_H
#define CUTUNE_SPACE_TERMS_H

#include "space/expr.h"

/* What joins terms beside the operations of expr.h on one or two values. */
enum term_operation {
    TERM_CONSTANT = OP_COUNT,
    TERM_PARAMETER,
    TERM_AND,
    TERM_OR,
    TERM_CHOOSE /* a ? b : c */
};

/* The kind of a value that does not exist: division by zero, overflow. Beside enum value_kind. */
enum { VALUE_FAULT = 15 };

struct term {
    uint16_t operation;    /* enum operation or enum term_operation */
    uint16_t parameter;    /* TERM_PARAMETER */
    uint32_t a, b, c;      /* operands: lower numbers */
    uint64_t parameters;   /* bit p: parameter p occurs */
    struct value constant; /* TERM_CONSTANT */
};

/* A condition that must hold; a constraint that is a chain of && is one root per link. */
struct root {
    uint32_t term;
    uint32_t constraint; /* index into the space's */
};

struct terms {
    struct term *terms; /* operands before what uses them */
    size_t count, room;
    struct root *roots;
    size_t root_count, root_room;
};

/* The first `constraint_count` constraints of a bound space. A zeroed struct is empty. */
int terms_build(struct terms *terms, const struct space *space, size_t constraint_count, struct error *error);
void terms_free(struct terms *terms);

/* The value of a closed term from those of its operands; a fault when it has none. */
struct value term_value(const struct term *term, const struct value *a, const struct value *b, const struct value *c);

/* Whether the term's value is 0 or 1 by what it does. */
bool term_gives_truth(const struct term *term);

/* 1 true, 0 false, -1 neither: a fault or a word. */
int term_truth(const struct value *value);

#endif
