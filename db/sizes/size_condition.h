/* Conditions on a problem's sizes: what a space requires, with a configuration's values in place of its parameters.
 * Integers only, with the arithmetic of db/sizes/choose_fit.h.
 *
 *     condition  := NUMBER | SIZE | "(" condition OPERATOR condition ")" | "(" condition "?" condition ":" condition
 * ")" | "!" condition | FUNCTION "(" condition "," condition ")"
 *
 * OPERATOR is one of + - * / % << >> & | ^ == != < <= > >= && ||, FUNCTION one of min max ceildiv gcd lcm. */
#ifndef CUTUNE_SIZES_SIZE_CONDITION_H
#define CUTUNE_SIZES_SIZE_CONDITION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/bound.h"
#include "base/error.h"
#include "base/text.h"

struct size_condition; /* NULL: holds for all sizes */

/* Parses a text; "" is the condition that always holds. ERROR_SYNTAX names the place. */
int size_condition_parse(struct arena *arena, const char *text, const char *const *names, size_t name_count,
                         const struct size_condition **condition, struct error *error);
/* The same of sizes between these alone, one range for each, as simple as it is there (NULL: of any). */
int size_condition_parse_between(struct arena *arena, const char *text, const char *const *names, size_t name_count,
                                 const struct bound *ranges, const struct size_condition **condition,
                                 struct error *error);

/* Parses a conjunction as two conditions: of its parts that have one of the first `first` names, and of those that have
 * none. Otherwise as size_condition_parse. */
int size_condition_split(struct arena *arena, const char *text, const char *const *names, size_t name_count,
                         size_t first, const struct size_condition **with, const struct size_condition **without,
                         struct error *error);

/* Whether it is known to hold for all sizes (in the ranges that it is of). */
bool size_condition_always(const struct size_condition *condition);

/* Returns whether the condition depends on the name with that number. */
bool size_condition_asks(const struct size_condition *condition, size_t name);

/* Its value; any number but 0 is true. */
int64_t size_condition_value(const struct size_condition *condition, const int64_t *sizes);
bool size_condition_holds(const struct size_condition *condition, const int64_t *sizes);

/* Appends the condition as C, "1" for NULL: calls of PREFIXplus, PREFIXless ... of choose_fit.h on the variables
 * `names`. A part that occurs more than once becomes a constant part_0, part_1 ..., a statement in `parts` with this
 * indent; NULL: the text repeats it. What cannot overflow in the condition's ranges is an operator of C, and quotients
 * of 32 bits are short ones. */
void size_condition_print(const struct size_condition *condition, const char *prefix, const char *const *names,
                          int indent, struct text *parts, struct text *text);

#endif
