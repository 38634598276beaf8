/* Conditions on problem sizes: the requirements of a space for one configuration, whose values replace the parameters.
 * All numbers are integers, with the arithmetic of db/sizes/choose_fit.h.
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
/* Same for sizes within `ranges`, one for each size (NULL: any sizes). Simplifies the condition for these ranges. */
int size_condition_parse_between(struct arena *arena, const char *text, const char *const *names, size_t name_count,
                                 const struct bound *ranges, const struct size_condition **condition,
                                 struct error *error);

/* Parses a conjunction as two conditions: the parts with any of the first `first` names, and the parts with none of
 * them. Otherwise as size_condition_parse. */
int size_condition_split(struct arena *arena, const char *text, const char *const *names, size_t name_count,
                         size_t first, const struct size_condition **with, const struct size_condition **without,
                         struct error *error);

/* True if the condition is known to hold for all sizes (within its ranges). */
bool size_condition_always(const struct size_condition *condition);

/* True if the condition depends on the name with that number. */
bool size_condition_asks(const struct size_condition *condition, size_t name);

/* Value of the condition; any number but 0 is true. */
int64_t size_condition_value(const struct size_condition *condition, const int64_t *sizes);
bool size_condition_holds(const struct size_condition *condition, const int64_t *sizes);

/* Appends the condition as C, "1" for NULL: calls of PREFIXplus, PREFIXless ... of choose_fit.h on the variables
 * `names`. `parts` gets a statement for each repeated part, a constant part_0, part_1 ..., with this indent; NULL:
 * repeats the text of such parts. Uses operators of C where the ranges rule out an overflow, and 32-bit quotients where
 * the ranges fit. */
void size_condition_print(const struct size_condition *condition, const char *prefix, const char *const *names,
                          int indent, struct text *parts, struct text *text);

#endif
