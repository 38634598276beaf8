/* Conditions on a problem's sizes: what a space requires, with a configuration's values in place of its parameters.
 * Integers only, with the arithmetic of db/choose_fit.h.
 *
 *     condition  := NUMBER | SIZE | "(" condition OPERATOR condition ")" | "(" condition "?" condition ":" condition
 * ")" | "!" condition | FUNCTION "(" condition "," condition ")"
 *
 * OPERATOR is one of + - * / % << >> & | ^ == != < <= > >= && ||, FUNCTION one of min max ceildiv gcd lcm log2, where
 * log2(a, b) is the binary logarithm of a in b-ths. */
#ifndef CUTUNE_DB_SIZE_CONDITION_H
#define CUTUNE_DB_SIZE_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

struct size_condition; /* NULL: holds for all sizes */

/* As many different parts as a condition may have, with those that it shares: their values lie on the stack. */
enum { SIZE_CONDITION_PARTS_MAX = 2048 };

/* Parses a text; "" is the condition that always holds. ERROR_SYNTAX names the place. */
int size_condition_parse(struct arena *arena, const char *text, const char *const *names, size_t name_count,
                         const struct size_condition **condition, struct error *error);
/* Parses `count` texts into `conditions`, which share what two of them have in common: an evaluation finds it once. */
int size_conditions_parse(struct arena *arena, const char *const *texts, size_t count, const char *const *names,
                          size_t name_count, const struct size_condition **conditions, struct error *error);

/* Its value; any number but 0 is true. */
int64_t size_condition_value(const struct size_condition *condition, const int64_t *sizes);
bool size_condition_holds(const struct size_condition *condition, const int64_t *sizes);

/* Several conditions for the same sizes. Large: zeroing it takes longer than most evaluations. */
struct size_evaluation {
    const int64_t *sizes;
    const struct size_parts *shared; /* whose values come first in `values`; NULL: none yet */
    int64_t values[SIZE_CONDITION_PARTS_MAX];
};
/* The sizes must outlive the evaluation. */
void size_evaluation_begin(struct size_evaluation *evaluation, const int64_t *sizes);
int64_t size_evaluation_value(struct size_evaluation *evaluation, const struct size_condition *condition);

/* Appends it as C that calls PREFIXplus, PREFIXless ... of choose_fit.h; `names`: the variables with the sizes. */
void size_condition_c(const struct size_condition *condition, const char *prefix, const char *const *names,
                      struct text *text);

#endif
